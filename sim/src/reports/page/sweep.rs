//! The page of a sweep.

use serde::Deserialize;
use serde_json::Value;

use super::figures::{ShownFigures, clearest_differences, difference_sections};
use super::origin::{Origin, seed};
use super::statistics::{INCOMPLETE, Precision, precision_section, texts};
use crate::reports::names::{AgentNames, agents as with_seats};
use jantaku_show::report::numbers::many;
use jantaku_show::report::{Cell, Fact, Report, Section, Table};

#[derive(Deserialize)]
struct Sweep {
    games: u64,
    variants: Vec<Variant>,
    agents: Vec<String>,
    precision: Vec<Precision>,
    complete: bool,
}

#[derive(Deserialize)]
struct Variant {
    name: String,
    rules_hash: String,
    rules_toml: Option<String>,
    hands: u64,
}

pub(super) fn report(result: &Value, origin: &Origin) -> Result<Report, serde_json::Error> {
    let found = Sweep::deserialize(result)?;
    let shown = ShownFigures::of(result, origin)?;
    let agents = AgentNames::of(&found.agents);
    let variants = AgentNames::new(found.variants.iter().map(|one| (one.name.clone(), String::new())));
    let first = found.variants.first().map_or_else(String::new, |one| variants.shown(&one.name).to_owned());
    let mut notes = vec![format!(
        "All variants play the same walls. A difference is that from {first}, game by game. Intervals have \
         95 % confidence, so one in twenty excludes 0 by chance; –: no interval. Rates are in percent, their \
         differences in percentage points."
    )];
    notes.extend((!found.complete).then(|| INCOMPLETE.to_owned()));
    let mut report = Report {
        title: format!("Sweep over {}", many(found.variants.len() as u64, "variant")),
        findings: Vec::new(),
        facts: facts(&found, &variants, &agents, result, origin),
        notes,
        sections: vec![variant_section(&found.variants, &variants)],
        data: result.clone(),
    };
    report.sections.extend(precision_section(&found.precision, &agents));
    let clearest = clearest_differences(&shown.figures, &variants);
    let others = difference_sections(&shown.figures, &variants, &agents);
    let sections = clearest.into_iter().chain(others).collect();
    shown.add_to(&mut report, sections);
    Ok(report)
}

fn facts(
    found: &Sweep,
    variants: &AgentNames,
    agents: &AgentNames,
    result: &Value,
    origin: &Origin,
) -> Vec<Fact> {
    let mut facts = origin.facts();
    facts.push(Fact::new("agents", with_seats(&agents.of_seats(&found.agents))));
    facts.extend(texts(agents));
    let cut = found.variants.iter().filter(|one| variants.shown(&one.name) != one.name);
    let whole = |one: &Variant| Fact::new("variant", format!("{}: {}", variants.shown(&one.name), one.name));
    facts.extend(cut.map(whole));
    facts.extend(seed(result));
    facts.push(Fact::new("games", format!("{} under each variant", many(found.games, "game"))));
    facts
}

/// The variants and their rules.
fn variant_section(variants: &[Variant], names: &AgentNames) -> Section {
    let row = |variant: &Variant| {
        let toml = variant.rules_toml.as_deref().unwrap_or_default().trim_end().replace('\n', "; ");
        let (name, hash) = (Cell::name(names.shown(&variant.name)), Cell::name(&variant.rules_hash));
        vec![name, Cell::count(variant.hands), Cell::Words(toml), hash]
    };
    let columns = ["variant", "hands", "rules", "hash"];
    Section::Table(Table::new("Variants", columns).rows(variants.iter().map(row)))
}

//! The report of a sweep.

use jantaku_show::report::numbers::many;
use jantaku_show::report::{Fact, Report};

use super::figures::{Fitting, clearest_differences, difference_sections, without_groups};
use super::origin::Origin;
use super::statistics::texts;
use super::{Reported, data};
use crate::reports::names::AgentNames;
use crate::reports::precision::sentence;
use crate::reports::{SweepReport, SweptVariant};
use jantaku_sim::play::{By, Seatings};

impl Reported for SweepReport {
    fn report(&self, divisions: &[By]) -> Report {
        let (agents, variants) = (AgentNames::of(&self.agents), names_of_variants(self));
        let part = if self.complete { "" } else { "; incomplete" };
        let mut report = Report::new(format!(
            "{} of {} on the same walls under {}, seed {}{part}",
            many(self.games, "game"),
            agents.players(&self.agents, Seatings::Fixed),
            variants.all(),
            self.seed
        ));
        report.facts = texts("variant", &variants);
        report.facts.extend(texts("agent", &agents));
        let first = self.variants.first().map_or("", |one| variants.shown(&one.name));
        report.notes.push(format!(
            "95 % intervals; –: no interval. A difference is that from {first}, game by game; one in twenty \
             excludes 0 by chance."
        ));
        report.notes.extend(same_as_first(self, &variants));
        report.findings = self.precision.iter().map(|known| sentence(known, &agents)).collect();
        report.findings.extend(without_groups(&self.figures, divisions));
        report.sections = difference_sections(&self.figures, divisions, &variants, &agents);
        report
    }

    fn page_report(&self, origin: &Origin) -> Report {
        let fitting = Fitting::of(&self.figures, &origin.divisions);
        let shown = SweepReport { figures: fitting.figures.clone(), ..self.clone() };
        let mut report = Report { data: data(self), ..shown.report(&fitting.divisions) };
        let clearest = clearest_differences(&self.figures, &names_of_variants(self));
        report.sections.splice(..0, clearest);
        for SweptVariant { name, rules_hash, rules_toml, hands } in &self.variants {
            report.facts.push(Fact::new(name, format!("{}, hash {rules_hash}", many(*hands, "hand"))));
            report.facts.push(Fact::appendix(format!("rules of {name}"), rules_toml.trim_end()));
        }
        report.facts.extend(origin.facts());
        fitting.fit(&mut report);
        report
    }
}

/// What tables call the variants.
fn names_of_variants(found: &SweepReport) -> AgentNames {
    AgentNames::new(found.variants.iter().map(|one| (one.name.clone(), one.name.clone())))
}

/// A note for each variant with the same rules as the first.
fn same_as_first(found: &SweepReport, names: &AgentNames) -> Vec<String> {
    let Some((first, others)) = found.variants.split_first() else { return Vec::new() };
    let same = others.iter().filter(|variant| variant.rules_hash == first.rules_hash);
    let note = |variant: &SweptVariant| {
        format!("{} has the rules of {}.", names.shown(&variant.name), names.shown(&first.name))
    };
    same.map(note).collect()
}

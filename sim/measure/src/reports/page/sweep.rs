//! The report of a sweep.

use jantaku_pages::report::{Fact, Report};
use jantaku_show::numbers::many;

use super::Reported;
use super::figures::{clearest_differences, difference_sections, fitted, without_groups};
use super::origin::Origin;
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
        report.facts = variants.facts("variant");
        report.facts.extend(agents.facts("agent"));
        let first = self.variants.first().map_or("", |one| variants.shown(&one.name));
        report.notes.push(format!(
            "95 % intervals; –: no interval. Differences are from {first}, game by game; one in twenty \
             excludes 0 by chance."
        ));
        report.notes.extend(same_as_first(self, &variants));
        report.findings = self.precision.iter().map(|known| sentence(known, &agents)).collect();
        report.findings.extend(without_groups(&self.figures, divisions));
        report.sections = difference_sections(&self.figures, divisions, &variants, &agents);
        report
    }

    fn page_report(&self, origin: &Origin) -> Report {
        fitted(self, &self.figures, origin, |figures, divisions| {
            let mut report = SweepReport { figures, ..self.clone() }.report(divisions);
            if let Some((sentence, table)) = clearest_differences(&self.figures, &names_of_variants(self)) {
                report.findings.push(sentence);
                report.sections.splice(..0, table);
            }
            for SweptVariant { name, rules_hash, rules_toml, hands } in &self.variants {
                report.facts.push(Fact::new(name, format!("{}, hash {rules_hash}", many(*hands, "hand"))));
                report.facts.push(Fact::appendix(format!("rules of {name}"), rules_toml.trim_end()));
            }
            report
        })
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

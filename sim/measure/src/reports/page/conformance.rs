//! The report of another engine's conformance.

use jantaku_pages::report::{Cell, Column, Fact, Report, Table};
use jantaku_show::numbers::many;
use jantaku_sim::play::By;

use super::origin::Origin;
use super::{Reported, data};
use crate::conform::{Conformance, Failure};

/// The most differences of a theme in a report. The result as JSON has all.
const LISTED: usize = 20;

impl Reported for Conformance {
    fn report(&self, _: &[By]) -> Report {
        let mut report = Report::new(format!("Conformance of {} {}", self.engine, self.version).trim_end());
        report.facts = vec![Fact::new("seed", self.seed.to_string())];
        let failed = self.themes.iter().map(|score| score.failed).sum();
        report.findings =
            vec![if failed == 0 { "No difference.".to_owned() } else { many(failed, "difference") + "." }];
        let columns = ["theme", "passed", "failed", "not supported"];
        let mut card = Table::new("Score card", columns);
        for score in &self.themes {
            let counts = [score.passed, score.failed, score.not_supported].map(Cell::count);
            card = card.row([Cell::name(score.theme.name())].into_iter().chain(counts));
        }
        report = report.section(card);
        for score in self.themes.iter().filter(|score| score.failed > 0) {
            let heading = format!("{}: differences, those after the fewest moves first", score.theme);
            let row = |one: &Failure| {
                let what = format!("Expected: {}. Found: {}", one.expected, one.found);
                [Cell::name(&one.name), Cell::count(one.moves.len() as u64), Cell::Words(what)]
            };
            let rows = score.failures.iter().take(LISTED).map(row);
            report = report
                .section(Table::new(heading, ["name", "moves", "difference"].map(Column::new)).rows(rows));
        }
        report
    }

    fn page_report(&self, origin: &Origin) -> Report {
        let mut report = Report { data: data(self), ..self.report(&[]) };
        report.facts.splice(..0, origin.facts());
        for (score, one) in self.themes.iter().filter_map(|score| Some((score, score.failures.first()?))) {
            let line = |event| serde_json::to_string(event).expect("an event is JSON");
            let events: Vec<String> = one.events.iter().map(line).collect();
            let text = format!("{}\n{}", one.question, events.join("\n"));
            report.facts.push(Fact::appendix(format!("smallest difference of {}", score.theme), text));
        }
        report.fit("themes", "the result as JSON has all.", |theme| theme["failed"] == 0);
        report
    }
}

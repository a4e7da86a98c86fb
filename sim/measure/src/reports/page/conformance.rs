//! The report of another engine's conformance.

use jantaku_agents::mjai::Event;
use jantaku_pages::report::{Cell, Column, Fact, Report, Table};
use jantaku_show::numbers::many;
use jantaku_sim::play::By;

use super::origin::Origin;
use super::{Reported, data};
use crate::conform::{Conformance, Failure};

/// The most differences of a theme in a report. The result as JSON has all.
const LISTED: usize = 20;

/// The last events before the first difference of a theme that a report shows.
const EVENTS: usize = 8;

impl Reported for Conformance {
    fn report(&self, _: &[By]) -> Report {
        let mut report = Report::new(format!("Conformance of {} {}", self.engine, self.version).trim_end());
        report.facts = vec![Fact::new("seed", self.seed.to_string())];
        report.findings = match self.themes.iter().map(|score| score.failed).sum() {
            0 if self.error.is_some() => Vec::new(),
            0 => vec!["No difference.".to_owned()],
            failed => vec![many(failed, "difference") + "."],
        };
        let columns = ["theme", "passed", "failed", "not supported", "not asked"];
        let shown = if self.themes.iter().any(|score| score.not_asked > 0) { 5 } else { 4 };
        let mut card = Table::new("Score card", columns.into_iter().take(shown));
        for score in &self.themes {
            let counts = [score.passed, score.failed, score.not_supported, score.not_asked].map(Cell::count);
            card = card.row([Cell::name(score.theme.name())].into_iter().chain(counts).take(shown));
        }
        report = report.section(card);
        for score in self.themes.iter().filter(|score| score.failed > 0) {
            let heading = format!("{}: differences, those after the fewest moves first", score.theme);
            let row = |(place, one): (usize, &Failure)| {
                let context = if place == 0 { context_of(one) } else { String::new() };
                let what = format!("Expected: {}. Found: {}{context}", one.expected, one.found);
                [Cell::name(&one.name), Cell::count(one.moves.len() as u64), Cell::Words(what)]
            };
            let rows = score.failures.iter().take(LISTED).enumerate().map(row);
            report = report
                .section(Table::new(heading, ["name", "moves", "difference"].map(Column::new)).rows(rows));
        }
        report
    }

    fn page_report(&self, origin: &Origin) -> Report {
        let mut report = Report { data: data(self), ..self.report(&[]) };
        report.facts.splice(..0, origin.facts());
        report.findings.extend(self.error.clone());
        for (score, one) in self.themes.iter().filter_map(|score| Some((score, score.failures.first()?))) {
            let text = format!("{}\n{}", one.question, lines(&one.events).join("\n"));
            report.facts.push(Fact::appendix(format!("smallest difference of {}", score.theme), text));
        }
        report.fit("themes", "the result as JSON has all.", |theme| theme["failed"] == 0);
        report
    }
}

/// How a difference came about: the moves before it and the last events, or the hand to score.
fn context_of(one: &Failure) -> String {
    if one.events.is_empty() {
        return format!(". Asked: {}", one.question);
    }
    let events = lines(&one.events[one.events.len().saturating_sub(EVENTS)..]).join(" ");
    let moves = if one.moves.is_empty() { "none".to_owned() } else { one.moves.join(", ") };
    format!(". Moves: {moves}. Last events: {events}")
}

/// Events as lines of mjai.
fn lines(events: &[Event]) -> Vec<String> {
    events.iter().map(|event| serde_json::to_string(event).expect("an event is JSON")).collect()
}

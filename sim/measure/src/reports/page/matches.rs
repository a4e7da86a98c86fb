//! The report of a match.

use std::cmp::Ordering;

use jantaku_agents::call;
use jantaku_pages::report::ShownFigure;
use jantaku_pages::report::{Cell, Column, Fact, Interval, Report, Table};
use jantaku_show::numbers::{decimal, many, signed, speed, thousands, time};

use super::figures::{figure_sections, fitted, without_groups};
use super::origin::{Origin, rules_facts};
use super::statistics::CONDITIONAL;
use super::{RESULTS, Reported};
use crate::arena::{AgentResult, MatchResult, Mean, Sprt, SprtOutcome, SprtState, VarianceReduced};
use crate::reports::FairField;
use crate::reports::faults::fault_lines;
use crate::reports::names::AgentNames;
use crate::stats::{FigureRow, placement_limits};
use jantaku_sim::play::By;

/// The minimum number of sets for which variance ratios are shown.
const SETS_FOR_RATIOS: u64 = 5;

/// The rates that distinguish styles of play.
const RATES: [&str; 4] = ["win", "deal-in", "riichi", "call"];

impl From<&Mean> for Interval {
    fn from(mean: &Mean) -> Interval {
        Interval::open(Some(mean.value), mean.low, mean.high)
    }
}

impl Reported for MatchResult {
    fn report(&self, divisions: &[By]) -> Report {
        let names = &self.names();
        let tables =
            [self.results(names), self.reduced_results(names), self.places(names), self.rates(names)];
        let tables = tables.into_iter().filter(|table| !table.is_empty()).map(Into::into);
        let mut report = Report {
            title: format!("Match: {}", names.all()),
            findings: self.findings(names),
            facts: self.facts(names),
            notes: self.notes(names),
            sections: tables.chain(figure_sections(&self.figures, divisions, names)).collect(),
            ..Report::default()
        };
        report.findings.extend(without_groups(&self.figures, divisions));
        report
    }

    fn page_report(&self, origin: &Origin) -> Report {
        fitted(self, &self.figures, origin, |figures, divisions| {
            MatchResult { figures, ..self.clone() }.report(divisions)
        })
    }
}

impl MatchResult {
    /// What tables call the agents.
    fn names(&self) -> AgentNames {
        if self.agents.is_empty() {
            return AgentNames::of(&self.texts);
        }
        AgentNames::new(self.agents.iter().map(|agent| agent.agent.clone()).zip(self.texts.iter().cloned()))
    }

    fn facts(&self, names: &AgentNames) -> Vec<Fact> {
        let mut facts = names.facts("agent");
        facts.push(Fact::new("seatings", self.seatings.name()));
        facts.extend(rules_facts(&self.rules, Some(&self.rules_hash), Some(&self.rules_toml)));
        let draws = "all seats keep their own draws after calls";
        facts.extend(self.keep_draws.then(|| Fact::new("draws", draws)));
        facts.push(Fact::new("seed", self.seed.to_string()));
        let (sets, per_set) = (many(self.sets, "set"), many(self.games_per_set, "game"));
        facts.push(Fact::new(
            "games",
            format!("{}: {sets} of {per_set} on the same walls", thousands(self.games)),
        ));
        if !self.complete {
            let asked = self.sets_asked.map_or_else(String::new, |asked| format!(" of {}", thousands(asked)));
            let resume = call("match", "resume");
            let resume = self.out.as_ref().map_or_else(String::new, |_| format!("; {resume} plays the rest"));
            facts.push(Fact::new(
                "interrupted",
                format!("after {}{asked} sets{resume}", thousands(self.sets)),
            ));
        }
        let (played, seconds) = (self.speed.sets, self.speed.seconds);
        if played > 0 {
            let before = self.sets.saturating_sub(played);
            let before = if before > 0 { format!("; {} before", many(before, "set")) } else { String::new() };
            let speed = speed(played * self.games_per_set, seconds, "game");
            facts.push(Fact::new("speed", format!("{seconds:.1} s, {speed}{before}")));
        }
        facts.extend(self.latencies(names));
        facts.extend(self.out.as_ref().map(|out| Fact::new("run", out)));
        facts
    }

    fn notes(&self, names: &AgentNames) -> Vec<String> {
        let note = match self.sets.cmp(&1) {
            Ordering::Less => "No set is kept.",
            Ordering::Equal => "One set gives no intervals.",
            Ordering::Greater => "Intervals have 95 % confidence, over sets of games on the same walls.",
        };
        let notes = std::iter::once(note).chain(self.conditional.then_some(CONDITIONAL));
        notes.map(str::to_owned).chain(fault_lines(&self.faults, names)).collect()
    }

    /// What the match shows, in sentences.
    fn findings(&self, names: &AgentNames) -> Vec<String> {
        let mut found = Vec::new();
        let first = self.agents.first();
        if let Some((agent, difference)) = first.zip(self.placement_difference.as_ref()) {
            // No placement is farther than this from the average one.
            let most = self.fair - 1.0;
            let shown = FairField::of(difference.value, difference.low.zip(difference.high));
            let mut text = shown.sentence(names.shown(&agent.agent));
            if shown != FairField::Equal {
                let difference = Interval::from(difference).signed().within((-most, most));
                text += &format!(": placement difference {}", difference.text());
                text += &self
                    .elo
                    .as_ref()
                    .map_or_else(String::new, |elo| format!(", Elo {}", Interval::from(elo).signed().text()));
            }
            found.push(text + ".");
        }
        let ratio = |agent: &AgentResult| {
            Some(format!("{} {}", names.shown(&agent.agent), decimal(agent.variance_ratio?, 3)))
        };
        let ratios: Vec<String> = self.agents.iter().filter_map(ratio).collect();
        if !ratios.is_empty() && self.sets >= SETS_FOR_RATIOS {
            found.push(format!(
                "Variance of a set's mean placement, divided by the variance on separate walls: {}.",
                ratios.join(", ")
            ));
        }
        found.extend(self.sprt.as_ref().map(|state| state.sentence(self.sets)));
        found
    }

    fn columns(&self) -> [Column; 4] {
        [
            "agent".into(),
            Column::with_picture("placement", Some(self.fair)),
            Column::with_picture("result", Some(0.0)),
            "points".into(),
        ]
    }

    fn results(&self, names: &AgentNames) -> Table {
        let cells_of = |agent: &AgentResult| {
            let means = [&agent.placement, &agent.result, &agent.points];
            row(names, agent, cells(means, agent.placements.len()))
        };
        Table::new(RESULTS, self.columns()).rows(self.agents.iter().map(cells_of))
    }

    fn reduced_results(&self, names: &AgentNames) -> Table {
        let cells_of = |agent: &AgentResult| {
            let VarianceReduced { placement, result, points, variance_ratio } =
                agent.variance_reduced.as_ref()?;
            let ratio = variance_ratio.placement;
            let ratio = ratio
                .map_or_else(Cell::none, |ratio| Cell::Number(format!("× {}", decimal(ratio, 2)), ratio));
            let means = cells([placement, result, points], agent.placements.len());
            Some(row(names, agent, means.into_iter().chain([ratio])))
        };
        let columns = self.columns().into_iter().chain(["variance".into()]);
        Table::new("Variance-reduced results", columns).rows(self.agents.iter().filter_map(cells_of))
    }

    fn places(&self, names: &AgentNames) -> Table {
        let places = self.agents.first().map_or(0, |agent| agent.placements.len());
        let columns = ["agent", "1st", "2nd", "3rd", "4th"].into_iter().take(1 + places);
        let shares = |agent: &AgentResult| {
            let shares = agent.placements.iter().map(|share| Cell::percent(Some(*share)));
            row(names, agent, shares)
        };
        Table::new("Share of games in each place", columns).rows(self.agents.iter().map(shares))
    }

    fn rates(&self, names: &AgentNames) -> Table {
        let cells_of = |agent: &AgentResult| {
            let group = format!("agent {}", agent.agent);
            let cell = |rate: &str| {
                let name = format!("players.{rate}");
                let found = self.figures.iter().find(|row| row.name == name && row.group == group)?;
                Some(ShownFigure::from(found).as_interval().into())
            };
            let cells = RATES.map(|rate| cell(rate).unwrap_or_else(Cell::none));
            row(names, agent, cells)
        };
        let has_rates = |row: &FigureRow| row.name == "players.win";
        let agents = self.agents.iter().filter(|_| self.figures.iter().any(has_rates));
        let columns = ["agent"].into_iter().chain(RATES);
        Table::new("Style of play, per hand", columns).rows(agents.map(cells_of))
    }

    /// How long the decisions of each agent take. None if this call played nothing.
    fn latencies(&self, names: &AgentNames) -> Option<Fact> {
        let times = self.agents.iter().zip(&self.speed.latency).filter_map(|(agent, times)| {
            let [median, slow] = [times.p50_microseconds?, times.p99_microseconds?].map(|time| 1e-6 * time);
            Some(format!("{} {} (p50), {} (p99)", names.shown(&agent.agent), time(median), time(slow)))
        });
        let times: Vec<String> = times.collect();
        (!times.is_empty()).then(|| Fact::new("time of a decision", times.join("; ")))
    }
}

/// A row with the name of an agent and these cells.
fn row(names: &AgentNames, agent: &AgentResult, cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
    std::iter::once(Cell::name(names.shown(&agent.agent))).chain(cells).collect()
}

/// Placement, result and points with their intervals.
fn cells([placement, result, points]: [&Mean; 3], places: usize) -> [Cell; 3] {
    let placement = Interval::from(placement).within(placement_limits(places as u8));
    [placement.into(), Interval::from(result).signed().into(), Interval::from(points).into()]
}

impl SprtState {
    /// What the test says after this many sets.
    fn sentence(&self, sets: u64) -> String {
        let SprtState { test: Sprt { low, high, .. }, llr, lower, upper, decision } = self;
        let said = match decision {
            Some(SprtOutcome::Accept) => format!("accepted: placement difference {high} over {low}"),
            Some(SprtOutcome::Reject) => format!("accepted: placement difference {low} over {high}"),
            None if sets >= Sprt::FIRST_LOOK => "open, it has reached neither bound".to_owned(),
            None => format!("open, it cannot decide before set {}", Sprt::FIRST_LOOK),
        };
        let llr = llr.map_or_else(|| "unknown".to_owned(), |llr| signed(llr, 2));
        let (lower, upper) = (signed(*lower, 2), signed(*upper, 2));
        format!("Sequential test: {said}; log-likelihood ratio {llr}, bounds {lower} and {upper}.")
    }
}

//! The report of statistics.

use jantaku_agents::{argument, without_label};
use jantaku_pages::report::{Fact, Report};
use jantaku_show::numbers::{many, thousands};

use super::Reported;
use super::figures::{figure_sections, fitted, without_groups};
use super::origin::{Origin, rules_facts};
use crate::reports::faults::fault_lines;
use crate::reports::names::AgentNames;
use crate::reports::precision::sentence;
use crate::reports::{AgentsOfRun, CountedGames, GamesReport};
use jantaku_sim::play::By;
use jantaku_sim::run::stray_note;

/// What a sequential test does to intervals.
pub(super) const CONDITIONAL: &str = "A sequential test stopped the games. It stops early at extreme results, so \
                                      the intervals show slightly too large a difference.";

/// A warning about figures of `greedy`.
const GREEDY: &str = "greedy ignores danger, so abortive draws and wins are several times as frequent or rare as \
                      those of people";

impl Reported for GamesReport {
    fn report(&self, divisions: &[By]) -> Report {
        let names = AgentNames::of(self.counted.all_agents());
        let mut report = head(&self.counted, &names);
        report.findings = self.precision.iter().map(|known| sentence(known, &names)).collect();
        report.sections = figure_sections(&self.figures, divisions, &names);
        report.findings.extend(without_groups(&self.figures, divisions));
        report
    }

    fn page_report(&self, origin: &Origin) -> Report {
        fitted(self, &self.figures, origin, |figures, divisions| {
            let intervals = figures.iter().filter(|row| row.low.is_some()).count() as u64;
            let mut report = GamesReport { figures, ..self.clone() }.report(divisions);
            report.facts.extend(rules_of(&self.counted));
            let (all, missing) = (many(intervals, "figure"), thousands(intervals / 20));
            report
                .notes
                .push(format!("{all} have intervals: about {missing} miss the true value by chance."));
            report
        })
    }
}

/// The title, facts and notes of a result of games.
pub(super) fn head(found: &CountedGames, names: &AgentNames) -> Report {
    let of_run = |of: &AgentsOfRun| Fact::new(&of.run, names.players(&of.agents, of.seatings));
    let facts = found.agents_of_runs.iter().map(of_run).chain(names.facts("agent")).collect();
    Report { facts, notes: notes(found, names), ..Report::new(title(found, names)) }
}

/// The rules of the games.
pub(super) fn rules_of(found: &CountedGames) -> Vec<Fact> {
    rules_facts(&found.rules, found.rules_hash.as_deref(), found.rules_toml.as_deref())
}

/// Which games were counted.
fn title(found: &CountedGames, names: &AgentNames) -> String {
    let CountedGames { games, units, hands, rules, .. } = found;
    let players = found.agents.as_ref().zip(found.seatings);
    let agents = players
        .map_or_else(String::new, |(agents, seatings)| format!(" of {}", names.players(agents, seatings)));
    let from = match found.seed {
        Some(seed) => format!(", seed {seed}"),
        None => format!(", from {}", found.runs.join(", ")),
    };
    let sets = match found.seatings {
        _ if units >= games => String::new(),
        Some(seatings) if !seatings.is_fixed() => format!(" in {} on the same walls", many(*units, "set")),
        _ => format!(" on {} different walls", thousands(*units)),
    };
    let part = if found.complete { "" } else { "; incomplete" };
    format!("{}{sets}{agents} under {rules}{from}: {}{part}", many(*games, "game"), many(*hands, "hand"))
}

fn notes(found: &CountedGames, names: &AgentNames) -> Vec<String> {
    let mut notes: Vec<String> = games_by_players(found).into_iter().collect();
    notes.extend(match found.left_out {
        0 => None,
        1 => Some("1 copy of a game left out.".to_owned()),
        games => Some(format!("{} copies of games left out.", thousands(games))),
    });
    notes.extend(fault_lines(&found.faults, names));
    notes.extend(stray_note(&found.stray_files).map(|note| format!("{note}.")));
    notes.extend(found.conditional.then(|| CONDITIONAL.to_owned()));
    let mut agents = found.all_agents().peekable();
    if agents.peek().is_some() && agents.all(|agent| without_label(agent).starts_with("greedy")) {
        notes.push(format!("{GREEDY}; {} is closer.", argument("agents", "heuristic")));
    }
    notes.push("95 % intervals; –: no interval.".to_owned());
    notes
}

/// A note if games of different numbers of players are counted together.
fn games_by_players(found: &CountedGames) -> Option<String> {
    let [first, others @ ..] = &found.players[..] else { return None };
    let first = format!("{} of {} players", many(first.games, "game"), first.players);
    let others = others.iter().map(|of| format!("{} of {}", thousands(of.games), of.players));
    let all: Vec<String> = std::iter::once(first).chain(others).collect();
    (all.len() > 1).then(|| format!("{}, counted together.", all.join(", ")))
}

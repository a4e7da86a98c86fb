//! The page of a match.

use serde::Deserialize;
use serde_json::Value;

use super::figures::{Fitting, figure_sections};
use super::origin::{Origin, RulesOfResult, seed};
use super::statistics::{CONDITIONAL, INCOMPLETE, faults, texts};
use crate::reports::FairField;
use crate::reports::names::AgentNames;
use crate::stats::{FigureRow, cut_interval, placement_limits};
use jantaku_show::report::numbers::{decimal, many};
use jantaku_show::report::{Cell, Column, Fact, Interval, Report, Section, Table};

#[derive(Deserialize)]
struct Match {
    seatings: String,
    #[serde(flatten)]
    rules: RulesOfResult,
    sets: u64,
    games: u64,
    games_per_set: u64,
    complete: bool,
    fair: Option<f64>,
    placement_difference: Option<Mean>,
    elo: Option<Mean>,
    sprt: Option<Sprt>,
    conditional: bool,
    agents: Option<Vec<Agent>>,
    texts: Vec<String>,
    out: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
struct Mean {
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Deserialize)]
struct Sprt {
    llr: Option<f64>,
    lower: f64,
    upper: f64,
    decision: Option<String>,
}

#[derive(Deserialize)]
struct Agent {
    #[serde(rename = "agent")]
    name: String,
    placement: Mean,
    result: Mean,
    points: Mean,
    placements: Vec<f64>,
    variance_ratio: Option<f64>,
    variance_reduced: Option<Reduced>,
}

#[derive(Deserialize)]
struct Reduced {
    placement: Mean,
    result: Mean,
    points: Mean,
}

impl Mean {
    /// The same mean placement. Its interval ends at the first and the last place.
    fn within_places(self, players: usize) -> Mean {
        let Some(interval) = self.low.zip(self.high) else { return self };
        let (low, high) = cut_interval(self.value, interval, placement_limits(players as u8));
        Mean { low: Some(low), high: Some(high), ..self }
    }
}

impl From<Mean> for Interval {
    fn from(Mean { value, low, high }: Mean) -> Interval {
        Interval::open(Some(value), low, high)
    }
}

pub(super) fn report(result: &Value, origin: &Origin) -> Result<Report, serde_json::Error> {
    let found = Match::deserialize(result)?;
    let figures = Vec::<FigureRow>::deserialize(&result["figures"])?;
    let fitting = Fitting::of(&figures, &origin.divisions);
    let agents = found.agents.as_deref().unwrap_or_default();
    let names = AgentNames::new(agents.iter().map(|agent| agent.name.clone()).zip(found.texts.clone()));
    let mut report = Report {
        title: format!("Match: {}", names.all()),
        findings: findings(&found, &names),
        facts: facts(&found, &names, result, origin),
        notes: notes(&found),
        sections: comparison(&found).into_iter().collect(),
        data: result.clone(),
    };
    report.sections.extend(agent_sections(agents, found.fair, &names));
    report.sections.extend(faults(&Deserialize::deserialize(&result["fault_shares"])?, &names));
    report.sections.extend(figure_sections(&fitting.figures, &fitting.divisions, &names));
    fitting.fit(&mut report);
    Ok(report)
}

fn findings(found: &Match, names: &AgentNames) -> Vec<String> {
    let first = found.agents.iter().flatten().next();
    let Some((agent, difference)) = first.zip(found.placement_difference) else { return Vec::new() };
    let name = names.shown(&agent.name);
    let shown = FairField::of(difference.value, difference.low.zip(difference.high));
    vec![shown.sentence(name) + "."]
}

fn facts(found: &Match, names: &AgentNames, result: &Value, origin: &Origin) -> Vec<Fact> {
    let mut facts = origin.facts();
    facts.push(Fact::new("agents", format!("{} ({})", names.all(), found.seatings)));
    facts.extend(texts("agent", names));
    facts.extend(found.rules.facts());
    facts.extend(seed(result));
    let games = many(found.games_per_set, "game");
    facts.push(Fact::new(
        "games",
        format!("{}: {} of {games} on the same walls", found.games, many(found.sets, "set")),
    ));
    facts.extend(found.out.as_ref().map(|out| Fact::new("run", out)));
    facts
}

fn notes(found: &Match) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend((!found.complete).then(|| INCOMPLETE.to_owned()));
    notes.extend(found.conditional.then(|| CONDITIONAL.to_owned()));
    notes.push("Intervals have 95 % confidence, over sets of games on the same walls.".to_owned());
    notes
}

/// The tables with a row for each agent.
fn agent_sections(agents: &[Agent], fair: Option<f64>, names: &AgentNames) -> Vec<Section> {
    let Some(first) = agents.first() else { return Vec::new() };
    let of = |title: &str, is_signed: bool, mean: &dyn Fn(&Agent) -> Option<Mean>, reference: Option<f64>| {
        let row = |agent: &Agent| {
            let mean = Interval::from(mean(agent)?);
            let mean = if is_signed { mean.signed() } else { mean };
            Some([Cell::name(names.shown(&agent.name)), mean.into()])
        };
        let rows: Vec<[Cell; 2]> = agents.iter().filter_map(row).collect();
        let columns = ["agent".into(), Column::with_picture("mean", reference)];
        let table = || Table::new(title, columns).rows(rows.clone());
        (!rows.is_empty()).then(|| Section::Table(table()))
    };
    let reduced = |mean: fn(&Reduced) -> Mean| move |agent: &Agent| agent.variance_reduced.as_ref().map(mean);
    let placement = |agent: &Agent| Some(agent.placement.within_places(agent.placements.len()));
    let reduced_placement = |agent: &Agent| {
        let reduced = agent.variance_reduced.as_ref()?;
        Some(reduced.placement.within_places(agent.placements.len()))
    };
    let tables = [
        of("Placement", false, &placement, fair),
        of("Placement, variance-reduced", false, &reduced_placement, fair),
        of("Result with uma and oka, in points", true, &|agent| Some(agent.result), Some(0.0)),
        of("Result, variance-reduced", true, &reduced(|agent| agent.result), Some(0.0)),
        of("Points at the end", false, &|agent| Some(agent.points), None),
        of("Points, variance-reduced", false, &reduced(|agent| agent.points), None),
    ];
    let places = &["1st", "2nd", "3rd", "4th"][..first.placements.len().min(4)];
    let columns = std::iter::once("agent").chain(places.iter().copied()).chain(["variance ratio"]);
    let row = |agent: &Agent| {
        let shares = agent.placements.iter().map(|share| Cell::percent(Some(*share)));
        let ratio = Cell::number(agent.variance_ratio, 3);
        std::iter::once(Cell::name(names.shown(&agent.name)))
            .chain(shares)
            .chain([ratio])
            .collect::<Vec<Cell>>()
    };
    let shares = Table::new("Share of games in each place", columns).rows(agents.iter().map(row));
    tables.into_iter().flatten().chain([Section::Table(shares)]).collect()
}

/// How the first agent compares with the field. None if more than two agents play.
fn comparison(found: &Match) -> Option<Section> {
    let difference = found.placement_difference.map(|mean| ("placement better than fair by", mean));
    let elo = found.elo.map(|mean| ("Elo", mean));
    let group = |(title, mean): (&str, Mean)| vec![Cell::name(title), Interval::from(mean).signed().into()];
    let mut rows: Vec<Vec<Cell>> = difference.into_iter().chain(elo).map(group).collect();
    if let Some(Sprt { llr, lower, upper, decision }) = &found.sprt {
        let decision = decision.as_deref().unwrap_or("open");
        let bounds = format!("{} – {}, {decision}", decimal(*lower, 2), decimal(*upper, 2));
        let name = Cell::name("log-likelihood ratio of the test, and its bounds");
        let llr = Interval::open(*llr, Some(*lower), Some(*upper));
        let text = llr.value.map_or_else(String::new, |llr| format!("{} ({bounds})", decimal(llr, 2)));
        rows.push(vec![name, llr.shown_as(text).into()]);
    }
    let columns = ["the first agent", "value"];
    (!rows.is_empty()).then(|| Section::Table(Table::new("Comparison", columns).rows(rows)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placement_intervals_end_at_possible_places() {
        let of = |low, high| {
            let Mean { low, high, .. } = Mean { value: 2.5, low, high }.within_places(4);
            low.zip(high)
        };
        assert_eq!(of(Some(-1.1), Some(8.4)), Some((1.0, 4.0)));
        assert_eq!(of(Some(2.0), Some(3.0)), Some((2.0, 3.0)));
        assert_eq!(of(None, None), None);
    }
}

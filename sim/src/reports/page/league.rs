//! The page of a league.

use serde::Deserialize;
use serde_json::Value;

use super::origin::{Origin, RulesOfResult, seed};
use super::statistics::{INCOMPLETE, faults, texts};
use crate::reports::names::AgentNames;
use jantaku_show::report::numbers::{decimal, many, signed};
use jantaku_show::report::{Cell, Column, Fact, Interval, Report, Section, Table};

/// The most agents whose pairs are shown as tables.
const MAX_IN_PAIRS: usize = 40;

#[derive(Deserialize)]
struct League {
    agents: Vec<Agent>,
    pairs: Vec<Pair>,
    fit: Option<Fit>,
    anchor: String,
    tables: u64,
    sets: u64,
    games: u64,
    seatings: String,
    #[serde(flatten)]
    rules: RulesOfResult,
    out: Option<String>,
    complete: bool,
}

#[derive(Deserialize)]
struct Agent {
    #[serde(rename = "agent")]
    name: String,
    text: String,
    rating: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    games: u64,
    placement: Option<f64>,
    placements: Vec<u64>,
}

#[derive(Deserialize)]
struct Pair {
    agent: String,
    other: String,
    games: u64,
    ahead: u64,
    los: Option<f64>,
}

#[derive(Deserialize)]
struct Fit {
    p_value: f64,
    excess_rms: f64,
    poor: bool,
}

pub(super) fn report(result: &Value, origin: &Origin) -> Result<Report, serde_json::Error> {
    let found = League::deserialize(result)?;
    let names = AgentNames::new(found.agents.iter().map(|one| (one.name.clone(), one.text.clone())));
    let mut sections = vec![ratings(&found, &names)];
    let mut notes = notes(&found, &names);
    if found.agents.len() <= MAX_IN_PAIRS {
        sections.extend(pairs(&found, &names));
    } else {
        notes.push(format!("Pairs of more than {MAX_IN_PAIRS} agents are in the data of this page alone."));
    }
    sections.extend(faults(&Deserialize::deserialize(&result["fault_shares"])?, &names));
    let mut report = Report {
        title: format!("League of {}", many(found.agents.len() as u64, "agent")),
        findings: found.fit.iter().map(explained).collect(),
        facts: facts(&found, &names, result, origin),
        notes,
        sections,
        data: result.clone(),
    };
    report.fit("pairs", "use --json.", |_| false);
    Ok(report)
}

/// How well the ratings explain the results.
fn explained(fit: &Fit) -> String {
    let Fit { p_value, excess_rms, poor } = fit;
    let says = if *poor { "do not explain" } else { "explain" };
    let p = if *p_value < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {p_value:.4}") };
    format!("The ratings {says} the results: {p}, excess RMS {:.2} percentage points.", 100.0 * excess_rms)
}

fn notes(found: &League, names: &AgentNames) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend((!found.complete).then(|| INCOMPLETE.to_owned()));
    notes.push(format!(
        "Ratings are on the Elo scale, relative to {}. Intervals have 95 % confidence, over sets of games on the \
         same walls.",
        names.shown(&found.anchor)
    ));
    notes
}

fn facts(found: &League, names: &AgentNames, result: &Value, origin: &Origin) -> Vec<Fact> {
    let mut facts = origin.facts();
    facts.extend(texts("agent", names));
    facts.extend(found.rules.facts());
    facts.extend(seed(result));
    let (tables, sets) = (many(found.tables, "table"), many(found.sets, "set"));
    let games = many(found.games, "game");
    facts.push(Fact::new("games", format!("{tables} of {sets} ({}): {games}", found.seatings)));
    facts.extend(found.out.as_ref().map(|out| Fact::new("folder", out)));
    facts
}

fn ratings(found: &League, names: &AgentNames) -> Section {
    let places = found.agents.first().map_or(0, |agent| agent.placements.len().min(4));
    let reference = found.agents.iter().find(|one| one.name == found.anchor).and_then(|one| one.rating);
    let columns =
        ["agent".into(), Column::with_picture("Elo", reference), "games".into(), "mean place".into()];
    let places = ["1st", "2nd", "3rd", "4th"][..places].iter().map(|place| Column::new(*place));
    let row = |agent: &Agent| {
        let share = |count: &u64| (agent.games > 0).then(|| *count as f64 / agent.games as f64);
        let shares = agent.placements.iter().map(|count| Cell::percent(share(count)));
        let rating = rating(agent, agent.name == found.anchor).into();
        [
            Cell::name(names.shown(&agent.name)),
            rating,
            Cell::count(agent.games),
            Cell::number(agent.placement, 3),
        ]
        .into_iter()
        .chain(shares)
        .collect::<Vec<Cell>>()
    };
    Section::Table(
        Table::new("Ratings", columns.into_iter().chain(places)).rows(found.agents.iter().map(row)),
    )
}

/// A rating with its interval or bound.
fn rating(agent: &Agent, is_anchor: bool) -> Interval {
    let Agent { rating: value, low, high, .. } = *agent;
    let interval = Interval::open(value, low, high).signed();
    match value {
        Some(value) if is_anchor => interval.shown_as(format!("{} (anchor)", signed(value, 1))),
        _ => interval,
    }
}

/// The likelihood that an agent is stronger than another, and how often it finishes ahead.
fn pairs(found: &League, names: &AgentNames) -> [Section; 2] {
    let table = |heading: &str, cell: &dyn Fn(&Pair) -> Cell| {
        let numbers = (1..=found.agents.len()).map(|number: usize| number.to_string());
        let table = Table::new(heading, std::iter::once("agent".to_owned()).chain(numbers));
        let row = |(number, agent): (usize, &Agent)| {
            let find = |other: &Agent| {
                found.pairs.iter().find(|pair| pair.agent == agent.name && pair.other == other.name)
            };
            let cells = found.agents.iter().map(|other| find(other).map_or(Cell::Empty, cell));
            let name = Cell::Name(format!("{number} {}", names.shown(&agent.name)));
            std::iter::once(name).chain(cells).collect::<Vec<Cell>>()
        };
        Section::Table(table.rows((1..).zip(&found.agents).map(row)))
    };
    let ahead = |pair: &Pair| (pair.games > 0).then(|| pair.ahead as f64 / pair.games as f64);
    [
        table("Likelihood that the row's agent is stronger than the column's", &|pair| likelihood(pair.los)),
        table("Share of games in which the row's agent finished ahead", &|pair| Cell::percent(ahead(pair))),
    ]
}

/// A likelihood in percent that never looks certain.
fn likelihood(likelihood: Option<f64>) -> Cell {
    let Some(exact) = likelihood else { return Cell::none() };
    let shown = match 100.0 * exact {
        percent if percent < 0.05 => "< 0.1 %".to_owned(),
        percent if percent >= 99.95 => "> 99.9 %".to_owned(),
        percent => format!("{} %", decimal(percent, 1)),
    };
    Cell::Number(shown, exact)
}

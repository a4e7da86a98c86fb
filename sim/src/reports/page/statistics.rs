//! The page of statistics.

use serde::Deserialize;
use serde_json::Value;

use super::figures::{ShownFigures, figure_sections};
use super::origin::{Origin, RulesOfResult, seed};
use crate::play::Seatings;
use crate::reports::names::{AgentNames, agents as with_seats};
use crate::reports::{Against, Beside, note_on_played_on};
use jantaku_show::report::numbers::many;
use jantaku_show::report::{Cell, Fact, Report, Section, Table};

#[derive(Deserialize)]
struct Statistics {
    games: u64,
    units: u64,
    hands: u64,
    #[serde(flatten)]
    rules: RulesOfResult,
    agents: Option<Vec<String>>,
    seatings: Option<String>,
    agents_of_runs: Vec<AgentsOfRun>,
    runs: Vec<String>,
    left_out: u64,
    played_on: u64,
    conditional: bool,
    precision: Vec<Precision>,
    against: Option<Against>,
    complete: bool,
}

#[derive(Deserialize)]
struct AgentsOfRun {
    run: String,
    agents: Vec<String>,
    seatings: String,
}

/// How exactly a figure is known.
#[derive(Deserialize)]
pub(super) struct Precision {
    name: String,
    group: String,
    within: f64,
    value: Option<f64>,
    distance: Option<f64>,
    met: bool,
    games: Option<u64>,
}

/// The note of a result whose games are not all played.
pub(super) const INCOMPLETE: &str = "Incomplete: not all games are played.";

/// What a sequential test does to intervals.
pub(super) const CONDITIONAL: &str = "A sequential test stopped the games: the intervals are conditional on that, \
                                      and a little too far from a fair field.";

pub(super) fn report(result: &Value, origin: &Origin) -> Result<Report, serde_json::Error> {
    let found = Statistics::deserialize(result)?;
    let shown = ShownFigures::of(result, origin)?;
    let all = found.agents.iter().flatten().chain(found.agents_of_runs.iter().flat_map(|run| &run.agents));
    let names = AgentNames::of(all);
    let mut report = Report {
        title: format!("Statistics of {}", many(found.games, "game")),
        findings: Vec::new(),
        facts: facts(&found, &names, result, origin),
        notes: notes(&found),
        sections: precision_section(&found.precision, &names).into_iter().collect(),
        data: result.clone(),
    };
    report.sections.extend(faults(result, &names));
    report.sections.extend(found.against.as_ref().map(beside));
    let sections = figure_sections(&shown.figures, &names);
    shown.add_to(&mut report, sections);
    Ok(report)
}

fn facts(found: &Statistics, names: &AgentNames, result: &Value, origin: &Origin) -> Vec<Fact> {
    let mut facts = origin.facts();
    let played_by = |agents: &[String], seatings: &str| match names.of_seats(agents) {
        seats if seatings == Seatings::Fixed.name() => with_seats(&seats),
        agents => format!("{} ({seatings})", agents.join(", ")),
    };
    if let Some((agents, seatings)) = found.agents.as_ref().zip(found.seatings.as_ref()) {
        facts.push(Fact::new("agents", played_by(agents, seatings)));
    }
    let of_run = |run: &AgentsOfRun| format!("{}: {}", run.run, played_by(&run.agents, &run.seatings));
    facts.extend(found.agents_of_runs.iter().map(|run| Fact::new("agents", of_run(run))));
    facts.extend(texts(names));
    facts.extend(found.runs.iter().map(|run| Fact::new("run", run)));
    facts.extend(found.rules.facts());
    facts.extend(seed(result));
    let units = if found.units >= found.games { String::new() } else { format!(" on {} walls", found.units) };
    let (games, hands) = (many(found.games, "game"), many(found.hands, "hand"));
    facts.push(Fact::new("games", format!("{games}{units}, {hands}")));
    facts
}

fn notes(found: &Statistics) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend((!found.complete).then(|| INCOMPLETE.to_owned()));
    notes.extend(found.conditional.then(|| CONDITIONAL.to_owned()));
    if found.left_out > 0 {
        notes.push(format!("Copies of games that are left out: {}.", found.left_out));
    }
    notes.extend(note_on_played_on(found.played_on).map(|note| format!("{note}.")));
    if let Some(against) = &found.against {
        let source = against.source.iter().map(|source| format!("Source of {}: {source}.", against.name));
        notes.extend(source.chain(against.notes.iter().map(|note| format!("{}: {note}.", against.name))));
    }
    notes.push("Intervals have 95 % confidence; –: no interval. Rates are in percent.".to_owned());
    notes
}

/// The whole texts of the agents that tables call otherwise.
pub(super) fn texts(names: &AgentNames) -> Vec<Fact> {
    names.others().into_iter().map(|(shown, text)| Fact::code(format!("agent {shown}"), text)).collect()
}

/// How exactly figures are known for which that was asked. None if it was not.
pub(super) fn precision_section(precision: &[Precision], names: &AgentNames) -> Option<Section> {
    let columns = ["figure", "value", "distance to an end", "asked for", "met", "games needed"];
    let row = |known: &Precision| {
        let group =
            if known.group == "all" { String::new() } else { format!(", {}", names.group(&known.group)) };
        let number = |number: Option<f64>| {
            number.map_or_else(Cell::none, |number| Cell::Number(format!("{number:.6}"), number))
        };
        vec![
            Cell::name(&format!("{}{group}", known.name)),
            number(known.value),
            number(known.distance),
            number(Some(known.within)),
            Cell::name(if known.met { "yes" } else { "no" }),
            known.games.map_or_else(Cell::none, Cell::count),
        ]
    };
    let table = || Table::new("Precision", columns).rows(precision.iter().map(row));
    (!precision.is_empty()).then(|| Section::Table(table()))
}

/// The figures beside those of other games.
fn beside(against: &Against) -> Section {
    let columns = ["figure", "value", &against.name, "difference", "in standard errors"];
    let row = |found: &Beside| {
        let [value, other, difference, errors] = found.texts();
        let errors = match found.standard_errors {
            Some(number) => Cell::Number(errors, number),
            None => Cell::Plain(errors),
        };
        vec![
            Cell::name(&format!("{}, per {}", found.name, found.per)),
            Cell::Number(value, found.value),
            Cell::Number(other, found.other),
            Cell::Number(difference, found.difference),
            errors,
        ]
    };
    let title = format!("Beside {}: {}", against.name, against.about);
    Section::Table(Table::new(title, columns).rows(against.figures.iter().map(row)))
}

/// The agents with faults. None if there are none.
pub(super) fn faults(result: &Value, names: &AgentNames) -> Option<Section> {
    let columns = ["agent", "games", "with faults", "moves", "substituted"];
    let faults = result["fault_shares"].as_object().filter(|faults| !faults.is_empty())?;
    let row = |(agent, shares): (&String, &Value)| {
        let counts = ["games", "games_with_faults", "moves", "substituted"];
        let counts = counts.map(|key| shares[key].as_u64().map_or_else(Cell::none, Cell::count));
        std::iter::once(Cell::name(names.shown(agent))).chain(counts).collect::<Vec<Cell>>()
    };
    Some(Section::Table(Table::new("Faults of agents", columns).rows(faults.iter().map(row))))
}

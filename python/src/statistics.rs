//! The compiled part of `stats` and `sweep`.

use std::path::PathBuf;

use jantaku_agents::ParseAgentError;
use jantaku_sim::play::{Players, StartOptions};
use jantaku_sim::reports::{
    GamesReport, Reference, ReferenceError, Simulation, StatsRequest, SweepError, SweepPlan, SweepReport,
    SweepRequest,
};
use jantaku_sim::run::{NamedRules, RequestError};
use jantaku_sim::stats::{FIRST_BATCH, Section, StoredRuns};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agent::agent_error;
use crate::callable::Caller;
use crate::json::to_toml_of;
use crate::rules::named_rules;
use crate::runs::{
    AgentReader, Options, Outcome, outcome, request_error, rules_choice, run_error, sections_named,
};
use crate::session::Session;

/// Sets the first total of the progress bar.
fn expect(session: &Session, games: Option<u64>, precision: &[String]) {
    session.expect(if precision.is_empty() { games.unwrap_or(0) } else { FIRST_BATCH });
}

/// What statistics play.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct AskedStats<'py> {
    pub(crate) games: Option<u64>,
    agents: Bound<'py, PyAny>,
    rules: Bound<'py, PyAny>,
    seed: u64,
    precision: Vec<String>,
}

impl AskedStats<'_> {
    /// The games.
    pub(crate) fn simulation(&self, caller: &Caller) -> PyResult<Simulation> {
        let request = StatsRequest {
            games: self.games,
            precision: self.precision.clone(),
            agents: Some(AgentReader::new(caller).choice(&self.agents)?),
            rules: rules_choice(Some(&self.rules))?,
            seed: Some(self.seed),
        };
        request.resolve().map_err(|error| request_error(&error, false))
    }

    /// The games, and their players, who have started.
    pub(crate) fn start(
        &self,
        py: Python<'_>,
        session: &Session,
        start: &StartOptions,
    ) -> PyResult<(Simulation, Players)> {
        let games = self.simulation(session.caller())?;
        let players = py.detach(|| start.start(&games.agents, None, session.stop()));
        Ok((games, players.map_err(agent_error)?))
    }
}

/// Plays games for their statistics. See `jantaku.stats`.
#[pyfunction(name = "_simulate")]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    asked: AskedStats<'py>,
    sections: Option<Vec<String>>,
    against: Option<PathBuf>,
    mut options: Options,
) -> Outcome<'py> {
    let (session, start) = (options.session()?, options.start()?);
    let sections = sections_named(sections)?;
    let reference = reference(py, &session, against)?;
    expect(&session, asked.games, &asked.precision);
    let (games, mut players) = asked.start(py, &session, &start)?;
    let report = session.run(py, |watch| GamesReport::play(&games, &mut players, watch))?;
    let report = session.ended(report.map_err(run_error))?;
    outcome(py, &session, &statistics(report, &sections, reference.as_ref()))
}

/// The games to compare figures with, if any.
pub(crate) fn reference(
    py: Python<'_>,
    session: &Session,
    against: Option<PathBuf>,
) -> PyResult<Option<Reference>> {
    let Some(against) = against else { return Ok(None) };
    let found = session.run(py, |watch| Reference::open(&against.to_string_lossy(), watch))?;
    found.map(Some).map_err(|error| match error {
        ReferenceError::Unknown { .. } => PyValueError::new_err(format!("`against`: {error}")),
        error => run_error(error),
    })
}

/// The statistics with the figures of these sections, beside those of other games.
pub(crate) fn statistics(
    report: GamesReport,
    sections: &[Section],
    reference: Option<&Reference>,
) -> GamesReport {
    let report = report.with_sections(sections);
    GamesReport { against: reference.map(|reference| reference.beside(&report)), ..report }
}

/// Counts the games of runs. See `jantaku.stats`.
#[pyfunction(name = "_read_stats")]
pub(crate) fn read_stats(
    py: Python<'_>,
    runs: Vec<PathBuf>,
    sections: Option<Vec<String>>,
    against: Option<PathBuf>,
    mut options: Options,
) -> Outcome<'_> {
    let (session, sections) = (options.session()?, sections_named(sections)?);
    let reference = reference(py, &session, against)?;
    let runs = py.detach(|| StoredRuns::open(&runs)).map_err(run_error)?;
    session.expect(runs.games());
    let report = session.run(py, |watch| GamesReport::read(&runs, watch))?;
    let report = session.ended(report.map_err(run_error))?;
    outcome(py, &session, &statistics(report, &sections, reference.as_ref()))
}

/// What a sweep plays.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct AskedSweep<'py> {
    rules: Vec<(Option<String>, Bound<'py, PyAny>)>,
    vary: Bound<'py, PyDict>,
    one_at_a_time: bool,
    games: Option<u64>,
    agents: Bound<'py, PyAny>,
    seed: u64,
    precision: Vec<String>,
}

impl AskedSweep<'_> {
    /// The games under all variants.
    pub(crate) fn plan(&self, caller: &Caller) -> PyResult<SweepPlan> {
        let named = |(name, rules): &(Option<String>, Bound<'_, PyAny>)| {
            let (own, rules) = named_rules(rules)?;
            Ok(NamedRules { name: name.clone().unwrap_or(own), rules })
        };
        let request = SweepRequest {
            rules: self.rules.iter().map(named).collect::<PyResult<_>>()?,
            vary: varied(&self.vary)?,
            one_at_a_time: self.one_at_a_time,
            games: self.games,
            precision: self.precision.clone(),
            agents: Some(AgentReader::new(caller).choice(&self.agents)?),
            seed: Some(self.seed),
        };
        request.resolve().map_err(|error| match error {
            SweepError::Request(RequestError::Agents { cause, .. })
                if matches!(*cause, ParseAgentError::NotAPolicy { .. }) =>
            {
                agent_error(
                    "a sweep plays agents that decide one action at a time, such as `greedy`: no functions, \
                     networks or programs",
                )
            }
            SweepError::Request(error) => request_error(&error, false),
            SweepError::Variants(error) => PyValueError::new_err(error.to_string()),
        })
    }
}

/// Compares rules. See `jantaku.sweep`.
#[pyfunction(name = "_sweep")]
pub(crate) fn sweep<'py>(
    py: Python<'py>,
    asked: AskedSweep<'py>,
    sections: Option<Vec<String>>,
    mut options: Options,
) -> Outcome<'py> {
    let (session, sections) = (options.session()?, sections_named(sections)?);
    expect(&session, asked.games, &asked.precision);
    let plan = asked.plan(session.caller())?;
    let swept = session.run(py, |watch| SweepReport::play(&plan, &sections, watch))?;
    let swept = session.ended(swept.map_err(run_error))?;
    outcome(py, &session, &swept)
}

/// A field, and its values with their texts.
type Varied = (String, Vec<(String, toml::Value)>);

fn varied(vary: &Bound<'_, PyDict>) -> PyResult<Vec<Varied>> {
    let field = |(field, values): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let value = |value: PyResult<Bound<'_, PyAny>>| {
            let value = to_toml_of(&format!("vary['{field}']"), &value?)?;
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Ok((text, value))
        };
        let values = values.try_iter()?.map(value).collect::<PyResult<Vec<_>>>()?;
        Ok((field.extract()?, values))
    };
    vary.iter().map(field).collect()
}

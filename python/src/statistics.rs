//! The compiled part of `stats` and `sweep`.

use std::path::PathBuf;

use jantaku_agents::ParseAgentError;
use jantaku_measure::reports::{
    CaseReport, GamesReport, ReportError, Simulation, StatsRequest, SweepError, SweepPlan, SweepReport,
    SweepRequest,
};
use jantaku_measure::stats::{CaseChoice, StoredRuns};
use jantaku_sim::play::{Players, RunError, Watch};
use jantaku_sim::run::RequestError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Call, read_call};
use crate::errors::{agent_error, value_error};
use crate::runs::{Outcome, outcome, request_error, run_error, sections_named};
use crate::session::Session;

/// The request of statistics.
fn stats_request(call: &mut Call<'_>) -> PyResult<StatsRequest> {
    Ok(StatsRequest { play: call.take()?, start: call.start()?, ..call.take()? })
}

/// The games of statistics.
pub(crate) fn simulation(arguments: &Bound<'_, PyDict>) -> PyResult<Simulation> {
    let (request, _) = read_call(arguments, None, stats_request)?;
    request.resolve().map_err(|error| request_error(&error, false))
}

/// Starts the players of a request for statistics. Returns its games, the caller's maximum number of
/// games, the players and the session.
pub(crate) fn start(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Simulation, Option<u64>, Players, Session)> {
    let (request, session) = read_call(arguments, progress, stats_request)?;
    let games = request.resolve().map_err(|error| request_error(&error, false))?;
    let players = py.detach(|| request.start.start(&games.agents, None, session.stop()));
    Ok((games, request.play.games, players.map_err(agent_error)?, session))
}

/// Reads the stored runs or, without any, plays games. Returns the result and the session.
fn read_or_play<'py, T: Send>(
    py: Python<'py>,
    runs: Option<Vec<PathBuf>>,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
    read: impl FnOnce(&StoredRuns, &mut dyn Watch) -> Result<T, ReportError> + Send,
    play: impl FnOnce(&Simulation, &mut Players, &mut dyn Watch) -> Result<T, RunError> + Send,
) -> PyResult<(T, Session)> {
    let Some(runs) = runs else {
        let (games, _, mut players, session) = start(py, arguments, progress)?;
        return Ok((session.attempt(py, |watch| play(&games, &mut players, watch), run_error)?, session));
    };
    let ((), session) = read_call(arguments, progress, |_| Ok(()))?;
    let runs = py.detach(|| StoredRuns::open(&runs)).map_err(run_error)?;
    session.expect(runs.games());
    Ok((session.attempt(py, |watch| read(&runs, watch), run_error)?, session))
}

/// Statistics of stored runs or, without any, of games played for them. See `jantaku.stats`.
#[pyfunction(name = "_stats")]
pub(crate) fn stats<'py>(
    py: Python<'py>,
    runs: Option<Vec<PathBuf>>,
    arguments: &Bound<'py, PyDict>,
    sections: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let sections = sections_named(sections)?;
    let (mut report, session) =
        read_or_play(py, runs, arguments, progress, GamesReport::read, GamesReport::play)?;
    report.figures.retain(|row| row.is_in(&sections));
    outcome(py, &session, &report)
}

/// A conditional table of stored runs or, without any, of games played for it. See `jantaku.cases`.
#[pyfunction(name = "_cases")]
pub(crate) fn cases<'py>(
    py: Python<'py>,
    of: &str,
    by: Vec<String>,
    runs: Option<Vec<PathBuf>>,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let choice = &CaseChoice::named(of, &by).map_err(|error| request_error(&error, false))?;
    let read = |runs: &StoredRuns, watch: &mut dyn Watch| CaseReport::read(runs, choice, watch);
    let play = |games: &Simulation, players: &mut Players, watch: &mut dyn Watch| {
        CaseReport::play(games, choice, players, watch)
    };
    let (report, session) = read_or_play(py, runs, arguments, progress, read, play)?;
    outcome(py, &session, &report)
}

/// The games under all variants, and their session.
pub(crate) fn sweep_plan(
    arguments: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(SweepPlan, Session)> {
    let request = |call: &mut Call<'_>| Ok(SweepRequest { play: call.take()?, ..call.take()? });
    let (request, session) = read_call(arguments, progress, request)?;
    let plan = request.resolve().map_err(|error| match error {
        SweepError::Request(RequestError::Agents { cause, .. })
            if matches!(*cause, ParseAgentError::NotAPolicy { .. }) =>
        {
            agent_error(
                "a sweep plays agents that decide one action at a time, such as `greedy`: no functions, \
                 networks or programs",
            )
        }
        SweepError::Request(error) => request_error(&error, false),
        SweepError::Variants(error) => value_error(error),
    })?;
    Ok((plan, session))
}

/// Compares rules. See `jantaku.sweep`.
#[pyfunction(name = "_sweep")]
pub(crate) fn sweep<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    sections: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let sections = sections_named(sections)?;
    let (plan, session) = sweep_plan(arguments, progress)?;
    let mut swept = session.attempt(py, |watch| SweepReport::play(&plan, watch), run_error)?;
    swept.figures.retain(|found| found.row.is_in(&sections));
    outcome(py, &session, &swept)
}

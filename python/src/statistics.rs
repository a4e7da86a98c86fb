//! The compiled part of `stats` and `sweep`.

use std::path::PathBuf;

use jantaku_agents::ParseAgentError;
use jantaku_measure::reports::{
    GamesReport, GamesRequest, Simulation, StatsRequest, SweepError, SweepPlan, SweepReport, SweepRequest,
};
use jantaku_measure::stats::{FIRST_BATCH, StoredRuns};
use jantaku_sim::play::Players;
use jantaku_sim::run::RequestError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agent::agent_error;
use crate::arguments::Call;
use crate::errors::value_error;
use crate::runs::{Outcome, outcome, request_error, run_error, sections_named};
use crate::session::Session;

/// Sets the first total of the progress bar.
fn expect(session: &Session, play: &GamesRequest) {
    session.expect(if play.precision.is_empty() { play.games.unwrap_or(0) } else { FIRST_BATCH });
}

/// The request of statistics.
fn stats_request(call: &mut Call<'_>) -> PyResult<StatsRequest> {
    Ok(StatsRequest { play: call.take()?, start: call.start()?, ..call.take()? })
}

/// The games of statistics.
pub(crate) fn simulation(arguments: &Bound<'_, PyDict>) -> PyResult<Simulation> {
    let mut call = Call::new(arguments, None)?;
    let request = stats_request(&mut call)?;
    call.end()?;
    request.resolve().map_err(|error| request_error(&error, false))
}

/// The games of statistics, their most, their players, who have started, and their session.
pub(crate) fn start(
    py: Python<'_>,
    arguments: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Simulation, Option<u64>, Players, Session)> {
    let mut call = Call::new(arguments, progress)?;
    let (request, session) = (stats_request(&mut call)?, call.end()?);
    expect(&session, &request.play);
    let games = request.resolve().map_err(|error| request_error(&error, false))?;
    let players = py.detach(|| request.start.start(&games.agents, None, session.stop()));
    Ok((games, request.play.games, players.map_err(agent_error)?, session))
}

/// Plays games for their statistics. See `jantaku.stats`.
#[pyfunction(name = "_simulate")]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    sections: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let sections = sections_named(sections)?;
    let (games, _, mut players, session) = start(py, arguments, progress)?;
    let report = session.attempt(py, |watch| GamesReport::play(&games, &mut players, watch), run_error)?;
    outcome(py, &session, &report.with_sections(&sections))
}

/// Counts the games of runs. See `jantaku.stats`.
#[pyfunction(name = "_read_stats")]
pub(crate) fn read_stats<'py>(
    py: Python<'py>,
    runs: Vec<PathBuf>,
    arguments: &Bound<'py, PyDict>,
    sections: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let (session, sections) = (Call::new(arguments, progress)?.end()?, sections_named(sections)?);
    let runs = py.detach(|| StoredRuns::open(&runs)).map_err(run_error)?;
    session.expect(runs.games());
    let report = session.attempt(py, |watch| GamesReport::read(&runs, watch), run_error)?;
    outcome(py, &session, &report.with_sections(&sections))
}

/// The games under all variants, and their session.
pub(crate) fn sweep_plan(
    arguments: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(SweepPlan, Session)> {
    let mut call = Call::new(arguments, progress)?;
    let request = SweepRequest { play: call.take()?, ..call.take()? };
    let session = call.end()?;
    expect(&session, &request.play);
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
    let swept = session.attempt(py, |watch| SweepReport::play(&plan, &sections, watch), run_error)?;
    outcome(py, &session, &swept)
}

//! The compiled part of `plan`.

use jantaku_sim::arena::{SetsPlanError, SetsPlanRequest};
use jantaku_sim::reports::GamesPlanError;
use jantaku_sim::stats::FIRST_BATCH;
use pyo3::prelude::*;
use serde::Serialize;

use crate::agent::agent_error;
use crate::errors::value_error;
use crate::json::json_to_python;
use crate::matches::AskedMatch;
use crate::runs::{Options, request_error, run_error};
use crate::session::Session;
use crate::statistics::AskedStats;

/// The plan, or the exception that stopped its pilot.
fn to_python<'py>(
    py: Python<'py>,
    session: &Session,
    plan: PyResult<impl Serialize>,
) -> PyResult<Bound<'py, PyAny>> {
    let plan = session.ended(plan)?;
    match session.error() {
        Some(error) => Err(error),
        None => json_to_python(py, &serde_json::to_value(plan).map_err(value_error)?),
    }
}

fn sets_error(error: SetsPlanError) -> PyErr {
    match error {
        SetsPlanError::Request(error) => request_error(&error, false),
        SetsPlanError::Start(error) => agent_error(error),
        SetsPlanError::NotPositive { .. } | SetsPlanError::TooMany { .. } => value_error(error),
        other => run_error(other),
    }
}

fn games_error(error: GamesPlanError) -> PyErr {
    match error {
        GamesPlanError::Play(error) => run_error(error),
        other @ GamesPlanError::Interrupted { .. } => run_error(other),
    }
}

/// Estimates the sets of a match. See `jantaku.plan`.
#[pyfunction(name = "_plan_match")]
pub(crate) fn plan_match<'py>(
    py: Python<'py>,
    asked: AskedMatch<'py>,
    placement_difference: f64,
    variance: Option<f64>,
    mut options: Options,
) -> PyResult<Bound<'py, PyAny>> {
    let (session, start) = (options.session()?, options.start()?);
    let game = asked.request(None, false, &start, session.caller())?;
    let request = SetsPlanRequest { game, placement_difference, variance };
    let stop = session.stop();
    let plan = session.run(py, |watch| request.plan(start.verbose, stop, watch))?;
    to_python(py, &session, plan.map_err(sets_error))
}

/// Estimates the games of statistics. See `jantaku.plan`.
#[pyfunction(name = "_plan_stats")]
pub(crate) fn plan_stats<'py>(
    py: Python<'py>,
    asked: AskedStats<'py>,
    mut options: Options,
) -> PyResult<Bound<'py, PyAny>> {
    let (session, start) = (options.session()?, options.start()?);
    session.expect(FIRST_BATCH);
    let (games, mut players) = asked.start(py, &session, &start)?;
    let plan = session.run(py, |watch| games.plan(asked.games, &mut players, watch))?;
    to_python(py, &session, plan.map_err(games_error))
}

//! The compiled part of `plan`.

use jantaku_measure::arena::{SetsPlanError, SetsPlanRequest};
use jantaku_measure::reports::GamesPlanError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use crate::arguments::{Call, read_call};
use crate::errors::{agent_error, value_error};
use crate::json::result_to_python;
use crate::matches::match_request;
use crate::runs::{request_error, run_error};
use crate::session::Session;
use crate::statistics::start;

/// The plan, or the exception that stopped its pilot.
fn to_python<'py>(py: Python<'py>, session: &Session, plan: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    session.take_error().map_or_else(|| result_to_python(py, plan), Err)
}

fn sets_error(error: SetsPlanError) -> PyErr {
    match error {
        SetsPlanError::Request(error) => request_error(&error, false),
        SetsPlanError::Start(error) => agent_error(error),
        SetsPlanError::TooMany { .. } => value_error(error),
        other => run_error(other),
    }
}

/// The exception of a plan of games. That of a pilot that failed has the text of its cause.
fn games_error(error: GamesPlanError) -> PyErr {
    if let GamesPlanError::Play(error) = error { run_error(error) } else { run_error(error) }
}

/// Estimates the sets of a match. See `jantaku.plan`.
#[pyfunction(name = "_plan_match")]
pub(crate) fn plan_match<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = |call: &mut Call<'_>| Ok(SetsPlanRequest { game: match_request(call)?, ..call.take()? });
    let (request, session) = read_call(arguments, progress, request)?;
    let (verbose, stop) = (request.game.start.verbose, session.stop());
    let plan = session.attempt(py, |watch| request.plan(verbose, stop, watch), sets_error)?;
    to_python(py, &session, &plan)
}

/// Estimates the games of statistics. See `jantaku.plan`.
#[pyfunction(name = "_plan_stats")]
pub(crate) fn plan_stats<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (games, most, mut players, session) = start(py, arguments, progress)?;
    let plan = session.attempt(py, |watch| games.plan(most, &mut players, watch), games_error)?;
    to_python(py, &session, &plan)
}

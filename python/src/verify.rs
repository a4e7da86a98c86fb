//! The compiled part of `verify`.

use std::path::PathBuf;

use jantaku_sim::replay::verify::VerifyRequest;
use jantaku_sim::run::{ReplayError, ReplayRequest};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Call, read_call};
use crate::errors::agent_error;
use crate::runs::{Outcome, outcome, request_error, run_error};
use crate::session::Follow;

/// Replays runs and compares their values. See `jantaku.verify`.
#[pyfunction(name = "_verify")]
pub(crate) fn verify<'py>(
    py: Python<'py>,
    runs: Vec<PathBuf>,
    quick: bool,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let ((), session) = read_call(arguments, progress, |_| Ok(()))?;
    let request = VerifyRequest { runs: &runs, quick };
    session.expect(py.detach(|| request.games_stored()));
    let verification = session.run(py, |watch| request.verify(watch, |_| {}))?;
    outcome(py, &session, &verification)
}

fn replay_error(error: ReplayError) -> PyErr {
    match error {
        ReplayError::Agent(error) => agent_error(error),
        ReplayError::Agents(error) => request_error(&error, false),
        other => run_error(other),
    }
}

/// Lets the agents of runs play some parts again and compares the bytes. See `jantaku.verify`.
#[pyfunction(name = "_verify_again")]
pub(crate) fn verify_again<'py>(
    py: Python<'py>,
    runs: Vec<PathBuf>,
    arguments: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> Outcome<'py> {
    let (request, session) = read_call(arguments, progress, Call::take::<ReplayRequest>)?;
    let request = request.seeded();
    session.expect(py.detach(|| request.games(&runs)));
    let replay = |watch: &mut Follow| request.replay(&runs, session.stop(), watch, |_| {});
    let replayed = session.attempt(py, replay, replay_error)?;
    outcome(py, &session, &replayed)
}

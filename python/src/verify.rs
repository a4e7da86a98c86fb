//! The compiled part of `verify`.

use std::path::PathBuf;

use jantaku_sim::replay::verify::VerifyRequest;
use jantaku_sim::run::{AgentChoice, ReplayError, ReplayRequest, Sample};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;
use serde_json::json;

use crate::arguments::{Call, asked};
use crate::errors::{agent_error, value_error};
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
    let ((), session) = asked(arguments, progress, |_| Ok(()))?;
    let request = VerifyRequest { runs: &runs, quick };
    session.expect(py.detach(|| request.games_stored()));
    let verification = session.run(py, |watch| request.verify(watch, |_| {}))?;
    outcome(py, &session, &verification)
}

/// Which parts agents play again.
#[derive(Default, Deserialize)]
#[serde(default)]
struct AskedReplay {
    /// A share of the parts, or a number of them.
    share: Option<f64>,
    parts: Option<u64>,
    seed: Option<u64>,
    put_back: bool,
    agents: Option<AgentChoice>,
}

impl AskedReplay {
    fn sample(&self) -> PyResult<Sample> {
        match (self.share, self.parts) {
            (Some(share), _) if share > 0.0 && share <= 1.0 => Ok(Sample::Percent(100.0 * share)),
            (None, Some(parts)) if parts > 0 => Ok(Sample::Parts(parts)),
            (share, parts) => {
                let found = share.map_or_else(|| json!(parts), |share| json!(share));
                Err(value_error(format!(
                    "`replay`: expected a share of the parts such as 0.01, or a number of parts, found {found}"
                )))
            }
        }
    }
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
    let (replay, session) = asked(arguments, progress, Call::take::<AskedReplay>)?;
    let sample = replay.sample()?;
    let AskedReplay { seed, put_back, agents, .. } = replay;
    let request = ReplayRequest { runs: &runs, agents: agents.as_ref(), sample, seed, put_back }.seeded();
    session.expect(py.detach(|| request.games()));
    let replay = |watch: &mut Follow| request.replay(session.stop(), watch, |_| {});
    let replayed = session.attempt(py, replay, replay_error)?;
    let mut found = serde_json::to_value(&replayed).map_err(value_error)?;
    found["complete"] = json!(!replayed.interrupted);
    outcome(py, &session, &found)
}

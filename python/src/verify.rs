//! The compiled part of `verify`.

use std::path::PathBuf;

use jantaku_sim::replay::verify::VerifyRequest;
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::runs::{Options, Outcome, outcome};

/// Replays runs and compares their values. See `jantaku.verify`.
#[pyfunction(name = "_verify")]
pub(crate) fn verify(py: Python<'_>, runs: Vec<PathBuf>, quick: bool, mut options: Options) -> Outcome<'_> {
    let session = options.session()?;
    let request = VerifyRequest { runs: &runs, quick };
    session.expect(py.detach(|| request.games_stored()));
    let verification = session.run(py, |watch| request.verify(watch, |_| {}))?;
    outcome(py, &session, &serde_json::to_value(&verification).map_err(value_error)?)
}

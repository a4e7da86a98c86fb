//! The compiled part of the training of `residual`: the shape of its inputs, and manifests.

use jantaku_agents::residual::{CandidateEncoder, ResidualManifest};
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::rules::named_rules;

/// The inputs of networks for the agent ``residual``: the numbers of features and of scalars, and the
/// first feature of a tile's neighbours.
#[pyfunction]
pub(crate) const fn _candidate_shape() -> (u16, usize, u16) {
    (CandidateEncoder::FEATURES, CandidateEncoder::SCALARS, CandidateEncoder::NEAR)
}

/// The manifest of a network that corrects an agent under some rules, as JSON.
#[pyfunction]
pub(crate) fn _residual_manifest(base: &str, rules: &Bound<'_, PyAny>) -> PyResult<String> {
    let (name, rules) = named_rules(rules)?;
    let mut manifest = ResidualManifest::new(base, &rules);
    manifest.rules.name = Some(name);
    serde_json::to_string_pretty(&manifest).map_err(value_error)
}

//! The result of one agent of a match.

use serde::{Deserialize, Serialize};

use super::sums::Mean;

/// The result of one agent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgentResult {
    /// The name of the agent; agents with equal names are numbered.
    pub agent: String,
    /// The placement, from 1.
    pub placement: Mean,
    /// The result with uma and oka, in points: 55000 means +55.0.
    pub result: Mean,
    /// The points at the end.
    pub points: Mean,
    /// The share of games in each placement, the first one first.
    pub placements: Vec<f64>,
    /// The variance of the mean placement of a set, divided by that of the same number of games on
    /// separate walls. None if there are fewer than two sets or all placements are equal.
    pub variance_ratio: Option<f64>,
    /// The means with reduced variance. None if the match does not reduce variance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variance_reduced: Option<VarianceReduced>,
}

/// The result of one agent with reduced variance: without its luck ([`super::aivat`]).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VarianceReduced {
    /// The placement.
    pub placement: Mean,
    /// The result.
    pub result: Mean,
    /// The points at the end.
    pub points: Mean,
    /// What is left of the variance.
    pub variance_ratio: VarianceRatios,
}

/// The reduced variance of a set's mean, over the plain one. None if there are fewer than two sets
/// or all sets have the same plain mean.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct VarianceRatios {
    /// Of placements.
    pub placement: Option<f64>,
    /// Of results.
    pub result: Option<f64>,
    /// Of points.
    pub points: Option<f64>,
}

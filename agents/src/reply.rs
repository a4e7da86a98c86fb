//! What an agent answers: an action, and optionally the thoughts behind it.

use jantaku_engine::Action;

/// The answer to a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// The action, one of the legal ones.
    pub action: Action,
    /// What the agent reports about the decision. Agents without thoughts allocate nothing.
    pub thoughts: Option<Box<Thoughts>>,
}

impl From<Action> for Reply {
    #[inline]
    fn from(action: Action) -> Reply {
        Reply { action, thoughts: None }
    }
}

/// What an agent reports about a decision besides the action.
///
/// Every part is optional. The lists have one entry for each legal action, in the order of
/// [`ActionSet::iter`](jantaku_engine::ActionSet::iter).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Thoughts {
    /// The result that the agent expects for its seat. The agent documents the unit.
    pub value: Option<f32>,
    /// The agent's probabilities of the legal actions, which add up to 1.
    pub policy: Option<Vec<f32>>,
    /// The agent's estimates of the legal actions, in the unit of `value`. An action that the agent
    /// did not examine has none.
    pub action_values: Option<Vec<Option<Estimate>>>,
    /// The probability with which the agent chose its action, after temperature and other
    /// exploration. Training off the agent's own policy needs it.
    pub probability: Option<f32>,
}

/// An estimated value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean.
    pub mean: f32,
    /// The standard error of the mean, if the agent knows it.
    pub standard_error: Option<f32>,
}

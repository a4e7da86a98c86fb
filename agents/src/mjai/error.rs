//! Why a text is not a game in this format.

use jantaku_engine::replay::Problem;

/// Why a text is not a game in this format, and where in the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {problem}")]
pub struct MjaiError {
    /// The location of the error: `the list of events`, `event` with its number from 1, or `the end`.
    pub at: String,
    /// What is wrong there.
    pub problem: Problem,
}

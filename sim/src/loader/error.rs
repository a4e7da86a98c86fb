//! Errors of a loader.

use std::fmt::Display;

use jantaku_agents::WrongSearchInfo;

use crate::dataset::ReadError;
use crate::logs::LogError;
use crate::replay::error::SourceError;
use crate::replay::stored::StoredGameError;

/// The error for an option with an invalid value.
pub(super) fn wrong(field: &'static str, expected: &str, found: &dyn Display) -> LoadError {
    LoadError::Config { field, expected: expected.to_owned(), found: found.to_string() }
}

/// An error of a loader.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// An option has an invalid value.
    #[error("`{field}`: expected {expected}, found {found}")]
    Config {
        /// The option.
        field: &'static str,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// A path cannot be opened.
    #[error("{path}: {what}")]
    Open {
        /// The path.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// A run has no decisions.
    #[error(transparent)]
    Source(#[from] Box<SourceError>),
    /// A run cannot be read or is damaged.
    #[error(transparent)]
    Run(#[from] ReadError),
    /// A log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A game cannot be replayed.
    #[error("{place}: {error}")]
    Replay {
        /// The run and the number of the game.
        place: String,
        /// What is wrong.
        error: StoredGameError,
    },
    /// What an agent reported does not fit its decision.
    #[error("{place}: decision {decision}: {error}")]
    SearchInfo {
        /// The run and the number of the game.
        place: String,
        /// The number of the decision in the game.
        decision: u32,
        /// What is wrong.
        error: WrongSearchInfo,
    },
    /// A run or game differs in its rules or players from the first.
    #[error(
        "{place}: expected {expected}, as in {first}, found {found}; load them separately, or together with the \
         option `mixed`"
    )]
    Mixed {
        /// The run or game.
        place: String,
        /// The first run or game.
        first: String,
        /// The rules or players of the first.
        expected: String,
        /// Those of the other.
        found: String,
    },
    /// The checkpoint to start from belongs to a loader with other options or games.
    #[error(
        "the position belongs to a loader with other games, seed, shuffle, filter or ranks: expected \
         {expected:016x}, found {found:016x}"
    )]
    OtherLoader {
        /// The hash of this loader.
        expected: u64,
        /// The hash in the position.
        found: u64,
    },
    /// The threads of the loader cannot start, or one of them panicked.
    #[error("the loader stopped: {0}")]
    Stopped(String),
}

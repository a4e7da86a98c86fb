//! Errors of a loader.

use crate::dataset::ReadError;
use crate::logs::LogError;
use crate::replay::error::SourceError;
use crate::run::ConfigError;

/// An error of a loader.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// An option has an invalid value.
    #[error(transparent)]
    Config(#[from] ConfigError),
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
    /// A game of a run cannot be replayed, or what an agent reported does not fit its decision.
    #[error("{place}: {what}")]
    Game {
        /// The run and the number of the game.
        place: String,
        /// What is wrong.
        what: String,
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
        /// The rules or players of this run or game.
        found: String,
    },
    /// The checkpoint to start from belongs to a loader with other options or games.
    #[error(
        "the position belongs to a loader with other games or options, such as seed, shuffle, filter or \
         ranks: expected {expected:016x}, found {found:016x}"
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

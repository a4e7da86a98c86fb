//! Why a game, a hand or a decision of a source cannot be found, opened or replayed.

use std::io;
use std::path::Path;

use jantaku_engine::PositionError;

use crate::dataset::ReadError;
use crate::logs::LogError;
use crate::logs::files::shown;

/// Why a game, a hand or a decision of a source cannot be found, opened or replayed.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A text names no source.
    #[error("{text}: {expected}")]
    Text {
        /// The text.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A log is named without one of its decisions.
    #[error(
        "{log}: expected the decision of the log, as in LOG:25, or its game, too, as in LOG:0:25; \
         `jantaku show` numbers the decisions"
    )]
    WholeLog {
        /// The log as it was named.
        log: String,
    },
    /// A file of the run cannot be read, or its game not replayed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The files of the log cannot be found or read.
    #[error(transparent)]
    Find(#[from] io::Error),
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The file has no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The run or log has no such game, or keeps no decisions.
    #[error("{place}: {what}")]
    NoGame {
        /// The run or log.
        place: String,
        /// What is missing.
        what: String,
    },
    /// The game has no such hand or decision, or none is named.
    #[error("{place}: {what}")]
    NoDecision {
        /// The run or log, or the first difference of the log from the rules.
        place: String,
        /// What is missing.
        what: String,
    },
}

impl SourceError {
    /// A file that cannot be read.
    pub(super) fn unreadable(path: &Path, cause: &io::Error) -> SourceError {
        io::Error::new(cause.kind(), format!("{}: cannot read: {cause}", shown(path))).into()
    }

    /// A game that a log does not have.
    pub fn not_in_log(log: &Path, game: u64, games: u64) -> SourceError {
        let held = match games {
            0 => String::new(),
            games => format!("; it holds games 0 to {}", games - 1),
        };
        SourceError::NoGame { place: shown(log), what: format!("no game {game}{held}") }
    }

    /// Whether the source has no such game, hand or decision.
    pub const fn is_missing(&self) -> bool {
        matches!(self, SourceError::NoGame { .. } | SourceError::NoDecision { .. })
    }
}

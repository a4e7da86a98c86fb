//! Why a game, a hand or a decision of a source cannot be found, opened or replayed.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use jantaku_agents::argument;
use jantaku_engine::PositionError;
use jantaku_show::HandChoice;

use super::stored::StoredGameError;
use crate::dataset::ReadError;
use crate::logs::LogError;
use crate::logs::files::shown;
use crate::play::Detail;

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
    /// A file of the run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The log does not exist.
    #[error(transparent)]
    Find(#[from] io::Error),
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The position cannot be read.
    #[error("{}: cannot read: {cause}", shown(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
    /// The position is not valid.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The run has no decisions.
    #[error(
        "{}: the run keeps only {}, expected decisions: write it with {}",
        run.display(), kept.name(), argument("log", "decisions")
    )]
    NoDecisions {
        /// The run.
        run: PathBuf,
        /// The tables that it has.
        kept: Detail,
    },
    /// A run needs the number of a game.
    #[error("{0}: name a game of the run, as in {0}:0", run.display())]
    NoGame {
        /// The run.
        run: PathBuf,
    },
    /// The run has no such game.
    #[error("{}: no game {game}; the run holds {}", run.display(), games_text(games))]
    NotInRun {
        /// The run.
        run: PathBuf,
        /// The number of the game.
        game: u64,
        /// The games that the run has.
        games: Range<u64>,
    },
    /// The log has no such game.
    #[error("{}: no game {game}", shown(log))]
    NotInLog {
        /// The log.
        log: PathBuf,
        /// The number of the game.
        game: u64,
    },
    /// The stored decisions are not those of a game under its rules.
    #[error("{}: game {game}: {cause}", run.display())]
    Replay {
        /// The run.
        run: PathBuf,
        /// The number of the game.
        game: u64,
        /// The reason. The message contains it, so it is not a source.
        cause: StoredGameError,
    },
    /// The game has no such hand.
    #[error("{}: no hand {hand}; game {game} has hands 0 to {last}", shown(path))]
    NoHand {
        /// The run or log.
        path: PathBuf,
        /// The number of the game.
        game: u64,
        /// The hand.
        hand: HandChoice,
        /// The number of its last hand.
        last: usize,
    },
    /// The decision is in another hand.
    #[error("{}: decision {step} is in hand {found}, not in hand {hand}", shown(path))]
    OtherHand {
        /// The run or log.
        path: PathBuf,
        /// The number of the decision.
        step: usize,
        /// The number of its hand.
        found: usize,
        /// The hand of the scope.
        hand: HandChoice,
    },
    /// The game has no such decision.
    #[error("{}: no decision {step}; game {game} has decisions 0 to {last}", shown(path))]
    NoDecision {
        /// The run or log.
        path: PathBuf,
        /// The number of the game.
        game: u64,
        /// The number of the decision.
        step: usize,
        /// The number of its last decision.
        last: usize,
    },
    /// The decision is after a difference between the log and the rules.
    #[error("{difference}: {error}")]
    AfterDifference {
        /// The difference.
        difference: String,
        /// The reason apart from the difference.
        error: Box<SourceError>,
    },
}

impl SourceError {
    /// Whether the game, the hand or the decision does not exist; otherwise it cannot be read.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        use SourceError::{NoDecision, NoDecisions, NoHand, NotInLog, NotInRun};
        matches!(
            self,
            NoDecision { .. } | NoDecisions { .. } | NoHand { .. } | NotInLog { .. } | NotInRun { .. }
        )
    }
}

/// Describes the games of a run.
fn games_text(games: &Range<u64>) -> String {
    if games.is_empty() {
        "no games".to_owned()
    } else {
        format!("games {} to {}", games.start, games.end - 1)
    }
}

//! Why a text is not a game in this format.

use std::fmt;

use jantaku_engine::{NotAMeld, RulesError};

/// Why a text is not a game in this format, and where in the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {kind}")]
pub struct MjaiError {
    /// The location of the error.
    pub at: Location,
    /// The error.
    pub kind: ErrorKind,
}

/// A location in a text of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// The JSON list around the events.
    List,
    /// The event with this number, from 1.
    Event(usize),
    /// The end of the text.
    End,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::List => f.write_str("the list of events"),
            Location::Event(number) => write!(f, "event {number}"),
            Location::End => f.write_str("the end"),
        }
    }
}

/// What is wrong with an event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not JSON, or its JSON is not an event.
    #[error("{0}")]
    Json(String),
    /// The rules of `start_game` are not valid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The log does not state its rules, and no rules are assumed for this number of players.
    #[error("the log does not state its rules, and there are none to assume for {0} players")]
    NoRules(u8),
    /// The log hides a tile, as logs of one player's view do.
    #[error("a tile is hidden: only a log that shows all tiles can be replayed")]
    HiddenTile,
    /// The log hides a tile that the player's own seat sees.
    #[error("{what} of seat {seat} is hidden, but the player sits there: check the seat")]
    HiddenFromPlayer {
        /// What is hidden.
        what: &'static str,
        /// The seat of the player.
        seat: u8,
    },
    /// The game has no such player.
    #[error("player {0} does not play")]
    NoPlayer(u8),
    /// The tiles of a call are not a meld.
    #[error(transparent)]
    NotAMeld(#[from] NotAMeld),
    /// A value contradicts the events before it.
    #[error("`{key}` is {found}, expected {expected}")]
    Mismatch {
        /// The key of the value.
        key: &'static str,
        /// The value in the log.
        found: String,
        /// The value that follows from the events, or what the format allows.
        expected: String,
    },
    /// A player's error ended the hand, according to the reason given for the draw.
    #[error("an error{} ended the hand: {reason}", .seat.map_or_else(String::new, |seat| format!(" of seat {seat}")))]
    Failed {
        /// The player who pays for it. None if several players pay, or nobody.
        seat: Option<u8>,
        /// The text of the reason.
        reason: String,
    },
    /// The event cannot follow the events before it.
    #[error("{0}")]
    Order(String),
}

impl ErrorKind {
    pub(super) fn mismatch(
        key: &'static str,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> ErrorKind {
        ErrorKind::Mismatch { key, found: found.to_string(), expected: expected.to_string() }
    }

    /// The error of an event that cannot happen now.
    pub(super) fn order(reason: impl fmt::Display) -> ErrorKind {
        ErrorKind::Order(reason.to_string())
    }
}

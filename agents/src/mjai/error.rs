//! Why a text is not a game in this format.

use std::fmt;

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
    /// The log hides a tile, as logs of one player's view do.
    #[error("a tile is hidden: only a log that shows all tiles can be replayed")]
    HiddenTile,
    /// Anything else: the text is no event, or the event cannot follow the events before it.
    #[error("{0}")]
    Other(String),
}

impl ErrorKind {
    pub(super) fn new(what: impl fmt::Display) -> ErrorKind {
        ErrorKind::Other(what.to_string())
    }

    /// A value that contradicts the events before it or the format.
    pub(super) fn mismatch(key: &str, found: impl fmt::Display, expected: impl fmt::Display) -> ErrorKind {
        ErrorKind::new(format_args!("`{key}` is {found}, expected {expected}"))
    }

    /// A player whom the game does not have.
    pub(super) fn no_player(number: u8) -> ErrorKind {
        ErrorKind::new(format_args!("player {number} does not play"))
    }
}

//! What is wrong in a log.

use std::fmt;

use crate::{NotAMeld, Players, Seat, cut_after};

/// Longest text that a problem quotes, in characters. A broken value can be as long as its log.
const MAX_QUOTE: usize = 1000;

/// What is wrong in a log, as text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Problem(String);

impl Problem {
    /// A problem in our own words: an event at the wrong point of the game, or two parts of the log that
    /// contradict each other.
    pub fn new(what: impl fmt::Display) -> Problem {
        Problem(what.to_string())
    }

    /// A text that may quote the log, such as what breaks the syntax of the format.
    pub fn quoting(what: impl fmt::Display) -> Problem {
        Problem(quote(what))
    }

    /// A required attribute or list that is not there.
    pub fn missing(what: impl fmt::Display) -> Problem {
        Problem(format!("{what} is missing"))
    }

    /// A value that the format does not allow, or that contradicts another part of the log.
    pub fn value(field: impl fmt::Display, found: impl fmt::Display, expected: impl fmt::Display) -> Problem {
        Problem(format!("`{field}` is {}, expected {}", quote(found), quote(expected)))
    }

    /// A list with too few or too many entries.
    pub fn length(list: impl fmt::Display, found: usize, expected: impl fmt::Display) -> Problem {
        Problem(format!("{list}: {found} entries, expected {expected}"))
    }

    /// A number that stands for no tile. `expected` says which numbers do in the format.
    pub fn tile(found: u32, expected: &str) -> Problem {
        Problem(format!("{found} is not a tile, expected {expected}"))
    }

    /// A player whom the game does not have.
    pub fn player(number: impl fmt::Display) -> Problem {
        Problem(format!("there is no player {number}"))
    }

    /// A name or number of a yaku, result, call or tag that the format does not have.
    pub fn unknown(what: &str, found: impl fmt::Display) -> Problem {
        Problem(format!("{} is not a known {what}", quote(found)))
    }
}

/// Tiles of a call that are not a meld.
impl From<NotAMeld> for Problem {
    fn from(error: NotAMeld) -> Problem {
        Problem::new(error)
    }
}

/// What [`HandLog`](super::HandLog) refuses: an event at the wrong point of a hand.
impl From<&'static str> for Problem {
    fn from(what: &'static str) -> Problem {
        Problem::new(what)
    }
}

/// The seat that a log writes as this number.
///
/// # Errors
///
/// If the game has no such player.
pub fn seat_of(number: impl Into<i64>, players: Players) -> Result<Seat, Problem> {
    let number = number.into();
    let found = players.seats().find(|seat| i64::from(seat.number()) == number);
    found.ok_or_else(|| Problem::player(number))
}

/// A text, cut after [`MAX_QUOTE`] characters.
fn quote(text: impl fmt::Display) -> String {
    cut_after(&text.to_string(), MAX_QUOTE)
}

//! Errors of the log readers.

use std::fmt;

use jantaku_agents::mjai::MjaiError;
use jantaku_engine::NotAMeld;

/// Longest text that an error quotes, in characters. A broken value can be as long as its log.
const MAX_QUOTE: usize = 1000;

/// Why a log cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogError {
    /// The file, with a line number if it holds one game per line. Empty if unknown.
    pub file: String,
    /// The line of the file, or the part of the game: `line 5`, `tag 12 <N>`, `hand 3`. May be
    /// empty.
    pub place: String,
    /// What is wrong.
    pub problem: Problem,
}

impl LogError {
    /// A problem at this place of a log whose file is not known.
    #[must_use]
    pub fn at(place: impl fmt::Display, problem: Problem) -> LogError {
        LogError { file: String::new(), place: place.to_string(), problem }
    }

    /// An error of another part, such as a failed replay, at this place.
    pub fn new(place: impl fmt::Display, what: impl fmt::Display) -> LogError {
        LogError::at(place, Problem::Other(quote(what)))
    }

    /// The same error, in the file or game with this name.
    #[must_use]
    pub fn of_game(self, name: &str) -> LogError {
        LogError { file: name.to_owned(), ..self }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = [&self.file, &self.place].into_iter().filter(|place| !place.is_empty());
        places.into_iter().try_for_each(|place| write!(f, "{place}: "))?;
        self.problem.fmt(f)
    }
}

impl std::error::Error for LogError {}

impl From<MjaiError> for LogError {
    fn from(error: MjaiError) -> LogError {
        LogError::new(error.at, error.kind)
    }
}

/// What is wrong in a log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// The text is not XML, JSON or UTF-8, or lacks what every log has.
    #[error("{0}")]
    Syntax(String),
    /// A required attribute or list is not there.
    #[error("{0} is missing")]
    Missing(String),
    /// The format does not allow a value, or it contradicts another part of the log.
    #[error("`{field}` is {found}, expected {expected}")]
    Value {
        /// The attribute or key.
        field: String,
        /// Its value in the log.
        found: String,
        /// The value that follows from the rest of the log, or the values that the format allows.
        expected: String,
    },
    /// A list has too few or too many entries.
    #[error("{list}: {found} entries, expected {expected}")]
    Length {
        /// The list.
        list: String,
        /// How many entries it has.
        found: usize,
        /// How many it must have.
        expected: String,
    },
    /// No player of the game has this number.
    #[error("player {0} does not play")]
    Seat(i64),
    /// No tile has this number.
    #[error("{found} is not a tile, expected {expected}")]
    Tile {
        /// The number.
        found: u32,
        /// The numbers of tiles in this format.
        expected: &'static str,
    },
    /// The format has no yaku, result, call or tag of this name or number.
    #[error("{found} is not a known {what}")]
    Unknown {
        /// What the format expects: `yaku`, `call`.
        what: &'static str,
        /// The name or number.
        found: String,
    },
    /// The tiles of a call are not a meld.
    #[error(transparent)]
    Meld(#[from] NotAMeld),
    /// The event cannot happen at this point of the game.
    #[error("{0}")]
    Order(String),
    /// Two parts of the log contradict each other.
    #[error("{0}")]
    Contradiction(String),
    /// The rules that the log names are unknown or not valid.
    #[error("{0}")]
    Rules(String),
    /// A log or a part of it is longer than any game makes it.
    #[error("{0}")]
    TooLong(String),
    /// The error of another part of the program.
    #[error("{0}")]
    Other(String),
}

impl Problem {
    /// Text that breaks the syntax of the format.
    pub(super) fn syntax(what: impl fmt::Display) -> Problem {
        Problem::Syntax(quote(what))
    }

    /// A value that is not as expected.
    pub(super) fn value(
        field: impl Into<String>,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Problem {
        Problem::Value { field: field.into(), found: quote(found), expected: quote(expected) }
    }

    /// A list with too few or too many entries.
    pub(super) fn length(list: impl Into<String>, found: usize, expected: impl Into<String>) -> Problem {
        Problem::Length { list: list.into(), found, expected: expected.into() }
    }

    /// A name or number that the format does not have.
    pub(super) fn unknown(what: &'static str, found: impl fmt::Display) -> Problem {
        Problem::Unknown { what, found: quote(found) }
    }

    /// An event at the wrong point of the game.
    pub(super) fn order(what: impl Into<String>) -> Problem {
        Problem::Order(what.into())
    }

    /// Two parts of a log that contradict each other.
    pub(super) fn contradiction(what: impl Into<String>) -> Problem {
        Problem::Contradiction(what.into())
    }
}

/// What [`HandLog`](jantaku_engine::replay::HandLog) refuses: an event at the wrong point of a
/// hand.
impl From<&'static str> for Problem {
    fn from(what: &'static str) -> Problem {
        Problem::Order(what.to_owned())
    }
}

/// A text, cut if it is longer than any error needs.
fn quote(text: impl fmt::Display) -> String {
    let mut text = text.to_string();
    if let Some((end, _)) = text.char_indices().nth(MAX_QUOTE) {
        text.truncate(end);
        text.push('…');
    }
    text
}

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
        LogError::at(place, Problem::quoting(what))
    }

    /// The same error, in the file or game with this name.
    #[must_use]
    pub fn in_game(self, name: &str) -> LogError {
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

/// What is wrong in a log, as text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Problem(String);

impl Problem {
    /// A problem in our own words: an event at the wrong point of the game, or two parts of the log that
    /// contradict each other.
    pub(super) fn new(what: impl fmt::Display) -> Problem {
        Problem(what.to_string())
    }

    /// A text that may quote the log, such as what breaks the syntax of the format.
    pub(super) fn quoting(what: impl fmt::Display) -> Problem {
        Problem(quote(what))
    }

    /// A required attribute or list that is not there.
    pub(super) fn missing(what: impl fmt::Display) -> Problem {
        Problem(format!("{what} is missing"))
    }

    /// A value that the format does not allow, or that contradicts another part of the log.
    pub(super) fn value(
        field: impl fmt::Display,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Problem {
        Problem(format!("`{field}` is {}, expected {}", quote(found), quote(expected)))
    }

    /// A list with too few or too many entries.
    pub(super) fn length(list: impl fmt::Display, found: usize, expected: impl fmt::Display) -> Problem {
        Problem(format!("{list}: {found} entries, expected {expected}"))
    }

    /// A number of no tile. `expected` are the numbers of tiles in the format.
    pub(super) fn tile(found: u32, expected: &str) -> Problem {
        Problem(format!("{found} is not a tile, expected {expected}"))
    }

    /// A name or number of a yaku, result, call or tag that the format does not have.
    pub(super) fn unknown(what: &str, found: impl fmt::Display) -> Problem {
        Problem(format!("{} is not a known {what}", quote(found)))
    }
}

/// Tiles of a call that are not a meld.
impl From<NotAMeld> for Problem {
    fn from(error: NotAMeld) -> Problem {
        Problem::new(error)
    }
}

/// What [`HandLog`](jantaku_engine::replay::HandLog) refuses: an event at the wrong point of a
/// hand.
impl From<&'static str> for Problem {
    fn from(what: &'static str) -> Problem {
        Problem::new(what)
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

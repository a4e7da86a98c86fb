//! Errors of the log readers.

use std::fmt;

use jantaku_agents::mjai::MjaiError;
pub use jantaku_engine::replay::Problem;
use serde::{Serialize, Serializer};

/// Why a log cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LogError {
    /// The file, with a line number if it holds one game per line. Empty if unknown.
    pub file: String,
    /// The line of the file, or the part of the game: `line 5`, `tag 12 <N>`, `hand 3`. May be
    /// empty.
    pub place: String,
    /// What is wrong.
    #[serde(rename = "error", serialize_with = "as_text")]
    pub problem: Problem,
}

fn as_text<S: Serializer>(problem: &Problem, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(problem)
}

impl LogError {
    /// A problem at this place of a log whose file is not known.
    pub fn at(place: impl fmt::Display, problem: Problem) -> LogError {
        LogError { file: String::new(), place: place.to_string(), problem }
    }

    /// An error that other code reports, such as a failed replay, at this place of a log.
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
        LogError::new(error.at, error.problem)
    }
}

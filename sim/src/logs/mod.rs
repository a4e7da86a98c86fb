//! Recorded games in the formats of other programs.
//!
//! - [`files`]: files and folders of them
//! - [`mjlog`]: Tenhou's XML logs
//! - [`tenhou6`]: tenhou.net/6 JSON, which many sites read and write
//! - [`tenhou`]: what the two formats of Tenhou share: its rules by game type and date
//!
//! The format mjai, which external players speak, is in `jantaku_agents::mjai`.

pub mod files;
pub mod mjlog;
pub mod tenhou;
pub mod tenhou6;

use std::fmt;

use jantaku_agents::mjai::MjaiError;

/// So many characters of the reason of an error are kept.
const LONGEST_REASON: usize = 1000;

/// Why a log cannot be read, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogError {
    /// The file, with the number of the line where it holds a game a line; empty where only the text is known.
    pub file: String,
    /// Where in the game, in words of the format: `tag 12 <N>`, `hand 3`; empty where it is the file as a whole.
    pub place: String,
    /// What was found, and what was expected.
    pub what: String,
}

impl LogError {
    /// An error in a text of which the file is not known.
    pub fn new(place: impl fmt::Display, what: impl fmt::Display) -> LogError {
        let mut what = what.to_string();
        // What was found may be as long as the log.
        if let Some((end, _)) = what.char_indices().nth(LONGEST_REASON) {
            what.truncate(end);
            what.push('…');
        }
        LogError { file: String::new(), place: place.to_string(), what }
    }

    /// The same error in the game of this name.
    #[must_use]
    pub fn of_game(self, name: &str) -> LogError {
        LogError { file: name.to_owned(), ..self }
    }
}

impl From<MjaiError> for LogError {
    fn from(error: MjaiError) -> LogError {
        LogError::new(error.at, error.kind)
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = [&self.file, &self.place].into_iter().filter(|place| !place.is_empty());
        places.into_iter().try_for_each(|place| write!(f, "{place}: "))?;
        f.write_str(&self.what)
    }
}

impl std::error::Error for LogError {}

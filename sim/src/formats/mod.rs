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

/// Why a log cannot be read, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogError {
    /// Where, in words of the format: `tag 12 <N>`, `hand 3`.
    pub place: String,
    /// What was found, and what was expected.
    pub what: String,
}

impl LogError {
    fn new(place: impl fmt::Display, what: impl fmt::Display) -> LogError {
        LogError { place: place.to_string(), what: what.to_string() }
    }
}

impl From<MjaiError> for LogError {
    fn from(error: MjaiError) -> LogError {
        LogError { place: error.place, what: error.what }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for LogError {}

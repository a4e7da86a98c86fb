//! Why a text is not a game in this format.

use std::fmt;

use jantaku_engine::replay::Problem;

/// Why a text is not a game in this format, and where in the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {problem}")]
pub struct MjaiError {
    /// The location of the error.
    pub at: Location,
    /// What is wrong there.
    pub problem: Problem,
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

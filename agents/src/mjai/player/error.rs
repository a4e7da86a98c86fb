//! Errors of a player.

use std::fmt;

use jantaku_engine::shortened;

/// Why a player cannot answer a line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct PlayerError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with the line, or with the agent that answers it.
    pub what: String,
}

/// The error for an agent that follows whole games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the agent follows whole games; expected an agent that needs only its view, such as `greedy`")]
pub struct WantsUpdates;

/// What is wrong with an event, and the event.
pub(super) fn wrong_event(what: impl fmt::Display, event: &str) -> String {
    format!("{what}; the event: {}", shortened(event))
}

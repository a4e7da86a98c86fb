//! Errors of a player.

use jantaku_engine::shortened;

use crate::AgentError;
use crate::mjai::error::ErrorKind;

/// Why a player cannot answer a line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct PlayerError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: PlayerErrorKind,
}

/// A fault of a line, or of the agent that answers it.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerErrorKind {
    /// The line is not of the dialect.
    #[error("expected {expected}: {reason}")]
    NotEvents {
        /// What the dialect expects.
        expected: &'static str,
        /// What the JSON reader says.
        reason: String,
    },
    /// An event is wrong.
    #[error("{kind}; the event: {}", shortened(event))]
    Event {
        /// The event.
        event: String,
        /// What is wrong with it.
        kind: ErrorKind,
    },
    /// An event comes before `start_game`.
    #[error("no `start_game` came before; the event: {}", shortened(.0))]
    NoGame(String),
    /// Nothing says which seat the agent plays.
    #[error("`start_game` has no `id`, and no seat is given")]
    NoSeat,
    /// The seat of `start_game` is no seat.
    #[error("`id` of `start_game` is {found}, expected a seat, a number from 0 to 3")]
    NotASeat {
        /// The value as JSON.
        found: String,
    },
    /// The game has fewer players than the seat needs.
    #[error("seat {seat} does not play: the game has {players} players; is the seat right?")]
    SeatOfNobody {
        /// The seat.
        seat: u8,
        /// The number of players.
        players: u8,
    },
    /// The seat is not the expected one.
    #[error("`id` of `start_game` is {found}, expected {expected}, the given seat")]
    OtherSeat {
        /// The seat of the event.
        found: u8,
        /// The given seat.
        expected: u8,
    },
    /// A tile is visible more often than the rules have it.
    #[error(
        "{}. If the games have other rules, give these; the event: {}",
        surplus_text(tile, *found, *most),
        shortened(event)
    )]
    TooMany {
        /// The event that shows it once too often.
        event: String,
        /// The tile, as mjai writes it.
        tile: String,
        /// How often it is visible.
        found: usize,
        /// How often the tiles of the rules have it.
        most: usize,
    },
    /// The hand does not follow the rules.
    #[error("the hand cannot be played under these rules: {0}. If the games have other rules, give these")]
    Impossible(String),
    /// The agent has no usable answer.
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// The error for an agent that follows whole games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the agent follows whole games; expected an agent that needs only its view, such as `greedy`")]
pub struct WantsUpdates;

/// The error of a tile that is visible too often.
fn surplus_text(tile: &str, found: usize, most: usize) -> String {
    match most {
        0 => format!("{tile} is visible, but these rules play without it"),
        _ => format!("{tile} is visible {found} times, expected at most {most} under these rules"),
    }
}

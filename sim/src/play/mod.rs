//! Plays games in memory.
//!
//! In the order in which the files build on each other:
//!
//! - `schedule`: which games are played
//! - `record`: what a played game leaves
//! - `tally`: counts over games
//! - `sink`: where finished games go
//! - `runner`: plays the games of a schedule on all threads

mod record;
mod runner;
mod schedule;
mod sink;
mod tally;

pub use record::{Decision, Detail, GameRecord, HandRecord, Memory, Origin};
pub use runner::{Job, RunError, Watch, direct, direct_over, gather, play_game};
pub use schedule::{Fixture, SelfPlay, waves};
pub use sink::{Sink, SinkError};
pub use tally::{SeatTally, Tally};

//! Games in memory: which are played, by whom, and what is kept of each.

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

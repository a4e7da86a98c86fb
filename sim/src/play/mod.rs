//! Plays games in memory.
//!
//! In the order in which the files build on each other:
//!
//! - `seatings`: who sits where in the games of a set
//! - `schedule`: which games are played
//! - `hand`: the facts of a hand, from its events
//! - `groups`: groups of players and hands with figures of their own
//! - `amounts`: single amounts whose spread is measured
//! - `counts`, `counter`: counts over games, and what counts a game
//! - `tally`: the counts that a summary shows, by name
//! - `listener`: what follows a game in play
//! - `concealed`: the concealed tiles of all seats, from the events of a hand
//! - `record`, `memory`: what a played game leaves, and what records it
//! - `sink`: where finished games go
//! - `parts`: counts over the complete parts of a run
//! - `runner`: plays the games of a schedule on all threads
//! - `cohort`: plays them at several tables in lockstep, with agents that answer batches

mod amounts;
mod cohort;
mod concealed;
mod counter;
mod counts;
mod groups;
mod hand;
mod listener;
mod memory;
mod parts;
mod record;
mod runner;
mod schedule;
mod seatings;
mod sink;
mod tally;

pub use amounts::{Amount, Quantity};
pub use cohort::{Cohort, cohort, threads_for};
pub(crate) use cohort::{check_count, cohort_in_parts, play_in_order};
pub(crate) use counter::GameCounter;
pub use counts::{Counts, UnitCounts};
pub(crate) use counts::{
    FU, HAN, HAN_OF_FU, HONBA, POINTS, TURNS, hand as hand_counts, hand_index, player, player_index, table,
};
pub(crate) use groups::{ALL_GROUP, AgentGroups, HAND_GROUPS, player_parts};
pub use groups::{By, Groups};
pub(crate) use hand::{EndFacts, HandFacts, HandInPlay, WinFacts};
pub use listener::Listener;
pub use memory::Memory;
pub(crate) use parts::PlayedParts;
pub use record::{Decision, Detail, GameRecord, HandRecord, Origin};
pub use runner::{Job, RunError, Watch, direct, direct_over, play_game};
pub(crate) use runner::{direct_in_parts, gather, play_counted};
pub use schedule::{Fixture, Schedule};
pub use seatings::{Seating, Seatings};
pub use sink::{Sink, SinkError};
pub use tally::{SeatTally, Tally};

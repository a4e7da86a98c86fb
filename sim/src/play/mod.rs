//! Plays games in memory.
//!
//! In the order in which the files build on each other:
//!
//! - `seatings`: who sits where in the games of a set
//! - `schedule`: which games are played
//! - `hand`: the facts of a hand, from its events
//! - `groups`: groups of players and hands with figures of their own
//! - `amounts`: single amounts whose spread is measured
//! - `counts`, `counter`: counts over games, and the counter of a game
//! - `tally`: the counts that a summary shows, by name
//! - `listener`: spectators that also receive search info
//! - `concealed`: the concealed tiles of all seats, from the events of a hand
//! - `record`, `memory`: the record of a played game, and its recorder
//! - `sink`: where finished games go
//! - `label`: labels the decisions of finished games
//! - `played`: the games that a runner played into the parts of a run
//! - `job`: the games to play, and the watch that follows them
//! - `fold`: how finished games are folded into values
//! - `latency`: how long agents take for a decision
//! - `faults`: faults of agents as results state them
//! - `direct`: plays games of policies on all threads
//! - `batched`: plays games at many tables, with agents that answer batches
//! - `players`: the agents that play, by one of these runners

mod amounts;
mod batched;
mod concealed;
mod counter;
mod counts;
mod direct;
mod faults;
mod fold;
mod groups;
mod hand;
mod job;
mod label;
mod latency;
mod listener;
mod memory;
mod played;
mod players;
mod record;
mod schedule;
mod seatings;
mod sink;
mod tally;

pub use amounts::{Amount, Quantity};
pub(crate) use batched::check_count;
pub use batched::{Started, StartedAgent};
pub use concealed::AllConcealed;
pub use counter::GameCounter;
pub use counts::{
    Counts, FU, HAN, HAN_OF_FU, HONBA, PLACE_PARTS, PLACEMENT_PARTS, POINTS, SharedCount, TURNS, UnitCounts,
    hand as hand_counts, hand_index, player, player_index, table,
};
pub use direct::{Policies, gather, play_counted, play_game};
pub use faults::{FaultCount, FaultReport, FaultShare};
pub use fold::{Fold, Taken};
pub use groups::{ALL_GROUP, AgentGroups, By, Groups, HAND_GROUPS, player_parts, seat_group, unique_name};
pub use hand::{EndFacts, HandFacts, HandInPlay, WinFacts};
pub use job::{Job, RunError, Watch, WatchPart, watch_after};
pub use label::LabelSink;
pub use latency::DecisionTimes;
pub use listener::Listener;
pub use memory::Memory;
pub use played::PlayedParts;
pub use players::{
    CannotStart, FAULTS, FaultsError, MAX_TABLES, Players, StartOptions, ThreadOptions, earlier_faults,
    labels, read_faults,
};
pub use record::{Decision, Detail, GameRecord, HandRecord, Origin};
pub use schedule::{Fixture, Schedule};
pub use seatings::{Seating, Seatings};
pub use sink::{Sink, SinkError};
pub use tally::{SeatTally, Tally};

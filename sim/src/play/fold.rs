//! How finished games are folded into values.

use std::ops::ControlFlow;

use super::counts::UnitCounts;
use super::groups::{AgentGroups, Groups};
use super::record::GameRecord;
use super::sink::SinkError;

/// Folds finished games, first on the threads that play, then in order.
///
/// `start` makes an empty value. `add` adds the next game to it, with its counts. `take` receives
/// the values in the order of the games, on the calling thread, and can end the job. A value holds
/// consecutive whole units, but the last one may hold part of a unit if the job ends early.
pub struct Fold<'a, Start, Add, Take> {
    /// The groups of the counts.
    pub groups: &'a Groups,
    /// The group of each agent.
    pub of_agents: AgentGroups,
    /// The games of a unit: 1, or those of a duplicate set.
    pub unit: u64,
    /// Makes an empty value.
    pub start: Start,
    /// Adds a game to a value.
    pub add: Add,
    /// Receives the values in order.
    pub take: Take,
}

/// What `take` of a [`Fold`] returns: whether the job continues.
pub type Taken = Result<ControlFlow<()>, SinkError>;

/// The `add` of a [`Fold`]. A name for the bound, which three functions share.
pub trait AddGame<V>: Fn(&mut V, GameRecord, &UnitCounts) + Sync {}

impl<V, F: Fn(&mut V, GameRecord, &UnitCounts) + Sync> AddGame<V> for F {}

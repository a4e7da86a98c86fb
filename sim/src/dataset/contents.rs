//! What all games of a dataset share.

use jantaku_engine::Rules;

use super::branch::BranchPoint;
use super::table::TableKind;
use crate::play::{Detail, Schedule};

/// What all games of a dataset share: its tables, rules and agents.
#[derive(Clone, PartialEq, Debug)]
pub struct Contents {
    /// How much is kept of each game.
    pub detail: Detail,
    /// Whether the games come from logs: then their walls do not follow from seeds and are kept.
    pub walls: bool,
    /// Whether decisions are labelled.
    pub labels: bool,
    /// The rules of every game that does not store its own.
    pub rules: Rules,
    /// The agents of self-play games; empty for games from logs.
    pub agents: Vec<String>,
    /// Which games are played and who sits where; unused for games from logs.
    pub schedule: Schedule,
    /// The branch point, if the dataset is one game that branches from another.
    pub branch: Option<BranchPoint>,
}

impl Contents {
    /// The agents of a self-play game, by seat.
    pub fn agents_of(&self, game: u64) -> Vec<String> {
        let seating = self.schedule.fixture(game).seating;
        seating.by_seat(&self.agents, self.schedule.players).cloned().collect()
    }

    /// The tables that are kept, in the order of [`TableKind::ALL`].
    pub fn tables(&self) -> impl Iterator<Item = TableKind> {
        TableKind::ALL.into_iter().filter(|table| table.is_kept(self.detail, self.walls, self.labels))
    }
}

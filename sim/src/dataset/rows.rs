//! Rows of all tables, gathered from records.

use arrow_array::RecordBatch;

use super::columns::Table;
use super::decisions::DecisionRows;
use super::games::GameRows;
use super::hands::HandRows;
use super::walls::WallRows;
use crate::play::GameRecord;
use crate::run::RunConfig;

/// Rows that are being gathered, of every table.
#[derive(Default)]
pub(crate) struct Rows {
    games: GameRows,
    hands: HandRows,
    decisions: DecisionRows,
    walls: WallRows,
}

impl Rows {
    /// Adds a game of this run.
    pub(crate) fn push(&mut self, game: &GameRecord, config: &RunConfig) {
        let origin = game.origin.as_deref();
        let agents = origin.map_or(&config.agents, |origin| &origin.players);
        self.games.push(game, &config.rules_hash, agents);
        self.hands.push_all(game);
        self.decisions.push_all(game, origin.map_or(&config.rules, |origin| &origin.rules), agents);
        self.walls.push_all(game);
    }

    /// How many rows of a table there are.
    pub(crate) fn len(&self, table: Table) -> usize {
        match table {
            Table::Games => self.games.len(),
            Table::Hands => self.hands.len(),
            Table::Decisions => self.decisions.len(),
            Table::Walls => self.walls.len(),
        }
    }

    /// The rows of a table; its gathering starts anew.
    pub(crate) fn take(&mut self, table: Table) -> RecordBatch {
        match table {
            Table::Games => self.games.take(),
            Table::Hands => self.hands.take(),
            Table::Decisions => self.decisions.take(),
            Table::Walls => self.walls.take(),
        }
    }
}

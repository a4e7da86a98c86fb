//! Builds the rows of the table of walls.

use std::sync::Arc;

use arrow_array::builder::{StringBuilder, UInt16Builder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};

use super::columns::{TableKind, schema};
use crate::play::GameRecord;

/// The rows so far.
#[derive(Default)]
pub(super) struct WallRows {
    game: UInt64Builder,
    hand: UInt16Builder,
    wall: StringBuilder,
    rows: usize,
}

impl WallRows {
    pub(super) fn push_all(&mut self, record: &GameRecord) {
        for (number, hand) in (0..).zip(&record.hands) {
            if let Some(wall) = &hand.wall {
                self.game.append_value(record.game);
                self.hand.append_value(number);
                self.wall.append_value(wall.tiles().iter().map(ToString::to_string).collect::<String>());
                self.rows += 1;
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Takes the rows so far.
    pub(super) fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        let columns: Vec<ArrayRef> =
            vec![Arc::new(self.game.finish()), Arc::new(self.hand.finish()), Arc::new(self.wall.finish())];
        RecordBatch::try_new(schema(TableKind::Walls), columns).expect("rows have the columns of their table")
    }
}

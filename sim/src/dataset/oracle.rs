//! Builds the rows of the table of hidden hands.

use std::mem;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, UInt8Array, UInt16Array, UInt64Array};
use jantaku_engine::BySeat;
use jantaku_engine::notation::HandText;

use super::columns::{TableKind, schema};
use crate::play::{Decision, GameRecord};

/// The rows so far.
#[derive(Default)]
pub(super) struct OracleRows {
    game: Vec<u64>,
    hand: Vec<u16>,
    step: Vec<u16>,
    seat: Vec<u8>,
    tiles: ListBuilder<StringBuilder>,
}

impl OracleRows {
    pub(super) fn push_all(&mut self, record: &GameRecord) {
        for (decision, concealed) in record.decisions.iter().zip(&record.concealed) {
            self.push(record.game, decision, concealed);
        }
    }

    fn push(&mut self, game: u64, d: &Decision, concealed: &BySeat<HandText>) {
        self.game.push(game);
        self.hand.push(d.hand);
        self.step.push(d.step);
        self.seat.push(d.seat.number());
        self.tiles.append_value(concealed.iter().map(|tiles| Some(tiles.as_str())));
    }

    pub(super) fn len(&self) -> usize {
        self.game.len()
    }

    /// Takes the rows so far.
    pub(super) fn take(&mut self) -> RecordBatch {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(UInt64Array::from(mem::take(&mut self.game))),
            Arc::new(UInt16Array::from(mem::take(&mut self.hand))),
            Arc::new(UInt16Array::from(mem::take(&mut self.step))),
            Arc::new(UInt8Array::from(mem::take(&mut self.seat))),
            Arc::new(self.tiles.finish()),
        ];
        RecordBatch::try_new(schema(TableKind::Oracle), columns)
            .expect("rows have the columns of their table")
    }
}

//! Builds the rows of the table of games.

use std::sync::Arc;

use arrow_array::builder::{
    Int32Builder, ListBuilder, StringDictionaryBuilder, UInt8Builder, UInt16Builder, UInt32Builder,
    UInt64Builder,
};
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, RecordBatch};

use super::columns::{TableKind, schema};
use crate::play::GameRecord;

/// The rows so far.
#[derive(Default)]
pub(super) struct GameRows {
    game: UInt64Builder,
    seed: UInt64Builder,
    rules_hash: StringDictionaryBuilder<UInt32Type>,
    agents: ListBuilder<StringDictionaryBuilder<UInt32Type>>,
    points: ListBuilder<Int32Builder>,
    placement: ListBuilder<UInt8Builder>,
    result: ListBuilder<Int32Builder>,
    hands: UInt16Builder,
    decisions: UInt32Builder,
    signature: UInt64Builder,
    source: StringDictionaryBuilder<UInt32Type>,
    ruleset: StringDictionaryBuilder<UInt32Type>,
    rows: usize,
}

impl GameRows {
    /// Adds a game. `rules_hash` is for a game that does not store its own rules.
    pub(super) fn push(&mut self, record: &GameRecord, rules_hash: &str, agents: &[String]) {
        self.game.append_value(record.game);
        self.seed.append_value(record.seed);
        let origin = record.origin.as_deref();
        let ruleset = origin.map(|origin| origin.rules.to_toml());
        let hash = origin.map(|origin| format!("{:016x}", origin.rules.hash()));
        self.rules_hash.append_value(hash.as_deref().unwrap_or(rules_hash));
        self.agents.append_value(agents.iter().map(Some));
        self.points.append_value(record.results.iter().map(|r| Some(r.points)));
        self.placement.append_value(record.results.iter().map(|r| Some(r.placement)));
        self.result.append_value(record.results.iter().map(|r| Some(r.result)));
        self.hands.append_value(record.hand_count as u16);
        self.decisions.append_value(record.decision_count);
        self.signature.append_value(record.signature);
        self.source.append_option(origin.map(|origin| &origin.source));
        self.ruleset.append_option(ruleset);
        self.rows += 1;
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Takes the rows so far.
    pub(super) fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.game.finish()),
            Arc::new(self.seed.finish()),
            Arc::new(self.rules_hash.finish()),
            Arc::new(self.agents.finish()),
            Arc::new(self.points.finish()),
            Arc::new(self.placement.finish()),
            Arc::new(self.result.finish()),
            Arc::new(self.hands.finish()),
            Arc::new(self.decisions.finish()),
            Arc::new(self.signature.finish()),
            Arc::new(self.source.finish()),
            Arc::new(self.ruleset.finish()),
        ];
        RecordBatch::try_new(schema(TableKind::Games), columns).expect("rows have the columns of their table")
    }
}

//! What the table of games says about its part.

use std::path::Path;

use arrow_array::Array as _;
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt16Type, UInt32Type, UInt64Type};
use bytes::Bytes;

use super::columns::TableKind;
use super::error::ReadError;
use super::file::column;
use super::open::Batches;
use super::read::word;

/// What the table of games says about its part.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartSummary {
    /// The numbers and seeds of the games.
    pub(crate) games: Vec<(u64, u64)>,
    /// Hands of all games.
    pub(crate) hands: u64,
    /// Decisions of all games.
    pub(crate) decisions: u64,
    /// The hash of the rules of the first game.
    pub(crate) rules_hash: String,
    /// The agents of the first game.
    pub(crate) agents: Vec<String>,
}

impl PartSummary {
    /// Reads the contents of a file of games; the path is that of messages.
    pub(crate) fn read(path: &Path, file: Bytes) -> Result<PartSummary, ReadError> {
        let columns = ["game", "seed", "hands", "decisions", "rules_hash", "agents"];
        let mut summary = PartSummary::default();
        for batch in Batches::of(path, file, TableKind::Games, &columns)? {
            let batch = batch?;
            if summary.games.is_empty() && batch.num_rows() > 0 {
                let agents = batch.column(5).as_list::<i32>().value(0);
                summary.rules_hash = word(batch.column(4), 0).unwrap_or_default();
                summary.agents =
                    (0..agents.len()).map(|seat| word(&agents, seat).unwrap_or_default()).collect();
            }
            let seeds = column::<UInt64Type>(&batch, 1).iter().copied();
            summary.games.extend(column::<UInt64Type>(&batch, 0).iter().copied().zip(seeds));
            summary.hands +=
                column::<UInt16Type>(&batch, 2).iter().map(|hands| u64::from(*hands)).sum::<u64>();
            summary.decisions +=
                column::<UInt32Type>(&batch, 3).iter().map(|count| u64::from(*count)).sum::<u64>();
        }
        Ok(summary)
    }
}

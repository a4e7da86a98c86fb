//! What the table of games says about its part.

use super::error::ReadError;
use super::file::TableFile;
use super::select::select;
use super::table::TableKind;
use super::types::StoredColumn as _;

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

select! {
    struct SummedColumns from games { game, seed, hands, decisions, rules_hash, agents }
}

impl PartSummary {
    /// Reads a file of the table of games.
    pub fn read(file: &TableFile) -> Result<PartSummary, ReadError> {
        let mut summary = PartSummary::default();
        file.read(|games: &SummedColumns, row| {
            if summary.games.is_empty() {
                games.rules_hash.at(row).clone_into(&mut summary.rules_hash);
                summary.agents = games.agents.at(row).iter().map(str::to_owned).collect();
            }
            summary.games.push((games.game.at(row), games.seed.at(row)));
            summary.hands += u64::from(games.hands.at(row));
            summary.decisions += u64::from(games.decisions.at(row));
            Ok(())
        })?;
        Ok(summary)
    }

    /// The number of rows of a table of this part. None if it does not follow from the games.
    pub const fn rows_of(&self, table: TableKind) -> Option<u64> {
        match table {
            TableKind::Games => Some(self.games.len() as u64),
            TableKind::Hands | TableKind::Walls => Some(self.hands),
            TableKind::Decisions | TableKind::Oracle => Some(self.decisions),
            // Only some decisions are labelled.
            TableKind::Labels => None,
        }
    }
}

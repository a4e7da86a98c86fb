//! What all games of a dataset share.

use jantaku_engine::Rules;

use super::columns::TableKind;
use crate::play::Detail;

/// What all games of a dataset share: its tables, rules and agents.
#[derive(Clone, PartialEq, Debug)]
pub struct Contents {
    /// How much is kept of each game.
    pub detail: Detail,
    /// Whether the games come from logs. Their walls do not follow from seeds, so they are kept.
    pub walls: bool,
    /// The rules of every game that does not store its own.
    pub rules: Rules,
    /// The agent of each seat in every self-play game.
    pub agents: Vec<String>,
}

impl Contents {
    /// The tables that are kept, in the order of [`TableKind::ALL`].
    pub fn tables(&self) -> impl Iterator<Item = TableKind> {
        TableKind::ALL.into_iter().filter(|table| table.is_kept(self.detail, self.walls))
    }
}

//! The tables of a dataset.

use serde::Serialize;

use crate::play::Detail;

/// A table of a dataset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TableKind {
    /// One row per game.
    Games,
    /// One row per hand.
    Hands,
    /// One row per decision.
    Decisions,
    /// One row per hand: its wall.
    Walls,
    /// One row per decision: the hidden hands.
    Oracle,
    /// One row per labelled decision: the values of its candidates by rollouts.
    Labels,
}

impl TableKind {
    /// All tables.
    pub const ALL: [TableKind; 6] = [
        TableKind::Games,
        TableKind::Hands,
        TableKind::Decisions,
        TableKind::Walls,
        TableKind::Oracle,
        TableKind::Labels,
    ];

    /// The name of the table and of its folder.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TableKind::Games => "games",
            TableKind::Hands => "hands",
            TableKind::Decisions => "decisions",
            TableKind::Walls => "walls",
            TableKind::Oracle => "oracle",
            TableKind::Labels => "labels",
        }
    }

    /// The table with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<TableKind> {
        TableKind::ALL.into_iter().find(|table| table.name() == name)
    }

    /// Whether a dataset with this detail keeps the table. `from_logs` says whether its games come
    /// from logs: their walls do not follow from seeds. `labels` says whether its decisions are
    /// labelled.
    #[must_use]
    pub fn is_kept(self, detail: Detail, from_logs: bool, labels: bool) -> bool {
        match self {
            TableKind::Games => detail >= Detail::Games,
            TableKind::Hands => detail >= Detail::Hands,
            TableKind::Decisions => detail >= Detail::Decisions,
            TableKind::Walls => from_logs || detail >= Detail::Oracle,
            TableKind::Oracle => detail >= Detail::Oracle,
            TableKind::Labels => labels,
        }
    }

    /// The number of leading columns that identify a row.
    pub(crate) const fn keys(self) -> usize {
        match self {
            TableKind::Games => 1,
            TableKind::Hands | TableKind::Walls => 2,
            TableKind::Decisions | TableKind::Oracle | TableKind::Labels => 4,
        }
    }
}

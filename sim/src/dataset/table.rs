//! The tables of a dataset.

use jantaku_engine::named_enum;

use crate::play::Detail;

named_enum! {
    /// A table of a dataset.
    TableKind {
        /// One row per game.
        Games = "games",
        /// One row per hand.
        Hands = "hands",
        /// One row per decision.
        Decisions = "decisions",
        /// One row per hand: its wall.
        Walls = "walls",
        /// One row per decision: the hidden hands.
        Oracle = "oracle",
        /// One row per labelled decision: the values of its candidates by rollouts.
        Labels = "labels",
    }
}

impl TableKind {
    /// Whether a dataset with this detail keeps the table. `from_logs` says whether its games come
    /// from logs: their walls do not follow from seeds. `labels` says whether its decisions are
    /// labelled.
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

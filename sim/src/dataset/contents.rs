//! What all games of a dataset share.

use std::fmt::{self, Display, Formatter};

use jantaku_engine::Rules;
use serde::{Deserialize, Serialize};

use super::table::TableKind;
use crate::play::{Detail, Schedule};

/// What all games of a dataset share: its tables, rules and agents.
#[derive(Clone, PartialEq, Debug)]
pub struct Contents {
    /// How much is kept of each game.
    pub detail: Detail,
    /// Whether the games come from logs. Their walls do not follow from seeds, so they are kept.
    pub walls: bool,
    /// Whether decisions are labelled.
    pub labels: bool,
    /// The rules of every game that does not store its own.
    pub rules: Rules,
    /// The agents of the games that are played; none of games from logs.
    pub agents: Vec<String>,
    /// Which games are played and who sits where; of no meaning for games from logs.
    pub schedule: Schedule,
    /// What the only game has from another one.
    pub copied: Option<Copied>,
}

/// The beginning of a game that was copied from another one, where other players made its decisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Copied {
    /// The number of the copied decisions.
    pub decisions: u32,
    /// The number of hands with a copied decision. The last of them may continue after it.
    pub hands: u16,
}

impl Display for Copied {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let what = match self.decisions {
            1 => "decision was".to_owned(),
            decisions => format!("{decisions} decisions were"),
        };
        write!(f, "the first {what} copied from another game, where other players made them")
    }
}

impl Contents {
    /// The agents of a game that is played, by seat.
    pub(crate) fn agents_of(&self, game: u64) -> Vec<String> {
        let seating = self.schedule.fixture(game).seating;
        seating.of_seats(&self.agents, self.schedule.players).cloned().collect()
    }

    /// The tables that are kept, in the order of [`TableKind::ALL`].
    pub fn tables(&self) -> impl Iterator<Item = TableKind> {
        TableKind::ALL.into_iter().filter(|table| table.is_kept(self.detail, self.walls, self.labels))
    }
}

//! What all games of a dataset share.
//!
//! # Why
//!
//! **How does a run distinguish copied decisions from its players' own?** By two counts in
//! `run.toml`: copied decisions, and hands with copied decisions. Both are known when the game is
//! played on, and statistics, which read no decisions, need the second. Rejected: a run without the
//! copied decisions, because nothing could replay it; a column that names who decided, because it
//! would cost every run bytes for a case of one game. Also rejected: leaving such games out,
//! because their later hands are the players' own.

use std::fmt::{self, Display, Formatter};

use jantaku_engine::Rules;
use jantaku_engine::replay::GameStart;
use serde::{Deserialize, Serialize, Serializer};

use super::first_hand::FirstHand;
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Copied {
    /// The number of the copied decisions.
    pub decisions: u32,
    /// The number of hands with a copied decision. The last of them may continue after it.
    pub hands: u16,
    /// The first hand, if it does not follow from the seed: the other game is a log or a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_hand: Option<FirstHand>,
}

/// The numbers of a [`Copied`], which JSON results have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct CopiedNumbers {
    /// Decisions that were copied from there, where other players made them.
    pub decisions: u32,
    /// Hands with a copied decision.
    pub hands: u16,
}

impl Copied {
    /// The numbers alone.
    #[must_use]
    pub const fn numbers(&self) -> CopiedNumbers {
        CopiedNumbers { decisions: self.decisions, hands: self.hands }
    }

    /// Writes the numbers alone.
    #[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
    pub(crate) fn serialize_numbers<S: Serializer>(
        copied: &Option<Copied>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        copied.as_ref().map(Copied::numbers).serialize(serializer)
    }

    /// Where a game with this beginning starts, or a game without one.
    ///
    /// # Panics
    ///
    /// If no game under these rules starts with this first hand. What is read from files was checked.
    #[must_use]
    pub fn start(copied: Option<&Copied>, rules: &Rules) -> GameStart {
        let first_hand = copied.and_then(|copied| copied.first_hand.as_ref());
        first_hand.map_or_else(
            || GameStart::of_game(rules),
            |first| first.start(rules).expect("the first hand was checked"),
        )
    }
}

impl Display for Copied {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let what = match self.decisions {
            0 => "deal was".to_owned(),
            1 => "decision was".to_owned(),
            decisions => format!("{decisions} decisions were"),
        };
        let from = match self.first_hand {
            None => "another game, where other players made them",
            Some(_) => "a log or a position; unknown tiles were dealt at random",
        };
        write!(f, "the first {what} copied from {from}")
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

//! Why hands end without a winner.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a hand ended without a winner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum DrawReason {
    /// No live tile was left.
    Exhaustive,
    /// No live tile was left, and a player had nagashi mangan: only yaochuu discarded, none of them
    /// claimed.
    Nagashi,
    /// Kyuushu kyuuhai: a hand with at least nine kinds of yaochuu at the player's first draw.
    KyuushuKyuuhai,
    /// Suufon renda: every player's first discard was the same wind.
    FourWinds,
    /// Suucha riichi: all players were in riichi.
    FourRiichi,
    /// Suukaikan: four kans by two or more players, or the declaration of a fifth.
    FourKans,
    /// Sanchahou: three players declared ron.
    TripleRon,
    /// A foul. The hand is replayed unless the foul ends the game.
    Chombo,
}

impl DrawReason {
    /// All reasons.
    pub const ALL: [DrawReason; 8] = [
        DrawReason::Exhaustive,
        DrawReason::Nagashi,
        DrawReason::KyuushuKyuuhai,
        DrawReason::FourWinds,
        DrawReason::FourRiichi,
        DrawReason::FourKans,
        DrawReason::TripleRon,
        DrawReason::Chombo,
    ];

    /// The name in datasets and output.
    pub const fn name(self) -> &'static str {
        match self {
            DrawReason::Exhaustive => "exhaustive",
            DrawReason::Nagashi => "nagashi",
            DrawReason::KyuushuKyuuhai => "kyuushu-kyuuhai",
            DrawReason::FourWinds => "four-winds",
            DrawReason::FourRiichi => "four-riichi",
            DrawReason::FourKans => "four-kans",
            DrawReason::TripleRon => "triple-ron",
            DrawReason::Chombo => "chombo",
        }
    }

    /// Whether the hand ended early. Only exhaustive draws, with or without nagashi mangan, do not.
    pub const fn is_abortive(self) -> bool {
        !matches!(self, DrawReason::Exhaustive | DrawReason::Nagashi)
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

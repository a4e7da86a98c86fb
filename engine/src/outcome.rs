//! How a hand ended.

use std::fmt;

use crate::score::{FuPart, Moment, Score};
use crate::settle::Liability;
use crate::{BySeat, Seat, SeatSet, Tile};

/// Why a hand ended without a winner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DrawReason {
    /// The wall was empty.
    Exhaustive,
    /// The wall was empty, and somebody had discarded only terminals and honours of which none was claimed.
    Nagashi,
    /// Nine kinds of terminals and honours: kyuushu kyuuhai.
    KyuushuKyuuhai,
    /// The same wind as everybody's first discard: suufon renda.
    FourWinds,
    /// A riichi of every player: suucha riichi.
    FourRiichi,
    /// Four quads by several players, or the declaration of a fifth: suukaikan.
    FourKans,
    /// Three players declared ron: sanchahou.
    TripleRon,
    /// A foul: chombo. The hand is played again.
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
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DrawReason::Exhaustive => "exhaustive",
            DrawReason::Nagashi => "nagashi",
            DrawReason::KyuushuKyuuhai => "nine-terminals",
            DrawReason::FourWinds => "four-winds",
            DrawReason::FourRiichi => "four-riichi",
            DrawReason::FourKans => "four-kans",
            DrawReason::TripleRon => "triple-ron",
            DrawReason::Chombo => "chombo",
        }
    }

    /// Whether the hand ended before the wall was empty.
    #[must_use]
    pub const fn is_abortive(self) -> bool {
        !matches!(self, DrawReason::Exhaustive | DrawReason::Nagashi)
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What ended a hand; the rest follows from the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Win { winners: SeatSet, from: Option<Seat>, tile: Tile, moment: Moment },
    Draw { reason: DrawReason, tenpai: SeatSet, nagashi: SeatSet },
    Foul { offenders: SeatSet },
}

/// How a hand ended and what was paid.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What happened.
    pub end: HandEnd,
    /// The points that each seat wins or loses now, sticks taken from the table included. A riichi stick was paid when the riichi was
    /// accepted and is not counted again; after a foul it comes back.
    pub deltas: BySeat<i32>,
    /// Riichi sticks that stay on the table.
    pub sticks: u16,
}

/// What ended a hand.
#[derive(Clone, PartialEq, Debug)]
pub enum HandEnd {
    /// Somebody won; several in the order of turns after the discarder.
    Win(Vec<WonHand>),
    /// Nobody won.
    Draw {
        /// Why.
        reason: DrawReason,
        /// Who was tenpai and showed it. Empty after an abortive draw unless the rules ask.
        tenpai: SeatSet,
        /// Who is paid for terminal and honour discards.
        nagashi: SeatSet,
        /// Who has made a foul.
        fouls: SeatSet,
    },
}

/// A hand that was won.
#[derive(Clone, PartialEq, Debug)]
pub struct WonHand {
    /// Who won.
    pub winner: Seat,
    /// Who discarded the tile or lost it to a robbed quad; none for a self-draw.
    pub from: Option<Seat>,
    /// The winning tile.
    pub tile: Tile,
    /// What the hand is worth.
    pub score: Score,
    /// Where its fu come from; nothing where they play no part ([`Score::fu_parts`]).
    pub fu_parts: Vec<FuPart>,
    /// The indicators under the dora indicators that were looked at.
    pub ura_indicators: Vec<Tile>,
    /// Who was liable for a yakuman of the hand or for the replacement tile.
    pub liable: Vec<Liability>,
    /// The points that the hand wins, without counters and sticks.
    pub points: i32,
    /// Who paid what, counters included, sticks not.
    pub payments: BySeat<i32>,
    /// Riichi sticks that the winner takes.
    pub sticks: u16,
}

impl Outcome {
    /// The hands that were won.
    #[must_use]
    pub fn wins(&self) -> &[WonHand] {
        match &self.end {
            HandEnd::Win(wins) => wins,
            HandEnd::Draw { .. } => &[],
        }
    }
}

//! The outcome of a hand.
//!
//! # Why
//!
//! **Why is the outcome of a hand not stored?** It follows from the table, the hands and the
//! ending. It is computed on request, which keeps a hand in play small and off the heap.

use serde::{Deserialize, Serialize};

use crate::score::{FuPart, Moment, Score, Win};
use crate::settle::{self, Liability, PricedWin};
use crate::{BySeat, DrawReason, Seat, SeatSet, Tile};

/// What ended a hand. The rest of the outcome follows from the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Win { winners: SeatSet, from: Option<Seat>, tile: Tile, moment: Moment },
    Draw { reason: DrawReason, tenpai: SeatSet, nagashi: SeatSet },
    Foul { offenders: SeatSet },
}

/// The end of a hand and its payments.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// What ended the hand.
    pub end: HandEnd,
    /// The points that each seat wins or loses now, with the riichi sticks that winners take.
    ///
    /// A riichi stick is paid when the riichi is accepted and is not included again. After a foul
    /// it is returned.
    pub deltas: BySeat<i32>,
    /// Riichi sticks that stay on the table.
    pub sticks: u16,
}

/// What ended a hand.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum HandEnd {
    /// One or more players won, in turn order after the discarder.
    Win(Vec<WonHand>),
    /// No player won.
    Draw {
        /// The reason.
        reason: DrawReason,
        /// The players who were tenpai and showed it. Empty after an abortive draw unless the rules
        /// ask for it.
        tenpai: SeatSet,
        /// The players with nagashi mangan.
        nagashi: SeatSet,
        /// The offenders, after a foul.
        fouls: SeatSet,
    },
}

/// A winning hand.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WonHand {
    /// The winner.
    pub winner: Seat,
    /// Who discarded the tile, or whose kan or kita was robbed; `None` for tsumo.
    pub from: Option<Seat>,
    /// The winning tile.
    pub tile: Tile,
    /// The score of the hand.
    pub score: Score,
    /// The parts of the fu; empty if fu do not count ([`Score::fu_parts`]).
    pub fu_parts: Vec<FuPart>,
    /// The ura indicators that counted.
    pub ura_indicators: Vec<Tile>,
    /// The players who were liable for a yakuman or for the replacement tile.
    pub liable: Vec<Liability>,
    /// The points that the hand wins, without honba and riichi sticks.
    pub points: i32,
    /// The points that each seat wins or loses by this win, with honba and without riichi sticks.
    pub payments: BySeat<i32>,
    /// Riichi sticks that the winner takes.
    pub sticks: u16,
}

/// The winner, the tile, and the facts besides the hand that determine the payments.
#[derive(Clone, Copy, Debug)]
pub struct WinAtTable<'a> {
    /// The dealer.
    pub dealer: Seat,
    /// The winner.
    pub winner: Seat,
    /// Who discarded the tile, or whose kan or kita was robbed; `None` for tsumo.
    pub from: Option<Seat>,
    /// The winning tile.
    pub tile: Tile,
    /// The players who are liable if the hand has the yakuman, or wins on the replacement tile.
    pub liable: &'a [Liability],
    /// Honba that the winner is paid for.
    pub honba: u16,
    /// Riichi sticks that the winner takes.
    pub sticks: u16,
}

impl WinAtTable<'_> {
    /// The players who are liable for this score.
    fn liable_for<'w>(&'w self, win: &Win<'_>, score: &'w Score) -> impl Iterator<Item = Liability> + 'w {
        let on_replacement = win.tsumo && win.moment == Moment::Rinshan;
        let applies = move |l: &&Liability| l.yaku.map_or(on_replacement, |yaku| score.yaku.contains(yaku));
        self.liable.iter().filter(applies).copied()
    }

    /// The points that each seat wins or loses by a win with this score, without riichi sticks.
    pub(crate) fn payments(&self, win: &Win<'_>, score: &Score) -> BySeat<i32> {
        let mut liable = [Liability { seat: self.winner, yaku: None }; MAX_LIABLE];
        let mut count = 0;
        for (place, found) in liable.iter_mut().zip(self.liable_for(win, score)) {
            *place = found;
            count += 1;
        }
        let WinAtTable { dealer, winner, from, honba, .. } = *self;
        let priced = PricedWin { winner, from, score, liable: &liable[..count], honba: honba.into() };
        settle::payments(&priced, dealer, win.rules)
    }
}

/// The most players who can be liable for a win: for three yakuman and for the replacement tile.
pub(crate) const MAX_LIABLE: usize = 4;

impl WonHand {
    /// The winning hand with this score and its payments.
    pub fn new(win: &Win<'_>, score: Score, at_table: &WinAtTable<'_>) -> WonHand {
        let WinAtTable { winner, from, tile, sticks, .. } = *at_table;
        WonHand {
            winner,
            from,
            tile,
            score,
            fu_parts: score.fu_parts(win),
            ura_indicators: win.ura_indicators.to_vec(),
            liable: at_table.liable_for(win, &score).collect(),
            points: WinAtTable { honba: 0, ..*at_table }.payments(win, &score)[winner],
            payments: at_table.payments(win, &score),
            sticks,
        }
    }
}

impl Outcome {
    /// The winning hands; empty after a draw.
    pub fn wins(&self) -> &[WonHand] {
        match &self.end {
            HandEnd::Win(wins) => wins,
            HandEnd::Draw { .. } => &[],
        }
    }
}

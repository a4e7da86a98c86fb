//! Hands that ended.
//!
//! # Why
//!
//! **Why are rewards at the ends of hands added in Python?** A hand ends about once in sixty
//! decisions. A reward function, such as a network, is fast only if one call gets many standings.
//! The compiled part reports the hands that ended; the built-in placement model takes the same path
//! as a function.

use jantaku_engine::{BySeat, DrawReason, Event, FinalResult, HandEnd, Outcome, Players};
use serde::{Deserialize, Serialize};

/// The points and the sticks when a hand is dealt.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Deal {
    /// The number of dealer changes before the hand: 0 is East 1; with four players 4 is South 1.
    pub round: u16,
    /// Honba.
    pub honba: u16,
    /// Riichi sticks on the table.
    pub sticks: u16,
    /// The points of each seat.
    pub points: BySeat<i32>,
}

/// A hand that ended.
///
/// If the dealer may end the game after a hand, the hand is complete when the dealer has decided.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndedHand {
    /// The table, from 0.
    pub table: u32,
    /// The number of the game at its table, from 0.
    pub game: u32,
    /// The line-up of the game, as [`Batch::opponents`](super::Batch::opponents) counts them.
    pub lineup: u32,
    /// The number of the hand in its game, from 0.
    pub hand: u16,
    /// How it ended, as its place in [`EndedHand::KINDS`].
    pub kind: u8,
    /// Its deal.
    pub start: Deal,
    /// The points of each seat afterwards; at the end of the game with the leftover riichi sticks.
    pub points: BySeat<i32>,
    /// The deal of the next hand. None at the end of the game.
    pub next: Option<Deal>,
    /// The placements and results. None before the end of the game.
    pub results: Option<BySeat<FinalResult>>,
}

impl EndedHand {
    /// How a hand can end: by tsumo, by ron, or by a draw for one of the reasons.
    pub const KINDS: [&'static str; 10] = {
        let mut names = ["tsumo"; 10];
        names[1] = "ron";
        let mut reason = 0;
        while reason < DrawReason::ALL.len() {
            names[2 + reason] = DrawReason::ALL[reason].name();
            reason += 1;
        }
        names
    };
}

/// The kind of an end, as its place in [`EndedHand::KINDS`]. Reasons are numbered as in [`DrawReason::ALL`].
fn kind(outcome: &Outcome) -> u8 {
    match &outcome.end {
        HandEnd::Win(wins) => u8::from(wins.iter().any(|win| win.from.is_some())),
        HandEnd::Draw { reason, .. } => 2 + *reason as u8,
    }
}

/// Follows the hands of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandsOfGame {
    table: u32,
    game: u32,
    lineup: u32,
    /// The number of the hand in play, from 0; when the game is over, the number of its hands.
    hand: u16,
    start: Deal,
    /// How the hand ended, until the next one begins.
    kind: Option<u8>,
}

impl HandsOfGame {
    /// A game before its first deal.
    pub(super) fn new(table: usize, game: u32, lineup: u32, players: Players) -> HandsOfGame {
        let start = Deal { round: 0, honba: 0, sticks: 0, points: BySeat::splat(players, 0) };
        HandsOfGame { table: table as u32, game, lineup, hand: 0, start, kind: None }
    }

    /// The deal of the hand in play.
    pub(super) const fn start(&self) -> &Deal {
        &self.start
    }

    /// The number of hands that ended.
    pub(super) const fn ended(&self) -> u16 {
        self.hand
    }

    /// Follows the next event. Returns the hand that is complete with it, if one is.
    #[inline]
    pub(super) fn event(&mut self, event: &Event) -> Option<EndedHand> {
        match event {
            Event::HandEnd(outcome) => self.kind = Some(kind(outcome)),
            Event::Deal { round, honba, sticks, scores, .. } => {
                let next = Deal { round: *round, honba: *honba, sticks: *sticks, points: *scores };
                let ended = self.complete(scores, Some(next), None);
                self.start = next;
                return ended;
            }
            Event::GameEnd { scores, results } => return self.complete(scores, None, Some(*results)),
            _ => {}
        }
        None
    }

    /// Counts and returns the hand that ended, if one did.
    fn complete(
        &mut self,
        points: &BySeat<i32>,
        next: Option<Deal>,
        results: Option<BySeat<FinalResult>>,
    ) -> Option<EndedHand> {
        let kind = self.kind.take()?;
        let HandsOfGame { table, game, lineup, hand, start, .. } = *self;
        self.hand += 1;
        Some(EndedHand { table, game, lineup, hand, kind, start, points: *points, next, results })
    }
}

//! Where a game stands between two hands.

use serde::{Deserialize, Serialize};

use crate::rules::Rules;
use crate::seat::BySeat;

/// Where a game stands between two hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[must_use]
pub struct Standing {
    /// The number of the hand; it goes up when the deal passes ([`Table::round`](crate::Table::round)).
    pub round: u16,
    /// Honba.
    pub honba: u16,
    /// Riichi sticks on the table.
    pub sticks: u16,
    /// How often this hand was replayed after fouls.
    pub attempt: u16,
    /// Hands that the dealer has won since the deal came to them.
    pub dealer_wins: u8,
    /// Points of each player.
    pub scores: BySeat<i32>,
}

impl Standing {
    /// The start of a game.
    pub const fn start(rules: &Rules) -> Standing {
        Standing::at_deal(0, [0; 2], BySeat::splat(rules.players, rules.start_points))
    }

    /// The standing as far as the deal of a hand shows it: the first attempt, and no earlier wins of the
    /// dealer.
    pub const fn at_deal(round: u16, [honba, sticks]: [u16; 2], scores: BySeat<i32>) -> Standing {
        Standing { round, honba, sticks, attempt: 0, dealer_wins: 0, scores }
    }

    /// A limit on points, positive and negative. Games under ordinary rules never reach it, and the
    /// payments of a hand can be added to it without overflow.
    pub(crate) const MAX_POINTS: u32 = 100_000_000;
    /// A limit on round, attempt, honba and riichi sticks.
    pub(crate) const MAX_COUNT: u16 = 10_000;

    /// Whether a number is beyond its limit.
    pub(crate) fn is_extreme(&self) -> bool {
        let numbers = [self.round, self.honba, self.sticks, self.attempt];
        numbers.iter().any(|n| *n > Standing::MAX_COUNT)
            || self.scores.iter().any(|points| points.unsigned_abs() > Standing::MAX_POINTS)
    }
}

//! Shanten, ukeire and the analysis of discards.
//!
//! - `tables`: the tables that the build script computes, and their look-ups
//! - [`Tracker`]: a hand as table keys; a draw or a discard is one addition
//! - `ukeire`: the tiles that lower the shanten ([`Concealed::ukeire`](crate::Concealed::ukeire))
//! - [`DiscardOption`]: the shanten and ukeire after each discard
//!
//! # Why
//!
//! **How is shanten computed?** Each suit has ten distances: the number of tiles it lacks for 0–4
//! sets, with and without a pair. Suits with the same ten distances form one *class*. Suits,
//! honours and all their merges fall into 180 classes. One table merges two classes, so four
//! look-ups and three merges give the distance of a hand. A suit's class comes from its two halves
//! (ranks 1–6, ranks 7–9). Low halves that behave the same share a row: 1,113 rows. The build
//! script computes the tables, compares them with a search of all ways to place sets, and counts
//! 405,350 suits and 43,130 honours. Rejected: a class table indexed by the whole suit in base 5.
//! It takes 2 MB and is no faster even when nothing else uses the cache. Also rejected: perfect
//! hashes of suits, which take more steps.
//!
//! **Does a hand ever wait for a fifth copy of a tile?** Not among concealed tiles: the distances
//! exclude suits with five copies of a rank. A hand whose only wait is a tile already used four
//! times in the player's own melds is tenpai by shape. The rule `own_four_wait` decides whether it
//! counts as tenpai.
//!
//! **Why can seven pairs not contain four of a kind?** Waits, shanten and ukeire come from tables
//! that know no rules. One shape from a local rule would make every look-up depend on a rule.

mod discards;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
mod tracker;
mod ukeire;

use std::fmt;

pub use discards::{DiscardAnalysis, DiscardOption, DiscardOptions};
pub use tracker::Tracker;

/// The number of tiles that a hand needs to be tenpai: 0 is tenpai, −1 complete, 8 the most.
///
/// It depends only on the tiles in the hand, not on visible tiles elsewhere. A fifth copy of a
/// concealed tile does not count: `1111m234p567p345s` is 1-shanten, not tenpai on a fifth `1m`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[must_use]
pub struct Shanten(i8);

impl Shanten {
    /// A complete hand.
    pub const COMPLETE: Shanten = Shanten(-1);
    /// A hand that one tile completes.
    pub const TENPAI: Shanten = Shanten(0);

    /// The shanten of a hand that needs `tiles` more tiles to be complete.
    #[inline]
    pub(crate) const fn from_missing(tiles: u8) -> Shanten {
        Shanten(tiles as i8 - 1)
    }

    /// The number of tiles needed to complete the hand: shanten + 1.
    #[inline]
    pub(crate) const fn missing(self) -> u8 {
        (self.0 + 1) as u8
    }

    /// The number, −1 to 8.
    #[inline]
    pub const fn number(self) -> i8 {
        self.0
    }
}

impl fmt::Display for Shanten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Shanten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-shanten", self.0)
    }
}

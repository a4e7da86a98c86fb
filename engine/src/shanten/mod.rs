//! Shanten: how many tiles a hand is away from tenpai, which tiles bring it nearer, and what each discard leaves.
//!
//! - `tables`: what the build script computes, and how it is read
//! - [`Tracker`]: a hand as four keys that a draw or a discard changes by one addition
//! - `ukeire`: the tiles that bring a hand nearer ([`Concealed::ukeire`](crate::Concealed::ukeire))
//! - [`DiscardOption`]: the hands that the possible discards leave
//! - [`Census`]: how many hands there are at each shanten

mod census;
mod discards;
pub(crate) mod tables;
mod tracker;
mod ukeire;

use std::fmt;

pub use census::Census;
pub use discards::{DiscardOption, DiscardOptions};
pub use tracker::Tracker;

/// How many tiles a hand is away from tenpai: 0 is tenpai, −1 a complete hand, 8 the farthest.
///
/// Only the tiles that the player holds count, not those that others show; but a fifth copy of a concealed tile is never counted on,
/// so `1111m234p567p345s` is one away although only a fifth `1m` seems to be missing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shanten(i8);

impl Shanten {
    /// A hand that has won.
    pub const COMPLETE: Shanten = Shanten(-1);
    /// A hand that one tile completes.
    pub const TENPAI: Shanten = Shanten(0);

    /// From the number of tiles missing to a complete hand.
    #[inline]
    pub(crate) const fn from_missing(tiles: u8) -> Shanten {
        Shanten(tiles as i8 - 1)
    }

    /// The number of tiles missing to a complete hand.
    #[inline]
    pub(crate) const fn missing(self) -> u8 {
        (self.0 + 1) as u8
    }

    /// −1 to 8.
    #[must_use]
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

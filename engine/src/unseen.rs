//! How many tiles of each kind have not been seen.

use crate::{Concealed, TileKind, TileSet};

/// For each kind 0–4: how many of its tiles somebody has not seen.
///
/// Kept as the three binary digits of the numbers, one set of kinds for each digit, so that counting the unseen tiles of a set is three
/// intersections.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unseen {
    ones: TileSet,
    twos: TileSet,
    fours: TileSet,
}

impl Unseen {
    /// Nothing has been seen: four of each of these kinds.
    #[must_use]
    pub const fn all_of(kinds: TileSet) -> Unseen {
        Unseen { ones: TileSet::EMPTY, twos: TileSet::EMPTY, fours: kinds }
    }

    /// One tile of each of these kinds is seen; none of them may have been seen four times.
    #[inline]
    pub fn see(&mut self, kinds: TileSet) {
        debug_assert!(kinds.is_subset(self.ones | self.twos | self.fours), "a fifth tile seen of {kinds}");
        let borrow = kinds - self.ones;
        self.ones = (self.ones | kinds) - (self.ones & kinds);
        let borrow_more = borrow - self.twos;
        self.twos = (self.twos | borrow) - (self.twos & borrow);
        self.fours -= borrow_more;
    }

    /// All tiles of a hand are seen.
    #[inline]
    pub fn see_hand(&mut self, hand: &Concealed) {
        (1..=4).for_each(|copies| self.see(hand.at_least(copies)));
    }

    /// How many tiles of a kind are unseen.
    #[must_use]
    #[inline]
    pub const fn of(&self, kind: TileKind) -> u32 {
        self.count(TileSet::of(kind))
    }

    /// How many tiles of all these kinds together are unseen.
    #[must_use]
    #[inline]
    pub const fn count(&self, kinds: TileSet) -> u32 {
        const fn digit(digit: TileSet, kinds: TileSet) -> u32 {
            (digit.bits() & kinds.bits()).count_ones()
        }
        digit(self.ones, kinds) + 2 * digit(self.twos, kinds) + 4 * digit(self.fours, kinds)
    }

    /// The kinds whose number has the digit of value 1, of value 2, of value 4.
    #[must_use]
    pub const fn digits(&self) -> [TileSet; 3] {
        [self.ones, self.twos, self.fours]
    }

    /// The kinds of which there are unseen tiles.
    #[must_use]
    #[inline]
    pub fn kinds(&self) -> TileSet {
        self.ones | self.twos | self.fours
    }
}

impl std::fmt::Debug for Unseen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.kinds().iter().map(|kind| (kind, self.of(kind)))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeing_counts_down() {
        let kinds: TileSet = "15m7z".parse().expect("notation");
        let mut unseen = Unseen::all_of(TileSet::ALL);
        for left in (0..4).rev() {
            unseen.see(kinds);
            for kind in TileKind::all() {
                assert_eq!(unseen.of(kind), if kinds.contains(kind) { left } else { 4 });
            }
            assert_eq!(unseen.count(TileSet::ALL), 136 - 3 * (4 - left));
        }
    }
}

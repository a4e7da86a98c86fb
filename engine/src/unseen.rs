//! The number of unseen tiles of each kind.

use crate::{Concealed, TileKind, TileSet};

/// The number of unseen tiles of each kind, 0–4.
///
/// For the table, a tile is unseen if it is not open. For a player, tiles in their own hand are
/// seen, too.
///
/// The numbers are stored by binary digit: one set of kinds for each of the digits 1, 2 and 4.
/// Counting the unseen tiles of a set then takes three intersections.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Unseen {
    ones: TileSet,
    twos: TileSet,
    fours: TileSet,
}

impl Unseen {
    /// Four unseen tiles of each of these kinds.
    pub const fn all_of(kinds: TileSet) -> Unseen {
        Unseen { ones: TileSet::EMPTY, twos: TileSet::EMPTY, fours: kinds }
    }

    /// Counts one seen tile of each of these kinds. Each must have an unseen tile left.
    #[inline]
    pub fn see(&mut self, kinds: TileSet) {
        debug_assert!(kinds.is_subset(self.ones | self.twos | self.fours), "a fifth tile of {kinds} is seen");
        let borrow = kinds - self.ones;
        self.ones = (self.ones | kinds) - (self.ones & kinds);
        let borrow_more = borrow - self.twos;
        self.twos = (self.twos | borrow) - (self.twos & borrow);
        self.fours -= borrow_more;
    }

    /// Takes back [`see`](Unseen::see): counts one tile of each of these kinds as unseen again.
    pub(crate) fn unsee(&mut self, kinds: TileSet) {
        let carry = self.ones & kinds;
        self.ones = (self.ones | kinds) - carry;
        let carry_more = self.twos & carry;
        self.twos = (self.twos | carry) - carry_more;
        self.fours |= carry_more;
    }

    /// Counts all tiles of a hand as seen.
    #[inline]
    pub fn see_hand(&mut self, hand: &Concealed) {
        (1..=4).for_each(|copies| self.see(hand.at_least(copies)));
    }

    /// The number of unseen tiles of a kind.
    #[inline]
    pub const fn of(&self, kind: TileKind) -> u32 {
        const fn digit(digit: TileSet, kind: TileKind) -> u32 {
            (digit.bits() >> kind.index() & 1) as u32
        }
        digit(self.ones, kind) + 2 * digit(self.twos, kind) + 4 * digit(self.fours, kind)
    }

    /// The number of unseen tiles of all these kinds together.
    #[inline]
    pub const fn count(&self, kinds: TileSet) -> u32 {
        const fn digit(digit: TileSet, kinds: TileSet) -> u32 {
            (digit.bits() & kinds.bits()).count_ones()
        }
        digit(self.ones, kinds) + 2 * digit(self.twos, kinds) + 4 * digit(self.fours, kinds)
    }

    /// The kinds whose number contains the binary digit 1, 2 or 4, in this order.
    pub const fn digits(&self) -> [TileSet; 3] {
        [self.ones, self.twos, self.fours]
    }

    /// The numbers with these digits 1, 2 and 4. None if a number exceeds four.
    pub(crate) fn from_digits([ones, twos, fours]: [TileSet; 3]) -> Option<Unseen> {
        (!fours.intersects(ones | twos)).then_some(Unseen { ones, twos, fours })
    }

    /// The kinds with at least one unseen tile.
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
    fn an_unseen_tile_takes_back_a_seen_one() {
        let kinds: TileSet = "15m7z".parse().expect("notation");
        let mut seen = vec![Unseen::all_of(TileSet::ALL)];
        for copies in 0..4 {
            let mut next = seen[copies];
            next.see(kinds);
            seen.push(next);
        }
        for pair in seen.windows(2) {
            let mut unseen = pair[1];
            unseen.unsee(kinds);
            assert_eq!(unseen, pair[0]);
        }
    }

    #[test]
    fn seeing_a_tile_lowers_its_count() {
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

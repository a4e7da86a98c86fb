//! A set of tile kinds.

use std::fmt;
use std::ops::{BitAndAssign, BitOrAssign, Not, SubAssign};

use crate::TileKind;
use crate::bit_set::bit_set;

/// A set of tile kinds, one bit for each of the 34.
///
/// Red fives count as fives. [`TileMask`](crate::TileMask) is the set that keeps them apart.
///
/// ```
/// use jantaku_engine::TileSet;
///
/// let waits: TileSet = "36m".parse()?;
/// let discarded: TileSet = "1z6m9p".parse()?;
/// assert_eq!((waits & discarded).to_string(), "6m");
/// assert_eq!((waits | discarded).len(), 4);
/// # Ok::<(), jantaku_engine::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[must_use]
pub struct TileSet(u64);

impl TileSet {
    /// All 34 kinds.
    pub const ALL: TileSet = TileSet((1 << 34) - 1);
    /// Winds and dragons.
    pub const HONOURS: TileSet = TileSet(0b111_1111 << 27);
    /// East, South, West, North.
    pub const WINDS: TileSet = TileSet(0b1111 << 27);
    /// White, green, red.
    pub const DRAGONS: TileSet = TileSet(0b111 << 31);
    /// The 1 and 9 of each suit.
    pub const TERMINALS: TileSet = TileSet(0b1_0000_0001 * (1 | 1 << 9 | 1 << 18));
    /// Terminals and honours.
    pub const YAOCHUU: TileSet = TileSet(TileSet::TERMINALS.0 | TileSet::HONOURS.0);
    /// The kinds of ryuuiisou: 2s 3s 4s 6s 8s and the green dragon.
    pub const GREENS: TileSet = TileSet(0b0_1010_1110 << 18 | 1 << 32);
    /// The fives of the three suits.
    pub const FIVES: TileSet = TileSet(1 << 4 | 1 << 13 | 1 << 22);
    /// The kinds of the 108-tile set of three-player games: all but 2m–8m.
    pub const THREE_PLAYER: TileSet = TileSet(TileSet::ALL.0 & !0b0_1111_1110);

    /// The set with these bits. Bits from 34 on are dropped.
    #[inline]
    pub const fn from_bits(bits: u64) -> TileSet {
        TileSet(bits & TileSet::ALL.0)
    }

    /// The nine bits of suit 0, 1 or 2 (m, p, s), lowest rank first; for 3 the seven honours.
    #[inline]
    pub const fn suit_bits(self, suit: usize) -> u64 {
        self.0 >> (9 * suit) & 0b1_1111_1111
    }

    /// Whether the sets share a kind.
    #[inline]
    pub const fn intersects(self, other: TileSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether `other` contains every kind of this set.
    #[inline]
    pub const fn is_subset(self, other: TileSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The lowest kind.
    #[inline]
    pub const fn first(self) -> Option<TileKind> {
        if self.0 == 0 { None } else { Some(TileKind::from_number(self.0.trailing_zeros() as u8)) }
    }
}

bit_set!(TileSet(u64) of TileKind, "kind", "kinds", TileKind::index, TileKind::from_number);

impl Not for TileSet {
    type Output = TileSet;
    #[inline]
    fn not(self) -> TileSet {
        TileSet::ALL - self
    }
}

impl BitOrAssign for TileSet {
    #[inline]
    fn bitor_assign(&mut self, other: TileSet) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for TileSet {
    #[inline]
    fn bitand_assign(&mut self, other: TileSet) {
        self.0 &= other.0;
    }
}

impl SubAssign for TileSet {
    #[inline]
    fn sub_assign(&mut self, other: TileSet) {
        self.0 &= !other.0;
    }
}

impl From<TileKind> for TileSet {
    fn from(kind: TileKind) -> TileSet {
        TileSet::of(kind)
    }
}

impl fmt::Debug for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_sets_contain_the_right_kinds() {
        let by = |test: fn(TileKind) -> bool| TileKind::all().filter(|k| test(*k)).collect::<TileSet>();
        assert_eq!(by(super::super::tile::TileKind::is_honour), TileSet::HONOURS);
        assert_eq!(by(|k| k.is_honour() || k.rank() == 1 || k.rank() == 9), TileSet::YAOCHUU);
        assert_eq!(TileSet::GREENS.to_string(), "23468s6z");
        assert_eq!(TileSet::FIVES.to_string(), "5m5p5s");
        assert_eq!(TileSet::THREE_PLAYER.len() * 4, 108);
        assert_eq!(TileSet::WINDS | TileSet::DRAGONS, TileSet::HONOURS);
    }
}

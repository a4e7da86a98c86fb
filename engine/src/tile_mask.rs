//! A set of tiles that keeps red fives apart from plain ones.

use std::fmt;

use crate::bit_set::bit_set;
use crate::{Suit, Tile, TileSet};

/// A set of tiles, one bit for each of the 37: the 34 kinds and the three red fives.
///
/// A [`TileSet`] holds kinds instead. [`kinds`](TileMask::kinds) returns the kinds of a mask, and
/// `TileMask::from` all tiles of the kinds in a set.
///
/// ```
/// use jantaku_engine::notation::parse_tiles;
/// use jantaku_engine::{TileMask, TileSet};
///
/// let hand: TileMask = parse_tiles("0556m1z")?.into_iter().collect();
/// let fives = TileMask::from(TileSet::FIVES);
/// assert_eq!(fives.to_string(), "05m05p05s");
/// assert_eq!((hand & fives).to_string(), "05m");
/// assert_eq!((hand - fives).to_string(), "6m1z");
/// assert_eq!(hand.kinds().to_string(), "56m1z");
/// # Ok::<(), jantaku_engine::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[must_use]
pub struct TileMask(u64);

impl TileMask {
    /// All 37 tiles.
    pub const ALL: TileMask = TileMask((1 << Tile::COUNT) - 1);

    /// The set with these bits. Bits from 37 on are dropped.
    #[inline]
    pub const fn from_bits(bits: u64) -> TileMask {
        TileMask(bits & TileMask::ALL.0)
    }

    /// The kinds of the tiles.
    #[inline]
    pub fn kinds(self) -> TileSet {
        let reds = |suit: Suit| {
            let red = Tile::red(suit);
            (self.0 >> red.index() & 1) << red.kind().index()
        };
        TileSet::from_bits(self.0) | TileSet::from_bits(Suit::NUMBERED.map(reds).iter().sum())
    }
}

/// All tiles of the kinds, red fives included.
impl From<TileSet> for TileMask {
    #[inline]
    fn from(kinds: TileSet) -> TileMask {
        let red = |suit: Suit| {
            let red = Tile::red(suit);
            (kinds.bits() >> red.kind().index() & 1) << red.index()
        };
        TileMask(kinds.bits() | Suit::NUMBERED.map(red).iter().sum::<u64>())
    }
}

bit_set!(TileMask(u64) of Tile, "tile", "tiles", Tile::index, Tile::from_number);

impl fmt::Debug for TileMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TileKind;

    #[test]
    fn masks_hold_exactly_their_tiles() {
        for tile in Tile::all() {
            let one = TileMask::of(tile);
            assert_eq!(one.iter().collect::<Vec<_>>(), [tile]);
            assert_eq!(one.kinds(), TileSet::of(tile.kind()));
            assert!(TileMask::from(one.kinds()).contains(tile) && !(TileMask::ALL - one).contains(tile));
        }
        assert_eq!(Tile::all().collect::<TileMask>(), TileMask::ALL);
        assert_eq!(TileMask::from(TileSet::ALL), TileMask::ALL);
        for kind in TileKind::all() {
            let tiles = Tile::all().filter(|tile| tile.kind() == kind).collect();
            assert_eq!(TileMask::from(TileSet::of(kind)), tiles);
        }
    }
}

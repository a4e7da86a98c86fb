//! The number of tiles of each kind.

use crate::{Tile, TileKind};

/// How many tiles there are of each kind: never more than four.
///
/// The bridge from loose numbers: [`TileCounts::new`] checks them once, nothing inside checks again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TileCounts([u8; TileKind::COUNT]);

/// More than four tiles of a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{count} tiles of {kind}: a set of tiles has four of each kind")]
pub struct FifthCopy {
    /// The kind.
    pub kind: TileKind,
    /// How many there were.
    pub count: u8,
}

impl TileCounts {
    /// Counts by kind number.
    ///
    /// # Errors
    ///
    /// If there are more than four of a kind.
    pub fn new(counts: [u8; TileKind::COUNT]) -> Result<TileCounts, FifthCopy> {
        match TileKind::all().find(|kind| counts[kind.index()] > 4) {
            Some(kind) => Err(FifthCopy { kind, count: counts[kind.index()] }),
            None => Ok(TileCounts(counts)),
        }
    }

    /// Adds a tile.
    ///
    /// # Panics
    ///
    /// If there are four of its kind already.
    pub fn add(&mut self, kind: TileKind) {
        assert!(self.0[kind.index()] < 4, "a fifth {kind}");
        self.0[kind.index()] += 1;
    }

    /// Takes out a tile and tells whether there was one.
    pub fn take(&mut self, kind: TileKind) -> bool {
        let count = &mut self.0[kind.index()];
        let there = *count > 0;
        *count -= u8::from(there);
        there
    }

    /// How many tiles of a kind.
    #[must_use]
    pub fn of(&self, kind: TileKind) -> u8 {
        self.0[kind.index()]
    }

    /// How many tiles in all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|n| usize::from(*n)).sum()
    }

    /// Whether there is no tile.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The counts by kind number.
    #[must_use]
    pub fn as_array(&self) -> &[u8; TileKind::COUNT] {
        &self.0
    }

    /// The counts of eight kinds from this one on, a byte each, the first the lowest.
    #[inline]
    pub(crate) fn eight(&self, first: usize) -> u64 {
        u64::from_le_bytes(self.0[first..first + 8].try_into().expect("eight of them"))
    }

    /// The tiles as plain ones, in order.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> {
        TileKind::all().flat_map(|kind| (0..self.of(kind)).map(move |_| Tile::plain(kind)))
    }
}

impl Default for TileCounts {
    fn default() -> TileCounts {
        TileCounts([0; TileKind::COUNT])
    }
}

//! The number of tiles of each kind.

use crate::{Tile, TileKind};

/// The number of tiles of each kind, at most four.
///
/// [`TileCounts::new`] checks the limit once. Code that takes a `TileCounts` relies on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TileCounts([u8; TileKind::COUNT]);

/// The error for more than four tiles of a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{count} tiles of {kind}: expected at most 4")]
pub struct FifthCopy {
    /// The kind.
    pub kind: TileKind,
    /// The number of its tiles.
    pub count: u8,
}

impl TileCounts {
    /// Checks counts that are indexed by kind.
    ///
    /// # Errors
    ///
    /// If there are more than four tiles of a kind.
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
    /// If there are already four tiles of its kind.
    pub fn add(&mut self, kind: TileKind) {
        assert!(self.0[kind.index()] < 4, "a fifth {kind}");
        self.0[kind.index()] += 1;
    }

    /// Removes a tile. Returns false if there is none of this kind.
    pub fn take(&mut self, kind: TileKind) -> bool {
        let count = &mut self.0[kind.index()];
        let present = *count > 0;
        *count -= u8::from(present);
        present
    }

    /// The number of tiles of a kind.
    pub fn of(&self, kind: TileKind) -> u8 {
        self.0[kind.index()]
    }

    /// The number of tiles.
    pub fn len(&self) -> usize {
        self.0.iter().map(|n| usize::from(*n)).sum()
    }

    /// Whether there are no tiles.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The counts, indexed by kind.
    pub fn as_array(&self) -> &[u8; TileKind::COUNT] {
        &self.0
    }

    /// The counts of eight kinds from `first`, one byte each, `first` in the lowest.
    #[inline]
    pub(crate) fn eight(&self, first: usize) -> u64 {
        u64::from_le_bytes(self.0[first..first + 8].try_into().expect("the slice has eight counts"))
    }

    /// The tiles in order. Fives are plain, never red.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> {
        TileKind::all().flat_map(|kind| (0..self.of(kind)).map(move |_| Tile::plain(kind)))
    }
}

impl Default for TileCounts {
    fn default() -> TileCounts {
        TileCounts([0; TileKind::COUNT])
    }
}

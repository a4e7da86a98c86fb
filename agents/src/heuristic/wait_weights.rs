//! The quality of a hand's waits: opponents discard some kinds of tiles more readily than others.

use jantaku_engine::{Riichi, TileKind, TileSet};

use super::params::WaitParams;
use crate::encode::suji;

/// The weight of each unseen tile of a wait.
pub(super) struct WaitWeights<'a> {
    /// The weights by the classes of [`CLASSES`].
    of_classes: &'a [f32; 5],
    /// The kinds that are suji of the player's own discards.
    suji: TileSet,
    suji_factor: f32,
    /// The factor for waits of more than one kind.
    kinds_factor: f32,
}

impl<'a> WaitWeights<'a> {
    pub(super) fn new(params: &'a WaitParams, discarded: TileSet, riichi: Riichi) -> WaitWeights<'a> {
        let row = usize::from(riichi == Riichi::None);
        WaitWeights {
            of_classes: &params.tiles[row],
            suji: suji(discarded),
            suji_factor: params.suji[row],
            kinds_factor: params.kinds[row],
        }
    }

    /// The weight of a tile of this kind.
    #[inline]
    pub(super) fn of(&self, kind: TileKind) -> f32 {
        let weight = self.of_classes[usize::from(CLASSES[kind.index()])];
        if self.suji.contains(kind) { weight * self.suji_factor } else { weight }
    }

    /// The factor for waits of this many kinds.
    pub(super) const fn factor_for_kinds(&self, kinds: u32) -> f32 {
        if kinds > 1 { self.kinds_factor } else { 1.0 }
    }
}

/// The class of each kind: honours, terminals, 2 and 8, 3 and 7, 4–6.
const CLASSES: [u8; TileKind::COUNT] = {
    const OF_SUIT: [u8; 9] = [1, 2, 3, 4, 4, 4, 3, 2, 1];
    let (mut classes, mut kind) = ([0; TileKind::COUNT], 0);
    while kind < 27 {
        classes[kind] = OF_SUIT[kind % 9];
        kind += 1;
    }
    classes
};

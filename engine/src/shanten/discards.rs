//! What each discard leaves of a hand.

use super::Shanten;
use crate::{Concealed, TileKind, TileSet};

/// A kind of tile that can be discarded, and the hand that remains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiscardOption {
    /// What is discarded.
    pub kind: TileKind,
    /// The shanten afterwards.
    pub shanten: Shanten,
    /// The kinds of which one more tile lowers it, by shape ([`Concealed::improving`]).
    pub improving: TileSet,
}

/// The discards of a hand of 14 tiles (less three a meld), one for each kind, in order of kind.
#[derive(Clone, Copy)]
pub struct DiscardOptions {
    options: [DiscardOption; 14],
    len: u8,
}

impl DiscardOptions {
    /// The options.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[DiscardOption] {
        &self.options[..usize::from(self.len)]
    }

    /// The least shanten that a discard leaves.
    #[must_use]
    pub fn best_shanten(&self) -> Option<Shanten> {
        self.as_slice().iter().map(|option| option.shanten).min()
    }
}

impl Concealed {
    /// What each discard leaves, beside `melds` called melds.
    #[must_use]
    #[inline]
    pub fn discard_options(&self, melds: usize) -> DiscardOptions {
        let none =
            DiscardOption { kind: TileKind::EAST, shanten: Shanten::COMPLETE, improving: TileSet::EMPTY };
        let mut found = DiscardOptions { options: [none; 14], len: 0 };
        for kind in self.kinds().iter() {
            let mut rest = *self;
            rest.remove_any(kind);
            let (shanten, improving) = rest.improving(melds);
            found.options[usize::from(found.len)] = DiscardOption { kind, shanten, improving };
            found.len += 1;
        }
        found
    }
}

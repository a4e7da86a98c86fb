//! How a complete suit falls into sets and a pair, from the table of all of them.

use crate::shanten::tables::numbers;
use crate::{Suit, TileSet, Tracker};

numbers!(READING: [u32; 22_633] = "reading.bin", "The decompositions, those of a suit side by side.");
numbers!(READING_PLACE: [u32; 1 << 15] = "reading_place.bin", "By slot: where they start, and their number in the low 3 bits.");
numbers!(READING_SHIFT: [u16; 1 << 12] = "reading_shift.bin", "By bucket: what the slots of its suits are shifted by.");

/// One way in which the concealed tiles of a suit fall into sets and at most one pair.
///
/// Bits 0–6: a sequence starts on this rank; bits 8–16: triplet; bits 20–28: pair; bits 30–31: pairs of identical
/// sequences.
#[derive(Clone, Copy)]
pub(super) struct SuitReading(u32);

impl SuitReading {
    /// The kinds on which sequences start.
    #[inline]
    pub(super) fn runs(self, suit: usize) -> TileSet {
        TileSet::from_bits(u64::from(self.0 & 0x7F) << (9 * suit))
    }

    /// The kinds of the triplets.
    #[inline]
    pub(super) fn triplets(self, suit: usize) -> TileSet {
        TileSet::from_bits(u64::from(self.0 >> 8 & 0x1FF) << (9 * suit))
    }

    /// The kind of the pair.
    #[inline]
    pub(super) fn pair(self, suit: usize) -> TileSet {
        TileSet::from_bits(u64::from(self.0 >> 20 & 0x1FF) << (9 * suit))
    }

    /// How many pairs of identical sequences.
    #[inline]
    pub(super) fn identical_runs(self) -> u32 {
        self.0 >> 30
    }
}

/// Every reading of a suit's concealed tiles, which must be complete: sets with at most one pair.
#[inline]
pub(super) fn readings(hand: &Tracker, suit: Suit) -> impl Iterator<Item = SuitReading> + Clone + use<> {
    let (slot, bucket) = hash(hand.suit_key(suit as usize));
    let place = READING_PLACE[slot ^ usize::from(READING_SHIFT[bucket])];
    let (start, len) = (place as usize >> 3, place as usize & 7);
    READING[start..start + len].iter().map(|word| SuitReading(*word))
}

/// The slot before the shift, and the bucket; `build/complete.rs` computes the same.
#[inline]
fn hash(key: u32) -> (usize, usize) {
    let product = key.wrapping_mul(0x9E37_79B9);
    ((product >> 17) as usize, (product.wrapping_mul(0x85EB_CA6B) >> 20) as usize)
}

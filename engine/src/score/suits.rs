//! The ways in which a complete suit splits into sets and a pair, from a table.

use crate::shanten::tables::numbers;
use crate::{Suit, TileSet, Tracker};

numbers!(READING: [u32; 22_633] = "reading.bin", "The readings of all suits; those of one suit are adjacent.");
numbers!(READING_POSITION: [u32; 1 << 15] = "reading_place.bin", "By slot: from bit 3 the index of the first reading, in bits 0–2 the number of readings.");
numbers!(READING_SHIFT: [u16; 1 << 12] = "reading_shift.bin", "By bucket: the shift of its slots.");

/// One way in which the concealed tiles of a suit split into sets and at most one pair.
///
/// Bits 0–6: a sequence starts on this rank. Bits 8–16: triplets. Bits 20–28: the pair. Bits 30–31:
/// number of pairs of identical sequences.
#[derive(Clone, Copy)]
pub(super) struct SuitReading(u32);

impl SuitReading {
    /// The kinds on which sequences start.
    #[inline]
    pub(super) fn sequences(self, suit: usize) -> TileSet {
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

    /// Number of pairs of identical sequences.
    #[inline]
    pub(super) fn identical_sequences(self) -> u32 {
        self.0 >> 30
    }
}

/// Every reading of the concealed tiles of a suit. They must be complete: sets and at most one
/// pair.
#[inline]
pub(super) fn readings(hand: &Tracker, suit: Suit) -> impl Iterator<Item = SuitReading> + Clone + use<> {
    let (slot, bucket) = hash(hand.suit_key(suit as usize));
    let position = READING_POSITION[slot ^ usize::from(READING_SHIFT[bucket])];
    let (start, len) = (position as usize >> 3, position as usize & 7);
    READING[start..start + len].iter().map(|word| SuitReading(*word))
}

/// The slot before the shift, and the bucket. `build/complete.rs` computes the same hash.
#[inline]
fn hash(key: u32) -> (usize, usize) {
    let product = key.wrapping_mul(0x9E37_79B9);
    ((product >> 17) as usize, (product.wrapping_mul(0x85EB_CA6B) >> 20) as usize)
}

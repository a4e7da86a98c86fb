//! The discards of all players.

use serde::{Deserialize, Serialize};

use crate::prefetch::prefetch;
use crate::{Seat, Tile, TileKind, TileSet};

/// One discard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Discard {
    /// The player who discarded.
    pub seat: Seat,
    /// The tile.
    pub tile: Tile,
    /// Whether it was the tile just drawn.
    pub tsumogiri: bool,
    /// Whether riichi was declared with it.
    pub riichi: bool,
    /// The player who claimed it for a meld.
    pub claimed_by: Option<Seat>,
}

/// The discards of all players in order.
///
/// Each takes 16 bits ([`Discards::packed`]). Entries past the last are [`Discards::NONE`].
#[derive(Clone, Copy, PartialEq)]
pub struct Discards {
    entries: [u16; Discards::CAPACITY],
    len: u8,
    /// The red fives of each suit that were not claimed.
    reds: [u8; 3],
}

impl Discards {
    /// The maximum number of discards in a hand.
    ///
    /// Two players share 96 live tiles, and each of their eight calls allows one discard without a
    /// draw. Three players share 83 live tiles and 12 calls, four players 70 and 16.
    pub(crate) const CAPACITY: usize = 104;

    pub(crate) const EMPTY: Discards =
        Discards { entries: [Discards::NONE; Discards::CAPACITY], len: 0, reds: [0; 3] };

    /// An entry without a discard: no tile has the number 63. It equals no discard.
    pub const NONE: u16 = 63;

    /// The bit of an entry for the discard that declared riichi.
    pub const RIICHI: u16 = 1 << 11;
    /// The bit of an entry for a discard that another player claimed for a meld.
    pub const CLAIMED: u16 = 1 << 12;
    /// The bit of an entry for a discard like an earlier one: of the same player and kind, in the same
    /// row of the river, and both tsumogiri or both from the hand.
    pub const AGAIN: u16 = 1 << 15;

    /// The bits of an entry for the seat, tsumogiri and the row of the river.
    const PLACE: u16 = 0b111_1100_0000;

    /// Adds a discard. `before` is how many the player made before it, and `kinds` are their kinds.
    #[inline]
    pub(crate) fn push(
        &mut self,
        (before, kinds): (u8, TileSet),
        seat: Seat,
        tile: Tile,
        tsumogiri: bool,
        riichi: bool,
    ) {
        let row = u16::from(before >= 6) + u16::from(before >= 12);
        let place = u16::from(seat.number()) << 6 | u16::from(tsumogiri) << 8 | row << 9;
        let riichi = if riichi { Discards::RIICHI } else { 0 };
        let again = kinds.contains(tile.kind()) && self.has_alike(tile.kind(), place);
        let again = if again { Discards::AGAIN } else { 0 };
        self.entries[usize::from(self.len)] = u16::from(tile.number()) | place | riichi | again;
        self.len += 1;
        if tile.is_red() {
            self.reds[tile.kind().suit() as usize] += 1;
        }
    }

    /// Whether there is a discard of this kind with the player, the row and the tsumogiri of `place`.
    #[expect(clippy::needless_bitwise_bool, reason = "the compiler makes vectors of eight entries")]
    fn has_alike(&self, kind: TileKind, place: u16) -> bool {
        let red = if TileSet::FIVES.contains(kind) { Tile::red(kind.suit()) } else { Tile::plain(kind) };
        let [plain, red] = [Tile::plain(kind), red].map(|tile| place | u16::from(tile.number()));
        self.packed_eights().iter().any(|eight| {
            eight.iter().fold(false, |found, entry| {
                let entry = entry & (Discards::PLACE | 63);
                found | (entry == plain) | (entry == red)
            })
        })
    }

    /// Marks the last discard as claimed for a meld.
    #[inline]
    pub(crate) fn claim_last(&mut self, by: Seat) {
        let last = &mut self.entries[usize::from(self.len) - 1];
        *last |= Discards::CLAIMED | u16::from(by.number()) << 13;
        let tile = tile_bits(*last);
        if tile.is_red() {
            self.reds[tile.kind().suit() as usize] -= 1;
        }
    }

    /// The discards in order, as they are stored, for programs that read many.
    ///
    /// | bits | hold |
    /// |---|---|
    /// | 0–5 | the number of the tile |
    /// | 6–7 | the seat |
    /// | 8 | whether it was the tile just drawn |
    /// | 9–10 | the row of the river: 0 for the player's discards 1–6, 1 for 7–12, 2 for later ones |
    /// | 11 | [`RIICHI`](Discards::RIICHI): riichi was declared with it |
    /// | 12 | [`CLAIMED`](Discards::CLAIMED): another player claimed it for a meld |
    /// | 13–14 | the seat of that player |
    /// | 15 | [`AGAIN`](Discards::AGAIN): the player had discarded the kind before, in the same row and way |
    #[inline]
    pub fn packed(&self) -> &[u16] {
        &self.entries[..usize::from(self.len)]
    }

    /// The discards in order, as they are [`packed`](Discards::packed), in eights. Those past the last
    /// are [`NONE`](Discards::NONE).
    #[inline]
    pub fn packed_eights(&self) -> &[[u16; 8]] {
        let eights = self.entries.as_chunks().0;
        &eights[..self.len().div_ceil(8).min(eights.len())]
    }

    /// Fetches the rivers ([`Observation::prefetch`](crate::Observation::prefetch)).
    #[inline]
    pub(crate) fn prefetch(&self) {
        self.entries.iter().step_by(32).for_each(prefetch);
    }

    /// Fetches the number of discards, which stands after them.
    #[inline]
    pub(crate) fn prefetch_len(&self) {
        prefetch(&self.len);
    }

    /// Prefetches the place of the next discard.
    #[inline]
    pub(crate) fn prefetch_next(&self) {
        self.entries.get(usize::from(self.len)).into_iter().for_each(prefetch);
    }

    /// Number of discards.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether there are no discards.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The discards in order.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Discard> + ExactSizeIterator {
        self.packed().iter().map(|entry| Discard {
            seat: seat_bits(entry >> 6),
            tile: tile_bits(*entry),
            tsumogiri: entry >> 8 & 1 != 0,
            riichi: entry & Discards::RIICHI != 0,
            claimed_by: (entry & Discards::CLAIMED != 0).then(|| seat_bits(entry >> 13)),
        })
    }

    /// The red fives of each suit that lie in the rivers. Those that were claimed lie in melds.
    #[inline]
    pub const fn reds(&self) -> [u8; 3] {
        self.reds
    }

    /// The river of one player in order, including the tiles that others claimed.
    #[inline]
    pub fn of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = Discard> {
        self.iter().filter(move |discard| discard.seat == seat)
    }
}

#[inline]
fn seat_bits(bits: u16) -> Seat {
    Seat::new((bits & 3) as u8).expect("two bits are a seat")
}

#[inline]
fn tile_bits(bits: u16) -> Tile {
    Tile::from_number((bits & 63) as u8)
}

impl std::fmt::Debug for Discards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discards_are_read_as_they_were_pushed() {
        let mut discards = Discards::EMPTY;
        let mut expected = Vec::new();
        for (index, tile) in Tile::all().enumerate() {
            let seat = seat_bits(index as u16);
            let (tsumogiri, riichi) = (index % 3 == 0, index % 5 == 0);
            discards.push((0, TileSet::EMPTY), seat, tile, tsumogiri, riichi);
            let claimed_by = (index % 7 == 0).then(|| seat_bits(index as u16 / 7));
            claimed_by.into_iter().for_each(|by| discards.claim_last(by));
            expected.push(Discard { seat, tile, tsumogiri, riichi, claimed_by });
        }
        assert!(discards.iter().eq(expected.iter().copied()), "{discards:?}");
        let copy = discards;
        assert!(discards == copy && discards != Discards::EMPTY);
        let of_second: Vec<Discard> = discards.of(seat_bits(1)).collect();
        assert_eq!(of_second, expected.into_iter().skip(1).step_by(4).collect::<Vec<_>>());
    }

    /// A discard has the bit `AGAIN` if the player discarded the kind before in the same row and way.
    /// This holds for all kinds and players.
    #[test]
    fn repeated_discards_are_marked() {
        for (seat, kind) in (0..4).flat_map(|seat| TileKind::all().map(move |kind| (seat_bits(seat), kind))) {
            let (mut discards, kinds, tile) = (Discards::EMPTY, TileSet::of(kind), Tile::plain(kind));
            discards.push((0, TileSet::EMPTY), seat, tile, true, false);
            discards.push((1, kinds), seat, tile, false, false);
            discards.push((2, kinds), seat, tile, false, false);
            discards.push((6, kinds), seat, tile, false, false);
            let again: Vec<bool> =
                discards.packed().iter().map(|entry| entry & Discards::AGAIN != 0).collect();
            assert_eq!(again, [false, false, true, false], "{seat:?} {kind:?}");
        }
    }
}

//! The concealed tiles of one player.

use crate::{Suit, Tile, TileCounts, TileKind, TileMask, TileSet, Tracker};

/// The tiles in a player's hand that are not in a meld.
///
/// The hand stores its counts in three forms, each for a frequent question:
///
/// - sets of the kinds held at least once, twice, three and four times: what the player can
///   discard, call or declare as a kan
/// - a [`Tracker`]: the distance from a win
/// - the number of red fives in each suit
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[must_use]
pub struct Concealed {
    at_least: [TileSet; 4],
    tracker: Tracker,
    reds: [u8; 3],
}

impl Concealed {
    /// The empty hand.
    pub const EMPTY: Concealed =
        Concealed { at_least: [TileSet::EMPTY; 4], tracker: Tracker::EMPTY, reds: [0; 3] };

    /// Adds a tile. The hand must hold fewer than four of its kind.
    #[inline]
    pub fn add(&mut self, tile: Tile) {
        let kind = tile.kind();
        self.add_kind(kind);
        if tile.is_red() {
            self.reds[kind.suit() as usize] += 1;
        }
    }

    /// Removes a tile. The hand must hold it.
    #[inline]
    pub fn remove(&mut self, tile: Tile) {
        let kind = tile.kind();
        if tile.is_red() {
            self.reds[kind.suit() as usize] -= 1;
        }
        self.remove_kind(kind);
    }

    #[inline]
    fn add_kind(&mut self, kind: TileKind) {
        debug_assert!(self.count(kind) < 4, "a fifth {kind}");
        self.tracker.add(kind);
        let tile = TileSet::of(kind);
        let [once, twice, thrice, four] = &mut self.at_least;
        *four |= *thrice & tile;
        *thrice |= *twice & tile;
        *twice |= *once & tile;
        *once |= tile;
    }

    #[inline]
    fn remove_kind(&mut self, kind: TileKind) {
        debug_assert!(self.count(kind) > 0, "no {kind} to remove");
        self.tracker.remove(kind);
        let tile = TileSet::of(kind);
        let [once, twice, thrice, four] = &mut self.at_least;
        *once -= tile - *twice;
        *twice -= tile - *thrice;
        *thrice -= tile - *four;
        *four -= tile;
    }

    /// The kinds held at least `copies` times, 1–4.
    #[inline]
    pub const fn at_least(&self, copies: usize) -> TileSet {
        self.at_least[copies - 1]
    }

    /// The kinds held.
    #[inline]
    pub const fn kinds(&self) -> TileSet {
        self.at_least[0]
    }

    /// The number of tiles of a kind, red fives included.
    #[inline]
    pub fn count(&self, kind: TileKind) -> usize {
        self.at_least.iter().map(|set| usize::from(set.contains(kind))).sum()
    }

    /// The number of tiles.
    #[inline]
    pub fn len(&self) -> usize {
        self.at_least.iter().map(|set| set.len() as usize).sum()
    }

    /// Whether the hand is empty.
    pub const fn is_empty(&self) -> bool {
        self.kinds().is_empty()
    }

    /// The number of red fives of a suit.
    #[inline]
    pub fn reds(&self, suit: Suit) -> usize {
        self.reds.get(suit as usize).map_or(0, |n| usize::from(*n))
    }

    /// The number of red fives.
    #[inline]
    pub fn red_count(&self) -> u8 {
        self.reds.iter().sum()
    }

    /// The number of red fives among the tiles of a kind.
    #[inline]
    pub fn reds_of(&self, kind: TileKind) -> usize {
        if TileSet::FIVES.contains(kind) { self.reds(kind.suit()) } else { 0 }
    }

    /// Removes a tile of a kind that the hand holds and returns it.
    ///
    /// A red five is removed only if there is no plain one.
    pub fn remove_any(&mut self, kind: TileKind) -> Tile {
        let tile =
            if self.count(kind) > self.reds_of(kind) { Tile::plain(kind) } else { Tile::red(kind.suit()) };
        self.remove(tile);
        tile
    }

    /// The hand with only its tiles of these kinds.
    pub fn within(&self, kinds: TileSet) -> Concealed {
        let mut kept = *self;
        for copies in &mut kept.at_least {
            (*copies - kinds).iter().for_each(|kind| kept.tracker.remove(kind));
            *copies &= kinds;
        }
        for (suit, reds) in Suit::NUMBERED.into_iter().zip(&mut kept.reds) {
            *reds *= u8::from(kinds.contains(Tile::red(suit).kind()));
        }
        kept
    }

    /// The different tiles of the hand, red fives apart from plain ones.
    #[inline]
    pub fn distinct_tiles(&self) -> TileMask {
        let mut bits = (self.kinds() - TileSet::FIVES).bits();
        for suit in Suit::NUMBERED {
            let reds = self.reds(suit);
            // There is a plain five if there are more fives than red ones.
            let plain = if reds < 4 { self.at_least[reds].bits() } else { 0 };
            bits |= plain & 1 << Suit::tile(suit, 5).map_or(0, Tile::index);
            bits |= u64::from(reds > 0) << Tile::red(suit).index();
        }
        TileMask::from_bits(bits)
    }

    /// The tiles in order of kind, red fives before plain ones.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> {
        let hand = *self;
        hand.kinds().iter().flat_map(move |kind| {
            let reds = hand.reds_of(kind);
            let tile = move |i| if i < reds { Tile::red(kind.suit()) } else { Tile::plain(kind) };
            (0..hand.count(kind)).map(tile)
        })
    }

    /// The number of tiles of each kind.
    pub fn counts(&self) -> TileCounts {
        let mut counts = TileCounts::default();
        for kind in self.kinds().iter() {
            (0..self.count(kind)).for_each(|_| counts.add(kind));
        }
        counts
    }

    /// The tiles as a number below 2¹²⁰. Different hands have different numbers.
    ///
    /// ```
    /// use jantaku_engine::Hand;
    ///
    /// let number = |hand: &str| hand.parse::<Hand>().map(|hand| hand.concealed().number());
    /// assert_eq!(number("123m55p")?, number("1m55p32m")?);
    /// assert_ne!(number("123m55p")?, number("123m05p")?);
    /// # Ok::<(), jantaku_engine::NotationError>(())
    /// ```
    #[inline]
    pub fn number(&self) -> u128 {
        let [m, p, s] = self.reds;
        let reds = u32::from_le_bytes([m, p, s, 0]);
        self.tracker.number() | u128::from(reds) << 96
    }

    /// The same tiles as keys to the shanten tables.
    #[inline]
    pub const fn tracker(&self) -> &Tracker {
        &self.tracker
    }
}

/// What each tile adds to the numbers of red fives, a byte for each suit. Padded so that a masked index
/// stays in bounds.
const RED_FIVES: [u32; 64] = {
    let mut adds = [0; 64];
    let mut suit = 0;
    while suit < 3 {
        adds[Tile::red(Suit::NUMBERED[suit]).index()] = 1 << (8 * suit);
        suit += 1;
    }
    adds
};

impl FromIterator<Tile> for Concealed {
    /// # Panics
    ///
    /// In builds with debug assertions, if there are five tiles of a kind.
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Concealed {
        let mut hand = Concealed::EMPTY;
        // The counts by binary digit: that takes fewer steps than the sets.
        let [mut ones, mut twos, mut fours] = [TileSet::EMPTY; 3];
        let mut reds = 0_u32;
        for tile in tiles {
            let kind = tile.kind();
            debug_assert!(!fours.contains(kind), "a fifth {kind}");
            hand.tracker.add(kind);
            let tile_set = TileSet::of(kind);
            let carry = ones & tile_set;
            ones = (ones | tile_set) - carry;
            fours |= twos & carry;
            twos = (twos | carry) - fours;
            reds += RED_FIVES[tile.index()];
        }
        [hand.reds[0], hand.reds[1], hand.reds[2], _] = reds.to_le_bytes();
        hand.at_least = [ones | twos | fours, twos | fours, ones & twos | fours, fours];
        hand
    }
}

/// All fives are plain, because the counts do not tell red ones apart.
impl From<&TileCounts> for Concealed {
    #[inline]
    fn from(counts: &TileCounts) -> Concealed {
        // The kinds whose count has this binary digit. It reads eight kinds at a time; 34 is not a
        // multiple of eight, so the last eight overlap those before.
        let digit = |shift: u32| {
            let of = |first: usize| low_bits(counts.eight(first) >> shift) << first;
            TileSet::from_bits(of(0) | of(8) | of(16) | of(24) | of(26))
        };
        let (ones, twos, fours) = (digit(0), digit(1), digit(2));
        let at_least = [ones | twos | fours, twos | fours, ones & twos | fours, fours];
        Concealed { at_least, tracker: Tracker::from(counts), reds: [0; 3] }
    }
}

/// Gathers the lowest bit of each byte into one byte.
#[inline]
const fn low_bits(bytes: u64) -> u64 {
    // The factor's bit 56 − 7k moves the bit of byte k, at 8k, to bit 56 + k.
    (bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn tiles_of_some_kinds_are_those_that_stay_when_the_others_go() {
        let mut rng = Rng::new(2);
        let mut tiles: Vec<Tile> = TileKind::all().flat_map(|kind| [Tile::plain(kind); 3]).collect();
        tiles.extend(Suit::NUMBERED.map(Tile::red));
        for round in 0..2000 {
            rng.shuffle(&mut tiles);
            let hand: Concealed = tiles[..round % 15].iter().copied().collect();
            let kinds = TileSet::from_bits(rng.next_u64());
            let expected = hand.tiles().filter(|tile| kinds.contains(tile.kind())).collect();
            assert_eq!(hand.within(kinds), expected);
        }
    }

    #[test]
    fn counts_and_tiles_build_the_same_hand() {
        let mut rng = Rng::new(1);
        let mut tiles: Vec<TileKind> = TileKind::all().flat_map(|kind| [kind; 4]).collect();
        for held in (0..2000).map(|round| round % 15) {
            rng.shuffle(&mut tiles);
            let hand: Concealed = tiles[..held].iter().map(|kind| Tile::plain(*kind)).collect();
            assert_eq!(Concealed::from(&hand.counts()), hand);
        }
        let all_of_one: Concealed = TileKind::all().flat_map(|kind| [Tile::plain(kind); 4]).collect();
        assert_eq!(Concealed::from(&all_of_one.counts()).at_least, [TileSet::ALL; 4]);
    }
}

//! A hand as four keys.

use super::Shanten;
use super::tables::{self, Class, DRAGON, SUIT_HIGH, SUIT_LOW, WIND};
use crate::{Suit, TileCounts, TileKind};

/// The counts of a hand in 12 bytes: drawing or discarding a tile is one addition, and the shanten is read from tables
/// without looking at the hand again.
///
/// It counts concealed tiles; how many melds were called is asked for when the shanten is read. A suit is 21 bits of
/// `suits`: ranks 1–6 in base 5 in the low 14, ranks 7–9 in the high 7. The honours are 10 bits of winds under 7 of dragons.
///
/// ```
/// use jantaku_engine::{Hand, Shanten};
///
/// let hand: Hand = "123m456p789s1122z".parse()?;
/// let mut tracker = *hand.concealed().tracker();
/// assert_eq!(tracker.shanten(0), Shanten::TENPAI);
/// tracker.add("1z".parse::<jantaku_engine::Tile>()?.kind());
/// assert_eq!(tracker.shanten(0), Shanten::COMPLETE);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Tracker {
    suits: u64,
    honours: u32,
}

/// What one tile of each kind adds to [`Tracker`]; the filler lets a masked index stay inside.
const UNITS: [Tracker; 64] = {
    const POW5: [u64; 6] = [1, 5, 25, 125, 625, 3125];
    let mut units = [Tracker { suits: 0, honours: 0 }; 64];
    let mut kind = 0;
    while kind < TileKind::COUNT {
        let rank = kind % 9;
        if kind < 27 {
            let half = if rank < 6 { POW5[rank] } else { POW5[rank - 6] << 14 };
            units[kind].suits = half << (21 * (kind / 9));
        } else {
            units[kind].honours = if rank < 4 { POW5[rank] as u32 } else { (POW5[rank - 4] as u32) << 10 };
        }
        kind += 1;
    }
    units
};

impl Tracker {
    /// No tile.
    pub const EMPTY: Tracker = Tracker { suits: 0, honours: 0 };

    /// Adds a tile. The hand must not hold four of its kind.
    #[inline]
    pub fn add(&mut self, kind: TileKind) {
        let unit = &UNITS[kind.index()];
        self.suits = self.suits.wrapping_add(unit.suits);
        self.honours = self.honours.wrapping_add(unit.honours);
    }

    /// Takes a tile out, which the hand must hold.
    #[inline]
    pub fn remove(&mut self, kind: TileKind) {
        let unit = &UNITS[kind.index()];
        self.suits = self.suits.wrapping_sub(unit.suits);
        self.honours = self.honours.wrapping_sub(unit.honours);
    }

    /// The shanten of a hand with `melds` called melds, the least over all forms.
    ///
    /// The hand may hold 13 or 14 tiles less three for each meld.
    #[must_use]
    #[inline]
    pub fn shanten(&self, melds: usize) -> Shanten {
        let words = self.words();
        let missing = whole(words).distance(4 - melds);
        let special = tables::special_distance(words.iter().sum());
        Shanten::from_missing(if melds == 0 { missing.min(special) } else { missing })
    }

    /// The shanten to four melds and a pair alone.
    #[must_use]
    #[inline]
    pub fn standard_shanten(&self, melds: usize) -> Shanten {
        Shanten::from_missing(whole(self.words()).distance(4 - melds))
    }

    /// All of a suit: both halves, 21 bits.
    #[inline]
    pub(crate) fn suit_key(&self, suit: usize) -> u32 {
        (self.suits >> (21 * suit) & 0x1F_FFFF) as u32
    }

    /// The halves of a suit: ranks 1–6 below 2¹⁴, ranks 7–9 below 2⁷.
    #[inline]
    pub(crate) fn suit_halves(&self, suit: usize) -> (usize, usize) {
        let key = self.suits >> (21 * suit);
        ((key & 0x3FFF) as usize, (key >> 14 & 0x7F) as usize)
    }

    /// The word of each suit and of the honours.
    #[inline]
    pub(super) fn words(&self) -> [u32; 4] {
        [self.word(0), self.word(1), self.word(2), self.word(3)]
    }

    /// The word of a suit, or of the honours for 3.
    #[inline]
    pub(super) fn word(&self, part: usize) -> u32 {
        if part == 3 {
            return WIND[(self.honours & 0x3FF) as usize] + DRAGON[(self.honours >> 10 & 0x7F) as usize];
        }
        let (low, high) = self.suit_halves(part);
        SUIT_LOW[low] + SUIT_HIGH[high]
    }
}

/// From counts, eight kinds at a time.
impl From<&TileCounts> for Tracker {
    #[inline]
    fn from(counts: &TileCounts) -> Tracker {
        let suit = |first: usize| {
            let pairs = base_25(counts.eight(first));
            let high = (pairs >> 48) + 25 * u64::from(counts.as_array()[first + 8]);
            low_of(pairs) | high << 14
        };
        let suits = suit(0) | suit(9) << 21 | suit(18) << 42;
        // The four winds and the first two dragons stand after the last suit.
        let pairs = base_25(counts.eight(26) >> 8);
        let winds = (pairs & 0xFFFF) + 25 * (pairs >> 16 & 0xFFFF);
        let dragons = (pairs >> 32 & 0xFFFF) + 25 * (pairs >> 48);
        Tracker { suits, honours: (winds | dragons << 10) as u32 }
    }
}

/// Each two bytes become one number in base 5, below 25.
#[inline]
const fn base_25(counts: u64) -> u64 {
    const EVEN: u64 = 0x00FF_00FF_00FF_00FF;
    (counts & EVEN) + 5 * (counts >> 8 & EVEN)
}

/// The first three of these numbers in base 25 as one, below 5⁶.
#[inline]
const fn low_of(pairs: u64) -> u64 {
    // In the third place of the product stands the first number, 25 times the second and 625 times the third.
    const WEIGHTS: u64 = 625 + (25 << 16) + (1 << 32);
    (pairs & 0xFFFF_FFFF_FFFF).wrapping_mul(WEIGHTS) >> 32 & 0xFFFF
}

/// The class of a suit, or of the honours for 3, by its word.
#[inline]
pub(super) fn class_of(part: usize, word: u32) -> Class {
    if part == 3 { Class::of_honours(word) } else { Class::of_suit(word) }
}

/// The classes of the four parts of a hand.
#[inline]
pub(super) fn classes(words: [u32; 4]) -> [Class; 4] {
    [
        Class::of_suit(words[Suit::Characters as usize]),
        Class::of_suit(words[Suit::Dots as usize]),
        Class::of_suit(words[Suit::Bamboo as usize]),
        Class::of_honours(words[Suit::Honours as usize]),
    ]
}

/// The class of a whole hand.
#[inline]
fn whole(words: [u32; 4]) -> Class {
    let [m, p, s, z] = classes(words);
    m.merge(p).merge(s.merge(z))
}

const _: () = assert!(size_of::<Tracker>() <= 16);

//! A hand as keys to the shanten tables.

use super::Shanten;
use super::tables::{self, Class, DRAGON, SUIT_HIGH, SUIT_LOW, WIND};
use crate::{Suit, TileCounts, TileKind};

/// The counts of concealed tiles in 16 bytes, as keys to the shanten tables.
///
/// A draw or a discard is one addition. The shanten takes a few table look-ups, and the caller
/// passes the number of melds.
///
/// Each suit takes 21 bits of `suits`: the counts of ranks 1–6 in base 5 in the low 14 bits, those
/// of ranks 7–9 in the high 7. `honours` has the winds in the low 10 bits and the dragons in the
/// next 7.
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

/// The increment of one tile of each kind to a [`Tracker`], padded so that a masked index stays in bounds.
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
    /// The empty hand.
    pub const EMPTY: Tracker = Tracker { suits: 0, honours: 0 };

    /// Adds a tile. The hand must hold fewer than four of its kind.
    #[inline]
    pub fn add(&mut self, kind: TileKind) {
        let unit = &UNITS[kind.index()];
        self.suits = self.suits.wrapping_add(unit.suits);
        self.honours = self.honours.wrapping_add(unit.honours);
    }

    /// Removes a tile. The hand must hold it.
    #[inline]
    pub fn remove(&mut self, kind: TileKind) {
        let unit = &UNITS[kind.index()];
        self.suits = self.suits.wrapping_sub(unit.suits);
        self.honours = self.honours.wrapping_sub(unit.honours);
    }

    /// The shanten of the hand with `melds` melds on the table: the lowest of all forms.
    ///
    /// The hand holds 13 or 14 tiles, less three for each meld.
    #[inline]
    pub fn shanten(&self, melds: usize) -> Shanten {
        let words = self.words();
        let missing = hand_class(words).distance(4 - melds);
        let special = tables::special_distance(words.iter().sum());
        Shanten::from_missing(if melds == 0 { missing.min(special) } else { missing })
    }

    /// The shanten to four sets and a pair, without seven pairs and thirteen orphans.
    #[inline]
    pub fn standard_shanten(&self, melds: usize) -> Shanten {
        Shanten::from_missing(hand_class(self.words()).distance(4 - melds))
    }

    /// The counts as a number below 2⁹⁶.
    #[inline]
    pub(crate) fn number(&self) -> u128 {
        u128::from(self.suits) | u128::from(self.honours) << 64
    }

    /// The key of a suit: both halves, 21 bits.
    #[inline]
    pub(crate) fn suit_key(&self, suit: usize) -> u32 {
        (self.suits >> (21 * suit) & 0x1F_FFFF) as u32
    }

    /// The keys of the halves of a suit: ranks 1–6 (14 bits) and ranks 7–9 (7 bits).
    #[inline]
    pub(crate) fn suit_halves(&self, suit: usize) -> (usize, usize) {
        let key = self.suits >> (21 * suit);
        ((key & 0x3FFF) as usize, (key >> 14 & 0x7F) as usize)
    }

    /// The words of the three suits and of the honours.
    #[inline]
    pub(super) fn words(&self) -> [u32; 4] {
        [self.word(0), self.word(1), self.word(2), self.word(3)]
    }

    /// The word of suit 0, 1 or 2; for 3 that of the honours.
    #[inline]
    pub(super) fn word(&self, part: usize) -> u32 {
        if part == 3 {
            return WIND[(self.honours & 0x3FF) as usize] + DRAGON[(self.honours >> 10 & 0x7F) as usize];
        }
        let (low, high) = self.suit_halves(part);
        SUIT_LOW[low] + SUIT_HIGH[high]
    }
}

/// Converts eight kinds at a time.
impl From<&TileCounts> for Tracker {
    #[inline]
    fn from(counts: &TileCounts) -> Tracker {
        let suit = |first: usize| {
            let pairs = base_25(counts.eight(first));
            let high = (pairs >> 48) + 25 * u64::from(counts.as_array()[first + 8]);
            low_of(pairs) | high << 14
        };
        let suits = suit(0) | suit(9) << 21 | suit(18) << 42;
        // These eight bytes are 9s and the honours. The shift drops 9s and adds a zero byte.
        let pairs = base_25(counts.eight(26) >> 8);
        let winds = (pairs & 0xFFFF) + 25 * (pairs >> 16 & 0xFFFF);
        let dragons = (pairs >> 32 & 0xFFFF) + 25 * (pairs >> 48);
        Tracker { suits, honours: (winds | dragons << 10) as u32 }
    }
}

/// Combines each pair of bytes, counts of at most 4, into one number below 25 in two bytes.
#[inline]
const fn base_25(counts: u64) -> u64 {
    const EVEN: u64 = 0x00FF_00FF_00FF_00FF;
    (counts & EVEN) + 5 * (counts >> 8 & EVEN)
}

/// Combines the first three numbers below 25 into one below 5⁶.
#[inline]
const fn low_of(pairs: u64) -> u64 {
    // The third 16 bits of the product are the first number + 25 × the second + 625 × the third.
    const WEIGHTS: u64 = 625 + (25 << 16) + (1 << 32);
    (pairs & 0xFFFF_FFFF_FFFF).wrapping_mul(WEIGHTS) >> 32 & 0xFFFF
}

/// The class of part 0, 1 or 2 (a suit) or 3 (the honours), from its word.
#[inline]
pub(super) fn class_of(part: usize, word: u32) -> Class {
    if part == 3 { Class::of_honours(word) } else { Class::of_suit(word) }
}

/// The classes of the three suits and of the honours.
#[inline]
pub(super) fn classes(words: [u32; 4]) -> [Class; 4] {
    [
        Class::of_suit(words[Suit::Characters as usize]),
        Class::of_suit(words[Suit::Dots as usize]),
        Class::of_suit(words[Suit::Bamboo as usize]),
        Class::of_honours(words[Suit::Honours as usize]),
    ]
}

/// The class of the whole hand.
#[inline]
fn hand_class(words: [u32; 4]) -> Class {
    let [m, p, s, z] = classes(words);
    m.merge(p).merge(s.merge(z))
}

const _: () = assert!(size_of::<Tracker>() <= 16);

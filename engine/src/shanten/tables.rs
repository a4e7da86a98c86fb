//! The tables that `build/` computes, and the twenty lines that read them.
//!
//! A suit is read in two halves: ranks 1–6 as a number in base 5 below 5⁶, ranks 7–9 as one below 5³. Honours:
//! four winds below 5⁴, three dragons below 5³. A look-up in a table of each half gives two words whose sum holds
//!
//! - bits 0–17: the place of the suit's *class* in [`SUIT_CLASS`] (honours: bits 0–12, in [`HONOUR_CLASS`]). Suits of one
//!   class miss the same tiles to every goal, a goal being 0–4 melds with or without a pair.
//! - bits 18–31: counts for the special forms. They add up over the four parts of a hand, and the sum is the place in
//!   [`SPECIAL`]: 4 bits kinds, 3 bits pairs, 4 bits terminal and honour kinds, 3 bits pairs of those.
//!
//! There are 180 classes, closed under [`merge`], so any parts of a hand merge to a class again. [`DISTANCE`] of the
//! class of the whole is the answer.

/// Reads little-endian numbers from the bytes of a generated file.
macro_rules! numbers {
    ($name:ident: [$number:ty; $len:expr] = $file:literal, $doc:literal) => {
        #[doc = $doc]
        pub(crate) static $name: [$number; $len] = {
            const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/", $file));
            const SIZE: usize = size_of::<$number>();
            assert!(BYTES.len() == SIZE * $len, "the generated table has the expected size");
            let mut table = [0; $len];
            let mut i = 0;
            while i < $len {
                let mut byte = SIZE;
                while byte > 0 {
                    byte -= 1;
                    // A shift by 8 in two steps, for numbers of one byte.
                    table[i] = table[i] << 4 << 4 | BYTES[SIZE * i + byte] as $number;
                }
                i += 1;
            }
            table
        };
    };
}
pub(crate) use numbers;

numbers!(SUIT_LOW: [u32; 1 << 14] = "suit_low.bin", "Words of ranks 1–6.");
numbers!(SUIT_HIGH: [u32; 1 << 7] = "suit_high.bin", "Words of ranks 7–9.");
numbers!(WIND: [u32; 1 << 10] = "wind.bin", "Words of the winds.");
numbers!(DRAGON: [u32; 1 << 7] = "dragon.bin", "Words of the dragons.");
numbers!(MERGE: [u8; 1 << 16] = "merge.bin", "The class of two classes together, at `a << 8 | b`.");
numbers!(DISTANCE: [u8; 5 << 8] = "distance.bin", "Tiles missing to a win, at `melds << 8 | class`.");
numbers!(SPECIAL: [u8; 1 << 14] = "special.bin", "Tiles missing to seven pairs or thirteen orphans.");
numbers!(HONOUR_CLASS: [u8; 1 << 13] = "honour_class.bin", "Classes of honours.");
numbers!(SUIT_CLASS: [u8; 1113 << 7] = "suit_class.bin", "Classes of suits.");

numbers!(SUIT_RANK: [u16; 1 << 14] = "suit_rank.bin", "For ranks 1–6: rank among those with as many tiles, and the tiles from bit 11.");
numbers!(SUIT_BASE: [u32; 1 << 12] = "suit_base.bin", "The first record for `tiles of ranks 1–6 << 7 | ranks 7–9`; beyond the end where there is none.");
numbers!(SUIT_GAIN: [u64; 42_185] = "suit_gain.bin", "Records of suits with up to 9 tiles: for seven goals the nine ranks that bring it nearer.");
numbers!(HONOUR_UKEIRE: [u64; 1 << 13] = "honour_ukeire.bin", "Records of honours: for ten goals the numbers of copies of which one more brings it nearer.");
numbers!(CRITICAL: [u8; 5 * 180 * 180] = "critical.bin", "The set of critical goals, at `180 * (180 * melds + rest) + class`.");
numbers!(CRITICAL_SUIT: [u64; 256] = "critical_suit.bin", "The fields of critical goals in the record of a suit.");
numbers!(CRITICAL_HONOUR: [u64; 256] = "critical_honour.bin", "The fields of critical goals in the record of honours.");

/// The number of classes.
pub(super) const CLASSES: usize = 180;

/// Suits with the same distances to every goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Class(u8);

impl Class {
    /// The class of a suit by the sum of its halves' words.
    #[inline]
    pub(super) fn of_suit(word: u32) -> Class {
        Class(SUIT_CLASS[(word & 0x3_FFFF) as usize])
    }

    /// The class of the honours by the sum of their halves' words.
    #[inline]
    pub(super) fn of_honours(word: u32) -> Class {
        Class(HONOUR_CLASS[honour_place(word)])
    }

    /// The class of two parts of a hand together.
    #[inline]
    pub(super) fn merge(self, other: Class) -> Class {
        Class(MERGE[usize::from(self.0) << 8 | usize::from(other.0)])
    }

    /// Tiles missing to `melds` melds and a pair.
    #[inline]
    pub(super) fn distance(self, melds: usize) -> u8 {
        DISTANCE[melds << 8 | usize::from(self.0)]
    }

    /// What the goals of this class mean to a hand whose other parts have the class `rest`.
    #[inline]
    pub(super) fn beside(self, rest: Class, melds: usize) -> Critical {
        Critical(CRITICAL[CLASSES * (CLASSES * melds + usize::from(rest.0)) + usize::from(self.0)])
    }
}

/// The goals of one part of a hand of which a step nearer is a step nearer for the whole.
#[derive(Clone, Copy)]
pub(super) struct Critical(u8);

impl Critical {
    /// Whether four melds in this one part are among the goals; the records do not know them.
    #[inline]
    pub(super) fn has_four_melds(self) -> bool {
        self.0 & 128 != 0
    }

    /// The ranks, one bit each, that bring a suit with this record nearer to a critical goal.
    #[inline]
    pub(super) fn ranks(self, ukeire: u64) -> u64 {
        let ukeire = ukeire & CRITICAL_SUIT[usize::from(self.0)];
        let ukeire = ukeire | ukeire >> 36;
        let ukeire = ukeire | ukeire >> 18;
        (ukeire | ukeire >> 9) & 0b1_1111_1111
    }

    /// The numbers of copies, one bit for each of 0–3, of which one more brings the honours nearer.
    #[inline]
    pub(super) fn copies(self, ukeire: u64) -> u64 {
        let ukeire = ukeire & CRITICAL_HONOUR[usize::from(self.0)];
        let ukeire = ukeire | ukeire >> 20;
        let ukeire = ukeire | ukeire >> 8;
        (ukeire | ukeire >> 4 | ukeire >> 16) & 0b1111
    }
}

/// The place of honours in their tables by the sum of their halves' words.
#[inline]
pub(super) fn honour_place(word: u32) -> usize {
    (word & 0x1FFF) as usize
}

/// What is left of a part's word without the place of its class: enough for [`special_distance`].
#[inline]
pub(super) fn special_counts(word: u32) -> u32 {
    word & !0x3_FFFF
}

/// Tiles missing to seven pairs or thirteen orphans, by the summed words of a hand's four parts.
#[inline]
pub(super) fn special_distance(words: u32) -> u8 {
    SPECIAL[(words >> 18) as usize]
}

/// The record of a suit, by its halves; none for suits of ten and more tiles.
#[inline]
pub(super) fn suit_ukeire(low: usize, high: usize) -> Option<u64> {
    let rank = usize::from(SUIT_RANK[low & 0x3FFF]);
    let base = SUIT_BASE[(rank >> 11 << 7 | high) & 0xFFF] as usize;
    SUIT_GAIN.get(base + (rank & 0x7FF)).copied()
}

//! The tables that `build/` computes, and their look-ups.
//!
//! A suit has two halves: ranks 1–6, a number in base 5 below 5⁶, and ranks 7–9, one below 5³. The
//! honours have two halves as well: four winds, below 5⁴, and three dragons, below 5³. A table
//! gives a *word* for each half, and the sum of the two words is the word of the part:
//!
//! - Bits 0–17 are the index of the suit's *class* in [`SUIT_CLASS`]; for honours bits 0–12 are the
//!   index in [`HONOUR_CLASS`]. All suits of a class need the same number of tiles for every
//!   *goal*: 0–4 sets with or without a pair.
//! - Bits 18–31 are counts for the special forms. Summed over the four parts of a hand they are the
//!   index in [`SPECIAL`]: 4 bits kinds, 3 bits pairs, 4 bits yaochuu kinds, 3 bits yaochuu pairs.
//!
//! There are 180 classes. They are closed under [`Class::merge`], so the merged parts of a hand
//! have a class too. [`DISTANCE`] of the class of the whole hand is the number of tiles that it
//! needs.
//!
//! # Why
//!
//! **Which table layouts were tried?** In a whole game the tables share the cache with rules, hands
//! and walls. So the layouts were timed in whole games. `greedy` is the CPU time of
//! `selfplay --games 2000 --seed 1 --log none --threads 1`, the fastest of nine alternating runs on
//! a machine with other work. Compare the differences, not the absolute times.
//!
//! | part | layout | bytes | shanten from keys | greedy |
//! |---|---|---|---|---|
//! | class of a suit | **ranks 1–6 × 7–9: row and column** | 142 KB + 66 KB of words | 5.6 ns | 0.44 s |
//! | | the whole suit in base 5 | 1,953 KB + 66 KB | 5.5 ns | – |
//! | critical goals | class beside class, with the distance, 16 bits, rows of 256 | 461 KB | – | 0.430 s |
//! | | **the same without the distance, 8 bits, rows of 180** | 162 KB | – | 0.438 s |
//! | | without the distance, 8 bits, rows of 256 | 230 KB | – | 0.441 s |
//! | decompositions | 64 bits with the number of each sequence | 188 KB | – | – |
//! | | **32 bits; parts that a suit has more than once are shared** | 91 KB | – | – |
//!
//! The chosen layouts cost 2 % of time and save 300 KB of cache. All tables together take 1.9 MB.
//! They are compiled into the program, so they cost no time at startup.

/// Defines a table of numbers from a generated file. A cast compiles at once. A loop over the
/// numbers takes seconds in each build.
macro_rules! numbers {
    ($name:ident: [$number:ty; $len:expr] = $file:literal, $doc:literal) => {
        #[doc = $doc]
        pub(crate) static $name: [$number; $len] =
            bytemuck::must_cast(*include_bytes!(concat!(env!("OUT_DIR"), "/", $file)));
    };
}
pub(crate) use numbers;

numbers!(SUIT_LOW: [u32; 1 << 14] = "suit_low.bin", "The words of ranks 1–6.");
numbers!(SUIT_HIGH: [u32; 1 << 7] = "suit_high.bin", "The words of ranks 7–9.");
numbers!(WIND: [u32; 1 << 10] = "wind.bin", "The words of the winds.");
numbers!(DRAGON: [u32; 1 << 7] = "dragon.bin", "The words of the dragons.");
numbers!(MERGE: [u8; 1 << 16] = "merge.bin", "The class of two merged classes, at `a << 8 | b`.");
numbers!(DISTANCE: [u8; 5 << 8] = "distance.bin", "The tiles needed for `sets` sets and a pair, at `sets << 8 | class`.");
numbers!(SPECIAL: [u8; 1 << 14] = "special.bin", "The tiles needed for seven pairs or thirteen orphans.");
numbers!(HONOUR_CLASS: [u8; 1 << 13] = "honour_class.bin", "The classes of honours.");
numbers!(SUIT_CLASS: [u8; 1113 << 7] = "suit_class.bin", "The classes of suits.");

numbers!(SUIT_INDEX: [u16; 1 << 14] = "suit_index.bin", "For ranks 1–6: in bits 0–10 the index among halves with as many tiles, from bit 11 the number of tiles.");
numbers!(SUIT_BASE: [u32; 1 << 12] = "suit_base.bin", "The first record, at `tiles of ranks 1–6 << 7 | ranks 7–9`. Out of range if there is none.");
numbers!(SUIT_UKEIRE: [u64; 42_185] = "suit_ukeire.bin", "The records of suits of up to 9 tiles: for seven goals, the nine ranks that bring the suit closer.");
numbers!(SUIT_UKEIRE_FOUR: [u32; 42_185] = "suit_ukeire_four.bin", "The same for the two goals of four sets.");
numbers!(SUIT_SPARE: [u64; 42_185] = "suit_spare.bin", "For seven goals, the ranks with a tile to spare: without it, the distance is the same.");
numbers!(SUIT_SPARE_FOUR: [u32; 42_185] = "suit_spare_four.bin", "The same for the two goals of four sets.");
numbers!(HONOUR_UKEIRE: [u64; 1 << 13] = "honour_ukeire.bin", "The records of honours: for ten goals, the numbers of copies of a kind at which one more brings the goal closer.");
numbers!(HONOUR_SPARE: [u64; 1 << 13] = "honour_spare.bin", "For ten goals, the numbers of copies, 1–4, of which one is a spare tile.");
numbers!(CRITICAL: [u8; 5 * 180 * 180] = "critical.bin", "The number of a combination of critical goals, at `180 * (180 * sets + rest) + class`.");
numbers!(CRITICAL_SUIT: [u64; 256] = "critical_suit.bin", "The mask of critical goals for the record of a suit.");
numbers!(CRITICAL_FOUR: [u32; 256] = "critical_four.bin", "The mask of critical goals of four sets for the record of a suit.");
numbers!(CRITICAL_HONOUR: [u64; 256] = "critical_honour.bin", "The mask of critical goals for the record of honours.");

/// The number of classes.
pub(super) const CLASSES: usize = 180;

/// A class: all tiles in a part of a hand that have the same distance to every goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Class(u8);

impl Class {
    /// The class of a suit, from its word.
    #[inline]
    pub(super) fn of_suit(word: u32) -> Class {
        Class(SUIT_CLASS[(word & 0x3_FFFF) as usize])
    }

    /// The class of the honours, from their word.
    #[inline]
    pub(super) fn of_honours(word: u32) -> Class {
        Class(HONOUR_CLASS[honour_index(word)])
    }

    /// The class of two parts of a hand together.
    #[inline]
    pub(super) fn merge(self, other: Class) -> Class {
        Class(MERGE[usize::from(self.0) << 8 | usize::from(other.0)])
    }

    /// The number of tiles needed for `sets` sets and a pair.
    #[inline]
    pub(super) fn distance(self, sets: usize) -> u8 {
        DISTANCE[sets << 8 | usize::from(self.0)]
    }

    /// The critical goals of this class in a hand whose other parts have the class `rest`.
    #[inline]
    pub(super) fn beside(self, rest: Class, sets: usize) -> Critical {
        Critical(CRITICAL[CLASSES * (CLASSES * sets + usize::from(rest.0)) + usize::from(self.0)])
    }
}

/// The critical goals of a part of a hand: a tile that brings the part closer to one of them brings
/// the hand closer to a win. The number is that of a combination of goals in [`CRITICAL`].
#[derive(Clone, Copy)]
pub(super) struct Critical(u8);

impl Critical {
    /// The ranks, one bit each, that bring the suit of a record closer to a critical goal.
    #[inline]
    pub(super) fn ukeire(self, record: SuitRecord) -> u64 {
        self.ranks(&SUIT_UKEIRE, &SUIT_UKEIRE_FOUR, record)
    }

    /// The ranks with a tile to spare: without it, the suit is as close to at least one critical goal.
    /// The empty goal, no sets and no pair, does not count.
    #[inline]
    pub(super) fn spare(self, record: SuitRecord) -> u64 {
        self.ranks(&SUIT_SPARE, &SUIT_SPARE_FOUR, record)
    }

    /// The ranks in the fields of critical goals.
    #[inline]
    fn ranks(self, records: &[u64; RECORDS], of_four: &[u32; RECORDS], record: SuitRecord) -> u64 {
        // The shifts combine seven fields of nine bits.
        let ranks = records[record.0] & CRITICAL_SUIT[usize::from(self.0)];
        let ranks = ranks | ranks >> 36;
        let ranks = ranks | ranks >> 18;
        let mut ranks = ranks | ranks >> 9;
        // Combinations with a goal of four sets have the numbers from 128 on.
        if self.0 & 128 != 0 {
            let four = u64::from(of_four[record.0] & CRITICAL_FOUR[usize::from(self.0)]);
            ranks |= four | four >> 9;
        }
        ranks & 0b1_1111_1111
    }

    /// The numbers of copies in the fields of critical goals of a record of honours, one bit each:
    /// 0–3 copies in [`HONOUR_UKEIRE`], 1–4 in [`HONOUR_SPARE`].
    #[inline]
    pub(super) fn copies(self, record: u64) -> u64 {
        // The shifts combine ten fields of four bits.
        let copies = record & CRITICAL_HONOUR[usize::from(self.0)];
        let copies = copies | copies >> 20;
        let copies = copies | copies >> 8;
        (copies | copies >> 4 | copies >> 16) & 0b1111
    }
}

/// The index of the honours in their tables, from their word.
#[inline]
pub(super) fn honour_index(word: u32) -> usize {
    (word & 0x1FFF) as usize
}

/// The counts for the special forms in a part's word. Their sum is enough for [`special_distance`].
#[cfg(test)]
pub(super) fn special_counts(word: u32) -> u32 {
    word & !0x3_FFFF
}

/// The tiles needed for seven pairs or thirteen orphans, from the sum of a hand's words.
#[inline]
pub(super) fn special_distance(words: u32) -> u8 {
    SPECIAL[(words >> 18) as usize]
}

/// The number of suits of up to nine tiles.
const RECORDS: usize = 42_185;

/// The index of a suit of up to nine tiles in the tables of records.
#[derive(Clone, Copy)]
pub(super) struct SuitRecord(usize);

impl SuitRecord {
    /// The record of a suit, from its halves. None for suits of ten or more tiles.
    #[inline]
    pub(super) fn of(low: usize, high: usize) -> Option<SuitRecord> {
        let entry = usize::from(SUIT_INDEX[low & 0x3FFF]);
        let base = SUIT_BASE[(entry >> 11 << 7 | high) & 0xFFF] as usize;
        let place = base + (entry & 0x7FF);
        (place < RECORDS).then_some(SuitRecord(place))
    }
}

//! Ukeire: the kinds that lower the shanten of a hand.
//!
//! # Why
//!
//! **How are waits and ukeire found?** Each suit has a record of 63 bits: for each of seven goals,
//! the ranks that bring the suit nearer to it. The class of the rest of the hand selects the goals.
//! An AND and three shifts give the tiles. Another record of the same form has the ranks that the
//! suit can spare for each goal: the discards that keep the shanten. The two goals of four sets in
//! one suit rarely matter. Their records are in separate tables, so that they take no cache.
//! Rejected: trying each of the 34 kinds.

use super::Shanten;
use super::tables::{Class, HONOUR_UKEIRE, SuitRecord, honour_index};
use super::tracker::classes;
use crate::{Concealed, Suit, TileSet};

impl Concealed {
    /// The shanten of the hand with `melds` melds on the table.
    ///
    /// It is the lowest over four sets and a pair, seven pairs and thirteen orphans. The last two
    /// need a hand without melds.
    #[inline]
    pub fn shanten(&self, melds: usize) -> Shanten {
        self.tracker().shanten(melds)
    }

    /// The shanten to seven pairs. Four equal tiles count as one pair.
    pub fn seven_pairs_shanten(&self) -> Shanten {
        Shanten::from_missing(missing_to_seven_pairs(self.kinds(), self.at_least(2)))
    }

    /// The shanten to thirteen orphans.
    pub fn thirteen_orphans_shanten(&self) -> Shanten {
        Shanten::from_missing(missing_to_thirteen_orphans(self.kinds(), self.at_least(2)))
    }

    /// The shanten of the hand, and its ukeire: the kinds that lower it.
    ///
    /// The hand has 13 tiles, less three for each meld. Ukeire is by shape: other players' tiles
    /// and the player's own melds may already hold all copies of a kind. The ukeire of a tenpai
    /// hand is its *waits*.
    ///
    /// ```
    /// use jantaku_engine::{Hand, Shanten};
    ///
    /// let hand: Hand = "23m456m345p678s99s".parse()?;
    /// let (shanten, waits) = hand.concealed().ukeire(0);
    /// assert_eq!((shanten, waits.to_string().as_str()), (Shanten::TENPAI, "147m"));
    /// # Ok::<(), jantaku_engine::NotationError>(())
    /// ```
    #[inline]
    pub fn ukeire(&self, melds: usize) -> (Shanten, TileSet) {
        let (missing, kinds) = self.standard_ukeire(4 - melds);
        let (missing, kinds) = match melds {
            0 => with_special_forms(self.kinds(), self.at_least(2), missing, kinds),
            _ => (missing, kinds),
        };
        (Shanten::from_missing(missing), kinds)
    }

    /// The kinds that complete the hand if only its shape counts ([`ukeire`](Concealed::ukeire)). Empty
    /// unless the hand is tenpai.
    #[inline]
    pub fn waits(&self, melds: usize) -> TileSet {
        if self.shanten(melds) == Shanten::TENPAI { self.ukeire(melds).1 } else { TileSet::EMPTY }
    }

    /// The tiles needed for `sets` sets and a pair, and the kinds that lower this number.
    #[inline]
    fn standard_ukeire(&self, sets: usize) -> (u8, TileSet) {
        let words = self.tracker().words();
        let [m, p, s, z] = classes(words);
        let (mp, sz) = (m.merge(p), s.merge(z));
        let kinds = self.suit_ukeire(Suit::Characters, m, sz.merge(p), sets)
            | self.suit_ukeire(Suit::Dots, p, sz.merge(m), sets)
            | self.suit_ukeire(Suit::Bamboo, s, mp.merge(z), sets)
            | self.honour_ukeire(words[Suit::Honours as usize], z, mp.merge(s), sets);
        (mp.merge(sz).distance(sets), TileSet::from_bits(kinds))
    }

    /// The kinds of a suit, as bits, that lower the distance to `sets` sets and a pair. `rest` is the
    /// class of the other suits and the honours.
    #[inline]
    fn suit_ukeire(&self, suit: Suit, class: Class, rest: Class, sets: usize) -> u64 {
        let critical = class.beside(rest, sets);
        let (low, high) = self.tracker().suit_halves(suit as usize);
        let ranks = match SuitRecord::of(low, high) {
            Some(record) => critical.ukeire(record),
            None => self.suit_ukeire_by_trial(suit, rest, sets, class.merge(rest).distance(sets)),
        };
        ranks << (9 * suit as usize)
    }

    /// The ranks that lower the distance, found by adding each tile.
    ///
    /// For suits of ten or more tiles, which have no records.
    #[cold]
    fn suit_ukeire_by_trial(&self, suit: Suit, rest: Class, sets: usize, missing: u8) -> u64 {
        let mut ranks = 0;
        for rank in 1..=9 {
            let kind = suit.tile(rank).expect("suits have ranks 1 to 9").kind();
            if self.count(kind) < 4 {
                let mut more = *self.tracker();
                more.add(kind);
                let class = classes(more.words())[suit as usize];
                ranks |= u64::from(class.merge(rest).distance(sets) < missing) << (rank - 1);
            }
        }
        ranks
    }

    /// The honours, as bits, that lower the distance. `rest` is the class of the three suits.
    #[inline]
    fn honour_ukeire(&self, word: u32, class: Class, rest: Class, sets: usize) -> u64 {
        let copies = class.beside(rest, sets).copies(HONOUR_UKEIRE[honour_index(word)]);
        honour_kinds(copies, &honours_held(self))
    }
}

#[inline]
fn missing_to_seven_pairs(kinds: TileSet, pairs: TileSet) -> u8 {
    7 - pairs.len() as u8 + 7u8.saturating_sub(kinds.len() as u8)
}

#[inline]
fn missing_to_thirteen_orphans(kinds: TileSet, pairs: TileSet) -> u8 {
    let orphans = (kinds & TileSet::YAOCHUU).len() as u8;
    14 - orphans - u8::from(pairs.intersects(TileSet::YAOCHUU))
}

/// Adds the special forms to the distance and ukeire of the standard form.
///
/// A form that needs fewer tiles replaces the result; one that needs the same number adds its
/// ukeire.
/// `kinds` are the kinds in the hand and `pairs` those held at least twice.
#[inline]
pub(super) fn with_special_forms(
    kinds: TileSet,
    pairs: TileSet,
    missing: u8,
    ukeire: TileSet,
) -> (u8, TileSet) {
    let (mut missing, mut ukeire) = (missing, ukeire);
    let mut compare = |other: u8, of_other: TileSet| {
        if other < missing {
            (missing, ukeire) = (other, of_other);
        } else if other == missing {
            ukeire |= of_other;
        }
    };
    let new_kinds = if kinds.len() < 7 { !kinds } else { TileSet::EMPTY };
    compare(missing_to_seven_pairs(kinds, pairs), (kinds - pairs) | new_kinds);
    let has_pair = pairs.intersects(TileSet::YAOCHUU);
    let orphans = if has_pair { TileSet::YAOCHUU - kinds } else { TileSet::YAOCHUU };
    compare(missing_to_thirteen_orphans(kinds, pairs), orphans);
    (missing, ukeire)
}

/// The kinds that a hand of 14 tiles can discard and still need only `missing` tiles.
///
/// `missing` is the number of tiles that the hand needs for seven pairs or thirteen orphans,
/// whichever is closer.
pub(super) fn spare_in_special_forms(hand: &Concealed, missing: u8) -> TileSet {
    let (kinds, pairs, thrice) = (hand.kinds(), hand.at_least(2), hand.at_least(3));
    let mut spare = TileSet::EMPTY;
    if missing_to_seven_pairs(kinds, pairs) == missing {
        let singles = if kinds.len() > 7 { kinds - pairs } else { TileSet::EMPTY };
        spare |= thrice | singles;
    }
    if missing_to_thirteen_orphans(kinds, pairs) == missing {
        let spare_orphans = if (pairs & TileSet::YAOCHUU).len() > 1 { pairs } else { thrice };
        spare |= (kinds - TileSet::YAOCHUU) | (spare_orphans & TileSet::YAOCHUU);
    }
    spare
}

/// The honours that the hand holds 0, 1, 2 and 3 times, as bits.
#[inline]
pub(super) fn honours_held(hand: &Concealed) -> [u64; 4] {
    [
        TileSet::HONOURS - hand.at_least(1),
        (hand.at_least(1) - hand.at_least(2)) & TileSet::HONOURS,
        (hand.at_least(2) - hand.at_least(3)) & TileSet::HONOURS,
        (hand.at_least(3) - hand.at_least(4)) & TileSet::HONOURS,
    ]
    .map(TileSet::bits)
}

/// The honours that the hand holds in one of these numbers of copies; bit n of `copies` allows n.
#[inline]
pub(super) fn honour_kinds(copies: u64, held: &[u64; 4]) -> u64 {
    let of = |n: usize| held[n] & (copies >> n & 1).wrapping_neg();
    of(0) | of(1) | of(2) | of(3)
}

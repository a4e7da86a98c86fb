//! The tiles that bring a hand nearer to a win.

use super::Shanten;
use super::tables::{self, Class, HONOUR_UKEIRE, honour_place};
use super::tracker::classes;
use crate::{Concealed, Suit, TileSet};

impl Concealed {
    /// The shanten of the hand beside `melds` called melds: the least over four melds and a pair, seven pairs and thirteen
    /// orphans, the last two only without melds.
    #[must_use]
    #[inline]
    pub fn shanten(&self, melds: usize) -> Shanten {
        self.tracker().shanten(melds)
    }

    /// The shanten to seven pairs. Four equal tiles are one pair.
    #[must_use]
    pub fn seven_pairs_shanten(&self) -> Shanten {
        Shanten::from_missing(missing_to_seven_pairs(self.kinds(), self.at_least(2)))
    }

    /// The shanten to thirteen orphans.
    #[must_use]
    pub fn thirteen_orphans_shanten(&self) -> Shanten {
        Shanten::from_missing(missing_to_thirteen_orphans(self.kinds(), self.at_least(2)))
    }

    /// The shanten of a hand, and the kinds of which one more tile lowers it.
    ///
    /// For 13 tiles less three a meld. The kinds are by shape: of some of them no tile may be left, when others show
    /// them or the player's own melds hold them. For a hand in tenpai they are its *waits*.
    ///
    /// ```
    /// use jantaku_engine::{Hand, Shanten};
    ///
    /// let hand: Hand = "23m456m345p678s99s".parse()?;
    /// let (shanten, waits) = hand.concealed().ukeire(0);
    /// assert_eq!((shanten, waits.to_string().as_str()), (Shanten::TENPAI, "147m"));
    /// # Ok::<(), jantaku_engine::NotationError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn ukeire(&self, melds: usize) -> (Shanten, TileSet) {
        let (missing, kinds) = self.standard_ukeire(4 - melds);
        let (missing, kinds) = match melds {
            0 => with_special_forms(self.kinds(), self.at_least(2), missing, kinds),
            _ => (missing, kinds),
        };
        (Shanten::from_missing(missing), kinds)
    }

    /// The waits of a hand by shape: the tiles that complete it. None unless it is in tenpai.
    #[must_use]
    #[inline]
    pub fn waits(&self, melds: usize) -> TileSet {
        if self.shanten(melds) == Shanten::TENPAI { self.ukeire(melds).1 } else { TileSet::EMPTY }
    }

    /// Tiles missing to `melds` melds and a pair, and the kinds that lower their number.
    #[inline]
    fn standard_ukeire(&self, melds: usize) -> (u8, TileSet) {
        let words = self.tracker().words();
        let [m, p, s, z] = classes(words);
        let (mp, sz) = (m.merge(p), s.merge(z));
        let kinds = self.suit_improving(Suit::Characters, m, sz.merge(p), melds)
            | self.suit_improving(Suit::Dots, p, sz.merge(m), melds)
            | self.suit_improving(Suit::Bamboo, s, mp.merge(z), melds)
            | self.honours_improving(words[Suit::Honours as usize], z, mp.merge(s), melds);
        (mp.merge(sz).distance(melds), TileSet::from_bits(kinds))
    }

    /// The bits of the kinds of one suit that lower the distance of the hand, where `rest` is the class of its other parts.
    #[inline]
    fn suit_improving(&self, suit: Suit, class: Class, rest: Class, melds: usize) -> u64 {
        let critical = class.beside(rest, melds);
        let (low, high) = self.tracker().suit_halves(suit as usize);
        let ranks = match tables::suit_ukeire(low, high) {
            Some(ukeire) if !critical.has_four_melds() => critical.ranks(ukeire),
            _ => self.suit_improving_one_by_one(suit, rest, melds, class.merge(rest).distance(melds)),
        };
        ranks << (9 * suit as usize)
    }

    /// The same by adding each tile: for suits of ten and more tiles, and for four melds in one suit.
    #[cold]
    fn suit_improving_one_by_one(&self, suit: Suit, rest: Class, melds: usize, missing: u8) -> u64 {
        let mut ranks = 0;
        for rank in 1..=9 {
            let kind = suit.tile(rank).expect("suits have ranks 1 to 9").kind();
            if self.count(kind) < 4 {
                let mut more = *self.tracker();
                more.add(kind);
                let class = classes(more.words())[suit as usize];
                ranks |= u64::from(class.merge(rest).distance(melds) < missing) << (rank - 1);
            }
        }
        ranks
    }

    #[inline]
    fn honours_improving(&self, word: u32, class: Class, rest: Class, melds: usize) -> u64 {
        let copies = class.beside(rest, melds).copies(HONOUR_UKEIRE[honour_place(word)]);
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

/// Takes the special forms into account where they are as near as the standard form or nearer: of a hand with these kinds and,
/// of them, these at least twice.
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

/// The kinds of which a hand of 14 tiles can spare one and miss no more of seven pairs or thirteen orphans, of which it misses so many.
pub(super) fn spare_for_special_forms(hand: &Concealed, missing: u8) -> TileSet {
    let (kinds, pairs, thrice) = (hand.kinds(), hand.at_least(2), hand.at_least(3));
    let mut spare = TileSet::EMPTY;
    if missing_to_seven_pairs(kinds, pairs) == missing {
        let singles = if kinds.len() > 7 { kinds - pairs } else { TileSet::EMPTY };
        spare |= thrice | singles;
    }
    if missing_to_thirteen_orphans(kinds, pairs) == missing {
        let of_many = if (pairs & TileSet::YAOCHUU).len() > 1 { pairs } else { thrice };
        spare |= (kinds - TileSet::YAOCHUU) | (of_many & TileSet::YAOCHUU);
    }
    spare
}

/// The kinds of honours of which the hand has 0, 1, 2 and 3.
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

/// The kinds of honours with these numbers of copies, a bit for each of 0–3.
#[inline]
pub(super) fn honour_kinds(copies: u64, held: &[u64; 4]) -> u64 {
    let of = |n: usize| held[n] & (copies >> n & 1).wrapping_neg();
    of(0) | of(1) | of(2) | of(3)
}

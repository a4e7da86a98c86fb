//! What each discard leaves of a hand.

use super::tables::{self, Class, Critical, HONOUR_UKEIRE, honour_place};
use super::tracker::{Tracker, class_of, classes};
use super::{Shanten, ukeire};
use crate::{Concealed, Suit, TileKind, TileSet};

/// A kind of tile that can be discarded, and the hand that remains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiscardOption {
    /// What is discarded.
    pub kind: TileKind,
    /// The shanten afterwards.
    pub shanten: Shanten,
    /// The kinds of which one more tile lowers it, by shape ([`Concealed::ukeire`]).
    pub ukeire: TileSet,
}

/// The discards of a hand of 14 tiles (less three a meld), one for each kind, in order of kind.
#[derive(Clone, Copy)]
pub struct DiscardOptions {
    options: [DiscardOption; 14],
    len: u8,
}

impl DiscardOptions {
    const NONE: DiscardOptions = {
        let none = DiscardOption { kind: TileKind::EAST, shanten: Shanten::COMPLETE, ukeire: TileSet::EMPTY };
        DiscardOptions { options: [none; 14], len: 0 }
    };

    /// The options.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[DiscardOption] {
        &self.options[..usize::from(self.len & 15).min(14)]
    }

    /// The least shanten that a discard leaves.
    #[must_use]
    pub fn best_shanten(&self) -> Option<Shanten> {
        self.as_slice().iter().map(|option| option.shanten).min()
    }

    #[inline]
    fn push(&mut self, kind: TileKind, (missing, ukeire): (u8, TileSet)) {
        let shanten = Shanten::from_missing(missing);
        self.options[usize::from(self.len)] = DiscardOption { kind, shanten, ukeire };
        self.len += 1;
    }
}

impl Concealed {
    /// What each discard leaves, beside `melds` called melds.
    #[must_use]
    pub fn discard_options(&self, melds: usize) -> DiscardOptions {
        self.options_among(self.kinds(), melds)
    }

    /// What those discards leave that leave the least shanten, beside `melds` called melds.
    ///
    /// ```
    /// use jantaku_engine::{Hand, Shanten};
    ///
    /// let hand: Hand = "23m456m345p678s19s9s".parse()?;
    /// let best = hand.concealed().best_discards(0);
    /// let [one] = best.as_slice() else { panic!("1s alone does not belong to the hand") };
    /// assert_eq!((one.kind.to_string().as_str(), one.shanten), ("1s", Shanten::TENPAI));
    /// # Ok::<(), jantaku_engine::NotationError>(())
    /// ```
    #[must_use]
    pub fn best_discards(&self, melds: usize) -> DiscardOptions {
        self.options_among(self.least_discards(melds).1, melds)
    }

    /// The least shanten that a discard leaves, beside `melds` called melds, and the kinds that leave it: all others leave one more.
    ///
    /// For a hand of 14 tiles less three a meld.
    #[must_use]
    #[inline]
    pub fn least_discards(&self, melds: usize) -> (Shanten, TileSet) {
        let tracker = self.tracker();
        let words = tracker.words();
        let [m, p, s, z] = classes(words);
        let (mp, sz) = (m.merge(p), s.merge(z));
        let standard = mp.merge(sz).distance(4 - melds);
        let special = if melds == 0 { tables::special_distance(words.iter().sum()) } else { u8::MAX };
        let missing = standard.min(special);
        if missing == 0 {
            return (Shanten::TENPAI, self.kinds());
        }
        let mut kinds = TileSet::EMPTY;
        if standard == missing {
            let least = Least { hand: self, melds: 4 - melds, missing };
            kinds |= least.kinds_of::<0>(sz.merge(p));
            kinds |= least.kinds_of::<1>(sz.merge(m));
            kinds |= least.kinds_of::<2>(mp.merge(z));
            kinds |= least.kinds_of::<3>(mp.merge(s));
        }
        if special == missing {
            kinds |= ukeire::spare_for_special_forms(self, missing);
        }
        (Shanten::from_missing(missing), kinds)
    }

    /// What the discards of some kinds leave.
    fn options_among(&self, kinds: TileSet, melds: usize) -> DiscardOptions {
        let mut found = DiscardOptions::NONE;
        match Parts::of(self, kinds, melds) {
            Some(parts) => {
                parts.discards_of::<0>(&mut found);
                parts.discards_of::<1>(&mut found);
                parts.discards_of::<2>(&mut found);
                parts.discards_of::<3>(&mut found);
            }
            None => kinds.iter().for_each(|kind| found.push(kind, one_by_one(self, kind, melds))),
        }
        found
    }
}

/// What a discard leaves, by looking at the whole hand again.
#[cold]
fn one_by_one(hand: &Concealed, kind: TileKind, melds: usize) -> (u8, TileSet) {
    let mut rest = *hand;
    rest.remove_any(kind);
    let (shanten, ukeire) = rest.ukeire(melds);
    (shanten.missing(), ukeire)
}

/// What a hand misses, to find the tiles that it does not need.
struct Least<'a> {
    hand: &'a Concealed,
    /// Melds that the concealed tiles are to make.
    melds: usize,
    missing: u8,
}

impl Least<'_> {
    /// The kinds of one part without which no more is missing; `rest` is the class of the other parts.
    #[inline]
    fn kinds_of<const PART: usize>(&self, rest: Class) -> TileSet {
        let mut kept = TileSet::EMPTY;
        for kind in (self.hand.kinds() & PARTS[PART]).iter() {
            let mut tracker = *self.hand.tracker();
            tracker.remove(kind);
            let class = class_of(PART, tracker.word(PART));
            if class.merge(rest).distance(self.melds) == self.missing {
                kept.insert(kind);
            }
        }
        kept
    }
}

/// A hand in four parts, the suits and the honours, and what is asked of them again for every discard.
struct Parts<'a> {
    hand: &'a Concealed,
    /// What may be discarded.
    kinds: TileSet,
    /// Melds that the concealed tiles are to make.
    melds: usize,
    words: [u32; 4],
    classes: [Class; 4],
    /// The class of all parts but two.
    without: [[Class; 4]; 4],
    /// The record of each part.
    ukeire: [u64; 4],
    /// The kinds of honours of which the hand has 0, 1, 2, 3.
    honours: [u64; 4],
    /// Whether seven pairs or thirteen orphans can be as near as the standard form: a discard leaves that one farther away at most.
    has_special_forms: bool,
}

/// What is the same for all discards that leave a part with the same class.
#[derive(Clone, Copy)]
struct Left {
    /// Tiles missing of the whole hand.
    missing: u8,
    /// The goals of the part that matter.
    critical: Critical,
    /// The kinds of the other parts that bring the hand nearer; none if they must be tried one by one.
    others: Option<u64>,
}

const HONOURS: usize = Suit::Honours as usize;

impl<'a> Parts<'a> {
    /// None for a hand with ten or more tiles of a suit, of which there are no records.
    #[inline]
    fn of(hand: &'a Concealed, kinds: TileSet, melds: usize) -> Option<Parts<'a>> {
        let tracker = hand.tracker();
        let gains_of = |suit| {
            let (low, high) = tracker.suit_halves(suit);
            tables::suit_ukeire(low, high)
        };
        let words = tracker.words();
        let honours = HONOUR_UKEIRE[honour_place(words[HONOURS])];
        let ukeire = [gains_of(0)?, gains_of(1)?, gains_of(2)?, honours];
        let [m, p, s, z] = classes(words);
        let (mp, ms, mz) = (m.merge(p), m.merge(s), m.merge(z));
        let (ps, pz, sz) = (p.merge(s), p.merge(z), s.merge(z));
        let without = [[m, sz, pz, ps], [sz, p, mz, ms], [pz, mz, s, mp], [ps, ms, mp, z]];
        let honours = ukeire::honours_held(hand);
        let (melds, classes) = (4 - melds, [m, p, s, z]);
        let has_special_forms =
            melds == 4 && tables::special_distance(words.iter().sum()) <= mp.merge(sz).distance(4) + 1;
        Some(Parts { hand, kinds, melds, words, classes, without, ukeire, honours, has_special_forms })
    }

    /// The discards of one part, in order of kind. Much is the same for discards that leave the same class.
    #[inline]
    fn discards_of<const PART: usize>(&self, found: &mut DiscardOptions) {
        let first = usize::from(PART == 0);
        let rest = self.without[PART][first].merge(self.classes[first]);
        let mut last: Option<(Class, Left)> = None;
        for kind in (self.kinds & PARTS[PART]).iter() {
            let mut tracker = *self.hand.tracker();
            tracker.remove(kind);
            let word = tracker.word(PART);
            let class = class_of(PART, word);
            let left = match last {
                Some((before, left)) if before == class => left,
                _ => Left {
                    missing: class.merge(rest).distance(self.melds),
                    critical: class.beside(rest, self.melds),
                    others: self.sets_of_others::<PART>(class),
                },
            };
            last = Some((class, left));
            let own = self.set_of_part::<PART>(kind, &tracker, word, left.critical);
            let option = match (own, left.others) {
                (Some(own), Some(others)) => {
                    let words = self.words.iter().sum::<u32>() - self.words[PART] + word;
                    self.with_special_forms(kind, words, left.missing, TileSet::from_bits(own | others))
                }
                _ => one_by_one(self.hand, kind, 4 - self.melds),
            };
            found.push(kind, option);
        }
    }

    /// The kinds of the other parts that bring the hand nearer, if this part is left with a class; none if they must be tried one by one.
    #[inline]
    fn sets_of_others<const PART: usize>(&self, class: Class) -> Option<u64> {
        let mut sets = 0;
        for other in 0..4 {
            if other == PART {
                continue;
            }
            let critical = self.classes[other].beside(self.without[PART][other].merge(class), self.melds);
            sets |= if other == HONOURS {
                ukeire::honour_kinds(critical.copies(self.ukeire[other]), &self.honours)
            } else if critical.has_four_melds() {
                return None;
            } else {
                critical.ranks(self.ukeire[other]) << (9 * other)
            };
        }
        Some(sets)
    }

    /// The kinds of its own part that bring the hand nearer without a tile; none if they must be tried one by one.
    #[inline]
    fn set_of_part<const PART: usize>(
        &self,
        kind: TileKind,
        tracker: &Tracker,
        word: u32,
        critical: Critical,
    ) -> Option<u64> {
        if PART == HONOURS {
            let copies = critical.copies(HONOUR_UKEIRE[honour_place(word)]);
            let bit = TileSet::of(kind).bits();
            let [_, one, two, three] = self.honours;
            // One copy less than the hand has of this kind.
            let left = if one & bit != 0 {
                0
            } else if two & bit != 0 {
                1
            } else if three & bit != 0 {
                2
            } else {
                3
            };
            let again = (copies >> left & 1).wrapping_neg() & bit;
            return Some(ukeire::honour_kinds(copies, &self.honours) & !bit | again);
        }
        let (low, high) = tracker.suit_halves(PART);
        let ukeire = tables::suit_ukeire(low, high).filter(|_| !critical.has_four_melds())?;
        Some(critical.ranks(ukeire) << (9 * PART))
    }

    /// Seven pairs and thirteen orphans, where they are as near as the standard form or nearer; `words` are those without the tile, added up.
    #[inline]
    fn with_special_forms(&self, kind: TileKind, words: u32, missing: u8, ukeire: TileSet) -> (u8, TileSet) {
        if !self.has_special_forms || tables::special_distance(words) > missing {
            return (missing, ukeire);
        }
        let (tile, twice) = (TileSet::of(kind), self.hand.at_least(2));
        let kinds = self.hand.kinds() - (tile - twice);
        ukeire::with_special_forms(kinds, twice - (tile - self.hand.at_least(3)), missing, ukeire)
    }
}

/// The kinds of the suits and of the honours.
const PARTS: [TileSet; 4] = {
    let suit = TileSet::from_bits(0b1_1111_1111);
    [suit, TileSet::from_bits(suit.bits() << 9), TileSet::from_bits(suit.bits() << 18), TileSet::HONOURS]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rng, Tile};

    /// Hands of all tiles, of two suits and of one suit with honours, beside 0–4 melds.
    #[test]
    fn each_discard_leaves_what_the_rest_of_the_hand_needs() {
        let mut rng = Rng::new(3);
        let two_suits = PARTS[0] | PARTS[1];
        let flush = PARTS[2] | PARTS[3];
        for (round, kinds) in (0..3000).zip([TileSet::ALL, two_suits, flush, PARTS[1]].into_iter().cycle()) {
            let melds = round / 4 % 5;
            let mut tiles: Vec<TileKind> = kinds.iter().flat_map(|kind| [kind; 4]).collect();
            rng.shuffle(&mut tiles);
            let hand: Concealed = tiles[..14 - 3 * melds].iter().map(|kind| Tile::plain(*kind)).collect();
            let options = hand.discard_options(melds);
            assert_eq!(
                options.as_slice().iter().map(|option| option.kind).collect::<TileSet>(),
                hand.kinds()
            );
            let least = options.best_shanten().expect("a hand has a discard");
            let best: Vec<DiscardOption> =
                options.as_slice().iter().copied().filter(|option| option.shanten == least).collect();
            assert_eq!(hand.best_discards(melds).as_slice(), best, "{hand} beside {melds}");
            let kinds = best.iter().map(|option| option.kind).collect();
            assert_eq!(hand.least_discards(melds), (least, kinds), "{hand} beside {melds}");
            for option in options.as_slice() {
                assert!(option.shanten.missing() - least.missing() <= 1);
                let mut rest = hand;
                rest.remove_any(option.kind);
                let found = (option.shanten, option.ukeire);
                assert_eq!(found, rest.ukeire(melds), "{hand} without {}", option.kind);
            }
        }
    }
}

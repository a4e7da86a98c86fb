//! The shanten and ukeire after each discard.

use super::tables::{self, Class, Critical, HONOUR_UKEIRE, honour_index};
use super::tracker::{Tracker, class_of, classes};
use super::{Shanten, ukeire};
use crate::{Concealed, Suit, TileKind, TileSet};

/// A discard, with the shanten and ukeire of the hand after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiscardOption {
    /// The discarded kind.
    pub kind: TileKind,
    /// The shanten after the discard.
    pub shanten: Shanten,
    /// The kinds that lower this shanten, by shape ([`Concealed::ukeire`]).
    pub ukeire: TileSet,
}

/// The discards of a hand, one for each kind, in order of kind.
///
/// The hand has 14 tiles, less three for each meld.
#[derive(Clone, Copy)]
pub struct DiscardOptions {
    options: [DiscardOption; 14],
    len: u8,
}

impl DiscardOptions {
    /// No discards.
    pub const NONE: DiscardOptions = {
        let none = DiscardOption { kind: TileKind::EAST, shanten: Shanten::COMPLETE, ukeire: TileSet::EMPTY };
        DiscardOptions { options: [none; 14], len: 0 }
    };

    /// The discards.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[DiscardOption] {
        &self.options[..usize::from(self.len & 15).min(14)]
    }

    /// The least shanten after a discard.
    #[must_use]
    #[inline]
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
    /// Analyses every discard of a hand with `melds` melds on the table.
    #[must_use]
    pub fn discard_options(&self, melds: usize) -> DiscardOptions {
        self.options_among(self.kinds(), melds)
    }

    /// Analyses only the discards that leave the least shanten.
    ///
    /// ```
    /// use jantaku_engine::{Hand, Shanten};
    ///
    /// let hand: Hand = "23m456m345p678s19s9s".parse()?;
    /// let best = hand.concealed().best_discards(0);
    /// let [one] = best.as_slice() else { panic!("1s is the only best discard") };
    /// assert_eq!((one.kind.to_string().as_str(), one.shanten), ("1s", Shanten::TENPAI));
    /// # Ok::<(), jantaku_engine::NotationError>(())
    /// ```
    #[must_use]
    pub fn best_discards(&self, melds: usize) -> DiscardOptions {
        self.options_among(self.least_discards(melds).1, melds)
    }

    /// The least shanten after a discard, and the discards that leave it. After any other discard
    /// the shanten is one higher.
    ///
    /// The hand has 14 tiles, less three for each of `melds` melds.
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
            let unneeded = UnneededTiles { hand: self, melds: 4 - melds, missing };
            kinds |= unneeded.kinds_of::<0>(sz.merge(p));
            kinds |= unneeded.kinds_of::<1>(sz.merge(m));
            kinds |= unneeded.kinds_of::<2>(mp.merge(z));
            kinds |= unneeded.kinds_of::<3>(mp.merge(s));
        }
        if special == missing {
            kinds |= ukeire::spare_in_special_forms(self, missing);
        }
        (Shanten::from_missing(missing), kinds)
    }

    /// Analyses the discards of these kinds.
    fn options_among(&self, kinds: TileSet, melds: usize) -> DiscardOptions {
        let mut found = DiscardOptions::NONE;
        match Analysis::of(self, kinds, melds) {
            Some(analysis) => {
                analysis.discards_of::<0>(&mut found);
                analysis.discards_of::<1>(&mut found);
                analysis.discards_of::<2>(&mut found);
                analysis.discards_of::<3>(&mut found);
            }
            None => kinds.iter().for_each(|kind| found.push(kind, by_trial(self, kind, melds))),
        }
        found
    }
}

/// The tiles needed after a discard, and the ukeire, found from the whole remaining hand.
#[cold]
fn by_trial(hand: &Concealed, kind: TileKind, melds: usize) -> (u8, TileSet) {
    let mut rest = *hand;
    rest.remove_any(kind);
    let (shanten, ukeire) = rest.ukeire(melds);
    (shanten.missing(), ukeire)
}

/// A search for the discards that leave the distance of the standard form unchanged.
struct UnneededTiles<'a> {
    hand: &'a Concealed,
    /// The number of sets that the concealed tiles must make.
    melds: usize,
    /// The number of tiles that the hand needs.
    missing: u8,
}

impl UnneededTiles<'_> {
    /// The kinds of one part whose discard leaves the distance unchanged. `rest` is the class of
    /// the other parts.
    #[inline]
    fn kinds_of<const PART: usize>(&self, rest: Class) -> TileSet {
        let mut unneeded = TileSet::EMPTY;
        for kind in (self.hand.kinds() & PARTS[PART]).iter() {
            let mut tracker = *self.hand.tracker();
            tracker.remove(kind);
            let class = class_of(PART, tracker.word(PART));
            if class.merge(rest).distance(self.melds) == self.missing {
                unneeded.insert(kind);
            }
        }
        unneeded
    }
}

/// A hand by its four parts, the suits and the honours, with the look-ups that all discards share.
struct Analysis<'a> {
    hand: &'a Concealed,
    /// The kinds to analyse as discards.
    kinds: TileSet,
    /// The number of sets that the concealed tiles must make.
    melds: usize,
    words: [u32; 4],
    classes: [Class; 4],
    /// `without[a][b]` is the class of all parts except `a` and `b`.
    without: [[Class; 4]; 4],
    /// The ukeire record of each part.
    ukeire: [u64; 4],
    /// The honours of which the hand holds 0, 1, 2 and 3 copies.
    honours: [u64; 4],
    /// Whether a special form can be as close as the standard form after a discard.
    ///
    /// A discard adds at most one to the distance of the standard form.
    has_special_forms: bool,
}

/// The look-ups that discards share if they leave their part with the same class.
#[derive(Clone, Copy)]
struct Shared {
    /// The number of tiles that the whole hand needs.
    missing: u8,
    /// The critical goals of the part.
    critical: Critical,
    /// The ukeire in the other parts. None if it must be found by trial.
    others: Option<u64>,
}

const HONOURS: usize = Suit::Honours as usize;

impl<'a> Analysis<'a> {
    /// None for a hand with ten or more tiles of one suit, which has no record.
    #[inline]
    fn of(hand: &'a Concealed, kinds: TileSet, melds: usize) -> Option<Analysis<'a>> {
        let tracker = hand.tracker();
        let ukeire_of = |suit| {
            let (low, high) = tracker.suit_halves(suit);
            tables::suit_ukeire(low, high)
        };
        let words = tracker.words();
        let honours = HONOUR_UKEIRE[honour_index(words[HONOURS])];
        let ukeire = [ukeire_of(0)?, ukeire_of(1)?, ukeire_of(2)?, honours];
        let [m, p, s, z] = classes(words);
        let (mp, ms, mz) = (m.merge(p), m.merge(s), m.merge(z));
        let (ps, pz, sz) = (p.merge(s), p.merge(z), s.merge(z));
        let without = [[m, sz, pz, ps], [sz, p, mz, ms], [pz, mz, s, mp], [ps, ms, mp, z]];
        let honours = ukeire::honours_held(hand);
        let (melds, classes) = (4 - melds, [m, p, s, z]);
        let has_special_forms =
            melds == 4 && tables::special_distance(words.iter().sum()) <= mp.merge(sz).distance(4) + 1;
        Some(Analysis { hand, kinds, melds, words, classes, without, ukeire, honours, has_special_forms })
    }

    /// Analyses the discards of one part, in order of kind.
    ///
    /// Discards that leave the same class as the one before share its look-ups.
    #[inline]
    fn discards_of<const PART: usize>(&self, found: &mut DiscardOptions) {
        let first = usize::from(PART == 0);
        let rest = self.without[PART][first].merge(self.classes[first]);
        let mut last: Option<(Class, Shared)> = None;
        for kind in (self.kinds & PARTS[PART]).iter() {
            let mut tracker = *self.hand.tracker();
            tracker.remove(kind);
            let word = tracker.word(PART);
            let class = class_of(PART, word);
            let shared = match last {
                Some((before, shared)) if before == class => shared,
                _ => Shared {
                    missing: class.merge(rest).distance(self.melds),
                    critical: class.beside(rest, self.melds),
                    others: self.ukeire_of_others::<PART>(class),
                },
            };
            last = Some((class, shared));
            let own = self.ukeire_of_part::<PART>(kind, &tracker, word, shared.critical);
            let option = match (own, shared.others) {
                (Some(own), Some(others)) => {
                    let words = self.words.iter().sum::<u32>() - self.words[PART] + word;
                    self.with_special_forms(kind, words, shared.missing, TileSet::from_bits(own | others))
                }
                _ => by_trial(self.hand, kind, 4 - self.melds),
            };
            found.push(kind, option);
        }
    }

    /// The ukeire in the other parts if this part has `class`. None if it must be found by trial.
    #[inline]
    fn ukeire_of_others<const PART: usize>(&self, class: Class) -> Option<u64> {
        let mut kinds = 0;
        for other in 0..4 {
            if other == PART {
                continue;
            }
            let critical = self.classes[other].beside(self.without[PART][other].merge(class), self.melds);
            kinds |= if other == HONOURS {
                ukeire::honour_kinds(critical.copies(self.ukeire[other]), &self.honours)
            } else if critical.has_four_melds() {
                return None;
            } else {
                critical.ranks(self.ukeire[other]) << (9 * other)
            };
        }
        Some(kinds)
    }

    /// The ukeire in the part of the discard. None if it must be found by trial.
    ///
    /// `tracker` and `word` are those after the discard.
    #[inline]
    fn ukeire_of_part<const PART: usize>(
        &self,
        kind: TileKind,
        tracker: &Tracker,
        word: u32,
        critical: Critical,
    ) -> Option<u64> {
        if PART == HONOURS {
            let copies = critical.copies(HONOUR_UKEIRE[honour_index(word)]);
            let bit = TileSet::of(kind).bits();
            let [_, one, two, three] = self.honours;
            // The number of copies of this kind after the discard.
            let copies_left = if one & bit != 0 {
                0
            } else if two & bit != 0 {
                1
            } else if three & bit != 0 {
                2
            } else {
                3
            };
            let own_kind = (copies >> copies_left & 1).wrapping_neg() & bit;
            return Some(ukeire::honour_kinds(copies, &self.honours) & !bit | own_kind);
        }
        let (low, high) = tracker.suit_halves(PART);
        let ukeire = tables::suit_ukeire(low, high).filter(|_| !critical.has_four_melds())?;
        Some(critical.ranks(ukeire) << (9 * PART))
    }

    /// Adds the special forms to the result of the standard form.
    ///
    /// `words` is the sum of the words of the parts after the discard.
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

/// The kinds of the three suits and of the honours.
const PARTS: [TileSet; 4] = {
    let suit = TileSet::from_bits(0b1_1111_1111);
    [suit, TileSet::from_bits(suit.bits() << 9), TileSet::from_bits(suit.bits() << 18), TileSet::HONOURS]
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rng, Tile};

    /// Covers hands of all kinds, two suits, one suit with honours and one suit, with 0–4 melds.
    #[test]
    fn each_discard_agrees_with_the_analysis_of_the_rest() {
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
            assert_eq!(hand.best_discards(melds).as_slice(), best, "{hand} with {melds} melds");
            let kinds = best.iter().map(|option| option.kind).collect();
            assert_eq!(hand.least_discards(melds), (least, kinds), "{hand} with {melds} melds");
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

//! The shanten and ukeire after each discard.
//!
//! # Why
//!
//! **How are all discards analysed at once?** A discard changes one suit. The merge of the other
//! suits and their records stay the same. What they need depends only on the class of the changed
//! suit. Discards that leave the same class share one look-up. A discard keeps the shanten of the
//! whole hand or raises it by one. So a caller that wants only the best discards finds them with
//! one look-up for each suit. Suits with ten or more tiles have no record and are analysed discard
//! by discard.

use super::tables::{self, Class, Critical, HONOUR_SPARE, HONOUR_UKEIRE, SuitRecord, honour_index};
use super::tracker::{class_of, classes};
use super::{Shanten, ukeire};
use crate::{Concealed, Suit, TileKind, TileSet};

/// A discard, with the shanten and ukeire of the hand after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiscardOption {
    /// The discarded kind.
    pub kind: TileKind,
    /// The shanten after the discard.
    pub shanten: Shanten,
    /// The kinds that lower this shanten if only the shape of the hand counts ([`Concealed::ukeire`]).
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
    #[inline]
    pub fn as_slice(&self) -> &[DiscardOption] {
        &self.options[..usize::from(self.len & 15).min(14)]
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
    pub fn discard_options(&self, melds: usize) -> DiscardOptions {
        let (mut found, parts) = (DiscardOptions::NONE, Parts::of(self, melds));
        parts.analyse(self.kinds(), parts.standard + 1, &mut found);
        found
    }

    /// The discards of a hand with `melds` melds on the table, to be analysed as far as the caller wants.
    #[inline]
    pub fn discard_analysis(&self, melds: usize) -> DiscardAnalysis<'_> {
        DiscardAnalysis { parts: Parts::of(self, melds) }
    }

    /// Analyses only the discards that leave the lowest shanten.
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
    pub fn best_discards(&self, melds: usize) -> DiscardOptions {
        let mut found = DiscardOptions::NONE;
        self.find_best_discards(melds, &mut found);
        found
    }

    /// Adds the discards of [`best_discards`](Concealed::best_discards) to `found`, which must be empty.
    pub fn find_best_discards(&self, melds: usize, found: &mut DiscardOptions) {
        let parts = Parts::of(self, melds);
        let (shanten, kinds) = parts.least_discards();
        parts.analyse(kinds, shanten.missing(), found);
    }

    /// The lowest shanten after a discard, and the discards that leave it. After any other discard
    /// the shanten is one higher.
    ///
    /// The hand has 14 tiles, less three for each of `melds` melds.
    #[inline]
    pub fn least_discards(&self, melds: usize) -> (Shanten, TileSet) {
        Parts::of(self, melds).least_discards()
    }
}

/// The discards of a hand, for a caller that analyses only some of them.
pub struct DiscardAnalysis<'a> {
    parts: Parts<'a>,
}

impl DiscardAnalysis<'_> {
    /// The shanten of the hand ([`Concealed::shanten`]).
    #[inline]
    pub fn shanten(&self) -> Shanten {
        Shanten::from_missing(self.parts.standard.min(self.parts.special))
    }

    /// The lowest shanten after a discard, and the discards that leave it ([`Concealed::least_discards`]).
    #[inline]
    pub fn least_discards(&self) -> (Shanten, TileSet) {
        self.parts.least_discards()
    }

    /// Replaces the list with the discards of these kinds.
    pub fn find(&self, kinds: TileSet, found: &mut DiscardOptions) {
        found.len = 0;
        self.parts.analyse(self.parts.hand.kinds() & kinds, self.parts.standard + 1, found);
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

const HONOURS: usize = Suit::Honours as usize;

/// A hand by its four parts, the suits and the honours.
struct Parts<'a> {
    hand: &'a Concealed,
    /// The number of sets that the concealed tiles must make.
    sets: usize,
    words: [u32; 4],
    classes: [Class; 4],
    /// `rests[a]` is the class of all parts except `a`.
    rests: [Class; 4],
    /// `without[a][b]` is the class of all parts except `a` and `b`.
    without: [[Class; 4]; 4],
    /// The number of tiles that the hand needs for sets and a pair.
    standard: u8,
    /// The number of tiles that it needs for seven pairs or thirteen orphans.
    special: u8,
}

impl<'a> Parts<'a> {
    /// The parts of a hand with `melds` melds on the table.
    #[inline]
    fn of(hand: &'a Concealed, melds: usize) -> Parts<'a> {
        let words = hand.tracker().words();
        let [m, p, s, z] = classes(words);
        let (mp, ms, mz) = (m.merge(p), m.merge(s), m.merge(z));
        let (ps, pz, sz) = (p.merge(s), p.merge(z), s.merge(z));
        Parts {
            hand,
            sets: 4 - melds,
            words,
            classes: [m, p, s, z],
            rests: [sz.merge(p), sz.merge(m), mp.merge(z), mp.merge(s)],
            without: [[m, sz, pz, ps], [sz, p, mz, ms], [pz, mz, s, mp], [ps, ms, mp, z]],
            standard: mp.merge(sz).distance(4 - melds),
            special: if melds == 0 { tables::special_distance(words.iter().sum()) } else { u8::MAX },
        }
    }

    /// The lowest shanten after a discard, and the discards that leave it.
    #[inline]
    fn least_discards(&self) -> (Shanten, TileSet) {
        let missing = self.standard.min(self.special);
        if missing == 0 {
            return (Shanten::TENPAI, self.hand.kinds());
        }
        let mut kinds = TileSet::EMPTY;
        if self.standard == missing {
            kinds |= self.spare_in_suit::<0>() | self.spare_in_suit::<1>();
            kinds |= self.spare_in_suit::<2>() | self.spare_honours();
        }
        if self.special == missing {
            kinds |= ukeire::spare_in_special_forms(self.hand, missing);
        }
        (Shanten::from_missing(missing), kinds)
    }

    /// The kinds of a suit whose discard leaves the distance of the standard form unchanged.
    ///
    /// Without one tile of such a kind, the suit is as close to at least one critical goal ([`Critical`]).
    #[inline]
    fn spare_in_suit<const SUIT: usize>(&self) -> TileSet {
        let (low, high) = self.hand.tracker().suit_halves(SUIT);
        if self.is_not_needed(SUIT) {
            return self.hand.kinds() & PARTS[SUIT];
        }
        match SuitRecord::of(low, high) {
            Some(record) => TileSet::from_bits(self.critical(SUIT).spare(record) << (9 * SUIT)),
            None => self.spare_by_trial(SUIT),
        }
    }

    /// The honours whose discard leaves the distance of the standard form unchanged.
    #[inline]
    fn spare_honours(&self) -> TileSet {
        let hand = self.hand;
        if self.is_not_needed(HONOURS) {
            return hand.kinds() & TileSet::HONOURS;
        }
        let copies = self.critical(HONOURS).copies(HONOUR_SPARE[honour_index(self.words[HONOURS])]);
        let [_, one, two, three] = ukeire::honours_held(hand);
        let four = (hand.at_least(4) & TileSet::HONOURS).bits();
        TileSet::from_bits(ukeire::honour_kinds(copies, &[one, two, three, four]))
    }

    /// Whether the empty goal is critical for a part: the other parts reach the distance alone.
    #[inline]
    fn is_not_needed(&self, part: usize) -> bool {
        self.rests[part].distance(self.sets) == self.standard
    }

    /// The critical goals of a part.
    #[inline]
    fn critical(&self, part: usize) -> Critical {
        self.classes[part].beside(self.rests[part], self.sets)
    }

    /// Analyses the discards of these kinds. After each, the hand needs at most `most` tiles.
    fn analyse(&self, kinds: TileSet, most: u8, found: &mut DiscardOptions) {
        match Analysis::of(self, most) {
            Some(analysis) => {
                analysis.discards_of_suit::<0>(kinds, found);
                analysis.discards_of_suit::<1>(kinds, found);
                analysis.discards_of_suit::<2>(kinds, found);
                analysis.discards_of_honours(kinds, found);
            }
            None => {
                for kind in kinds.iter() {
                    found.push(kind, by_trial(self.hand, kind, 4 - self.sets));
                }
            }
        }
    }

    /// The same as [`spare_in_suit`](Parts::spare_in_suit), for suits without a record.
    #[cold]
    fn spare_by_trial(&self, suit: usize) -> TileSet {
        let is_spare = |kind: &TileKind| {
            let mut tracker = *self.hand.tracker();
            tracker.remove(*kind);
            let class = class_of(suit, tracker.word(suit));
            class.merge(self.rests[suit]).distance(self.sets) == self.standard
        };
        (self.hand.kinds() & PARTS[suit]).iter().filter(is_spare).collect()
    }
}

/// A hand by its parts, with the look-ups that all discards share.
struct Analysis<'a> {
    parts: &'a Parts<'a>,
    /// The record of each suit.
    suits: [SuitRecord; 3],
    /// The ukeire record of the honours.
    honour_ukeire: u64,
    /// The honours held 0, 1, 2 and 3 times.
    honours: [u64; 4],
    /// Whether a special form can be as close as the standard form after a discard.
    has_special_forms: bool,
}

/// The look-ups that discards share if they leave a part with the same class.
#[derive(Clone, Copy)]
struct Shared {
    /// The class of the part.
    class: Class,
    /// The number of tiles that the whole hand needs.
    missing: u8,
    /// The critical goals of the part.
    critical: Critical,
    /// The ukeire in the other parts.
    others: u64,
}

impl<'a> Analysis<'a> {
    /// `most` is that of [`Parts::analyse`]. None for a hand with ten or more tiles of one suit, which
    /// has no record.
    #[inline]
    fn of(parts: &'a Parts<'a>, most: u8) -> Option<Analysis<'a>> {
        let record_of = |suit| {
            let (low, high) = parts.hand.tracker().suit_halves(suit);
            SuitRecord::of(low, high)
        };
        Some(Analysis {
            parts,
            suits: [record_of(0)?, record_of(1)?, record_of(2)?],
            honour_ukeire: HONOUR_UKEIRE[honour_index(parts.words[HONOURS])],
            honours: ukeire::honours_held(parts.hand),
            has_special_forms: parts.special <= most,
        })
    }

    /// Analyses the discards of these kinds in one suit, in order of kind.
    #[inline]
    fn discards_of_suit<const SUIT: usize>(&self, kinds: TileSet, found: &mut DiscardOptions) {
        let (hand, suit) = (self.parts.hand, SUIT);
        let mut last: Option<Shared> = None;
        for kind in (kinds & PARTS[SUIT]).iter() {
            let mut tracker = *hand.tracker();
            tracker.remove(kind);
            let word = tracker.word(suit);
            let class = Class::of_suit(word);
            let shared = self.shared(&mut last, suit, class, |of| {
                of.suit((suit + 1) % 3) | of.suit((suit + 2) % 3) | of.honours()
            });
            let (low, high) = tracker.suit_halves(suit);
            let option = match SuitRecord::of(low, high) {
                Some(record) => {
                    let own = shared.critical.ukeire(record) << (9 * suit);
                    self.with_special_forms(kind, suit, word, shared.missing, own | shared.others)
                }
                None => by_trial(hand, kind, 4 - self.parts.sets),
            };
            found.push(kind, option);
        }
    }

    /// Analyses the discards of these kinds that are honours, in order of kind.
    #[inline]
    fn discards_of_honours(&self, kinds: TileSet, found: &mut DiscardOptions) {
        let hand = self.parts.hand;
        let mut last: Option<Shared> = None;
        for kind in (kinds & TileSet::HONOURS).iter() {
            let mut tracker = *hand.tracker();
            tracker.remove(kind);
            let word = tracker.word(HONOURS);
            let class = Class::of_honours(word);
            let shared = self.shared(&mut last, HONOURS, class, |of| of.suit(0) | of.suit(1) | of.suit(2));
            let own = self.ukeire_of_honours(kind, word, shared.critical);
            found.push(
                kind,
                self.with_special_forms(kind, HONOURS, word, shared.missing, own | shared.others),
            );
        }
    }

    /// The look-ups for all discards that leave a part with this class. `last` holds those of the previous
    /// discard from the part.
    #[inline]
    fn shared(
        &self,
        last: &mut Option<Shared>,
        part: usize,
        class: Class,
        others: impl Fn(Others<'_>) -> u64,
    ) -> Shared {
        let Parts { rests, sets, .. } = self.parts;
        match *last {
            Some(shared) if shared.class == class => shared,
            _ => *last.insert(Shared {
                class,
                missing: class.merge(rests[part]).distance(*sets),
                critical: class.beside(rests[part], *sets),
                others: others(Others { analysis: self, part, class }),
            }),
        }
    }

    /// The honours that bring the hand closer after the discard of one of them. `word` is that of
    /// the honours after it.
    #[inline]
    fn ukeire_of_honours(&self, kind: TileKind, word: u32, critical: Critical) -> u64 {
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
        ukeire::honour_kinds(copies, &self.honours) & !bit | own_kind
    }

    /// Adds the special forms to the result of the standard form. `word` is that of the part after
    /// the discard.
    #[inline]
    fn with_special_forms(
        &self,
        kind: TileKind,
        part: usize,
        word: u32,
        missing: u8,
        ukeire: u64,
    ) -> (u8, TileSet) {
        let ukeire = TileSet::from_bits(ukeire);
        if !self.has_special_forms {
            return (missing, ukeire);
        }
        let Parts { hand, words, .. } = self.parts;
        if tables::special_distance(words.iter().sum::<u32>() - words[part] + word) > missing {
            return (missing, ukeire);
        }
        let (tile, twice) = (TileSet::of(kind), hand.at_least(2));
        let kinds = hand.kinds() - (tile - twice);
        ukeire::with_special_forms(kinds, twice - (tile - hand.at_least(3)), missing, ukeire)
    }
}

/// The parts other than `part`. `class` is the class of `part` after a discard.
#[derive(Clone, Copy)]
struct Others<'a> {
    analysis: &'a Analysis<'a>,
    part: usize,
    class: Class,
}

impl Others<'_> {
    /// The tiles of a suit that bring the hand closer.
    #[inline]
    fn suit(self, suit: usize) -> u64 {
        self.critical(suit).ukeire(self.analysis.suits[suit]) << (9 * suit)
    }

    /// The honours that bring the hand closer.
    #[inline]
    fn honours(self) -> u64 {
        let Analysis { honour_ukeire, honours, .. } = self.analysis;
        ukeire::honour_kinds(self.critical(HONOURS).copies(*honour_ukeire), honours)
    }

    /// The critical goals of a part.
    #[inline]
    fn critical(self, other: usize) -> Critical {
        let Parts { classes, without, sets, .. } = self.analysis.parts;
        classes[other].beside(without[self.part][other].merge(self.class), *sets)
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
            let shanten = options.as_slice().iter().map(|option| option.shanten);
            let least = shanten.min().expect("a hand has a discard");
            let best: Vec<DiscardOption> =
                options.as_slice().iter().copied().filter(|option| option.shanten == least).collect();
            assert_eq!(hand.best_discards(melds).as_slice(), best, "{hand} with {melds} melds");
            let (some, mut found) = (PARTS[round % 4] | TileSet::YAOCHUU, hand.best_discards(melds));
            hand.discard_analysis(melds).find(some, &mut found);
            let is_some = |option: &DiscardOption| some.contains(option.kind);
            assert!(found.as_slice().iter().eq(options.as_slice().iter().filter(|option| is_some(option))));
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

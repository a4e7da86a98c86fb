//! How many hands there are at each shanten.

use super::Shanten;
use super::tables::{self, Class};
use super::tracker::{Tracker, classes};
use crate::rules::knobs::TileKinds;
use crate::{Suit, TileKind};

/// The number of hands at each shanten, counted exactly.
///
/// Hands are sets of physical tiles: the four copies of a kind are told apart, so each is as likely as any other to be dealt.
/// A deal of 14 tiles is a dealer's first hand. Of the tiles of three players `1m` and `9m` stand alone, since nothing
/// connects them; only beside four copies of one of them does that differ from a hand's shanten by shape.
///
/// No hand is looked at: suits of equal class and equal counts for the special forms are counted together, and merging
/// classes multiplies their numbers. That takes a fiftieth of a second. For 14 of all tiles the numbers are published in
/// <https://github.com/tomohxx/mahjong-algorithm-book>, `docs/shanten.md`.
///
/// ```
/// use jantaku_engine::rules::knobs::TileKinds;
/// use jantaku_engine::{Census, Shanten};
///
/// let census = Census::of(TileKinds::Full, 14);
/// assert_eq!(census.hands(Shanten::COMPLETE), 12_859_078_207_674);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// By the tiles missing to a complete hand.
    hands: [u64; MISSING],
}

/// A hand misses up to nine tiles to four melds and a pair, and seven pairs are nearer than that.
const MISSING: usize = 10;
/// What [`Parts`] has room for.
const MOST_TILES: usize = 14;

impl Census {
    /// Counts the hands of 13 or 14 tiles.
    ///
    /// # Panics
    ///
    /// With another number of tiles.
    #[must_use]
    pub fn of(kinds: TileKinds, tiles: usize) -> Census {
        assert!(matches!(tiles, 13 | 14), "a hand of {tiles} tiles: expected 13 or 14");
        let suit = parts(Suit::Dots, 9);
        let honours = parts(Suit::Honours, 7);
        let characters = match kinds {
            TileKinds::Full => suit.clone(),
            // Two kinds without neighbours, such as two winds.
            TileKinds::ThreePlayer => parts(Suit::Honours, 2),
        };
        let (left, right) = (merge(&characters, &suit), merge(&suit, &honours));
        let mut hands = [0; MISSING];
        for (some, others) in left.iter().zip(right[..=tiles].iter().rev()) {
            for (a, ways) in some {
                for (b, other_ways) in others {
                    hands[usize::from(a.merge(*b).missing())] += ways * other_ways;
                }
            }
        }
        Census { hands }
    }

    /// How many hands have this shanten.
    #[must_use]
    pub fn hands(&self, shanten: Shanten) -> u64 {
        self.hands[(shanten.number() + 1) as usize]
    }

    /// How many hands there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.hands.iter().sum()
    }

    /// The shanten that hands have, from complete hands on, and how many have it.
    pub fn iter(&self) -> impl Iterator<Item = (Shanten, u64)> {
        let shanten = |(missing, n): (usize, &u64)| (Shanten::from_missing(missing as u8), *n);
        self.hands.iter().enumerate().map(shanten).filter(|(_, n)| *n > 0)
    }
}

/// What there is to know about some suits of a hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    class: Class,
    /// Counts for the special forms, which add up over the parts of a hand.
    special: u32,
}

/// The parts that hands have in some suits and the number of ways to choose their tiles, by the number of tiles.
type Parts = [Vec<(Part, u64)>; MOST_TILES + 1];

impl Part {
    fn merge(self, other: Part) -> Part {
        Part { class: self.class.merge(other.class), special: self.special + other.special }
    }

    /// Tiles missing to a win, for the part that is a whole hand.
    fn missing(self) -> u8 {
        self.class.distance(4).min(tables::special_distance(self.special))
    }
}

/// Everything that a hand can hold of the first `kinds` kinds of a suit.
fn parts(suit: Suit, kinds: usize) -> Parts {
    let mut found = Parts::default();
    let first = suit as usize * 9;
    let mut hold = |tracker: &Tracker, tiles: usize, ways: u64| {
        let words = tracker.words();
        let (class, word) = (classes(words)[suit as usize], words[suit as usize]);
        found[tiles].push((Part { class, special: tables::special_counts(word) }, ways));
    };
    choose(first..first + kinds, &Tracker::EMPTY, 0, 1, &mut hold);
    found.map(added_up)
}

/// Tells every number of copies of each kind that up to fourteen tiles allow, and in how many ways they are chosen.
fn choose(
    mut kinds: std::ops::Range<usize>,
    chosen: &Tracker,
    tiles: usize,
    ways: u64,
    tell: &mut impl FnMut(&Tracker, usize, u64),
) {
    let Some(kind) = kinds.next() else {
        return tell(chosen, tiles, ways);
    };
    let mut chosen = *chosen;
    for (copies, choices) in [1, 4, 6, 4, 1].into_iter().enumerate() {
        if tiles + copies > MOST_TILES {
            return;
        }
        choose(kinds.clone(), &chosen, tiles + copies, ways * choices, tell);
        chosen.add(TileKind::from_index(kind));
    }
}

/// The parts of two disjoint sets of suits together.
fn merge(some: &Parts, others: &Parts) -> Parts {
    let mut merged = Parts::default();
    for (tiles, some) in some.iter().enumerate() {
        for (more, others) in others[..=MOST_TILES - tiles].iter().enumerate() {
            let together = |(a, ways): &(Part, u64)| {
                let (a, ways) = (*a, *ways);
                others.iter().map(move |(b, other_ways)| (a.merge(*b), ways * other_ways))
            };
            merged[tiles + more].extend(some.iter().flat_map(together));
        }
    }
    merged.map(added_up)
}

/// Each part once, with all its ways.
fn added_up(mut parts: Vec<(Part, u64)>) -> Vec<(Part, u64)> {
    parts.sort_unstable_by_key(|(part, _)| *part);
    parts.dedup_by(|(part, ways), (kept, sum)| {
        let same = part == kept;
        *sum += if same { *ways } else { 0 };
        same
    });
    parts
}

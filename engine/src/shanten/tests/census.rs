//! The number of hands at each shanten.

use crate::rules::options::TileKinds;
use crate::shanten::tables::{self, Class};
use crate::shanten::tracker::{Tracker, classes};
use crate::{Shanten, Suit, TileKind};

/// The exact number of hands at each shanten.
///
/// Hands are sets of physical tiles: the four copies of a kind are different, so every hand is
/// equally likely. A hand of 14 tiles is the dealer's first hand. In the three-player set no
/// sequence contains `1m` or `9m`, so they count as kinds without neighbours. This differs from the
/// shanten by shape only for hands with four copies of one of them.
///
/// The census does not enumerate hands. It groups suits with equal class and equal counts for the
/// special forms, and multiplies the sizes of groups that it merges. That takes a fiftieth of a
/// second. The numbers for 14 tiles of the full set agree with
/// <https://github.com/tomohxx/mahjong-algorithm-book>, `docs/shanten.md`.
pub(super) struct Census {
    /// The number of hands, indexed by the tiles needed to complete them.
    hands: [u64; MISSING],
}

/// The possible numbers of tiles needed: 0–9. Four sets and a pair need at most nine.
const MISSING: usize = 10;
/// The largest hand.
const MAX_TILES: usize = 14;

impl Census {
    /// Counts the hands of 13 or 14 tiles.
    ///
    /// # Panics
    ///
    /// If `tiles` is another number.
    pub(super) fn of(kinds: TileKinds, tiles: usize) -> Census {
        assert!(matches!(tiles, 13 | 14), "a hand of {tiles} tiles: expected 13 or 14");
        let suit = groups(Suit::Dots, 9);
        let honours = groups(Suit::Honours, 7);
        let characters = match kinds {
            TileKinds::Full => suit.clone(),
            // 1m and 9m have no neighbours, like two winds.
            TileKinds::ThreePlayer => groups(Suit::Honours, 2),
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

    /// The number of hands with this shanten.
    pub(super) fn hands(&self, shanten: Shanten) -> u64 {
        self.hands[(shanten.number() + 1) as usize]
    }

    /// The number of all hands.
    pub(super) fn total(&self) -> u64 {
        self.hands.iter().sum()
    }

    /// Each shanten with the number of its hands, complete hands first. Skips numbers of 0.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Shanten, u64)> {
        let shanten = |(missing, n): (usize, &u64)| (Shanten::from_missing(missing as u8), *n);
        self.hands.iter().enumerate().map(shanten).filter(|(_, n)| *n > 0)
    }
}

/// What the tiles in some suits contribute to the shanten of a hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    class: Class,
    /// Counts for the special forms. They add up over the suits of a hand.
    special: u32,
}

/// Shapes with the number of ways to choose their tiles, indexed by the number of tiles.
type Groups = [Vec<(Shape, u64)>; MAX_TILES + 1];

impl Shape {
    fn merge(self, other: Shape) -> Shape {
        Shape { class: self.class.merge(other.class), special: self.special + other.special }
    }

    /// The tiles needed to complete a hand of this shape.
    fn missing(self) -> u8 {
        self.class.distance(4).min(tables::special_distance(self.special))
    }
}

/// Groups all ways to hold tiles of the first `kinds` kinds of a suit.
fn groups(suit: Suit, kinds: usize) -> Groups {
    let mut found = Groups::default();
    let first = suit as usize * 9;
    let mut visit = |tracker: &Tracker, tiles: usize, ways: u64| {
        let words = tracker.words();
        let (class, word) = (classes(words)[suit as usize], words[suit as usize]);
        found[tiles].push((Shape { class, special: tables::special_counts(word) }, ways));
    };
    choose(first..first + kinds, &Tracker::EMPTY, 0, 1, &mut visit);
    found.map(combine)
}

/// Calls `visit` for every choice of copies of each kind, up to fourteen tiles.
///
/// `visit` receives the tiles, their number, and the number of ways to choose them.
fn choose(
    mut kinds: std::ops::Range<usize>,
    chosen: &Tracker,
    tiles: usize,
    ways: u64,
    visit: &mut impl FnMut(&Tracker, usize, u64),
) {
    let Some(kind) = kinds.next() else {
        return visit(chosen, tiles, ways);
    };
    let mut chosen = *chosen;
    for (copies, choices) in [1, 4, 6, 4, 1].into_iter().enumerate() {
        if tiles + copies > MAX_TILES {
            return;
        }
        choose(kinds.clone(), &chosen, tiles + copies, ways * choices, visit);
        chosen.add(TileKind::from_index(kind));
    }
}

/// Merges the groups of two disjoint sets of suits.
fn merge(some: &Groups, others: &Groups) -> Groups {
    let mut merged = Groups::default();
    for (tiles, some) in some.iter().enumerate() {
        for (more, others) in others[..=MAX_TILES - tiles].iter().enumerate() {
            let together = |(a, ways): &(Shape, u64)| {
                let (a, ways) = (*a, *ways);
                others.iter().map(move |(b, other_ways)| (a.merge(*b), ways * other_ways))
            };
            merged[tiles + more].extend(some.iter().flat_map(together));
        }
    }
    merged.map(combine)
}

/// Combines equal shapes and adds up their ways.
fn combine(mut shapes: Vec<(Shape, u64)>) -> Vec<(Shape, u64)> {
    shapes.sort_unstable_by_key(|(shape, _)| *shape);
    shapes.dedup_by(|(shape, ways), (kept, sum)| {
        let same = shape == kept;
        *sum += if same { *ways } else { 0 };
        same
    });
    shapes
}

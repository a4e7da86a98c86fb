//! A cache of the points that hands win by ron.
//!
//! The look-ahead of a decision scores the tenpai hands that it may lead to. The points depend neither on
//! the visible tiles nor on the other players, so hands without the tile just drawn keep their points in
//! the player's next decisions. In games of the agent, 30 % of all hands are found here.

use std::cell::RefCell;

use jantaku_engine::{Concealed, Melds, Observation, Riichi, Rules, Tile, TileKind, TileSet, Wind};

use super::outcome_cache::mixed;
use super::ron_points::RonPoints;

/// The most waits of a tenpai hand: thirteen orphans.
const MAX_WAITS: usize = 13;
/// The number of hands and of contexts in the cache of each thread. They are fixed, so that a decision
/// allocates nothing.
const HANDS: usize = 1024;
const CONTEXTS: usize = 32;

/// The waits of a hand with the points of a ron by a non-dealer on each.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rons {
    /// The kinds that lower the shanten: the waits of a tenpai hand.
    pub waits: TileSet,
    points: [f32; MAX_WAITS],
}

/// Everything that the points of a ron depend on, besides the concealed tiles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct RonContext {
    /// The address of the rules. All games by the same rules share it.
    rules: *const Rules,
    melds: Melds,
    riichi: Riichi,
    seat_wind: Wind,
    round_wind: Wind,
    /// The indicators, padded with Easts.
    indicators: [Tile; 5],
    indicator_count: u8,
    norths: u8,
    honba: u16,
    dealer_wins: u8,
}

/// The rons of a hand in a context. No hand has the context 0.
#[derive(Clone, Copy)]
struct CachedRons {
    context: u64,
    tiles: u128,
    rons: Rons,
}

impl Rons {
    const NONE: Rons = Rons { waits: TileSet::EMPTY, points: [0.0; MAX_WAITS] };

    /// Each wait with its points. 0 without a yaku.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (TileKind, f32)> {
        self.waits.iter().zip(self.points)
    }
}

/// Finds the rons of hands with these melds, in riichi or not.
pub(super) struct Scorer<'a> {
    points: RonPoints<'a>,
    /// The number of the context.
    context: u64,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(o: &'a Observation<'a>, melds: &'a Melds, riichi: Riichi) -> Scorer<'a> {
        Scorer {
            points: RonPoints::new(o, melds, riichi),
            context: RonContext::new(o, melds, riichi).number(),
        }
    }

    /// The rons of a hand.
    pub(super) fn rons(&self, hand: &Concealed) -> Rons {
        CachedRons::with(self.context, hand, || self.compute(hand))
    }

    /// The same, without the cache.
    fn compute(&self, hand: &Concealed) -> Rons {
        let (_, waits) = hand.ukeire(self.points.melds().len());
        let mut rons = Rons { waits, ..Rons::NONE };
        let mut scored = self.points.clone();
        // A hand with more than `MAX_WAITS` kinds is not tenpai: no tile completes it.
        for (points, kind) in rons.points.iter_mut().zip(waits.iter()) {
            *points = scored.of(hand, kind) as f32;
        }
        rons
    }
}

impl RonContext {
    fn new(o: &Observation<'_>, melds: &Melds, riichi: Riichi) -> RonContext {
        let mut indicators = [Tile::plain(TileKind::EAST); 5];
        indicators[..o.indicators().len()].copy_from_slice(o.indicators());
        RonContext {
            rules: o.rules(),
            melds: *melds,
            riichi,
            seat_wind: o.seat_wind(o.seat()),
            round_wind: o.round_wind(),
            indicators,
            indicator_count: o.indicators().len() as u8,
            norths: o.side(o.seat()).norths(),
            honba: o.honba(),
            dealer_wins: o.dealer_wins(),
        }
    }

    /// A hash that differs between most contexts of a hand in play.
    fn hash(&self) -> u64 {
        let melds = self.melds.iter().fold(0, |melds, meld| melds << 8 | u64::from(meld.low().number()));
        let winds = (self.seat_wind as u64) << 2 | self.riichi as u64;
        mixed([melds, winds << 8 | u64::from(self.indicators[0].number())])
    }

    /// The number of the context in this thread. It is never used again for another one.
    fn number(&self) -> u64 {
        /// The last number, and contexts with their numbers by their hash.
        type Known = (u64, [Option<(RonContext, u64)>; CONTEXTS]);
        thread_local! {
            static KNOWN: RefCell<Known> = const { RefCell::new((0, [None; CONTEXTS])) };
        }
        KNOWN.with_borrow_mut(|(last, contexts)| {
            let place = &mut contexts[self.hash() as usize % CONTEXTS];
            match place {
                Some((known, number)) if known == self => *number,
                _ => {
                    *last += 1;
                    place.insert((*self, *last)).1
                }
            }
        })
    }
}

impl CachedRons {
    const EMPTY: CachedRons = CachedRons { context: 0, tiles: 0, rons: Rons::NONE };

    /// The thread's rons of a hand in a context. On a miss, `compute` provides them.
    fn with(context: u64, hand: &Concealed, compute: impl FnOnce() -> Rons) -> Rons {
        thread_local! {
            static ENTRIES: RefCell<[CachedRons; HANDS]> = const { RefCell::new([CachedRons::EMPTY; HANDS]) };
        }
        let tiles = hand.number();
        let hash = mixed([context, tiles as u64, (tiles >> 64) as u64]);
        ENTRIES.with_borrow_mut(|entries| {
            let place = &mut entries[hash as usize % HANDS];
            if (place.context, place.tiles) != (context, tiles) {
                *place = CachedRons { context, tiles, rons: compute() };
            }
            place.rons
        })
    }
}

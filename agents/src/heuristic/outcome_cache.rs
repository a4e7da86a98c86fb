//! A cache of outcome values for the next decisions of a thread.
//!
//! The value of an outcome depends on the scores, the deal, the sticks and the points that opponents
//! may win. The first three stay the same for most of a hand, and the points take few values. So most
//! lookups hit: at the player's next decision, or in the next rollout.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use jantaku_engine::{Rules, Seat};

use super::win_curve::FINE;

/// Identifies the models of an agent. Clones of the models share it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ModelsId(u64);

impl ModelsId {
    pub(super) fn new() -> ModelsId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        ModelsId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Everything that the value of an outcome depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CacheKey {
    pub models: ModelsId,
    /// The address of the rules. All games by the same rules share it.
    pub rules: *const Rules,
    pub seat: Seat,
    /// The points of each player. The first is the agent.
    pub scores: [f32; 4],
    /// The stage of the game in this hand, as the placement model numbers them.
    pub stage: usize,
    /// The index of the dealer in `scores`.
    pub dealer: usize,
    /// The points of the riichi sticks on the table.
    pub sticks: f32,
    /// The points that honba add to a ron.
    pub honba: f32,
    /// The bonus for each placement.
    pub bonus: [f32; 4],
    /// The weight of a point itself.
    pub share: f32,
}

/// The values that depend on the key alone.
#[derive(Clone, Copy)]
pub(super) struct KeyValues {
    /// The value of a win at the nodes of a curve. Before the last hand only the first nodes count.
    pub wins: [f32; FINE],
    /// The value after the player has paid 4,000 points to the others, which stands for a win by one of them.
    /// 0 before the last hand.
    pub lost: f32,
    /// The value of an exhaustive draw without tenpai.
    pub noten: f32,
    /// The same after riichi. 0 before the last hand.
    pub noten_in_riichi: f32,
    /// The value of an exhaustive draw with tenpai.
    pub tenpai: f32,
}

/// The cached values for one key.
#[derive(Clone, Copy)]
pub(super) struct CacheEntry {
    pub key_values: Option<KeyValues>,
    /// The values after a win by another player.
    pub wins_of_others: PointsCache,
    /// The same after riichi.
    pub wins_over_riichi: PointsCache,
    /// The values after dealing in.
    pub deal_ins: PointsCache,
    /// The values of own wins with exactly these points.
    pub own_wins: PointsCache,
}

impl CacheEntry {
    const EMPTY: CacheEntry = CacheEntry {
        key_values: None,
        wins_of_others: PointsCache::EMPTY,
        wins_over_riichi: PointsCache::EMPTY,
        deal_ins: PointsCache::EMPTY,
        own_wins: PointsCache::EMPTY,
    };

    /// Calls `use_it` with the thread's entry for a key, which is empty at first.
    pub(super) fn with<T>(key: &CacheKey, use_it: impl FnOnce(&mut CacheEntry) -> T) -> T {
        thread_local! {
            static ENTRIES: RefCell<[Option<(CacheKey, CacheEntry)>; ENTRY_COUNT]> =
                const { RefCell::new([None; ENTRY_COUNT]) };
        }
        ENTRIES.with_borrow_mut(|entries| {
            let place = &mut entries[key.hash() as usize % ENTRY_COUNT];
            match place {
                Some((cached, entry)) if cached == key => use_it(entry),
                _ => use_it(&mut place.insert((*key, CacheEntry::EMPTY)).1),
            }
        })
    }
}

/// The number of entries of each thread. It is fixed, so that a decision allocates nothing.
const ENTRY_COUNT: usize = 64;

impl CacheKey {
    /// A hash that rarely collides for similar keys.
    fn hash(&self) -> u64 {
        let parts = self.scores.map(|points| u64::from(points.to_bits()));
        let other = [self.models.0, u64::from(self.seat.number()), u64::from(self.sticks.to_bits())];
        mixed(parts.into_iter().chain(other))
    }
}

/// The values of one kind of outcome, by the other player involved and the bits of the points.
#[derive(Clone, Copy)]
pub(super) struct PointsCache([Option<(Seat, u32, f32)>; PointsCache::LEN]);

impl PointsCache {
    const LEN: usize = 16;
    const EMPTY: PointsCache = PointsCache([None; PointsCache::LEN]);

    /// The value for this player and these points. On a miss, `compute` provides it.
    pub(super) fn of(&mut self, player: Seat, points: f32, compute: impl FnOnce() -> f32) -> f32 {
        let points = points.to_bits();
        let hash = mixed([u64::from(player.number()), u64::from(points)]);
        let place = &mut self.0[hash as usize % PointsCache::LEN];
        match place {
            Some((of, at, value)) if (*of, *at) == (player, points) => *value,
            _ => place.insert((player, points, compute())).2,
        }
    }
}

/// A hash whose low bits depend on all bits of the numbers.
pub(super) fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let mix = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    numbers.into_iter().fold(0, mix)
}

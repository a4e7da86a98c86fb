//! Values of outcomes that a thread keeps for its next decisions.
//!
//! What points are worth depends on the standing, which stays for most of a hand, and on what the
//! others may win, which takes few values. So a player finds most of them again: at its next
//! decision, or in the next rollout.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use jantaku_engine::{Rules, Seat};

use super::standing::FINE;

/// A number of its own for the tables of an agent. Copies of the tables share it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TablesId(u64);

impl TablesId {
    pub(super) fn new() -> TablesId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        TablesId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// All that the value of an outcome depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Standing {
    pub tables: TablesId,
    /// The address of the rules, which those of all games by the same rules share.
    pub rules: *const Rules,
    pub seat: Seat,
    /// The points of each player. The first is the agent.
    pub scores: [f32; 4],
    /// The stage of the game in this hand, as the placement model counts them.
    pub stage: usize,
    /// Where the dealer stands among the points.
    pub dealer: usize,
    /// Points of the riichi sticks on the table.
    pub sticks: f32,
    /// Points that honba add to a ron.
    pub honba: f32,
    /// The bonus of each placement.
    pub bonus: [f32; 4],
    /// What each point counts besides.
    pub share: f32,
}

/// The values that depend on the standing alone.
#[derive(Clone, Copy)]
pub(super) struct OfStanding {
    /// Of wins by their points. Before the last hand there are fewer nodes.
    pub wins: [f32; FINE],
    /// Of a small win by another player.
    pub lost: f32,
    /// Of an exhaustive draw without tenpai.
    pub noten: f32,
    /// The same after riichi.
    pub noten_in_riichi: f32,
    /// Of an exhaustive draw with tenpai.
    pub tenpai: f32,
}

/// What is kept of a standing.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub of_standing: Option<OfStanding>,
    /// After a win by another player.
    pub wins_of_others: Outcomes,
    /// The same after riichi.
    pub wins_over_riichi: Outcomes,
    /// After dealing in.
    pub deal_ins: Outcomes,
}

impl Kept {
    const NOTHING: Kept = Kept {
        of_standing: None,
        wins_of_others: Outcomes::NONE,
        wins_over_riichi: Outcomes::NONE,
        deal_ins: Outcomes::NONE,
    };

    /// What the thread keeps of a standing.
    pub(super) fn with<T>(standing: &Standing, use_it: impl FnOnce(&mut Kept) -> T) -> T {
        thread_local! {
            static ALL: RefCell<[Option<(Standing, Kept)>; STANDINGS]> =
                const { RefCell::new([None; STANDINGS]) };
        }
        ALL.with_borrow_mut(|all| {
            let place = &mut all[standing.hash() as usize % STANDINGS];
            match place {
                Some((kept_for, kept)) if kept_for == standing => use_it(kept),
                _ => use_it(&mut place.insert((*standing, Kept::NOTHING)).1),
            }
        })
    }
}

/// A thread keeps so many standings, in place: a decision allocates nothing.
const STANDINGS: usize = 64;

impl Standing {
    /// A number that standings near each other seldom share.
    fn hash(&self) -> u64 {
        let parts = self.scores.map(|points| u64::from(points.to_bits()));
        let other = [self.tables.0, u64::from(self.seat.number()), u64::from(self.sticks.to_bits())];
        mixed(parts.into_iter().chain(other))
    }
}

/// The values of one outcome by the other player in it and the bits of its points.
#[derive(Clone, Copy)]
pub(super) struct Outcomes([Option<(Seat, u32, f32)>; Outcomes::KEPT]);

impl Outcomes {
    const KEPT: usize = 16;
    const NONE: Outcomes = Outcomes([None; Outcomes::KEPT]);

    /// The value for this player and these points. `compute` finds it if it is not kept.
    pub(super) fn of(&mut self, player: Seat, points: f32, compute: impl FnOnce() -> f32) -> f32 {
        let points = points.to_bits();
        let hash = mixed([u64::from(player.number()), u64::from(points)]);
        let place = &mut self.0[hash as usize % Outcomes::KEPT];
        match place {
            Some((of, at, value)) if (*of, *at) == (player, points) => *value,
            _ => place.insert((player, points, compute())).2,
        }
    }
}

/// A hash whose low bits depend on all bits of the numbers.
fn mixed(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let mix = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    numbers.into_iter().fold(0, mix)
}

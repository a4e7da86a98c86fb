//! The estimates after each discard of a hand, and which of them can still matter.

use std::hint::select_unpredictable;

use jantaku_engine::{TileKind, TileSet};

use super::hand_estimate::HandEstimate;
use super::look_ahead_changes::Changes;

/// The most kinds that a hand can discard.
pub(super) const MAX_DISCARDS: usize = 14;

/// The estimates after each discard of a hand.
pub(super) struct DiscardEstimates {
    /// The kinds of the hand.
    kinds: TileSet,
    /// Each of these kinds by its index among them, and then empty sets.
    places: [TileSet; MAX_DISCARDS],
    plain: [HandEstimate; MAX_DISCARDS],
    riichi: [HandEstimate; MAX_DISCARDS],
    contest: Option<Contest>,
    /// The minimum loss of each rival, by its index. Infinite at other indices.
    bars: [f32; MAX_DISCARDS],
}

impl DiscardEstimates {
    /// No estimates yet for a hand of these kinds.
    pub(super) fn none(kinds: TileSet) -> DiscardEstimates {
        let mut places = [TileSet::EMPTY; MAX_DISCARDS];
        places.iter_mut().zip(kinds.iter()).for_each(|(place, kind)| *place = TileSet::of(kind));
        DiscardEstimates {
            kinds,
            places,
            plain: [HandEstimate::NONE; MAX_DISCARDS],
            riichi: [HandEstimate::NONE; MAX_DISCARDS],
            contest: None,
            bars: [f32::INFINITY; MAX_DISCARDS],
        }
    }

    /// The index of a kind among the kinds of the hand.
    #[inline]
    pub(super) fn place(&self, kind: TileKind) -> usize {
        let before = TileSet::of(kind).bits() - 1;
        (self.kinds.bits() & before).count_ones() as usize
    }

    /// Starts a contest: only the best discard matters.
    pub(super) fn start(&mut self, contest: Contest) {
        self.bars = std::array::from_fn(|place| {
            let is_rival = contest.rivals.intersects(self.places[place]);
            if is_rival { contest.handicaps[place] } else { f32::INFINITY }
        });
        self.contest = Some(contest);
    }

    /// The kinds among these for which an estimate of at most this value can matter.
    pub(super) fn relevant(&self, kinds: TileSet, highest: f32) -> TileSet {
        let Some(contest) = self.contest.as_ref().filter(|contest| !contest.may_change(highest)) else {
            return self.select(kinds, |place| highest > self.plain[place].value);
        };
        self.select(kinds, |place| {
            let is_better = highest > self.plain[place].value;
            // Which discards matter cannot be predicted: a branch costs more than both comparisons.
            select_unpredictable(is_better, highest - contest.handicaps[place] > contest.best, false)
        })
    }

    /// The kinds among these whose indices match.
    // Loops over all places take the same number of steps for each hand: no branch is mispredicted.
    #[inline]
    fn select(&self, kinds: TileSet, matches: impl Fn(usize) -> bool) -> TileSet {
        let bits = |place: usize| self.places[place].bits() * u64::from(matches(place));
        kinds & TileSet::from_bits((0..MAX_DISCARDS).fold(0, |all, place| all | bits(place)))
    }

    /// The highest value after a discard of these kinds without riichi.
    pub(super) fn highest(&self, kinds: TileSet) -> f32 {
        (0..MAX_DISCARDS).fold(f32::MIN, |highest, place| {
            let value = self.plain[place].value;
            highest.max(if kinds.intersects(self.places[place]) { value } else { f32::MIN })
        })
    }

    /// The kinds among these that leave 1-shanten and have at least this value, without riichi.
    pub(super) fn near(&self, kinds: TileSet, least: f32) -> TileSet {
        self.select(kinds, |place| {
            let estimate = &self.plain[place];
            select_unpredictable(estimate.shanten == 1, estimate.value >= least, false)
        })
    }

    /// Lets the estimates so far compete.
    pub(super) fn compete(&mut self) {
        if let Some(contest) = &mut self.contest {
            contest.update(&self.plain, &self.bars);
        }
    }

    /// The kinds among these whose estimates can decide the choice after the look-ahead has changed
    /// them.
    pub(super) fn undecided(&self, near: TileSet) -> TileSet {
        let Some(Contest { look_ahead: Some(changes), handicaps, rivals, are_all, more, best }) =
            &self.contest
        else {
            return near;
        };
        let changed = |place: usize, factor: f32| {
            let is_near = near.intersects(self.places[place]);
            self.plain[place].value * if is_near { factor } else { 1.0 }
        };
        let least = |place: usize| changed(place, changes.least) - self.bars[place] - more;
        let sure = (0..MAX_DISCARDS).map(least).fold(*best, f32::max);
        let left =
            self.select(*rivals, |place| changed(place, changes.most) - handicaps[place] >= sure - 1.0);
        // If a single discard is left and nothing else competes, its value does not matter.
        if *are_all && left.len() == 1 { TileSet::EMPTY } else { near & left }
    }

    /// After a discard of this kind without riichi.
    #[inline]
    pub(super) fn plain(&self, kind: TileKind) -> &HandEstimate {
        &self.plain[self.place(kind)]
    }

    #[inline]
    pub(super) fn plain_mut(&mut self, kind: TileKind) -> &mut HandEstimate {
        &mut self.plain[self.place(kind)]
    }

    /// After a discard of this kind with riichi. The hand must be tenpai.
    #[inline]
    pub(super) fn riichi(&self, kind: TileKind) -> &HandEstimate {
        &self.riichi[self.place(kind)]
    }

    #[inline]
    pub(super) fn riichi_mut(&mut self, kind: TileKind) -> &mut HandEstimate {
        &mut self.riichi[self.place(kind)]
    }
}

/// What an estimate must reach to change the choice, where only the best discard matters.
///
/// A discard is chosen for its estimate less a handicap. While the plans of a hand are estimated one after
/// the other, bounds show that most of them cannot make another discard the best.
#[derive(Clone, Copy)]
pub(super) struct Contest {
    /// The minimum loss of each discard, by its index: its risk, and the value of keeping the tile.
    pub handicaps: [f32; MAX_DISCARDS],
    /// The most that a discard loses in addition to its handicap.
    pub more: f32,
    /// The discards that compete without riichi.
    pub rivals: TileSet,
    /// Whether nothing competes besides the rivals: no riichi, no call and no passing.
    pub are_all: bool,
    /// The value to beat.
    pub best: f32,
    /// How the look-ahead may change estimates. None if it changes none.
    pub look_ahead: Option<Changes>,
}

/// A number for each discard of a hand of these kinds, by its index.
pub(super) fn by_place(kinds: TileSet, of: impl Fn(TileKind) -> f32) -> [f32; MAX_DISCARDS] {
    let mut all = [0.0; MAX_DISCARDS];
    all.iter_mut().zip(kinds.iter()).for_each(|(number, kind)| *number = of(kind));
    all
}

impl Contest {
    /// Whether the look-ahead may change an estimate of at most this value.
    fn may_change(&self, highest: f32) -> bool {
        self.look_ahead.is_some_and(|changes| highest >= changes.above)
    }

    /// Raises the value to beat to that of the best of these discards, less its bar.
    fn update(&mut self, estimates: &[HandEstimate; MAX_DISCARDS], bars: &[f32; MAX_DISCARDS]) {
        let least = self.look_ahead.map_or(1.0, |changes| changes.least);
        let mut highest = 0.0_f32;
        for (estimate, bar) in estimates.iter().zip(bars) {
            highest = highest.max(estimate.value);
            // Later plans can only raise the value.
            let value = estimate.value.min(least * estimate.value) - bar - self.more;
            self.best = self.best.max(value);
        }
        if let Some(changes) = &mut self.look_ahead {
            changes.above = changes.from * highest;
        }
    }
}

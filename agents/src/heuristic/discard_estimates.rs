//! The estimates after each discard of a hand, and which of them can still matter.

use jantaku_engine::{TileKind, TileSet};

use super::hand_estimate::HandEstimate;

/// The most kinds that a hand can discard.
pub(super) const MOST_DISCARDS: usize = 14;

/// The estimates after each discard of a hand.
pub(super) struct DiscardEstimates {
    /// The kinds of the hand.
    kinds: TileSet,
    /// By the place of the kind among these.
    plain: [HandEstimate; MOST_DISCARDS],
    riichi: [HandEstimate; MOST_DISCARDS],
    contest: Option<Contest>,
}

impl DiscardEstimates {
    /// No estimates yet for a hand of these kinds.
    pub(super) const fn none(kinds: TileSet) -> DiscardEstimates {
        DiscardEstimates {
            kinds,
            plain: [HandEstimate::NONE; MOST_DISCARDS],
            riichi: [HandEstimate::NONE; MOST_DISCARDS],
            contest: None,
        }
    }

    #[inline]
    pub(super) fn place(&self, kind: TileKind) -> usize {
        let before = TileSet::of(kind).bits() - 1;
        (self.kinds.bits() & before).count_ones() as usize
    }

    /// The estimates of a hand whose discards compete.
    pub(super) const fn competing(kinds: TileSet, contest: Contest) -> DiscardEstimates {
        DiscardEstimates { contest: Some(contest), ..DiscardEstimates::none(kinds) }
    }

    /// Those of these kinds for which an estimate of at most this value can matter.
    pub(super) fn open(&self, kinds: TileSet, highest: f32) -> TileSet {
        let matters = |kind: &TileKind| {
            let place = self.place(*kind);
            let may_win = |contest: &Contest| contest.may_win(place, highest);
            highest > self.plain[place].value && self.contest.as_ref().is_none_or(may_win)
        };
        kinds.iter().filter(matters).collect()
    }

    /// Lets the estimates so far compete.
    pub(super) fn compete(&mut self) {
        if let Some(contest) = &mut self.contest {
            contest.update(self.kinds, &self.plain);
        }
    }

    /// Those of these kinds whose estimates can decide on the choice when the look-ahead changes them.
    pub(super) fn undecided(&self, near: TileSet) -> TileSet {
        match &self.contest {
            Some(Contest { are_all: true, look_ahead: Some(changes), handicaps, rivals, .. }) => {
                let range = |kind: TileKind| {
                    let (value, handicap) = (self.plain(kind).value, handicaps[self.place(kind)]);
                    let [least, most] =
                        if near.contains(kind) { [changes.least, changes.most] } else { [1.0; 2] };
                    [least * value - handicap, most * value - handicap]
                };
                let sure = rivals.iter().map(|kind| range(kind)[0]).fold(f32::MIN, f32::max);
                let open: TileSet = rivals.iter().filter(|kind| range(*kind)[1] >= sure - 1.0).collect();
                if open.len() == 1 { TileSet::EMPTY } else { near & open }
            }
            _ => near,
        }
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
    /// What each discard loses at least, by its place: its risk, and the value of keeping the tile.
    pub handicaps: [f32; MOST_DISCARDS],
    /// What a discard loses at most in addition.
    pub more: f32,
    /// The discards that compete without riichi.
    pub rivals: TileSet,
    /// Whether nothing else competes.
    pub are_all: bool,
    /// The value to beat.
    pub best: f32,
    /// How the look-ahead may change estimates. None if it changes none.
    pub look_ahead: Option<Changes>,
}

/// How the look-ahead may change estimates.
#[derive(Clone, Copy)]
pub(super) struct Changes {
    /// It multiplies them by at least this factor, at most 1.
    pub least: f32,
    /// It multiplies them by at most this factor, at least 1.
    pub most: f32,
    /// It changes only those that reach this share of the best one.
    pub from: f32,
    /// The least estimate that it may change.
    pub above: f32,
}

/// A number for each discard of a hand of these kinds, by its place.
pub(super) fn by_place(kinds: TileSet, of: impl Fn(TileKind) -> f32) -> [f32; MOST_DISCARDS] {
    let mut all = [0.0; MOST_DISCARDS];
    all.iter_mut().zip(kinds.iter()).for_each(|(number, kind)| *number = of(kind));
    all
}

impl Contest {
    /// Whether an estimate of at most this value can change the choice.
    fn may_win(&self, place: usize, highest: f32) -> bool {
        let may_be_changed = self.look_ahead.is_some_and(|changes| highest >= changes.above);
        may_be_changed || highest - self.handicaps[place] > self.best
    }

    fn update(&mut self, kinds: TileSet, estimates: &[HandEstimate; MOST_DISCARDS]) {
        let least = self.look_ahead.map_or(1.0, |changes| changes.least);
        let all = kinds.iter().zip(estimates.iter().zip(self.handicaps));
        let mut highest = 0.0_f32;
        for (kind, (estimate, handicap)) in all {
            highest = highest.max(estimate.value);
            if self.rivals.contains(kind) {
                // Later plans can only raise the value.
                let value = estimate.value.min(least * estimate.value) - handicap - self.more;
                self.best = self.best.max(value);
            }
        }
        if let Some(changes) = &mut self.look_ahead {
            changes.above = changes.from * highest;
        }
    }
}

//! The look-ahead from 1-shanten to the tenpai hands after it.
//!
//! Ukeire counts the tiles that make a hand tenpai, but not the quality of the waits after that.
//! Where the best discards leave 1-shanten, the look-ahead evaluates the tenpai hand after each of
//! these tiles.

use jantaku_engine::{Concealed, Melds, Tile, TileKind, TileSet};

use super::discard_estimates::{DiscardEstimates, MAX_DISCARDS};
use super::estimator::Estimator;
use super::look_ahead_changes::Changes;
use super::tenpai::{RiichiHands, TenpaiHands};

/// The discards that leave 1-shanten.
struct Branches {
    branches: [Branch; MAX_DISCARDS],
    len: usize,
}

/// A discard that leaves 1-shanten, and the tenpai hands that can follow.
#[derive(Clone, Copy)]
struct Branch {
    discard: TileKind,
    /// The hand after the discard.
    rest: Concealed,
    /// The unseen kinds that make it tenpai.
    ukeire: TileSet,
    /// The number of unseen tiles of these kinds.
    tiles: f32,
    /// The sum over these tiles of the value of the best tenpai hand.
    sum: f32,
}

impl Estimator<'_> {
    /// Corrects the values of the best discards that leave 1-shanten.
    pub(super) fn look_ahead(
        &self,
        hand: &Concealed,
        melds: &Melds,
        kinds: TileSet,
        estimates: &mut DiscardEstimates,
    ) {
        let params = &self.params.look_ahead;
        if params.power == 0.0 || self.agent.fast {
            return;
        }
        let best = estimates.highest(kinds);
        if best <= 0.0 {
            return;
        }
        let of_these = estimates.near(kinds, best * (1.0 - params.within));
        if of_these.is_empty() {
            return;
        }
        let (mut near, mut count) = ([TileKind::EAST; MAX_DISCARDS], 0);
        for (place, kind) in near.iter_mut().zip(of_these.iter()) {
            *place = kind;
            count += 1;
        }
        let near = &mut near[..count];
        let value = |kind: TileKind| estimates.plain(kind).value;
        near.sort_unstable_by(|a, b| value(*b).total_cmp(&value(*a)).then(a.cmp(b)));
        let mut branches = Branches::NONE;
        let first = near.iter().copied().take(params.most);
        let undecided = estimates.undecided(first.clone().collect());
        first
            .filter(|kind| undecided.contains(*kind))
            .filter_map(|kind| self.branch(hand, melds, kind))
            .for_each(|branch| branches.push(branch));
        if branches.as_mut_slice().is_empty() {
            return;
        }
        self.add_tenpai(melds, branches.as_mut_slice());
        for branch in branches.as_mut_slice() {
            // The mean value of the tenpai hands.
            let tenpai = branch.sum / branch.tiles;
            let estimate = estimates.plain_mut(branch.discard);
            let ratio = tenpai * estimate.win / (estimate.value * params.usual);
            estimate.value *= ratio.clamp(params.range[0], params.range[1]).powf(params.power);
        }
    }

    /// How the look-ahead may change the estimates of a hand that is to discard. None if the look-ahead is
    /// off or the hand is too far from tenpai.
    pub(super) fn look_ahead_changes(&self, hand: &Concealed, melds: &Melds) -> Option<Changes> {
        let changes = self.models.changes.filter(|_| !self.agent.fast)?;
        (hand.shanten(melds.len()).number() <= 1).then_some(changes)
    }

    /// The hand after a discard. None if it has no unseen ukeire or is not 1-shanten: discards are selected
    /// by the shanten of their plan, which can differ from that of the hand.
    fn branch(&self, hand: &Concealed, melds: &Melds, discard: TileKind) -> Option<Branch> {
        let mut rest = *hand;
        rest.remove_any(discard);
        let (shanten, ukeire) = rest.ukeire(melds.len());
        let ukeire = ukeire & self.situation.unseen.kinds();
        let is_branch = shanten.number() == 1 && !ukeire.is_empty();
        is_branch.then_some(Branch { discard, rest, ukeire, tiles: 0.0, sum: 0.0 })
    }

    /// Adds up the values of the tenpai hands after each branch.
    fn add_tenpai(&self, melds: &Melds, branches: &mut [Branch]) {
        let hands = NextHands::new(self, melds);
        let draws = branches.iter().fold(TileSet::EMPTY, |draws, branch| draws | branch.ukeire);
        let mut known = KnownHands::new(branches);
        for draw in draws.iter() {
            let left = self.situation.unseen.of(draw) as f32;
            for at in 0..branches.len() {
                if branches[at].ukeire.contains(draw) {
                    branches[at].sum += left * best_after(draw, at, branches, &hands, &mut known);
                    branches[at].tiles += left;
                }
            }
        }
    }
}

/// The value of the best tenpai hand after this draw in the branch `at`.
///
/// If another branch discards the tile that this one discards now, both lead to the same hand.
/// `known` has its value if that branch comes first.
fn best_after(
    draw: TileKind,
    at: usize,
    branches: &[Branch],
    hands: &NextHands<'_>,
    known: &mut KnownHands,
) -> f32 {
    let mut full = branches[at].rest;
    full.add(Tile::plain(draw));
    let (_, discards) = full.least_discards(hands.melds);
    let value_after = |discard: TileKind| {
        let other = known.branches[discard.index()];
        if let Some(earlier) = other.map(usize::from).filter(|other| *other < at) {
            return known.values[earlier][at];
        }
        let mut tenpai = full;
        tenpai.remove_any(discard);
        let value = hands.value(&tenpai);
        if let Some(later) = other {
            known.values[at][usize::from(later)] = value;
        }
        value
    };
    discards.iter().map(value_after).fold(0.0, f32::max)
}

/// The values of hands that two branches lead to: after the draw, each discards the tile that the
/// other has discarded.
struct KnownHands {
    /// The index of the branch that discards each kind.
    branches: [Option<u8>; TileKind::COUNT],
    /// The values after one draw, by the earlier branch and the later one.
    values: [[f32; MAX_DISCARDS]; MAX_DISCARDS],
}

impl KnownHands {
    fn new(branches: &[Branch]) -> KnownHands {
        let mut of_kinds = [None; TileKind::COUNT];
        for (at, branch) in (0..).zip(branches) {
            of_kinds[branch.discard.index()] = Some(at);
        }
        KnownHands { branches: of_kinds, values: [[0.0; MAX_DISCARDS]; MAX_DISCARDS] }
    }
}

/// The tenpai hands of a look-ahead.
struct NextHands<'a> {
    /// The number of their melds.
    melds: usize,
    terms: Terms<'a>,
}

/// The terms that the estimates for these hands share.
enum Terms<'a> {
    /// They declare riichi.
    Riichi(RiichiHands<'a>),
    /// They cannot.
    Other(TenpaiHands<'a>),
}

impl<'a> NextHands<'a> {
    fn new(estimator: &'a Estimator<'a>, melds: &'a Melds) -> NextHands<'a> {
        let situation = estimator.situation;
        let terms = if !melds.are_open() && situation.may_riichi() {
            Terms::Riichi(estimator.riichi_hands(melds, situation.riichi()))
        } else {
            Terms::Other(estimator.tenpai_hands(melds))
        };
        NextHands { melds: melds.len(), terms }
    }

    /// The value of a hand. It declares riichi if it can.
    fn value(&self, hand: &Concealed) -> f32 {
        match &self.terms {
            Terms::Riichi(hands) => hands.of(hand).value,
            Terms::Other(hands) => {
                let [plain, riichi] = hands.of(hand);
                plain.or(riichi).value
            }
        }
    }
}

impl Branches {
    const NONE: Branches = {
        let none = Branch {
            discard: TileKind::EAST,
            rest: Concealed::EMPTY,
            ukeire: TileSet::EMPTY,
            tiles: 0.0,
            sum: 0.0,
        };
        Branches { branches: [none; MAX_DISCARDS], len: 0 }
    };

    fn push(&mut self, branch: Branch) {
        self.branches[self.len] = branch;
        self.len += 1;
    }

    fn as_mut_slice(&mut self) -> &mut [Branch] {
        &mut self.branches[..self.len]
    }
}

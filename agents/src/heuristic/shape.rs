//! The use of tiles for a hand besides their ukeire.

use std::hint::select_unpredictable;

use jantaku_engine::{Concealed, TileKind, TileSet};

use super::params::ShapeParams;
use super::plan::EACH_SUIT;
use super::situation::Situation;

/// The kinds of a hand by the groups that they belong to.
pub(super) struct Shape {
    triplets: TileSet,
    pairs: TileSet,
    /// Pairs of valued honours that can become a triplet.
    valued_pairs: TileSet,
    /// Kinds one rank away from another tile.
    next: TileSet,
    /// Kinds two ranks away from another tile.
    gap: TileSet,
}

/// The kinds of the three suits.
const SUITS: u64 = (1 << 27) - 1;
/// The two lowest ranks of each suit.
const LOW: u64 = EACH_SUIT | EACH_SUIT << 1;

impl Shape {
    pub(super) fn new(hand: &Concealed, situation: &Situation<'_>) -> Shape {
        let kinds = hand.kinds().bits() & SUITS;
        let pairs = hand.at_least(2);
        Shape {
            triplets: hand.at_least(3),
            pairs,
            valued_pairs: pairs & situation.valued & situation.unseen.kinds(),
            next: TileSet::from_bits(kinds << 1 & SUITS & !EACH_SUIT | (kinds & !EACH_SUIT) >> 1),
            gap: TileSet::from_bits(kinds << 2 & SUITS & !LOW | (kinds & !LOW) >> 2),
        }
    }

    /// The share of the win probability that a discard of this kind loses, if the hand has this
    /// shanten after it, at least 1.
    #[inline]
    pub(super) fn lost(&self, losses: &ShapeLosses, kind: TileKind, shanten: i8) -> f32 {
        let distance = (shanten - 1).clamp(0, 2) as usize;
        let next = ShapeLosses::NEXT + folded_rank(kind);
        let kinds = [self.gap, self.next, self.pairs, self.valued_pairs, self.triplets];
        let groups = [ShapeLosses::GAP, next, ShapeLosses::PAIR, ShapeLosses::VALUED, ShapeLosses::TRIPLET];
        // The last group counts. Which it is cannot be predicted.
        let last = kinds
            .into_iter()
            .zip(groups)
            .fold(0, |last, (kinds, group)| select_unpredictable(kinds.contains(kind), group, last));
        losses.0[last][distance]
    }
}

/// The share of the win probability that a discard loses, by the group of its kind, and by the shanten
/// after it, less 1. Kinds that are in no group count as group 0.
#[derive(Clone, Debug)]
pub(super) struct ShapeLosses([[f32; 3]; ShapeLosses::TRIPLET + 1]);

impl ShapeLosses {
    const GAP: usize = 1;
    /// The first of five groups: by the distance from the end of the suit.
    const NEXT: usize = 2;
    const PAIR: usize = 7;
    const VALUED: usize = 8;
    const TRIPLET: usize = 9;

    pub(super) const fn new(params: &ShapeParams) -> ShapeLosses {
        let ShapeParams { gap, next: [one, two, three, four, five], pair, valued_pair, triplet, .. } =
            *params;
        ShapeLosses([[0.0; 3], gap, one, two, three, four, five, pair, valued_pair, triplet])
    }
}

/// The small value of keeping a tile of this kind, in points. Without `defence` its safety does not
/// count.
pub(super) fn keep_value(
    params: &ShapeParams,
    situation: &Situation<'_>,
    defence: bool,
    kind: TileKind,
) -> f32 {
    let alone = if kind.is_honour() {
        let han = situation.valued_han(TileSet::of(kind));
        let is_shared = situation.shared.contains(kind);
        params.honour[usize::from(han)] - if is_shared { params.shared } else { 0.0 }
    } else {
        params.lone[folded_rank(kind)]
    };
    let counts_safety = defence && situation.draws <= params.safe_draws;
    let safe = if counts_safety { params.safe * situation.safe_from(kind) as f32 } else { 0.0 };
    alone + safe + params.dora * f32::from(situation.dora_of(kind))
}

/// The distance of a kind from the end of its suit: 0 for 1 and 9, 4 for 5.
fn folded_rank(kind: TileKind) -> usize {
    usize::from(kind.rank().min(10 - kind.rank())) - 1
}

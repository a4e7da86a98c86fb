//! What tiles do for a hand besides their ukeire.

use jantaku_engine::{Concealed, TileKind, TileSet};

use super::attack::Situation;
use super::params::ShapeParams;
use super::plan::EACH_SUIT;
use super::scene::Scene;

/// The tiles of a hand by what they belong to.
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
    pub(super) fn new(hand: &Concealed, scene: &Scene<'_>) -> Shape {
        let kinds = hand.kinds().bits() & SUITS;
        let pairs = hand.at_least(2);
        Shape {
            triplets: hand.at_least(3),
            pairs,
            valued_pairs: pairs & scene.valued & scene.unseen.kinds(),
            next: TileSet::from_bits(kinds << 1 & SUITS & !EACH_SUIT | (kinds & !EACH_SUIT) >> 1),
            gap: TileSet::from_bits(kinds << 2 & SUITS & !LOW | (kinds & !LOW) >> 2),
        }
    }

    /// The share of the chance to win that a discard of this kind loses, if the hand then has this
    /// shanten of at least 1.
    #[inline]
    pub(super) fn lost(&self, params: &ShapeParams, kind: TileKind, shanten: i8) -> f32 {
        let distance = (shanten - 1).clamp(0, 2) as usize;
        if self.triplets.contains(kind) {
            params.triplet[distance]
        } else if self.valued_pairs.contains(kind) {
            params.valued_pair[distance]
        } else if self.pairs.contains(kind) {
            params.pair[distance]
        } else if self.next.contains(kind) {
            params.next[folded_rank(kind)][distance]
        } else if self.gap.contains(kind) {
            params.gap[distance]
        } else {
            0.0
        }
    }
}

impl Situation<'_> {
    /// A small worth of keeping a tile, in points. It decides among equal discards.
    pub(super) fn usefulness(&self, kind: TileKind) -> f32 {
        let (params, scene) = (&self.params.shape, self.scene);
        let alone = if kind.is_honour() {
            let han = scene.valued_han(TileSet::of(kind));
            let is_shared = scene.shared.contains(kind);
            params.honour[usize::from(han)] - if is_shared { params.shared } else { 0.0 }
        } else {
            params.lone[folded_rank(kind)]
        };
        let counts_safety = self.agent.defence && scene.draws <= params.safe_draws;
        let safe = if counts_safety { params.safe * scene.safe_from(kind) as f32 } else { 0.0 };
        alone + safe + params.dora * f32::from(scene.dora_of(kind))
    }
}

/// How far a kind is from the end of its suit: 0 for 1 and 9, 4 for 5.
fn folded_rank(kind: TileKind) -> usize {
    usize::from(kind.rank().min(10 - kind.rank())) - 1
}

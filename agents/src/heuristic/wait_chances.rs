//! The probability that each tile completes the hand of a player who is tenpai.
//!
//! Every wait shape that the unseen tiles can make gets a weight: the number of ways to hold its
//! two tiles, times the frequency of the shape. A shape is impossible if the player cannot win on a
//! tile that it waits for. Suji, walls and nearly exhausted tiles need no rules of their own: they
//! follow from the shapes. Factors account for habits: players keep dora, and do not need tiles
//! outside their early discards.

use jantaku_engine::{Melds, Seat, TileKind, TileSet};

use super::params::{ClosedDangerParams, DangerParams, OpenDangerParams};
use super::river::{River, flush_suit};
use super::situation::Situation;

/// The probability that each kind completes the hand of one player who is tenpai.
pub(super) type WaitChances = [f32; TileKind::COUNT];

/// The length of tables by the number of unseen tiles of a kind, 0–4. It is rounded up to a power of two, so
/// that indices need no check.
const COPIES: usize = 8;

/// The weights of wait shapes, by the number of unseen tiles of the kinds in the shape.
#[derive(Clone, Debug)]
pub(super) struct WaitShapes {
    /// Two-sided, closed and edge waits: by the copies of one tile, then of the other.
    ryanmen: [[f32; COPIES]; COPIES],
    kanchan: [[f32; COPIES]; COPIES],
    penchan: [[f32; COPIES]; COPIES],
    /// Waits for a tile that the hand holds, in a suit and for an honour.
    own: [f32; COPIES],
    own_honour: [f32; COPIES],
}

impl WaitShapes {
    pub(super) fn new(params: &DangerParams) -> WaitShapes {
        let pairs = |weight: f32| -> [[f32; COPIES]; COPIES] {
            std::array::from_fn(|one| std::array::from_fn(|other| weight * one as f32 * other as f32 / 16.0))
        };
        let own = |shanpon: f32, tanki: f32| -> [f32; COPIES] {
            std::array::from_fn(|copies| {
                let left = copies as f32;
                shanpon * left * (left - 1.0) / 12.0 + tanki * left / 4.0
            })
        };
        WaitShapes {
            ryanmen: pairs(params.ryanmen),
            kanchan: pairs(params.kanchan),
            penchan: pairs(params.penchan),
            own: own(params.shanpon, params.tanki),
            own_honour: own(params.honour_shanpon, params.honour_tanki),
        }
    }

    /// Adds the weights of the shapes of one suit to the ranks that they wait for. Returns the sum over
    /// all shapes. `left` are the unseen tiles of each rank; the player cannot win on the ranks in `safe`.
    #[inline]
    fn add_suit(&self, left: &[usize; 9], safe: u64, weights: &mut [f32; 9]) -> f32 {
        let can_win = |rank: usize| safe >> rank & 1 == 0;
        let mut total = 0.0;
        for low in 1..7 {
            let is_possible = can_win(low - 1) && can_win(low + 2);
            let weight = if is_possible { self.ryanmen[left[low]][left[low + 1]] } else { 0.0 };
            weights[low - 1] += weight;
            weights[low + 2] += weight;
            total += weight;
        }
        for rank in 0..9 {
            let mut weight = self.own[left[rank]];
            if (1..8).contains(&rank) {
                weight += self.kanchan[left[rank - 1]][left[rank + 1]];
            }
            match rank {
                2 => weight += self.penchan[left[0]][left[1]],
                6 => weight += self.penchan[left[7]][left[8]],
                _ => {}
            }
            let weight = if can_win(rank) { weight } else { 0.0 };
            weights[rank] += weight;
            total += weight;
        }
        total
    }
}

/// The probabilities for the player in this seat, who has this river with these early discards.
pub(super) fn wait_chances(
    params: &DangerParams,
    shapes: &WaitShapes,
    situation: &Situation<'_>,
    river: &River,
    early: TileSet,
    seat: Seat,
) -> WaitChances {
    let safe = river.safe;
    let mut weights = [0.0; TileKind::COUNT];
    let mut total = 0.0;
    for suit in 0..3 {
        let left =
            std::array::from_fn(|rank| situation.unseen.of(TileKind::from_index(9 * suit + rank)) as usize);
        let weights = &mut weights[9 * suit..9 * suit + 9];
        let weights = weights.try_into().expect("a suit has nine ranks");
        total += shapes.add_suit(&left, safe.suit_bits(suit), weights);
    }
    for kind in (TileSet::HONOURS - safe).iter() {
        let weight = shapes.own_honour[situation.unseen.of(kind) as usize];
        weights[kind.index()] = weight;
        total += weight;
    }
    let scale = if total > 0.0 { params.shapes / total } else { 0.0 };
    weights.iter_mut().for_each(|weight| *weight *= scale);
    let side = situation.o.side(seat);
    if side.melds().are_open() {
        adjust_open_hand(&params.open, &mut weights, side.melds(), river);
    } else {
        adjust_closed_hand(&params.closed, &mut weights, situation, early);
    }
    weights
}

fn adjust_closed_hand(
    params: &ClosedDangerParams,
    chances: &mut WaitChances,
    situation: &Situation<'_>,
    early: TileSet,
) {
    let dora = situation.dora_kinds;
    multiply(chances, dora - TileSet::HONOURS, params.dora);
    multiply(chances, dora & TileSet::HONOURS, params.dora_honour);
    multiply(chances, outside(early), params.outside);
    for chance in chances {
        *chance = (*chance / (1.0 + params.saturation * *chance)).min(1.0);
    }
}

fn adjust_open_hand(params: &OpenDangerParams, chances: &mut WaitChances, melds: &Melds, river: &River) {
    chances.iter_mut().for_each(|chance| *chance *= params.share);
    let may_be_tanyao = !melds.iter().any(|meld| meld.kinds().intersects(TileSet::YAOCHUU));
    let outside_tanyao = if may_be_tanyao { TileSet::TERMINALS } else { TileSet::EMPTY };
    multiply(chances, TileSet::HONOURS, params.honours);
    multiply(chances, outside_tanyao, params.outside_tanyao);
    if let Some(suit) = flush_suit(melds, river) {
        let suit = TileSet::from_bits(0b1_1111_1111 << (9 * suit));
        let in_flush = params.in_flush[melds.len().clamp(1, 3) - 1];
        multiply(chances, suit - outside_tanyao, in_flush);
        multiply(chances, !suit - TileSet::HONOURS - outside_tanyao, params.outside_flush);
    }
    chances.iter_mut().for_each(|chance| *chance = chance.min(1.0));
}

/// Multiplies the probabilities of these kinds.
fn multiply(chances: &mut WaitChances, kinds: TileSet, factor: f32) {
    kinds.iter().for_each(|kind| chances[kind.index()] *= factor);
}

/// The kinds outside early discards: farther from the five of their suit than one of these tiles on
/// the same side, or than the five itself.
fn outside(early: TileSet) -> TileSet {
    let mut bits = 0;
    for suit in 0..3 {
        let ranks = early.suit_bits(suit);
        let (low, high) = (ranks & 0b1_1111, ranks >> 4);
        if low > 0 {
            let inmost = low.ilog2();
            bits |= ((1 << inmost) - 1) << (9 * suit);
        }
        if high > 0 {
            let inmost = 4 + high.trailing_zeros();
            bits |= (0b1_1111_1111 >> (inmost + 1) << (inmost + 1)) << (9 * suit);
        }
    }
    TileSet::from_bits(bits)
}

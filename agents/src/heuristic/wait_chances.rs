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

/// The probabilities for the player in this seat, who has this river.
pub(super) fn wait_chances(
    params: &DangerParams,
    situation: &Situation<'_>,
    river: &River,
    seat: Seat,
) -> WaitChances {
    let (unseen, safe) = (&situation.unseen, river.safe);
    let mut weights = [0.0; TileKind::COUNT];
    let mut total = 0.0;
    for suit in 0..3 {
        let mut left = [0.0; 9];
        for (rank, left) in left.iter_mut().enumerate() {
            *left = unseen.of(TileKind::from_index(9 * suit + rank)) as f32;
        }
        let safe = safe.suit_bits(suit) as u16;
        let weights = &mut weights[9 * suit..9 * suit + 9];
        total += suit_weights(params, &left, safe, weights.try_into().expect("a suit has nine ranks"));
    }
    for kind in (TileSet::HONOURS - safe).iter() {
        let left = unseen.of(kind) as f32;
        let weight = params.honour_shanpon * left * (left - 1.0) / 12.0 + params.honour_tanki * left / 4.0;
        weights[kind.index()] = weight;
        total += weight;
    }
    let scale = if total > 0.0 { params.shapes / total } else { 0.0 };
    let side = situation.o.side(seat);
    if side.melds().are_open() {
        of_open_hand(&params.open, &mut weights, scale, side.melds(), river);
    } else {
        of_closed_hand(&params.closed, &mut weights, scale, situation, river);
    }
    weights
}

fn of_closed_hand(
    params: &ClosedDangerParams,
    weights: &mut WaitChances,
    scale: f32,
    situation: &Situation<'_>,
    river: &River,
) {
    let outside = outside(river.early);
    for (kind, weight) in TileKind::all().zip(weights) {
        let dora = match (situation.dora_of(kind), kind.is_honour()) {
            (0, _) => 1.0,
            (_, true) => params.dora_honour,
            (_, false) => params.dora,
        };
        let factor = if outside.contains(kind) { params.outside } else { 1.0 };
        let chance = *weight * scale * dora * factor;
        *weight = (chance / (1.0 + params.saturation * chance)).min(1.0);
    }
}

fn of_open_hand(
    params: &OpenDangerParams,
    weights: &mut WaitChances,
    scale: f32,
    melds: &Melds,
    river: &River,
) {
    let flush = flush_suit(melds, river);
    let in_flush = params.in_flush[melds.len().clamp(1, 3) - 1];
    let may_be_tanyao = !melds.iter().any(|meld| meld.kinds().intersects(TileSet::YAOCHUU));
    for (kind, weight) in TileKind::all().zip(weights) {
        let factor = match flush {
            _ if kind.is_honour() => params.honours,
            _ if may_be_tanyao && kind.is_yaochuu() => params.outside_tanyao,
            Some(suit) if suit == kind.suit() as usize => in_flush,
            Some(_) => params.outside_flush,
            None => 1.0,
        };
        *weight = (*weight * scale * params.share * factor).min(1.0);
    }
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

/// Adds the weights of the shapes of one suit to the ranks that they wait for. Returns the sum over
/// all shapes.
#[inline]
fn suit_weights(params: &DangerParams, left: &[f32; 9], safe: u16, weights: &mut [f32; 9]) -> f32 {
    let is_open = |rank: usize| safe >> rank & 1 == 0;
    let mut total = 0.0;
    for low in 1..7 {
        if is_open(low - 1) && is_open(low + 2) {
            let weight = params.ryanmen * left[low] * left[low + 1] / 16.0;
            weights[low - 1] += weight;
            weights[low + 2] += weight;
            total += weight;
        }
    }
    for rank in 0..9 {
        if !is_open(rank) {
            continue;
        }
        let mut weight =
            params.shanpon * left[rank] * (left[rank] - 1.0) / 12.0 + params.tanki * left[rank] / 4.0;
        if (1..8).contains(&rank) {
            weight += params.kanchan * left[rank - 1] * left[rank + 1] / 16.0;
        }
        match rank {
            2 => weight += params.penchan * left[0] * left[1] / 16.0,
            6 => weight += params.penchan * left[7] * left[8] / 16.0,
            _ => {}
        }
        weights[rank] += weight;
        total += weight;
    }
    total
}

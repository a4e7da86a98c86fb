//! How likely each tile completes the hand of a player who is tenpai.
//!
//! All shapes of waits that the unseen tiles can make are weighed against each other: a shape of
//! two tiles is as likely as there are ways to hold them. Tiles that the player cannot win on
//! exclude the shapes that wait for them. Suji, walls and tiles that are nearly gone follow from
//! this without rules of their own. Factors add what the player's habits tell: dora are kept, and
//! early discards tell that the tiles outside of them are not needed.

use jantaku_engine::{Melds, Seat, TileKind, TileSet};

use super::params::{ClosedDangerParams, DangerParams, OpenDangerParams};
use super::scene::Scene;
use super::threat::{River, flush_suit};

/// The chance that each kind completes the hand of one player who is tenpai.
pub(super) type WaitChances = [f32; TileKind::COUNT];

/// The chances of a player with this river.
pub(super) fn wait_chances(
    params: &DangerParams,
    scene: &Scene<'_>,
    river: &River,
    seat: Seat,
) -> WaitChances {
    let (unseen, safe) = (&scene.unseen, river.safe);
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
    let side = scene.o.side(seat);
    if side.melds().are_open() {
        of_open_hand(&params.open, &mut weights, scale, side.melds(), river);
    } else {
        of_closed_hand(&params.closed, &mut weights, scale, scene, river);
    }
    weights
}

fn of_closed_hand(
    params: &ClosedDangerParams,
    weights: &mut WaitChances,
    scale: f32,
    scene: &Scene<'_>,
    river: &River,
) {
    let outside = outside(river.early);
    for (kind, weight) in TileKind::all().zip(weights) {
        let dora = match (scene.dora_of(kind), kind.is_honour()) {
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

/// The kinds farther from the five of their suit than one of these tiles on the same side, or than
/// the five itself.
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

/// Adds up the shapes of one suit for each rank that they wait for, and returns the sum over all
/// shapes.
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

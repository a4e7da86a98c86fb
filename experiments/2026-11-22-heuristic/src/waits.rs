//! Whether tiles are waits of a player in riichi.
//!
//! Each kind in the hand of a player that is not safe against the riichi is a line.

use jantaku_engine::{Phase, Riichi, TileKind};

use crate::play::{self, Players};

/// `rank` is 0 for honours. `suji` is the number of kinds three ranks away that are safe or do not
/// exist. `left` are the unseen tiles of the kind. `near` is the distance to the riichi tile, 1 or 2
/// ranks, or 0. `outside` tells that the player discarded a tile between this kind and the five of
/// its suit in the first six turns.
pub const COLUMNS: &str = "turn,rank,suji,left,dora,near,outside,chance,hit";

/// One in so many turns is measured.
const RATE: usize = 4;

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        if o.phase() != Phase::Turn || play::sampling(game, seat).below(RATE) > 0 {
            return;
        }
        let unseen = o.unseen();
        let others = o.rules().players.others(seat);
        for other in others.filter(|seat| o.side(*seat).riichi() != Riichi::None) {
            let chances = players.released.wait_chances(&o, other);
            let discards: Vec<_> = o.discards().of(other).collect();
            let riichi_tile = discards.iter().find(|d| d.riichi).map(|d| d.tile.kind());
            let early: Vec<_> = discards.iter().take(6).map(|d| d.tile.kind()).collect();
            let waits = game.round().private(other).waits();
            let may_hit = |kind: TileKind| chances[kind.index()] > 0.0;
            for kind in o.hand_with_draw().kinds().iter().filter(|kind| may_hit(*kind)) {
                let rank = if kind.is_honour() { 0 } else { kind.rank() };
                let ends = [kind.offset(-3), kind.offset(3)];
                let suji = ends.into_iter().filter(|end| !end.is_some_and(may_hit)).count();
                let dora = o.indicators().iter().any(|indicator| indicator.kind().dora(false) == kind);
                let near = distance(kind, riichi_tile);
                let inner = early.iter().any(|tile| is_between(*tile, kind));
                lines += &format!(
                    "{},{rank},{suji},{},{},{near},{},{:.5},{}\n",
                    o.side(other).discard_count(),
                    unseen.of(kind),
                    u8::from(dora),
                    u8::from(inner),
                    chances[kind.index()],
                    u8::from(waits.contains(kind)),
                );
            }
        }
    });
    lines
}

/// The ranks between a kind and the riichi tile if they are 1 or 2, otherwise 0.
fn distance(kind: TileKind, riichi_tile: Option<TileKind>) -> u8 {
    match riichi_tile {
        Some(tile) if !kind.is_honour() && tile.suit() == kind.suit() => {
            let distance = tile.rank().abs_diff(kind.rank());
            if distance <= 2 { distance } else { 0 }
        }
        _ => 0,
    }
}

/// Whether a tile lies between a kind and the five of its suit, that five included.
fn is_between(tile: TileKind, kind: TileKind) -> bool {
    if kind.is_honour() || tile.suit() != kind.suit() {
        return false;
    }
    let (tile, kind) = (tile.rank(), kind.rank());
    (kind < 5 && kind < tile && tile <= 5) || (kind > 5 && 5 <= tile && tile < kind)
}

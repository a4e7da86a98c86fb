//! Whether tiles are waits of a player in riichi.
//!
//! Each kind in the hand of a player that is not safe against the riichi is a line.

use jantaku_engine::{Phase, Riichi, TileKind};

use crate::play::{self, Players};

/// `rank` is 0 for honours. `suji` is the number of kinds three ranks away that are safe or do not
/// exist. `left` are the unseen tiles of the kind.
pub const COLUMNS: &str = "turn,rank,suji,left,dora,chance,hit";

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
            let waits = game.round().private(other).waits();
            let may_hit = |kind: TileKind| chances[kind.index()] > 0.0;
            for kind in o.hand_with_draw().kinds().iter().filter(|kind| may_hit(*kind)) {
                let rank = if kind.is_honour() { 0 } else { kind.rank() };
                let ends = [kind.offset(-3), kind.offset(3)];
                let suji = ends.into_iter().filter(|end| !end.is_some_and(may_hit)).count();
                let dora = o.indicators().iter().any(|indicator| indicator.kind().dora(false) == kind);
                lines += &format!(
                    "{},{rank},{suji},{},{},{:.5},{}\n",
                    o.side(other).discard_count(),
                    unseen.of(kind),
                    u8::from(dora),
                    chances[kind.index()],
                    u8::from(waits.contains(kind)),
                );
            }
        }
    });
    lines
}

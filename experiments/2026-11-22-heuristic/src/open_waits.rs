//! Whether tiles are waits of an open tenpai hand.
//!
//! Each kind in the hand of a player on which such an opponent may win is a line.

use jantaku_engine::{Phase, Riichi, TileSet};

use crate::play::{self, Players};
use crate::signs;

/// `flush` tells that the melds look like those of a flush, `in_suit` that the kind has its suit.
/// `tanyao` tells that the melds have no terminals or honours.
pub const COLUMNS: &str = "calls,flush,in_suit,honour,yaochuu,tanyao,chance,hit";

/// One in so many turns is measured.
const RATE: usize = 2;

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        if o.phase() != Phase::Turn || play::sampling(game, seat).below(RATE) > 0 {
            return;
        }
        for other in o.rules().players.others(seat) {
            let (calls, waits) = (signs::calls(&o, other), game.round().private(other).waits());
            if calls == 0 || waits.is_empty() || o.side(other).riichi() != Riichi::None {
                continue;
            }
            let chances = players.released.wait_chances(&o, other);
            let flush = signs::flush_suit(&o, other);
            let tanyao = !o.side(other).melds().iter().any(|meld| meld.kinds().intersects(TileSet::YAOCHUU));
            for kind in o.hand_with_draw().kinds().iter().filter(|kind| chances[kind.index()] > 0.0) {
                let in_suit = !kind.is_honour() && flush == Some(kind.suit() as usize);
                lines += &format!(
                    "{calls},{},{},{},{},{},{:.5},{}\n",
                    u8::from(flush.is_some()),
                    u8::from(in_suit),
                    u8::from(kind.is_honour()),
                    u8::from(kind.is_yaochuu()),
                    u8::from(tanyao),
                    chances[kind.index()],
                    u8::from(waits.contains(kind)),
                );
            }
        }
    });
    lines
}

//! Whether players without riichi are tenpai, and what their hands are worth.
//!
//! Each opponent without riichi is a line, with what the player to move sees of them.

use jantaku_engine::{Concealed, Game, Moment, Observation, Phase, Riichi, Seat, Tile, TileKind, Win};

use crate::play::{self, Players};
use crate::signs;

/// `turn` is the number of discards, `unchanged` that of tsumogiri since the last discard from the
/// hand. `flush` tells that the melds look like those of a flush. `dora` and `valued` are han of the
/// melds. `points` is the mean value of a ron on the waits, for a player who is not the dealer.
pub const COLUMNS: &str = "calls,turn,unchanged,flush,dora,valued,tenpai,points";

/// One in so many turns is measured.
const RATE: usize = 6;

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        if o.phase() != Phase::Turn || play::sampling(game, seat).below(RATE) > 0 {
            return;
        }
        let others = o.rules().players.others(seat);
        for other in others.filter(|seat| o.side(*seat).riichi() == Riichi::None) {
            let waits: Vec<_> = game.round().private(other).waits().iter().collect();
            let points: u32 = waits.iter().map(|kind| ron(game, &o, other, *kind)).sum();
            lines += &format!(
                "{},{},{},{},{},{},{},{}\n",
                signs::calls(&o, other),
                o.side(other).discard_count(),
                signs::unchanged(&o, other),
                u8::from(signs::flush_suit(&o, other).is_some()),
                signs::dora(&o, other),
                signs::valued(&o, other, signs::triplets(&o, other)),
                u8::from(!waits.is_empty()),
                points / (waits.len() as u32).max(1),
            );
        }
    });
    lines
}

/// The points of a ron on this kind, four times the base points. 0 without a yaku.
fn ron(game: &Game, o: &Observation<'_>, seat: Seat, kind: TileKind) -> u32 {
    let side = o.side(seat);
    let mut concealed: Concealed = *game.round().private(seat).hand();
    concealed.add(Tile::plain(kind));
    let win = Win {
        rules: o.rules(),
        concealed,
        melds: side.melds(),
        tile: kind,
        tsumo: false,
        seat_wind: o.seat_wind(seat),
        round_wind: o.round_wind(),
        riichi: Riichi::None,
        ippatsu: false,
        moment: Moment::Ordinary,
        first_turn: false,
        indicators: o.indicators(),
        ura_indicators: &[],
        norths: side.norths(),
        circumstances: Default::default(),
    };
    win.score().map_or(0, |score| 4 * score.base)
}

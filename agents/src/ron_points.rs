//! The points of a win that a hand waits for.

use jantaku_engine::{Circumstances, Concealed, Melds, Moment, Observation, Riichi, Tile, TileKind, Win};

/// The points that the player's hand wins by ron with a tile of this kind as a non-dealer, without
/// ippatsu and ura dora. 0 if the hand has no yaku, or the tile does not complete it.
pub(crate) fn ron_points(
    o: &Observation<'_>,
    hand: &Concealed,
    melds: &Melds,
    kind: TileKind,
    riichi: Riichi,
) -> u32 {
    let mut concealed = *hand;
    concealed.add(Tile::plain(kind));
    let win = Win {
        rules: o.rules(),
        concealed,
        melds,
        tile: kind,
        tsumo: false,
        seat_wind: o.seat_wind(o.seat()),
        round_wind: o.round_wind(),
        riichi,
        ippatsu: false,
        moment: Moment::Ordinary,
        first_turn: false,
        indicators: o.indicators(),
        ura_indicators: &[],
        norths: o.side(o.seat()).norths(),
        circumstances: Circumstances {
            honba: o.honba(),
            dealer_wins: o.dealer_wins(),
            ..Circumstances::default()
        },
    };
    win.score().map_or(0, |score| 4 * score.base)
}

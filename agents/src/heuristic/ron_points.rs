//! The points of a win that a hand waits for.

use jantaku_engine::{Circumstances, Concealed, Melds, Moment, Observation, Riichi, Tile, TileKind, Win};

/// Scores rons of the player with these melds, in riichi or not, as a non-dealer and without ippatsu and
/// ura dora.
#[derive(Clone)]
pub(crate) struct RonPoints<'a>(Win<'a>);

impl<'a> RonPoints<'a> {
    pub(crate) fn new(o: &'a Observation<'_>, melds: &'a Melds, riichi: Riichi) -> RonPoints<'a> {
        RonPoints(Win {
            rules: o.rules(),
            concealed: Concealed::EMPTY,
            melds,
            tile: TileKind::EAST,
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
        })
    }

    /// The points of a ron on this kind: four times the base points, not rounded and without honba
    /// payments. 0 if the hand has no yaku, or the tile does not complete it.
    pub(crate) fn of(&mut self, hand: &Concealed, kind: TileKind) -> u32 {
        let RonPoints(win) = self;
        win.concealed = *hand;
        win.concealed.add(Tile::plain(kind));
        win.tile = kind;
        win.base_points().map_or(0, |base| 4 * base)
    }

    /// The points of a win now with this tile, by tsumo or ron. A yaku of the moment counts only if the
    /// hand has no other.
    pub(crate) fn now(mut self, hand: &Concealed, tile: Tile, tsumo: bool) -> u32 {
        const MOMENTS: [Moment; 4] = [Moment::Ordinary, Moment::LastTile, Moment::Rinshan, Moment::Chankan];
        let RonPoints(win) = &mut self;
        (win.concealed, win.tile, win.tsumo) = (*hand, tile.kind(), tsumo);
        win.concealed.add(tile);
        let mut points = MOMENTS.into_iter().filter_map(|moment| {
            win.moment = moment;
            win.base_points()
        });
        points.next().map_or(0, |base| 4 * base)
    }

    /// The melds of the hands.
    pub(crate) const fn melds(&self) -> &Melds {
        self.0.melds
    }
}

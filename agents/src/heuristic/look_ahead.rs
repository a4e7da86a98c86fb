//! From 1-shanten to the tenpai hands that may follow.
//!
//! Ukeire counts the tiles that make a hand tenpai, but not how well it then waits. Where the best
//! discards leave 1-shanten, this looks at each of these tiles and the tenpai hand after it.

use jantaku_engine::{Concealed, Melds, Tile, TileSet};

use super::attack::{Prospects, Situation};

impl Situation<'_> {
    /// Corrects the worth of the best discards that leave 1-shanten.
    pub(super) fn look_ahead(
        &self,
        hand: &Concealed,
        melds: &Melds,
        kinds: TileSet,
        prospects: &mut Prospects,
    ) {
        let params = &self.params.look_ahead;
        let best = kinds.iter().map(|kind| prospects.plain(kind).worth).fold(f32::MIN, f32::max);
        if best <= 0.0 || params.power == 0.0 {
            return;
        }
        let least = best * (1.0 - params.within);
        let near = |kind: &_| {
            let prospect = prospects.plain(*kind);
            prospect.shanten == 1 && prospect.worth >= least
        };
        let kinds: TileSet = kinds.iter().filter(near).take(params.most).collect();
        for kind in kinds.iter() {
            let mut rest = *hand;
            rest.remove_any(kind);
            let Some(tenpai) = self.mean_tenpai(&rest, melds) else { continue };
            let prospect = &mut prospects.plain[kind.index()];
            let ratio = tenpai * prospect.win / (prospect.worth * params.usual);
            prospect.worth *= ratio.clamp(params.range[0], params.range[1]).powf(params.power);
        }
    }

    /// The mean worth of the tenpai hands that follow from a 1-shanten hand, one for each unseen
    /// tile of its ukeire. None if the hand is not 1-shanten by shape, or no such tile is left.
    fn mean_tenpai(&self, hand: &Concealed, melds: &Melds) -> Option<f32> {
        let (shanten, ukeire) = hand.ukeire(melds.len());
        if shanten.number() != 1 {
            return None;
        }
        let (mut tiles, mut sum) = (0.0, 0.0);
        for draw in (ukeire & self.scene.unseen.kinds()).iter() {
            let left = self.scene.unseen.of(draw) as f32;
            let mut full = *hand;
            full.add(Tile::plain(draw));
            let (_, discards) = full.least_discards(melds.len());
            let worth_after = |kind| {
                let mut tenpai = full;
                tenpai.remove_any(kind);
                self.best_tenpai(&tenpai, melds).worth
            };
            tiles += left;
            sum += left * discards.iter().map(worth_after).fold(0.0, f32::max);
        }
        (tiles > 0.0).then(|| sum / tiles)
    }
}

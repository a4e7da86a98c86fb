//! An ankan or kakan and the best discard, each played on to the end of the hand.

use jantaku_engine::{Action, Phase, Riichi};

use crate::play::{self, Players};

/// `riichi` counts other players. `shanten` is that of the hand before the kan, `after` that of the
/// hand after it, both at least 0.
pub const COLUMNS: &str = "riichi,kakan,open,shanten,after,\
    win_kan,deal_in_kan,gain_kan,win_discard,deal_in_discard,gain_discard";

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        let free = o.side(seat).riichi() == Riichi::None && !o.legal().contains(Action::Tsumo.id());
        let (Phase::Turn, true, Some(kind)) = (o.phase(), free, o.legal().kan_kinds().first()) else {
            return;
        };
        let candidates = players.released.explain(&o);
        let Some(best) = candidates.iter().max_by(|a, b| a.value.total_cmp(&b.value)) else { return };
        let (hand, melds) = (o.hand_with_draw(), o.melds().len());
        let kakan = o.melds().pons().contains(kind);
        let mut rest = hand;
        (0..if kakan { 1 } else { 4 }).for_each(|_| {
            rest.remove_any(kind);
        });
        let after = rest.shanten(if kakan { melds } else { melds + 1 });
        let [kan, discard] = [Action::Kan { kind }, best.action]
            .map(|action| play::play_on(&players.released, game, seat, action).columns(seat));
        lines += &format!(
            "{},{},{},{},{},{kan},{discard}\n",
            play::riichi_of_others(&o),
            u8::from(kakan),
            u8::from(o.melds().are_open()),
            hand.shanten(melds).number().max(0),
            after.number().max(0),
        );
    });
    lines
}

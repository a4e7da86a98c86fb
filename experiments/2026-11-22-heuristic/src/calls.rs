//! The best call and passing, each played on to the end of the hand.

use jantaku_engine::{Action, Observation, Phase, TileSet};

use crate::play::{self, NO_PLAN, Players};
use crate::signs;

/// `estimate` is the worth of the call less that of passing; `gain` is the difference in points.
/// `kind` is 0 for chi, 1 for pon and 2 for pon of valued honours. `after` is the shanten of the
/// best plan after the call, `points` those of a win.
pub const COLUMNS: &str = "draws,open,shanten,kind,after,points,estimate,win_call,win_pass,gain";

/// One in so many decisions is measured.
const RATE: usize = 2;

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        let alone = game.pending().len() == 1 && !o.legal().contains(Action::Ron.id());
        let calm = play::riichi_of_others(&o) == 0;
        if o.phase() != Phase::Claim || !alone || !calm || play::sampling(game, seat).below(RATE) > 0 {
            return;
        }
        let mut candidates = players.reckless_judge.explain(&o);
        candidates.retain(|candidate| candidate.shanten != NO_PLAN);
        let (passes, calls): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|candidate| candidate.action == Action::Pass);
        let best = calls.into_iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let (Some(pass), Some(call)) = (passes.first(), best) else { return };
        let [called, passed] =
            [call.action, Action::Pass].map(|action| play::play_on(&players.released, game, seat, action));
        let [win_call, win_pass] = [&called, &passed].map(|ended| u8::from(ended.winners.contains(seat)));
        lines += &format!(
            "{},{},{},{},{},{:.0},{:.0},{win_call},{win_pass},{}\n",
            play::draws_left(&o),
            u8::from(o.melds().are_open()),
            o.hand().shanten(o.melds().len()).number(),
            kind(&o, call.action),
            call.shanten,
            call.points,
            call.value - pass.value,
            called.gain(seat) - passed.gain(seat),
        );
    });
    lines
}

fn kind(o: &Observation<'_>, call: Action) -> u8 {
    let claimed = o.offer().map(|offer| offer.tile.kind());
    match call {
        Action::Pon { .. } => {
            let valued = claimed.is_some_and(|kind| signs::valued(o, o.seat(), TileSet::of(kind)) > 0);
            1 + u8::from(valued)
        }
        _ => 0,
    }
}

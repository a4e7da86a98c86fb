//! Riichi and damaten, each played on to the end of the hand.
//!
//! Each riichi of the agent is a line. In damaten the player makes the same discard and declares no
//! riichi later in the hand.

use jantaku_engine::{Action, Phase};

use crate::play::{self, Players};

/// `riichi` counts other players. `turn` is the number of the discard. `mode` and `points` are
/// those of damaten. `estimate` is the worth of riichi less that of damaten.
pub const COLUMNS: &str = "riichi,turn,mode,ukeire,points,estimate,\
    win_riichi,deal_in_riichi,gain_riichi,win_damaten,deal_in_damaten,gain_damaten";

pub fn lines(players: &Players, seed: u64) -> String {
    let mut lines = String::new();
    play::play(&players.released, &players.rules, seed, |game, seat| {
        let o = game.observe(seat);
        let is_riichi = |action: Action| play::without_riichi(action) != action;
        if o.phase() != Phase::Turn || !o.legal().iter().any(|id| is_riichi(id.action())) {
            return;
        }
        let action = play::choose(&players.released, game, seat);
        if !is_riichi(action) {
            return;
        }
        let plain = play::without_riichi(action);
        let candidates = players.judge.explain(&o);
        let of = |action: Action| candidates.iter().find(|candidate| candidate.action == action);
        let (Some(declared), Some(silent)) = (of(action), of(plain)) else { return };
        let riichi = play::play_on(&players.released, game, seat, action);
        let damaten = play::play_on_with(&players.released, game, seat, plain, |other, action| {
            if other == seat { play::without_riichi(action) } else { action }
        });
        lines += &format!(
            "{},{},{},{},{:.0},{:.0},{},{}\n",
            play::riichi_of_others(&o),
            o.side(seat).discard_count() + 1,
            silent.mode as u8,
            declared.ukeire,
            silent.points,
            declared.worth - silent.worth,
            riichi.columns(seat),
            damaten.columns(seat),
        );
    });
    lines
}

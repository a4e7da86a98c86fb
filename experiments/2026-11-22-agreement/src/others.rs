//! Kans, kyuushu kyuuhai and wins, where they are legal.

use jantaku_engine::{Action, Observation};

use crate::facts;
use crate::judge::Verdict;

/// The own columns of [`lines`]. `h` is the person, `a` the agent.
///
/// - `what`: `ankan`, `kakan`, `kyuushu`, `tsumo` or `ron`
/// - `shanten`: of the hand
/// - `own_riichi`: whether the player is in riichi
/// - `h`, `a`: whether they do it
pub const COLUMNS: &str = "what,shanten,own_riichi,h,a";

/// The own columns of each of these choices.
pub fn lines(o: &Observation<'_>, action: Action, verdict: &Verdict) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |what: &str, shanten: i8, is: &dyn Fn(Action) -> bool| {
        let in_riichi = u8::from(facts::in_riichi(o, o.seat()));
        let [h, a] = [action, verdict.action].map(|action| u8::from(is(action)));
        lines.push(format!("{what},{shanten},{in_riichi},{h},{a}"));
    };
    let hand = o.hand_with_draw();
    let shanten = hand.shanten(o.melds().len()).number();
    let wins = [(Action::Tsumo, "tsumo"), (Action::Ron, "ron")];
    for (win, what) in wins.into_iter().filter(|(win, _)| o.legal().contains(win.id())) {
        add(what, shanten, &|action| action == win);
    }
    if o.legal().contains(Action::Tsumo.id()) {
        return lines;
    }
    let kinds = o.legal().kan_kinds();
    let (kakan, ankan) = (kinds & o.melds().pons(), kinds - o.melds().pons());
    for (kinds, what) in [(kakan, "kakan"), (ankan, "ankan")] {
        if !kinds.is_empty() {
            add(what, shanten, &|action| matches!(action, Action::Kan { kind } if kinds.contains(kind)));
        }
    }
    if o.legal().contains(Action::KyuushuKyuuhai.id()) {
        add("kyuushu", shanten, &|action| action == Action::KyuushuKyuuhai);
    }
    lines
}

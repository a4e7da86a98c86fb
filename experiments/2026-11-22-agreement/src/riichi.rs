//! Decisions in which riichi is legal.

use jantaku_engine::{Action, Concealed, Declare, Observation, Riichi, TileKind, TileSet};

use crate::facts;
use crate::judge::{self, Verdict};

/// The own columns of [`line`]. `h` is the person, `a` the agent. The hand is the one after the
/// discard with riichi that leaves the most waits.
///
/// - `h`, `a`: `riichi`, `damaten` for a discard that keeps tenpai, `leave`, or `other`
/// - `wait`: `two-sided`, `wide` for three kinds or more, `pairs`, `closed`, `edge` or `single`
/// - `honour`: whether a wait is an honour
/// - `waits`: unseen tiles that win
/// - `furiten`: whether a wait is among the own discards
/// - `han`, `points`: of the best ron with riichi, without ura dora and ippatsu
/// - `dama_han`, `dama_points`: of the best ron without; 0 without a yaku
/// - `a_riichi`, `a_dama`: what the agent expects of its best discard with riichi, and without
pub const COLUMNS: &str =
    "h,a,wait,honour,waits,furiten,han,points,dama_han,dama_points,a_riichi,a_dama,a_risk";

/// Whether riichi is legal and the player can win neither now nor without a discard.
pub fn applies(o: &Observation<'_>, action: Action) -> bool {
    let legal = o.legal();
    let may = legal.iter().any(|id| declares(o, id.action()));
    may && judge::discarded(o, action).is_some() && !legal.contains(Action::Tsumo.id())
}

fn declares(o: &Observation<'_>, action: Action) -> bool {
    judge::discarded(o, action).is_some_and(|(_, declare)| declare == Declare::Riichi)
}

/// The own columns of a decision.
pub fn line(o: &Observation<'_>, action: Action, verdict: &Verdict) -> String {
    let hand = o.hand_with_draw();
    let kinds: TileSet = o.legal().iter().filter_map(|id| riichi_kind(o, id.action())).collect();
    let unseen = o.unseen();
    let after = |kind: TileKind| {
        let mut rest = hand;
        rest.remove_any(kind);
        let waits = rest.waits(o.melds().len());
        (unseen.count(waits), rest, waits)
    };
    let (count, rest, waits) =
        kinds.iter().map(after).max_by_key(|(count, ..)| *count).expect("riichi has a discard");
    let best = |riichi| waits.iter().filter_map(|kind| facts::ron(o, &rest, kind, riichi)).max();
    let (han, points) = best(Riichi::Single).unwrap_or_default();
    let (dama_han, dama_points) = best(Riichi::None).unwrap_or_default();
    let furiten = o.discards().of(o.seat()).any(|discard| waits.contains(discard.tile.kind()));
    let candidate = |is_riichi: bool| verdict.best(|action| declares(o, action) == is_riichi);
    format!(
        "{},{},{},{},{count},{},{han},{points},{dama_han},{dama_points},{},{},{}",
        answer(o, &hand, action),
        answer(o, &hand, verdict.action),
        wait(&rest, waits),
        u8::from(waits.intersects(TileSet::HONOURS)),
        u8::from(furiten),
        judge::worth(candidate(true)),
        judge::worth(candidate(false)),
        candidate(true).map_or_else(String::new, |candidate| format!("{:.0}", candidate.risk)),
    )
}

fn riichi_kind(o: &Observation<'_>, action: Action) -> Option<TileKind> {
    judge::discarded(o, action).filter(|(_, declare)| *declare == Declare::Riichi).map(|(kind, _)| kind)
}

fn answer(o: &Observation<'_>, hand: &Concealed, action: Action) -> &'static str {
    let Some((kind, declare)) = judge::discarded(o, action) else { return "other" };
    let mut rest = *hand;
    rest.remove_any(kind);
    match declare {
        Declare::Riichi | Declare::OpenRiichi => "riichi",
        Declare::Nothing if rest.waits(o.melds().len()).is_empty() => "leave",
        Declare::Nothing => "damaten",
    }
}

/// The name of a wait.
fn wait(rest: &Concealed, waits: TileSet) -> &'static str {
    let first = waits.first().expect("a tenpai hand waits");
    match waits.len() {
        3.. => "wide",
        2 if first.offset(3).is_some_and(|other| waits.contains(other)) => "two-sided",
        2 => "pairs",
        _ if rest.count(first) > 0 => "single",
        _ => {
            let holds = |steps: i8| first.offset(steps).is_some_and(|other| rest.count(other) > 0);
            if holds(-1) && holds(1) { "closed" } else { "edge" }
        }
    }
}

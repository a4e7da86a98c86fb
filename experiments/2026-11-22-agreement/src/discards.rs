//! Discards in the player's own turn.

use jantaku_engine::{Action, Concealed, DiscardOptions, DrawSource, Observation, Riichi, Shanten, TileKind};

use crate::facts;
use crate::judge::{self, Verdict};

/// The own columns of [`line`]. `h` is the person, `a` the agent.
///
/// - `called`: whether a chi or pon opened the turn
/// - `shanten`, `melds`: of the hand before the discard, and its open melds
/// - `best`: the most ukeire of discards that keep the shanten
/// - `answer`: `discard`, or what else the agent wants
/// - `kind`, `riichi`: what is discarded, and whether with riichi
/// - `class`, `role`, `dora`: of the discarded tile in the hand
/// - `shanten`, `ukeire`: after the discard
/// - `safe`: whether nobody in riichi can win on the tile
/// - `risk`, `worth`, `mode`: what the agent expects of the discard
pub const COLUMNS: &str = "called,shanten,melds,best,answer,\
    h_kind,h_riichi,h_class,h_role,h_dora,h_shanten,h_ukeire,h_safe,h_risk,h_worth,h_mode,\
    a_kind,a_riichi,a_class,a_role,a_dora,a_shanten,a_ukeire,a_safe,a_risk,a_worth,a_mode";

/// Whether the decision is a discard with a choice.
pub fn applies(o: &Observation<'_>, action: Action) -> bool {
    let is_free = o.side(o.seat()).riichi() == Riichi::None;
    let kinds = o.legal().iter().filter_map(|id| judge::discarded(o, id.action()));
    let mut kinds = kinds.map(|(kind, _)| kind);
    let first = kinds.next();
    is_free && judge::discarded(o, action).is_some() && kinds.any(|kind| Some(kind) != first)
}

/// The own columns of a decision.
pub fn line(o: &Observation<'_>, action: Action, verdict: &Verdict) -> String {
    let hand = o.hand_with_draw();
    let melds = o.melds();
    let options = hand.discard_options(melds.len());
    let least = options.best_shanten();
    let of_least = options.as_slice().iter().filter(|option| Some(option.shanten) == least);
    let best = of_least.map(|option| o.unseen().count(option.ukeire)).max().unwrap_or(0);
    let answer = match verdict.action {
        Action::Discard { .. } | Action::Tsumogiri { .. } => "discard",
        Action::Kan { .. } => "kan",
        Action::Tsumo => "tsumo",
        Action::KyuushuKyuuhai => "kyuushu",
        _ => "other",
    };
    format!(
        "{},{},{},{best},{answer},{},{}",
        u8::from(o.source() == DrawSource::Claim),
        least.map_or(9, Shanten::number),
        melds.iter().filter(|meld| meld.is_open()).count(),
        one(o, &hand, &options, action, verdict),
        one(o, &hand, &options, verdict.action, verdict),
    )
}

/// The columns of a discard; empty ones for another action.
fn one(
    o: &Observation<'_>,
    hand: &Concealed,
    options: &DiscardOptions,
    action: Action,
    verdict: &Verdict,
) -> String {
    let Some((kind, declare)) = judge::discarded(o, action) else { return ",".repeat(10) };
    let option = options.as_slice().iter().find(|option| option.kind == kind);
    let option = option.expect("each kind of the hand is an option");
    let candidate = verdict.discard(o, kind);
    format!(
        "{kind},{},{},{},{},{},{},{},{},{},{}",
        declare as u8,
        facts::class(o, kind),
        facts::role(hand, kind),
        dora_lost(o, hand, kind),
        option.shanten.number(),
        o.unseen().count(option.ukeire),
        u8::from(facts::is_safe(o, kind)),
        candidate.map_or_else(String::new, |candidate| format!("{:.0}", candidate.risk)),
        judge::worth(candidate),
        candidate.map_or_else(String::new, |candidate| format!("{:?}", candidate.mode)),
    )
}

/// Han of dora and red fives that the discard gives up.
fn dora_lost(o: &Observation<'_>, hand: &Concealed, kind: TileKind) -> usize {
    facts::dora_of(o, kind) + usize::from(hand.reds_of(kind) == hand.count(kind))
}

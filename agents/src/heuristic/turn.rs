//! Decisions in the player's own turn.

use jantaku_engine::{
    Action, Concealed, Declare, Meld, MeldKind, Observation, Riichi, Shanten, Tile, TileKind, TileSet,
};

use super::agent::Heuristic;
use super::candidate::{Candidate, Candidates, Verdict};
use super::discard_estimates::{Contest, DiscardEstimates, by_place};
use super::estimator::Estimator;
use super::hand_estimate::HandEstimate;
use super::outcome_values::YAKUMAN;
use super::params::KanParams;
use crate::view::{discard_of, discards, leads};

/// The action that the agent takes without comparing candidates, if any: the only legal one, or a kita,
/// kyuushu kyuuhai or kan.
pub(super) fn by_rule(agent: &Heuristic, o: &Observation<'_>) -> Option<Action> {
    let mut actions = o.legal().iter();
    without_discard(agent, o).or_else(|| match (actions.next(), actions.next()) {
        (Some(only), None) => Some(only.action()),
        _ => None,
    })
}

/// The kita, kyuushu kyuuhai or kan that the agent declares, if any.
fn without_discard(agent: &Heuristic, o: &Observation<'_>) -> Option<Action> {
    let mut taken = None;
    verdicts(agent, o, |verdict| {
        taken = taken.or(verdict.taken.then_some(verdict.action));
        taken.is_some()
    });
    taken
}

/// Calls `found` with the verdicts on kita, kyuushu kyuuhai and kans, until it returns true.
pub(super) fn verdicts(agent: &Heuristic, o: &Observation<'_>, mut found: impl FnMut(Verdict) -> bool) {
    let legal = o.legal();
    let hand = o.hand_with_draw();
    let orphans = agent.models(o).params.plan.orphans;
    let is_for_orphans = || (hand.kinds() & TileSet::YAOCHUU).len() >= orphans;
    if legal.contains(Action::Kita.id()) {
        let (taken, why) = judge_kita(o, &hand, is_for_orphans());
        if found(Verdict { action: Action::Kita, taken, why }) {
            return;
        }
    }
    if legal.contains(Action::KyuushuKyuuhai.id()) {
        let (taken, why) = match hand.shanten(o.melds().len()).number() {
            _ if is_for_orphans() => (false, "for-orphans"),
            3.. => (true, "far-from-tenpai"),
            _ => (false, "near-tenpai"),
        };
        if found(Verdict { action: Action::KyuushuKyuuhai, taken, why }) {
            return;
        }
    }
    let kinds = legal.kan_kinds();
    if kinds.is_empty() || kan_params(agent, o).is_some() {
        return;
    }
    agent.estimate(o, |estimator| {
        for kind in kinds.iter() {
            let (taken, why) = estimator.judge_kan(&hand, kind);
            if found(Verdict { action: Action::Kan { kind }, taken, why }) {
                return;
            }
        }
    });
}

/// Whether to set a North aside, and why.
fn judge_kita(o: &Observation<'_>, hand: &Concealed, is_for_orphans: bool) -> (bool, &'static str) {
    let mut rest = *hand;
    rest.remove(Tile::plain(TileKind::NORTH));
    let (melds, before) = (o.melds().len(), hand.shanten(o.melds().len()));
    if rest.shanten(melds) <= before.max(Shanten::TENPAI) {
        (true, "no-slower")
    } else if before <= Shanten::TENPAI {
        (false, "takes-tenpai")
    } else if is_for_orphans {
        (false, "for-orphans")
    } else {
        (true, "gives-dora")
    }
}

/// The parameters that compare the values of kans in riichi with that of the discard. None if the hand
/// is not in riichi or has no kan, or if there are no such parameters and rules decide.
fn kan_params<'a>(agent: &'a Heuristic, o: &Observation<'_>) -> Option<&'a KanParams> {
    let params = agent.models(o).params.kan.as_ref()?;
    let in_riichi = o.side(o.seat()).riichi() != Riichi::None;
    (in_riichi && !o.legal().kan_kinds().is_empty()).then_some(params)
}

/// Finds each discard, plain and with riichi, and each kan that is compared by its value.
pub(super) fn candidates(estimator: &Estimator<'_>, found: &mut impl Candidates) {
    let (agent, o) = (estimator.agent, estimator.situation.o);
    let hand = o.hand_with_draw();
    let (plain, riichi) = (discards(o, Declare::Nothing), discards(o, Declare::Riichi));
    if let Some(params) = kan_params(agent, o) {
        for kind in o.legal().kan_kinds().iter() {
            let kan = estimator.kan_in_riichi(params, kind, &hand);
            found.take(kan.value, || kan);
        }
        let drawn = plain.iter().next().expect("a hand in riichi discards the drawn tile");
        let estimate = estimator.in_riichi(o.hand(), o.melds());
        let risk = estimator.danger.risk(drawn);
        let value = estimate.value - risk - estimator.keep_value(drawn);
        let action = discard_of(drawn, &hand, o, Declare::Nothing);
        found.take(value, || Candidate::new(action, value, risk, &estimate));
        return;
    }
    let kinds = hand.kinds();
    let of_kinds = estimator.danger.risks();
    let risks = by_place(kinds, |kind| of_kinds[kind.index()]);
    let keep_values = by_place(kinds, |kind| estimator.keep_value(kind));
    let mut estimates = DiscardEstimates::none(kinds);
    if let Some(best) = found.to_beat().filter(|_| !agent.fast) {
        estimates.start(Contest {
            handicaps: std::array::from_fn(|place| risks[place] + keep_values[place]),
            more: 0.0,
            rivals: if agent.damaten { plain } else { plain - riichi },
            are_all: riichi.is_empty(),
            best,
            look_ahead: estimator.look_ahead_changes(&hand, o.melds()),
        });
    }
    let plans = estimator.plans_to_discard(&hand, o.melds());
    estimator.add_discards(&plans, &hand, o.melds(), plain | riichi, &mut estimates);
    for kind in plain.iter() {
        let (place, may_riichi) = (estimates.place(kind), riichi.contains(kind));
        let mut discard = |declare, estimate: &HandEstimate| {
            let value = estimate.value - risks[place] - keep_values[place];
            let action = || discard_of(kind, &hand, o, declare);
            found.take(value, || Candidate::new(action(), value, risks[place], estimate));
        };
        if agent.damaten || !may_riichi {
            discard(Declare::Nothing, estimates.plain(kind));
        }
        if may_riichi {
            discard(Declare::Riichi, estimates.riichi(kind));
        }
    }
}

impl Estimator<'_> {
    /// The candidate for an ankan by a hand in riichi.
    fn kan_in_riichi(&self, params: &KanParams, kind: TileKind, hand: &Concealed) -> Candidate {
        let (rest, mut melds) = (hand.within(!TileSet::of(kind)), *self.situation.o.melds());
        melds.push(Meld::new(MeldKind::Ankan, kind, hand.reds_of(kind) as u8, None));
        let estimate = self.in_riichi(&rest, &melds);
        Candidate::new(Action::Kan { kind }, estimate.value + params.riichi_bonus, 0.0, &estimate)
    }

    /// Whether to declare this ankan or kakan, and why. It must not slow the hand. While the hand
    /// is far from tenpai, it must not give a threatening player new dora. In the last hand, a
    /// leader who is not tenpai makes no new dora either. After an ankan, the hand must keep most of its
    /// value.
    fn judge_kan(&self, hand: &Concealed, kind: TileKind) -> (bool, &'static str) {
        let o = self.situation.o;
        let added = o.melds().pons().contains(kind);
        let mut rest = *hand;
        (0..if added { 1 } else { 4 }).for_each(|_| {
            rest.remove_any(kind);
        });
        let melds = o.melds().len();
        let after = rest.shanten(if added { melds } else { melds + 1 });
        if after > hand.shanten(melds).max(Shanten::TENPAI) {
            (false, "slower")
        } else if self.danger.count > 0 && after.number() > i8::from(!added) {
            (false, "threat")
        } else if self.outcomes.is_last_hand() && leads(o) && after > Shanten::TENPAI {
            (false, "helps-those-behind")
        } else if !added && !self.keeps_plan(hand, &rest, kind, after) {
            (false, "loses-value")
        } else {
            (true, "no-slower")
        }
    }

    /// Whether the hand keeps most of its value after an ankan. The kan can rule out the only yaku
    /// of an open hand, or break up a better hand. In riichi the waits stay the same.
    fn keeps_plan(&self, hand: &Concealed, rest: &Concealed, kind: TileKind, after_kan: Shanten) -> bool {
        let o = self.situation.o;
        if o.side(o.seat()).riichi() != Riichi::None {
            return true;
        }
        let melds = o.melds();
        let before = self.after_discards(hand, melds, hand.kinds());
        let before = hand.kinds().iter().map(|kind| before.plain(kind).or(*before.riichi(kind)));
        let before = before.fold(HandEstimate::NONE, HandEstimate::or);
        let mut after = *melds;
        after.push(Meld::new(MeldKind::Ankan, kind, hand.reds_of(kind) as u8, None));
        let after = self.waiting(rest, &after);
        let keeps_yakuman = before.points < YAKUMAN || after.points >= before.points;
        let share = self.params.plan.after_kan(after_kan <= Shanten::TENPAI);
        keeps_yakuman && after.value >= share * before.value
    }
}

//! The opinion of an agent, from its reply.

use jantaku_agents::residual::{Corrected, Residual};
use jantaku_agents::{
    Candidate, Heuristic, MonteCarlo, NamedAgent, Reply, SearchInfo, Verdict, leave_same_hand, without_label,
};
use jantaku_engine::{Action, ActionId, Observation, Rng, Seat, TileKind};
use jantaku_show::{
    Correction, Danger, DecisionKind, Grade, Judgement, Opinion, OptionOpinion, Places, Plan, RuleVerdict,
    Safety, Sentence, WaitCount,
};

use super::reason;

/// The hand of a candidate with this value or less cannot win.
pub(super) const NO_VALUE: f32 = -1e9;

/// The opinion behind the reply of this agent to an observation.
pub fn opinion_of(agent: &NamedAgent, reply: &Reply, o: &Observation<'_>) -> Opinion {
    let heuristic = agent.downcast::<Heuristic>();
    let residual = agent.downcast::<Residual>();
    let base = heuristic.or_else(|| residual.map(Residual::base));
    let verdicts = base.map(|heuristic| heuristic.verdicts(o)).unwrap_or_default();
    // `heuristic` takes no random numbers, so the comparison equals the reply's.
    let corrected = residual.and_then(|residual| residual.compare(o, &mut Rng::new(0)).ok());
    let in_points = base.is_some() || agent.downcast::<MonteCarlo>().is_some();
    let reported = reply.search_info.as_deref().map(|info| reported(info, o)).unwrap_or_default();
    let mut options: Vec<_> = verdicts.iter().map(|verdict| decided(verdict, o)).collect();
    if let Some(heuristic) = base {
        let unit = heuristic.value_unit(o);
        for candidate in heuristic.best_estimates(o) {
            add(&mut options, planned(&candidate, unit, o));
        }
        add_discards(&mut options, &heuristic.dangers(o), unit, o);
        let win = heuristic.win_now(o).map(|(action, value)| OptionOpinion {
            action: o.describe(action),
            value: Some(unit * value),
            ..OptionOpinion::default()
        });
        options.extend(win);
    }
    reported.options.into_iter().for_each(|option| add(&mut options, option));
    if let Some(corrected) = &corrected {
        let corrections = 0..corrected.corrections.len();
        corrections.for_each(|at| add(&mut options, with_correction(corrected, at, o)));
    }
    options.sort_by(OptionOpinion::best_first);
    let action = o.describe(reply.action);
    let plan = options.iter().find(|option| option.action == action).and_then(|option| option.plan.as_ref());
    let points = plan.filter(|plan| plan.win > 0.0).map(|plan| plan.points);
    let places = base.zip(points).and_then(|(heuristic, points)| heuristic.place_chances(o, points));
    let reason = reason::explain(agent, reply, o, corrected.as_ref(), &verdicts);
    Opinion {
        agent: agent.label().to_owned(),
        text: without_label(agent.name()).to_owned(),
        action,
        why: reason.to_string(),
        reason: Some(reason),
        unit: in_points.then_some("points"),
        places: places.map(|[win, draw]| Places { win, draw }),
        options,
        ..reported
    }
}

/// The opinion that an agent reported with a choice. Its `agent`, `action` and `why` are empty.
pub fn reported(search_info: &SearchInfo, o: &Observation<'_>) -> Opinion {
    let SearchInfo { value, policy, probability, action_values } = search_info;
    let option = |(at, id): (usize, ActionId)| {
        let estimate = action_values.as_ref().and_then(|values| *values.get(at)?);
        OptionOpinion {
            action: o.describe(id.action()),
            value: estimate.map(|estimate| estimate.mean),
            standard_error: estimate.and_then(|estimate| estimate.standard_error),
            probability: policy.as_ref().and_then(|policy| policy.get(at).copied()),
            ..OptionOpinion::default()
        }
    };
    let mut options: Vec<_> = o.legal().iter().enumerate().map(option).collect();
    options.retain(OptionOpinion::is_measured);
    options.sort_by(OptionOpinion::best_first);
    Opinion { value: *value, probability: *probability, options, ..Opinion::default() }
}

/// Judges the choice of a player. A mistake loses more than `threshold` points against the agent's
/// choice.
///
/// If the opinion has no value for the action played, but for one that leaves the same hand, the action
/// played gets that value. The agent does not report how its estimates correlate, so the error of a cost
/// takes them as independent.
pub(crate) fn judge(opinion: &mut Opinion, o: &Observation<'_>, chosen: Action, threshold: f32) -> Judgement {
    let legal = || o.legal().iter().map(ActionId::action);
    let is_measured =
        |action: &Action| opinion.option(&o.describe(*action)).is_some_and(OptionOpinion::is_measured);
    let measured: Vec<Action> = legal().filter(is_measured).collect();
    let actions = if measured.is_empty() { legal().collect() } else { measured };
    let alike: Vec<String> =
        legal().filter(|other| leave_same_hand(o, *other, chosen)).map(|other| o.describe(other)).collect();
    add_alike(opinion, &o.describe(chosen), &alike);
    let (own, best) = (opinion.option(&o.describe(chosen)), opinion.option(&opinion.action));
    let both = own.zip(best);
    let (cost, cost_error) = if alike.contains(&opinion.action) {
        (Some(0.0), None)
    } else {
        let cost = both.and_then(|(own, best)| Some((best.value? - own.value?).max(0.0)));
        (cost, both.and_then(|(own, best)| Some(own.standard_error?.hypot(best.standard_error?))))
    };
    let (kind, grade) = (DecisionKind::of(o, actions.into_iter()), Grade::of(cost, threshold));
    Judgement::new(kind, cost, cost_error, grade)
}

/// If an action has no value, gives it the option of one of `alike`, the actions that leave the same hand.
fn add_alike(opinion: &mut Opinion, action: &str, alike: &[String]) {
    let has_value = |option: &OptionOpinion| option.value.is_some();
    if opinion.option(action).is_some_and(has_value) {
        return;
    }
    let options = &mut opinion.options;
    if let Some(at) = options.iter().position(|one| has_value(one) && alike.contains(&one.action)) {
        let option = OptionOpinion { action: action.to_owned(), probability: None, ..options[at].clone() };
        options.retain(|one| one.action != action);
        options.push(option);
        options.sort_by(OptionOpinion::best_first);
    }
}

/// Adds what one more report of an agent says of an action. A value replaces an earlier one, with its error.
fn add(options: &mut Vec<OptionOpinion>, option: OptionOpinion) {
    let Some(found) = options.iter_mut().find(|found| found.action == option.action) else {
        return options.push(option);
    };
    if option.value.is_some() {
        (found.value, found.standard_error) = (option.value, option.standard_error);
    }
    found.probability = option.probability.or(found.probability);
    found.risk = option.risk.or(found.risk);
    found.plan = option.plan.or(found.plan.take());
    found.correction = option.correction.or(found.correction.take());
}

/// An action on which a rule of `heuristic` decides.
fn decided(verdict: &Verdict, o: &Observation<'_>) -> OptionOpinion {
    let Verdict { action, taken, why } = *verdict;
    let reason = Sentence::new(why, ());
    let verdict = Some(RuleVerdict { taken, why: reason.to_string(), reason });
    OptionOpinion { action: o.describe(action), verdict, ..OptionOpinion::default() }
}

/// A candidate of `heuristic`, with `unit` points for each unit of a value.
fn planned(candidate: &Candidate, unit: f32, o: &Observation<'_>) -> OptionOpinion {
    let Candidate { action, value, risk, win, points, mode, shanten, ukeire } = *candidate;
    let mode = format!("{mode:?}").to_lowercase();
    OptionOpinion {
        action: o.describe(action),
        value: (value > NO_VALUE).then_some(unit * value),
        risk: Some(unit * risk),
        plan: Some(Plan { win, points, plan_shanten: shanten, plan_ukeire: ukeire, mode }),
        ..OptionOpinion::default()
    }
}

/// Adds the waits after each discard, and what it risks against the opponents, with `unit` points for each unit.
fn add_discards(
    options: &mut [OptionOpinion],
    opponents: &[(Seat, [f32; TileKind::COUNT])],
    unit: f32,
    o: &Observation<'_>,
) {
    let unseen = o.unseen();
    for action in o.legal().iter().map(ActionId::action) {
        let name = o.describe(action);
        let Some(option) = options.iter_mut().find(|option| option.action == name) else { continue };
        let tile = match action {
            Action::Discard { tile, .. } => Some(tile),
            Action::Tsumogiri { .. } => o.drawn(),
            _ => None,
        };
        let Some(tile) = tile else { continue };
        let (kind, mut hand) = (tile.kind(), o.hand_with_draw());
        hand.remove(tile);
        let waits = (hand.waits(o.melds().len()) & o.rules().kinds()).iter();
        option.waits = waits.map(|tile| WaitCount { tile, left: unseen.of(tile) }).collect();
        let danger = |(seat, risks): &(Seat, [f32; TileKind::COUNT])| Danger {
            seat: *seat,
            risk: unit * risks[kind.index()],
            safety: Safety::of(o, *seat, kind),
        };
        option.dangers = opponents.iter().map(danger).collect();
    }
}

/// A candidate of `residual` with its correction. If `heuristic` takes the first candidate by rule,
/// candidates with an estimate get no correction, because it would be relative to the first.
fn with_correction(corrected: &Corrected, at: usize, o: &Observation<'_>) -> OptionOpinion {
    let (base, correction) = (corrected.base_value(at), corrected.corrections[at]);
    OptionOpinion {
        action: o.describe(corrected.comparison.candidates[at].action),
        value: corrected.value(at),
        correction: (base.is_none() || corrected.gain(at).is_some())
            .then_some(Correction { base, correction }),
        ..OptionOpinion::default()
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::{Game, Rules};

    use super::*;

    #[test]
    fn costs_have_the_errors_of_both_estimates() {
        let game = Game::new(&Rules::default(), 1);
        let (seat, _) = game.decisions().next().expect("the dealer must discard");
        let o = game.observe(seat);
        let actions: Vec<Action> = o.legal().iter().map(ActionId::action).take(2).collect();
        let judged = |errors: [Option<f32>; 2], chosen: usize| {
            let options = (0..2).map(|at| OptionOpinion {
                action: o.describe(actions[at]),
                value: Some([700.0, 300.0][at]),
                standard_error: errors[at],
                ..OptionOpinion::default()
            });
            let action = o.describe(actions[0]);
            let mut opinion = Opinion { action, options: options.collect(), ..Opinion::default() };
            let judgement = judge(&mut opinion, &o, actions[chosen], 300.0);
            (judgement.cost, judgement.cost_error, judgement.grade)
        };
        assert_eq!(judged([Some(30.0), Some(40.0)], 1), (Some(400.0), Some(50.0), Grade::Mistake));
        assert_eq!(judged([Some(30.0), None], 1), (Some(400.0), None, Grade::Mistake));
        assert_eq!(judged([Some(30.0), Some(40.0)], 0), (Some(0.0), None, Grade::Best));
    }
}

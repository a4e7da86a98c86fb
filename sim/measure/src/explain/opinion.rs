//! The opinion of an agent, from its reply.

use jantaku_agents::residual::{Corrected, Residual};
use jantaku_agents::{
    Candidate, Heuristic, MonteCarlo, NamedAgent, Reply, SearchInfo, Verdict, without_label,
};
use jantaku_engine::{Action, ActionId, Observation, Rng};
use jantaku_show::{Correction, Judgement, Opinion, OptionOpinion, Plan, RuleVerdict};

use super::reason;
use crate::review::DecisionKind;

/// Below this, a candidate has a hand that cannot win.
pub(super) const NO_VALUE: f32 = -1e9;

/// The opinion behind the reply of this agent to an observation.
#[must_use]
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
    reported.options.into_iter().for_each(|option| add(&mut options, option));
    if let Some(heuristic) = heuristic {
        let unit = heuristic.value_unit(o);
        heuristic.best_estimates(o).iter().for_each(|one| add(&mut options, planned(one, unit, o)));
    }
    if let Some(corrected) = &corrected {
        let corrections = 0..corrected.corrections.len();
        corrections.for_each(|at| add(&mut options, with_correction(corrected, at, o)));
    }
    options.sort_by(OptionOpinion::best_first);
    Opinion {
        agent: agent.label().to_owned(),
        text: without_label(agent.name()).to_owned(),
        action: o.describe(reply.action),
        why: reason::explain(agent, reply, o, corrected.as_ref(), &verdicts),
        unit: in_points.then_some("points"),
        options,
        ..reported
    }
}

/// What an agent reported with a choice. The agent, its choice and its reason are empty.
#[must_use]
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

/// Judges the choice of a player. A mistake loses more than `threshold` points.
///
/// The agent does not report how its estimates correlate, so the error of a cost takes them as
/// independent.
pub(crate) fn judge(opinion: &mut Opinion, o: &Observation<'_>, chosen: Action, threshold: f32) {
    let measured =
        |action: &Action| opinion.option(&o.describe(*action)).is_some_and(OptionOpinion::is_measured);
    let actions: Vec<Action> = o.legal().iter().map(ActionId::action).filter(measured).collect();
    let kind = DecisionKind::of(o, actions.into_iter()).name();
    let (own, best) = (opinion.option(&o.describe(chosen)), opinion.options.first());
    let both = own.zip(best);
    let cost = both.and_then(|(own, best)| Some(best.value? - own.value?));
    let cost_error = both
        .filter(|(own, best)| own.action != best.action)
        .and_then(|(own, best)| Some(own.standard_error?.hypot(best.standard_error?)));
    let is_mistake = cost.is_some_and(|cost| cost > threshold);
    opinion.judgement = Some(Judgement { kind, cost, cost_error, is_mistake });
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

fn decided(verdict: &Verdict, o: &Observation<'_>) -> OptionOpinion {
    let Verdict { action, taken, why } = *verdict;
    let verdict = Some(RuleVerdict { taken, why });
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

/// A candidate of `residual` with its correction.
fn with_correction(corrected: &Corrected, at: usize, o: &Observation<'_>) -> OptionOpinion {
    let (base, correction) = (corrected.base_value(at), corrected.corrections[at]);
    OptionOpinion {
        action: o.describe(corrected.comparison.candidates[at].action),
        value: corrected.value(at),
        correction: Some(Correction { base, correction }),
        ..OptionOpinion::default()
    }
}

/// A share with one decimal.
pub(crate) fn percent(share: f32) -> String {
    format!("{:.1} %", 100.0 * share)
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
            let mut opinion = Opinion { options: options.collect(), ..Opinion::default() };
            judge(&mut opinion, &o, actions[chosen], 300.0);
            let judgement = opinion.judgement.expect("a judgement");
            (judgement.cost, judgement.cost_error, judgement.is_mistake)
        };
        assert_eq!(judged([Some(30.0), Some(40.0)], 1), (Some(400.0), Some(50.0), true));
        assert_eq!(judged([Some(30.0), None], 1), (Some(400.0), None, true));
        assert_eq!(judged([Some(30.0), Some(40.0)], 0), (Some(0.0), None, false));
    }
}

//! The actions of a decision that are worth a comparison, as an agent estimates them.
//!
//! Labels measure them by rollouts ([`labels`](crate::labels)); the agent `residual` corrects their
//! estimates.

use jantaku_engine::{Action, ActionId, Observation, Phase, Rng, named_enum};

use super::{Candidate, Heuristic, Weighed, compares};
use crate::Policy as _;

named_enum! {
    /// What the candidates of a decision differ in. The first kind that applies.
    ComparisonKind {
        /// A kan is legal.
        Kan = "kan",
        /// Kyuushu kyuuhai is legal.
        Abort = "abort",
        /// A candidate declares riichi, and another does not.
        Riichi = "riichi",
        /// Another player's tile can be called.
        Call = "call",
        /// The choice is more dangerous than the safest discard.
        Danger = "danger",
        /// Anything else: other discards, or a kita.
        Discard = "discard",
    }
}

/// The candidates of a decision, with the estimates of the base agent. The first is its choice.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// What they differ in.
    pub kind: ComparisonKind,
    /// The size of the unit of [`Candidate::value`] in this decision, in points.
    pub unit: f32,
    /// The candidates. The first is the choice of the base agent.
    pub candidates: Vec<Compared>,
}

/// A candidate of a decision, with the estimates of the base agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compared {
    /// The action.
    pub action: Action,
    /// The base agent's expected value of the action minus that of its choice, in points. None if it
    /// decides on the action by rule.
    pub gap: Option<f32>,
    /// What else the base agent estimates of the action. None if it decides on it by rule.
    pub estimate: Option<Candidate>,
}

/// Which actions are candidates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The most candidates. Actions that [`Heuristic::compare`] always takes may exceed it.
    pub most: usize,
    /// Candidates that the base agent estimates worse than its choice by more points are left out.
    pub margin: f32,
}

impl Limits {
    /// The limits of labels, and of networks whose export states none.
    pub const USUAL: Limits = Limits { most: 3, margin: 1000.0 };
}

/// A choice is dangerous if it risks at least this many points more than the safest discard.
const DANGEROUS: f32 = 200.0;

impl Heuristic {
    /// The candidates of a decision, with the agent as their base.
    ///
    /// Actions that the agent takes or leaves by rule, without an estimate, are always candidates.
    /// So is the safest discard if the choice is dangerous.
    ///
    /// # Errors
    ///
    /// The agent's choice alone, if there is nothing to compare: it can win, the phase is neither a turn nor
    /// a claim, only one action is legal, or the choice is better than all other actions by more than the
    /// margin.
    pub fn compare(&self, o: &Observation<'_>, limits: Limits, rng: &mut Rng) -> Result<Comparison, Action> {
        let may_win = [Action::Tsumo, Action::Ron].iter().any(|win| o.legal().contains(win.id()));
        let is_compared = compares(o) && o.legal().len() > 1;
        if !is_compared || may_win {
            return Err(self.choose(o, rng));
        }
        let Weighed { choice, unit, candidates } = self.weigh(o);
        let estimates = best_of_each(o, candidates);
        let of_choice = estimates.iter().find(|candidate| candidate.action == choice).copied();
        let gap = |candidate: &Candidate| of_choice.map(|best| unit * (candidate.value - best.value));
        let is_estimated = |action: Action| estimates.iter().any(|candidate| candidate.action == action);
        let by_rule = o.legal().iter().map(ActionId::action).filter(|action| is_by_rule(*action));
        let by_rule = by_rule.filter(|action| *action != choice && !is_estimated(*action));
        let mut candidates =
            vec![Compared { action: choice, gap: of_choice.map(|_| 0.0), estimate: of_choice }];
        candidates.extend(by_rule.map(|action| Compared { action, gap: None, estimate: None }));
        let safest = estimates.iter().min_by(|a, b| a.risk.total_cmp(&b.risk)).copied();
        let is_dangerous = |candidate: &Candidate| {
            safest.is_some_and(|safest| unit * (candidate.risk - safest.risk) >= DANGEROUS)
        };
        let is_push = o.phase() == Phase::Turn && of_choice.as_ref().is_some_and(is_dangerous);
        if let Some(safest) = safest.filter(|_| is_push) {
            candidates.push(Compared { action: safest.action, gap: gap(&safest), estimate: Some(safest) });
        }
        for candidate in &estimates {
            let gap = gap(candidate);
            let is_new = candidates.iter().all(|other| other.action != candidate.action);
            let may_be_by_rule = is_by_rule(candidate.action);
            let is_near = may_be_by_rule || gap.is_none_or(|gap| gap >= -limits.margin);
            if is_new && is_near && (may_be_by_rule || candidates.len() < limits.most) {
                candidates.push(Compared { action: candidate.action, gap, estimate: Some(*candidate) });
            }
        }
        if candidates.len() < 2 {
            return Err(choice);
        }
        Ok(Comparison { kind: kind(o, &candidates, is_push), unit, candidates })
    }

    /// The best estimate for each legal action, best first. Unlike [`Heuristic::explain`], this also
    /// estimates the discard of a red five while the hand holds a plain one. Of the discards of identical
    /// tiles, only one has an estimate.
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method has one lifetime, not any")]
    pub fn best_estimates(&self, o: &Observation<'_>) -> Vec<Candidate> {
        let mut candidates = self.explain(o);
        if o.phase() == Phase::Turn {
            candidates.extend(self.estimate(o, |estimator| estimator.red_discards()));
        }
        best_of_each(o, candidates)
    }
}

/// The best of these candidates for each legal action, best first.
pub(crate) fn best_of_each(o: &Observation<'_>, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut best: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        match best.iter_mut().find(|other| other.action == candidate.action) {
            Some(other) if candidate.value > other.value => *other = candidate,
            Some(_) => {}
            None => best.push(candidate),
        }
    }
    best.retain(|candidate| o.legal().contains(candidate.action.id()));
    best.sort_by(|a, b| b.value.total_cmp(&a.value));
    best
}

/// What these candidates differ in.
fn kind(o: &Observation<'_>, candidates: &[Compared], is_push: bool) -> ComparisonKind {
    let is_kan = |action: Action| matches!(action, Action::Kan { .. } | Action::Daiminkan);
    let declares = |compared: &Compared| compared.action.declares_riichi();
    if candidates.iter().any(|compared| is_kan(compared.action)) {
        ComparisonKind::Kan
    } else if candidates.iter().any(|compared| compared.action == Action::KyuushuKyuuhai) {
        ComparisonKind::Abort
    } else if o.phase() == Phase::Claim {
        ComparisonKind::Call
    } else if candidates.iter().any(declares) && !candidates.iter().all(declares) {
        ComparisonKind::Riichi
    } else if is_push {
        ComparisonKind::Danger
    } else {
        ComparisonKind::Discard
    }
}

/// Whether `heuristic` may take or leave such an action by rule, without an estimate of its value.
pub(crate) const fn is_by_rule(action: Action) -> bool {
    matches!(action, Action::Kan { .. } | Action::Daiminkan | Action::Kita | Action::KyuushuKyuuhai)
}

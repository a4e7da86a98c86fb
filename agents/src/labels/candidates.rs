//! The candidates of a decision, and its kind.

use jantaku_engine::{Action, ActionId, Declare, Observation, Phase, Rng};

use super::Labeller;
use crate::{Candidate, Policy};

/// What the candidates of a decision differ in. The first kind that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecisionKind {
    /// A kan is legal.
    Kan,
    /// Kyuushu kyuuhai is legal.
    Abort,
    /// A candidate declares riichi, and another does not.
    Riichi,
    /// Another player's tile can be called.
    Call,
    /// The choice is more dangerous than the safest discard.
    Danger,
    /// Other discards.
    Discard,
}

impl DecisionKind {
    /// All kinds.
    pub const ALL: [DecisionKind; 6] = [
        DecisionKind::Kan,
        DecisionKind::Abort,
        DecisionKind::Riichi,
        DecisionKind::Call,
        DecisionKind::Danger,
        DecisionKind::Discard,
    ];

    /// The name in options and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DecisionKind::Kan => "kan",
            DecisionKind::Abort => "abort",
            DecisionKind::Riichi => "riichi",
            DecisionKind::Call => "call",
            DecisionKind::Danger => "danger",
            DecisionKind::Discard => "discard",
        }
    }
}

/// The candidates of a decision. The first is the base's choice.
pub(super) struct Compared {
    pub(super) kind: DecisionKind,
    pub(super) unit: f32,
    pub(super) actions: Vec<Compare>,
}

/// An action to compare, with the base's estimates.
pub(super) struct Compare {
    pub(super) action: Action,
    pub(super) gap: Option<f32>,
    pub(super) estimate: Option<Candidate>,
}

/// A choice is dangerous if it risks at least this many points more than the safest discard.
const DANGEROUS: f32 = 200.0;

impl Labeller {
    /// The candidates of a decision. None if there is nothing to compare: a win, or a choice that
    /// is better than all others by more than the margin.
    pub(super) fn candidates(&self, o: &Observation<'_>, rng: &mut Rng) -> Option<Compared> {
        if !matches!(o.phase(), Phase::Turn | Phase::Claim) {
            return None;
        }
        let choice = self.base.choose(o, rng);
        if matches!(choice, Action::Tsumo | Action::Ron) {
            return None;
        }
        let unit = self.base.value_unit(o);
        let estimates = self.estimates(o);
        let of_choice = estimates.iter().find(|candidate| candidate.action == choice).copied();
        let gap = |candidate: &Candidate| of_choice.map(|best| unit * (candidate.value - best.value));
        let by_rule = o.legal().iter().map(ActionId::action).filter(|action| is_by_rule(*action));
        let by_rule = by_rule.filter(|action| *action != choice);
        let mut actions = vec![Compare { action: choice, gap: of_choice.map(|_| 0.0), estimate: of_choice }];
        actions.extend(by_rule.map(|action| Compare { action, gap: None, estimate: None }));
        let safest = estimates.iter().min_by(|a, b| a.risk.total_cmp(&b.risk)).copied();
        let is_dangerous = |candidate: &Candidate| {
            safest.is_some_and(|safest| unit * (candidate.risk - safest.risk) >= DANGEROUS)
        };
        let is_push = o.phase() == Phase::Turn && of_choice.as_ref().is_some_and(is_dangerous);
        if let Some(safest) = safest.filter(|_| is_push) {
            actions.push(Compare { action: safest.action, gap: gap(&safest), estimate: Some(safest) });
        }
        for candidate in &estimates {
            let gap = gap(candidate);
            let is_new = actions.iter().all(|other| other.action != candidate.action);
            let is_near = gap.is_none_or(|gap| gap >= -self.options.margin);
            if is_new && is_near && actions.len() < usize::from(self.options.candidates) {
                actions.push(Compare { action: candidate.action, gap, estimate: Some(*candidate) });
            }
        }
        (actions.len() > 1).then(|| Compared { kind: kind(o, &actions, is_push), unit, actions })
    }

    /// The base's candidates, each action once, best first.
    fn estimates(&self, o: &Observation<'_>) -> Vec<Candidate> {
        let mut best: Vec<Candidate> = Vec::new();
        for candidate in self.base.explain(o) {
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
}

/// What these candidates differ in.
fn kind(o: &Observation<'_>, actions: &[Compare], is_push: bool) -> DecisionKind {
    let is_kan = |action: Action| matches!(action, Action::Kan { .. } | Action::Daiminkan);
    let declares = |compare: &Compare| is_riichi(compare.action);
    if actions.iter().any(|compare| is_kan(compare.action)) {
        DecisionKind::Kan
    } else if actions.iter().any(|compare| compare.action == Action::KyuushuKyuuhai) {
        DecisionKind::Abort
    } else if o.phase() == Phase::Claim {
        DecisionKind::Call
    } else if actions.iter().any(declares) && !actions.iter().all(declares) {
        DecisionKind::Riichi
    } else if is_push {
        DecisionKind::Danger
    } else {
        DecisionKind::Discard
    }
}

const fn is_riichi(action: Action) -> bool {
    matches!(
        action,
        Action::Discard { declare: Declare::Riichi, .. } | Action::Tsumogiri { declare: Declare::Riichi }
    )
}

/// Whether the base takes such an action by rule, without an estimate of its value.
const fn is_by_rule(action: Action) -> bool {
    matches!(action, Action::Kan { .. } | Action::Daiminkan | Action::Kita | Action::KyuushuKyuuhai)
}

//! The prior: the agent whose candidates and estimates a search starts from.

use jantaku_engine::{Action, ActionId, Game, Observation, Rng, Rules};

use super::posterior::{CORRECTED_GAP_SLOPE, GAP_SLOPE};
use super::{MAX_CANDIDATES, MonteCarlo};
use crate::candidates::{best_of_each, is_by_rule};
use crate::heuristic::Weighed;
use crate::residual::Residual;
use crate::{Heuristic, NamedAgent, NamedPolicy, ParseAgentError, Policy};

/// The agent that provides candidates and their estimates.
#[derive(Clone, Debug)]
pub(super) enum Prior {
    /// It estimates the expected value of actions.
    Values(Box<Heuristic>),
    /// It corrects such estimates.
    Corrected(Box<Residual>),
    /// It gives a probability to each action.
    Policy(NamedPolicy),
}

/// An action to compare.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriorCandidate {
    pub(super) action: Action,
    /// Its expected value minus that of the prior's choice, in points. None if the prior gives
    /// none.
    pub(super) gap: Option<f32>,
}

/// The gap of an action whose probability is 1/e of the choice's, in points.
const POINTS_PER_NAT: f32 = 200.0;

impl Prior {
    pub(super) fn new(agent: &NamedAgent) -> Result<Prior, ParseAgentError> {
        if let Some(heuristic) = agent.downcast::<Heuristic>() {
            return Ok(Prior::Values(Box::new(heuristic.clone())));
        }
        if let Some(residual) = agent.downcast::<Residual>() {
            return Ok(Prior::Corrected(Box::new(residual.clone())));
        }
        // A search gives no probabilities, and finding that out would take a whole search.
        let is_search = agent.downcast::<MonteCarlo>().is_some();
        let policy = agent.to_policy().ok().filter(|policy| !is_search && gives_probabilities(policy));
        let refused = || {
            ParseAgentError::Wrong(format!(
                "agent `{agent}` cannot be the prior of a search; expected `heuristic`, `residual`, a \
                 `.safetensors` network, or in Rust a policy that gives each action a probability"
            ))
        };
        policy.map(Prior::Policy).ok_or_else(refused)
    }

    /// The salt of the agent's random numbers.
    pub(super) fn salt(&self) -> u64 {
        match self {
            Prior::Values(agent) => agent.salt(),
            Prior::Corrected(agent) => agent.salt(),
            Prior::Policy(agent) => agent.salt(),
        }
    }

    /// The slope of the regression of the true difference of two actions on their gap.
    pub(super) const fn gap_slope(&self) -> f32 {
        match self {
            Prior::Values(_) | Prior::Policy(_) => GAP_SLOPE,
            Prior::Corrected(_) => CORRECTED_GAP_SLOPE,
        }
    }

    /// The prior's choice, and after it at most `most` − 1 other candidates, best first. Candidates
    /// that are worse by more than `margin` points are left out.
    pub(super) fn candidates(
        &self,
        o: &Observation<'_>,
        most: usize,
        margin: f32,
        rng: &mut Rng,
    ) -> Vec<PriorCandidate> {
        let (choice, mut others) = self.estimates(o, rng);
        others.retain(|other| {
            let is_legal = o.legal().contains(other.action.id());
            is_legal && other.action != choice && other.gap.is_none_or(|gap| gap >= -margin)
        });
        // Actions without an estimate come first: they are few.
        others.sort_by(|a, b| {
            let key = |candidate: &PriorCandidate| candidate.gap.unwrap_or(f32::INFINITY);
            key(b).total_cmp(&key(a))
        });
        others.truncate(most.min(MAX_CANDIDATES) - 1);
        others.insert(0, PriorCandidate { action: choice, gap: Some(0.0) });
        others
    }

    /// The expected value of an action minus that of the prior's choice, in points. None if the prior does
    /// not estimate the action.
    pub(super) fn gap(&self, o: &Observation<'_>, action: Action, rng: &mut Rng) -> Option<f32> {
        let (_, all) = self.estimates(o, rng);
        all.iter().find(|candidate| candidate.action == action)?.gap
    }

    /// The agent's choice, and the actions that it estimates or decides on by rule.
    fn estimates(&self, o: &Observation<'_>, rng: &mut Rng) -> (Action, Vec<PriorCandidate>) {
        match self {
            Prior::Values(agent) => from_values(agent, o),
            Prior::Corrected(agent) => from_corrected(agent, o, rng),
            Prior::Policy(agent) => from_policy(agent, o, rng),
        }
    }
}

/// The agent's candidates by their expected value, and the wins, kans and other actions that it
/// decides by rule.
fn from_values(agent: &Heuristic, o: &Observation<'_>) -> (Action, Vec<PriorCandidate>) {
    let Weighed { choice, unit, candidates } = agent.weigh(o);
    let best = best_of_each(o, candidates);
    let of_choice = best.iter().find(|candidate| candidate.action == choice).map(|candidate| candidate.value);
    let mut found: Vec<PriorCandidate> = best
        .iter()
        .map(|candidate| {
            let gap = of_choice.map(|top| unit * (candidate.value - top).min(0.0));
            PriorCandidate { action: candidate.action, gap }
        })
        .collect();
    let is_apart = |action: Action| matches!(action, Action::Tsumo | Action::Ron) || is_by_rule(action);
    let is_estimated = |action: Action| best.iter().any(|candidate| candidate.action == action);
    let apart = o.legal().iter().map(ActionId::action);
    let apart = apart.filter(|action| is_apart(*action) && !is_estimated(*action));
    found.extend(apart.map(|action| PriorCandidate { action, gap: None }));
    (choice, found)
}

/// The agent's candidates, by their corrected estimates. The agent compares fewer actions than its
/// base estimates, and in some decisions none.
fn from_corrected(agent: &Residual, o: &Observation<'_>, rng: &mut Rng) -> (Action, Vec<PriorCandidate>) {
    let corrected = match agent.compare(o, rng) {
        Ok(corrected) => corrected,
        Err(choice) => return (choice, Vec::new()),
    };
    let chosen = corrected.chosen();
    let top = corrected.gain(chosen);
    let candidates = corrected.comparison.candidates.iter().enumerate().map(|(at, candidate)| {
        let gap = top.zip(corrected.gain(at)).map(|(top, gain)| (gain - top).min(0.0));
        PriorCandidate { action: candidate.action, gap }
    });
    (corrected.comparison.candidates[chosen].action, candidates.collect())
}

/// Whether the agent gives a probability to each action of the first decision of a game. Without
/// them there is nothing to compare.
fn gives_probabilities(agent: &NamedPolicy) -> bool {
    let game = Game::new(&Rules::default(), 0);
    let mut decisions = game.decisions();
    decisions.next().is_some_and(|(seat, _)| {
        let (_, found) = from_policy(agent, &game.observe(seat), &mut game.random_stream(seat, agent.salt()));
        !found.is_empty()
    })
}

/// The agent's choice, and all actions with gaps from the logarithms of their probabilities. Empty
/// if it gives none.
fn from_policy(agent: &NamedPolicy, o: &Observation<'_>, rng: &mut Rng) -> (Action, Vec<PriorCandidate>) {
    let reply = agent.reply(o, rng);
    let policy = reply.search_info.and_then(|search_info| search_info.policy).unwrap_or_default();
    let actions: Vec<Action> = o.legal().iter().map(ActionId::action).collect();
    let probability = |action: Action| {
        let at = actions.iter().position(|other| *other == action);
        at.and_then(|at| policy.get(at)).copied().unwrap_or_default().max(1e-6)
    };
    let of_choice = probability(reply.action);
    let candidates = actions.iter().take(policy.len()).map(|action| {
        let gap = POINTS_PER_NAT * (probability(*action) / of_choice).ln().min(0.0);
        PriorCandidate { action: *action, gap: Some(gap) }
    });
    (reply.action, candidates.collect())
}

#[cfg(test)]
mod tests {
    use jantaku_engine::Position;

    use super::*;
    use crate::Catalog;

    /// A kan of a hand in riichi has an estimate, so it is no candidate apart from it.
    #[test]
    fn an_action_is_a_candidate_once() {
        let position = include_str!("../../tests/games/costly_kan.toml");
        let position = Position::from_toml(position, "position").unwrap_or_else(|error| panic!("{error}"));
        let game = position.game(1).unwrap_or_else(|error| panic!("{error}"));
        let prior = Catalog::standard().agent("heuristic:version=2").and_then(|agent| Prior::new(&agent));
        let prior = prior.unwrap_or_else(|error| panic!("{error}"));
        let o = game.observe(position.seat());
        let found = prior.candidates(&o, 8, f32::INFINITY, &mut Rng::new(0));
        let kans = found.iter().filter(|candidate| matches!(candidate.action, Action::Kan { .. }));
        assert_eq!(kans.map(|candidate| candidate.gap.is_some()).collect::<Vec<_>>(), [true]);
    }
}

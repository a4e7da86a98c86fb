//! The candidates of a decision.

use jantaku_engine::{Action, ActionId, Game, Observation, Rng, Rules};

use super::{MOST_CANDIDATES, MonteCarlo};
use crate::{Heuristic, NamedAgent, NamedPolicy, ParseAgentError, Policy};

/// The agent that proposes candidates.
#[derive(Clone, Debug)]
pub(super) enum Proposer {
    /// It says what it expects of each action.
    Heuristic(Box<Heuristic>),
    /// It says how likely it is to choose each action.
    Other(NamedPolicy),
}

/// An action to compare.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proposal {
    pub(super) action: Action,
    /// How much less the proposer expects of it than of its choice, in points. None if the proposer
    /// does not say.
    pub(super) gap: Option<f32>,
}

/// An action that the proposer finds e times less likely than its choice counts as so many points
/// worse.
const POINTS_PER_NAT: f32 = 200.0;

impl Proposer {
    pub(super) fn new(agent: &NamedAgent) -> Result<Proposer, ParseAgentError> {
        if let Some(heuristic) = agent.downcast::<Heuristic>() {
            return Ok(Proposer::Heuristic(Box::new(heuristic.clone())));
        }
        // A search gives none, and would take its time to say so.
        let is_search = agent.downcast::<MonteCarlo>().is_some();
        let policy = agent.policy().filter(|policy| !is_search && gives_probabilities(policy));
        let refused = || ParseAgentError::NoPolicy { agent: agent.name().to_owned() };
        policy.map(Proposer::Other).ok_or_else(refused)
    }

    /// The random numbers that the agent takes.
    pub(super) fn salt(&self) -> u64 {
        match self {
            Proposer::Heuristic(agent) => agent.salt(),
            Proposer::Other(agent) => agent.salt(),
        }
    }

    /// The choice of the proposer, and after it at most `most` − 1 other candidates, best first.
    /// Candidates that are worse by more than `margin` points are left out.
    pub(super) fn propose(
        &self,
        o: &Observation<'_>,
        most: usize,
        margin: f32,
        rng: &mut Rng,
    ) -> Vec<Proposal> {
        let (choice, mut others) = match self {
            Proposer::Heuristic(agent) => of_heuristic(agent, o, rng),
            Proposer::Other(agent) => of_other(agent, o, rng),
        };
        others.retain(|other| {
            let is_legal = o.legal().contains(other.action.id());
            is_legal && other.action != choice && other.gap.is_none_or(|gap| gap >= -margin)
        });
        // Actions without an estimate come first: they are few.
        others.sort_by(|a, b| {
            let key = |proposal: &Proposal| proposal.gap.unwrap_or(f32::INFINITY);
            key(b).total_cmp(&key(a))
        });
        others.truncate(most.min(MOST_CANDIDATES) - 1);
        others.insert(0, Proposal { action: choice, gap: Some(0.0) });
        others
    }

    /// How much less the proposer expects of an action than of its choice, in points.
    pub(super) fn gap(&self, o: &Observation<'_>, action: Action, rng: &mut Rng) -> Option<f32> {
        let (_, all) = match self {
            Proposer::Heuristic(agent) => of_heuristic(agent, o, rng),
            Proposer::Other(agent) => of_other(agent, o, rng),
        };
        all.iter().find(|proposal| proposal.action == action)?.gap
    }
}

/// The agent's candidates by their worth, and the wins, kans and other actions that it decides
/// without comparing them.
fn of_heuristic(agent: &Heuristic, o: &Observation<'_>, rng: &mut Rng) -> (Action, Vec<Proposal>) {
    let choice = agent.choose(o, rng);
    let mut best: Vec<(Action, f32)> = Vec::new();
    for candidate in agent.explain(o) {
        match best.iter_mut().find(|(action, _)| *action == candidate.action) {
            Some((_, worth)) => *worth = worth.max(candidate.worth),
            None => best.push((candidate.action, candidate.worth)),
        }
    }
    let of_choice = best.iter().find(|(action, _)| *action == choice).map(|(_, worth)| *worth);
    let unit = agent.value_of_point(o);
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut found: Vec<Proposal> = best
        .iter()
        .map(|(action, worth)| {
            let gap = of_choice.map(|top| unit * (worth - top).min(0.0));
            Proposal { action: *action, gap }
        })
        .collect();
    let is_apart = |action: Action| {
        matches!(
            action,
            Action::Tsumo
                | Action::Ron
                | Action::Kan { .. }
                | Action::Daiminkan
                | Action::Kita
                | Action::KyuushuKyuuhai
        )
    };
    let apart = o.legal().iter().map(ActionId::action).filter(|action| is_apart(*action));
    found.extend(apart.map(|action| Proposal { action, gap: None }));
    (choice, found)
}

/// Whether the agent gives the actions of the first decision of a game probabilities. Without them,
/// there would be nothing to compare.
fn gives_probabilities(agent: &NamedPolicy) -> bool {
    let game = Game::new(&Rules::default(), 0);
    let mut decisions = game.decisions();
    decisions.next().is_some_and(|(seat, _)| {
        let (_, found) = of_other(agent, &game.observe(seat), &mut game.random_stream(seat, agent.salt()));
        !found.is_empty()
    })
}

/// The agent's actions by their probability, if it has a policy.
fn of_other(agent: &NamedPolicy, o: &Observation<'_>, rng: &mut Rng) -> (Action, Vec<Proposal>) {
    let reply = agent.reply(o, rng);
    let policy = reply.thoughts.and_then(|thoughts| thoughts.policy).unwrap_or_default();
    let actions: Vec<Action> = o.legal().iter().map(ActionId::action).collect();
    let probability = |action: Action| {
        let at = actions.iter().position(|other| *other == action);
        at.and_then(|at| policy.get(at)).copied().unwrap_or_default().max(1e-6)
    };
    let of_choice = probability(reply.action);
    let proposals = actions.iter().take(policy.len()).map(|action| {
        let gap = POINTS_PER_NAT * (probability(*action) / of_choice).ln().min(0.0);
        Proposal { action: *action, gap: Some(gap) }
    });
    (reply.action, proposals.collect())
}

//! The agent `mc`: Monte Carlo search with rollouts.
//!
//! For each decision with more than one candidate, it samples the hidden tiles by
//! [`inference`](crate::inference), plays every candidate to the end of the hand in each sampled
//! world, and compares the values of these ends:
//!
//! - `prior`: the candidates and their estimates, from another agent
//! - `value`: the value of the end of a hand
//! - `rollout`: plays a world to the end of the hand
//! - `posterior`: combines the prior with the rollouts, and decides whether to replace the prior's
//!   choice
//! - `search`: distributes the rollouts over the candidates
//! - `paired`: compares two actions of a decision as often as the caller wants

mod paired;
mod posterior;
mod prior;
mod rollout;
mod search;
mod value;

use std::time::Duration;

use jantaku_engine::{Action, Observation, Rng};

use crate::by_players::ByPlayers;
use crate::entry::{Built, Entry};
use crate::inference::InferenceModel;
use crate::option::{AgentOption, OptionKind};
use crate::{
    AgentSpeed, Estimate, NamedAgent, NamedPolicy, Params, ParseAgentError, PlacementModel, Policy, Reply,
    SearchInfo, Utility,
};
pub use paired::{HandEnds, PairedMean, PairedRollouts};
use posterior::DecisionRule;
pub(crate) use posterior::prior_doubt;
use prior::Prior;
pub(crate) use rollout::play_until;
pub(crate) use search::is_plain;
pub use search::{Arm, SearchResult};
pub(crate) use value::RolloutValue;

/// The maximum number of candidates of a decision.
pub(crate) const MAX_CANDIDATES: usize = 12;

pub(crate) const ENTRY: Entry = Entry {
    name: "mc",
    about: "Monte Carlo search: plays the candidates of another agent to the end of the hand",
    options: &[
        AgentOption::new(
            "rollouts",
            OptionKind::Integer(2..=1_000_000),
            "256",
            "maximum number of rollouts of a decision, over all candidates",
        ),
        AgentOption::new(
            "ms",
            OptionKind::Integer(0..=60_000),
            "0",
            "milliseconds for a decision, instead of rollouts; above 0, games are not reproducible",
        ),
        AgentOption::new(
            "sampling",
            OptionKind::Choice(&["weighted", "uniform"]),
            "weighted",
            "how hidden tiles are sampled: inferred from the opponents' play, or uniformly",
        ),
        AgentOption::new(
            "prior",
            OptionKind::Text,
            "heuristic",
            "agent that provides candidates: `heuristic`, `residual`, `neural`, or in Rust a policy that gives probabilities",
        ),
        AgentOption::new(
            "rollout",
            OptionKind::Text,
            "heuristic:fast",
            "agent that plays all seats in rollouts",
        ),
        Utility::OPTION,
        AgentOption::new(
            "candidates",
            OptionKind::Integer(2..=MAX_CANDIDATES as i64),
            "4",
            "maximum number of candidates of a decision",
        ),
        AgentOption::new(
            "margin",
            OptionKind::Number(0.0..=1_000_000.0),
            "1000",
            "leaves out candidates that the prior estimates worse by more points",
        ),
        AgentOption::new(
            "prior_weight",
            OptionKind::Number(0.0..=1_000_000.0),
            "1",
            "multiplies the measured weight of the prior against the rollouts",
        ),
        AgentOption::new(
            "errors",
            OptionKind::Number(0.0..=100.0),
            "1",
            "keeps the prior's choice if the rollouts differ by fewer standard errors",
        ),
    ],
    build: |options, agent| {
        let agent_of = |option: &str| agent(options.text(option));
        let (prior, rollout) = (agent_of("prior")?, agent_of("rollout")?);
        let ms = options.value("ms");
        let search = MonteCarlo {
            rollouts: options.value("rollouts"),
            time: (ms > 0).then(|| Duration::from_millis(ms)),
            is_weighted: options.text("sampling") == "weighted",
            utility: options.text("utility").parse()?,
            candidates: options.value("candidates"),
            margin: options.value("margin"),
            rule: DecisionRule {
                prior_weight: options.value("prior_weight"),
                errors: options.value("errors"),
            },
            ..MonteCarlo::new(&prior, rollout.to_policy()?)?
        };
        let mut built = Built::policy(search).with_parts([prior, rollout]);
        built.speed = AgentSpeed::Slow;
        built.is_deterministic &= ms == 0;
        Ok(built)
    },
};

/// Plays the candidates of another agent, the prior, to the end of the hand in many sampled worlds.
///
/// All remaining candidates are played in the same worlds. One agent plays all seats, and in each
/// sees only what that seat sees. After each stage of the search only the better candidates remain.
/// The result is the prior's choice, unless the rollouts clearly favour another candidate.
#[derive(Clone, Debug)]
pub struct MonteCarlo {
    /// The maximum number of rollouts of a decision, over all its candidates.
    pub rollouts: usize,
    /// The time for a decision. It replaces the number of rollouts.
    pub time: Option<Duration>,
    /// Whether hidden tiles are inferred from the opponents' play. If not, they are sampled
    /// uniformly.
    pub is_weighted: bool,
    /// What it maximises.
    pub utility: Utility,
    /// The maximum number of candidates of a decision.
    pub candidates: usize,
    /// Candidates that the prior estimates worse than its choice by more than this many points are left out.
    pub margin: f32,
    /// Candidates that are very unlikely to beat the first one by more than this many points get no more
    /// rollouts. 0 keeps all that may be best.
    pub least: f32,
    rule: DecisionRule,
    prior: Prior,
    players: NamedPolicy,
    inference: InferenceModel,
    placements: ByPlayers<PlacementModel>,
}

impl MonteCarlo {
    /// The search with the options that `mc` has by default: `players` play all seats in rollouts.
    ///
    /// # Errors
    ///
    /// If the prior is neither [`Heuristic`](crate::Heuristic) nor [`Residual`](crate::residual::Residual)
    /// nor an agent that decides one action at a time and gives a probability to each action of the
    /// first decision of a game.
    pub fn new(prior: &NamedAgent, players: NamedPolicy) -> Result<MonteCarlo, ParseAgentError> {
        Ok(MonteCarlo {
            rollouts: 256,
            time: None,
            is_weighted: true,
            utility: Utility::Result,
            candidates: 4,
            margin: 1000.0,
            least: 0.0,
            rule: DecisionRule { prior_weight: 1.0, errors: 1.0 },
            prior: Prior::new(prior)?,
            players,
            inference: InferenceModel::released(),
            placements: Params::released().placement_models(),
        })
    }

    /// The same search with another prior.
    ///
    /// # Errors
    ///
    /// As [`MonteCarlo::new`].
    pub fn with_prior(self, prior: &NamedAgent) -> Result<MonteCarlo, ParseAgentError> {
        Ok(MonteCarlo { prior: Prior::new(prior)?, ..self })
    }
}

impl Policy for MonteCarlo {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        self.search(o, rng).action
    }

    /// The prior gets the random numbers of its own salt.
    fn salt(&self) -> u64 {
        self.prior.salt()
    }

    /// The value and the action values are expected results of the game, in points, measured by
    /// `utility`.
    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let result = self.search(o, rng);
        let estimate = |action: Action| result.arms.iter().find(|arm| arm.action == action)?.estimate();
        let values: Vec<Option<Estimate>> = o.legal().iter().map(|id| estimate(id.action())).collect();
        let search_info = SearchInfo {
            value: estimate(result.action).map(|found| found.mean),
            action_values: values.iter().any(Option::is_some).then_some(values),
            ..SearchInfo::default()
        };
        let search_info = search_info.value.is_some().then(|| Box::new(search_info));
        Reply { search_info, ..result.action.into() }
    }
}

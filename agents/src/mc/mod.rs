//! The agent `mc`: Monte Carlo search with rollouts.
//!
//! For each decision that is not clear, it draws deals of the hidden tiles ([`belief`](crate::belief)),
//! plays every candidate to the end of the hand in each of them, and compares what the hands lead to:
//!
//! - `propose`: the candidates, from another agent, and what that agent thinks of them
//! - `search`: which candidates get the next rollouts, and what the rollouts say
//! - `rollout`: plays a deal to the end of the hand
//! - `value`: what the end of a hand is worth
//! - `verdict`: when the rollouts outweigh the other agent

mod propose;
mod rollout;
mod search;
mod value;
mod verdict;

use std::time::Duration;

use jantaku_engine::{Action, Observation, Players, Rng, Round};

use crate::belief::Beliefs;
use crate::entry::{Built, Entry};
use crate::option::{AgentOption, OptionDefault, OptionKind};
use crate::{
    Estimate, NamedAgent, NamedPolicy, Pace, Params, ParseAgentError, PlacementModel, Policy, Reply,
    Thoughts, Utility,
};
use propose::Proposer;
pub use search::{Arm, Searched};
use value::Value;
use verdict::Verdict;

/// The most candidates of a decision.
pub(crate) const MOST_CANDIDATES: usize = 12;

const fn option(
    name: &'static str,
    kind: OptionKind,
    default: &'static str,
    about: &'static str,
) -> AgentOption {
    AgentOption { name, kind, default: OptionDefault::Value(default), about }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "mc",
    about: "Monte Carlo search: plays the candidates of another agent to the end of the hand",
    options: &[
        option(
            "rollouts",
            OptionKind::Integer(2..=1_000_000),
            "256",
            "most rollouts of a decision, over all candidates",
        ),
        option(
            "ms",
            OptionKind::Integer(0..=60_000),
            "0",
            "milliseconds for a decision, instead of rollouts; above 0, games do not repeat",
        ),
        option(
            "sampling",
            OptionKind::Choice(&["weighted", "uniform"]),
            "weighted",
            "how hidden tiles are dealt: by the opponents' play, or all deals alike",
        ),
        option(
            "proposer",
            OptionKind::Text,
            "heuristic",
            "agent that proposes candidates: `heuristic`, or in Rust a policy that gives probabilities",
        ),
        option("rollout", OptionKind::Text, "heuristic:fast", "agent that plays all seats in rollouts"),
        option(
            "utility",
            OptionKind::Text,
            "result",
            "what it plays for: points, result, placement, or a number for each place",
        ),
        option(
            "candidates",
            OptionKind::Integer(2..=MOST_CANDIDATES as i64),
            "4",
            "most candidates of a decision",
        ),
        option(
            "margin",
            OptionKind::Number(0.0..=1_000_000.0),
            "1000",
            "candidates that the proposer finds worse by more points are left out",
        ),
        option(
            "trust",
            OptionKind::Number(0.0..=1_000_000.0),
            "1",
            "how much the proposer's comparison of actions counts, times what was measured",
        ),
        option(
            "errors",
            OptionKind::Number(0.0..=100.0),
            "1",
            "follows the proposer where rollouts differ by fewer standard errors",
        ),
    ],
    build: |options, agent| {
        let named = |name: &str| agent(&options.value::<String>(name));
        let (proposer, rollout) = (named("proposer")?, named("rollout")?);
        let ms = options.value("ms");
        let search = MonteCarlo {
            rollouts: options.value("rollouts"),
            time: (ms > 0).then(|| Duration::from_millis(ms)),
            is_weighted: options.value::<String>("sampling") == "weighted",
            utility: options.value::<String>("utility").parse()?,
            candidates: options.value("candidates"),
            margin: options.value("margin"),
            verdict: Verdict { trust: options.value("trust"), errors: options.value("errors") },
            ..MonteCarlo::new(&proposer, rollout.to_policy()?)?
        };
        let mut files = proposer.files().to_vec();
        files.extend(rollout.files().iter().filter(|file| !proposer.files().contains(file)).cloned());
        let built = Built::policy(search).with_files(files).with_pace(Pace::Slow);
        Ok(if ms > 0 { built.not_repeatable() } else { built })
    },
};

/// Plays the candidates of another agent to the end of the hand in many deals of the hidden tiles.
///
/// Every deal is played with each candidate that is still in question, by the same agent in all
/// seats, which sees only what its seat sees. After some deals, only the better candidates go on.
/// At the end it follows the proposer unless the rollouts speak clearly for another candidate.
#[derive(Clone, Debug)]
pub struct MonteCarlo {
    /// The most rollouts of a decision, over all its candidates.
    pub rollouts: usize,
    /// The time for a decision. It replaces the number of rollouts.
    pub time: Option<Duration>,
    /// Whether hidden tiles are dealt by the opponents' play. If not, all deals are alike.
    pub is_weighted: bool,
    /// What it maximises.
    pub utility: Utility,
    /// The most candidates of a decision.
    pub candidates: usize,
    /// Candidates that the proposer finds worse by more points are left out.
    pub margin: f32,
    verdict: Verdict,
    proposer: Proposer,
    players: NamedPolicy,
    beliefs: Beliefs,
    usual: PlacementModel,
    three_players: PlacementModel,
}

impl MonteCarlo {
    /// The search with the options that `mc` has by default: `players` play all seats in rollouts.
    ///
    /// # Errors
    ///
    /// If the proposer is neither [`Heuristic`](crate::Heuristic) nor a policy that gives each action of
    /// the first decision of a game a probability.
    pub fn new(proposer: &NamedAgent, players: NamedPolicy) -> Result<MonteCarlo, ParseAgentError> {
        let params = Params::released();
        Ok(MonteCarlo {
            rollouts: 256,
            time: None,
            is_weighted: true,
            utility: Utility::Result,
            candidates: 4,
            margin: 1000.0,
            verdict: Verdict { trust: 1.0, errors: 1.0 },
            proposer: Proposer::new(proposer)?,
            players,
            beliefs: Beliefs::released(),
            usual: params.placements(Players::Four),
            three_players: params.placements(Players::Three),
        })
    }

    /// The value of a hand that is over for the player of an observation, in points.
    #[must_use]
    pub fn value_of(&self, o: &Observation<'_>, round: &Round) -> f32 {
        Value::new(o, self.utility, self.placements(o.rules().players)).of(round)
    }

    /// What a standing leads to in games of so many players.
    const fn placements(&self, players: Players) -> &PlacementModel {
        match players {
            Players::Three => &self.three_players,
            _ => &self.usual,
        }
    }
}

impl Policy for MonteCarlo {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        self.search(o, rng).action
    }

    /// The proposer gets the random numbers of its own salt.
    fn salt(&self) -> u64 {
        self.proposer.salt()
    }

    /// The value and the action values are the expected results of the game in points, or what
    /// `utility` makes of them.
    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        let searched = self.search(o, rng);
        let estimate = |action: Action| searched.arms.iter().find(|arm| arm.action == action)?.estimate();
        let values: Vec<Option<Estimate>> = o.legal().iter().map(|id| estimate(id.action())).collect();
        let thoughts = Thoughts {
            value: estimate(searched.action).map(|found| found.mean),
            action_values: values.iter().any(Option::is_some).then_some(values),
            ..Thoughts::default()
        };
        let thoughts = thoughts.value.is_some().then(|| Box::new(thoughts));
        Reply { thoughts, ..searched.action.into() }
    }
}

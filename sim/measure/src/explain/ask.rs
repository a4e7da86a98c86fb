//! Asks agents for one decision.

use jantaku_agents::{
    Agent, AgentError, NamedAgent, News, Policy as _, Reply, Request, Setup, TableId, Update,
};
use jantaku_engine::Rng;
use jantaku_show::Opinion;

use super::opinion::opinion_of;
use jantaku_sim::replay::source::DecisionContext;

/// Why an agent did not answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The agent cannot start, or failed.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The agent chose an action that is not legal.
    #[error("agent `{agent}` chose {action}, which is not legal")]
    Illegal {
        /// The agent.
        agent: String,
        /// The action.
        action: String,
    },
    /// The agent gave no answer.
    #[error("the agent gave no answer")]
    NoAnswer,
    /// The agent did not answer a decision of a game.
    #[error("decision {step}: {error}")]
    At {
        /// The number of the decision in the game, over all players, from 0.
        step: usize,
        /// The reason.
        error: Box<AskError>,
    },
}

impl AskError {
    /// The error at this decision of a game.
    #[must_use]
    pub fn at(self, step: usize) -> AskError {
        AskError::At { step, error: Box::new(self) }
    }
}

/// The only table of an asked agent: each decision starts the agent anew.
const TABLE: TableId = TableId(0);

/// Asks an agent, which gets the random numbers that belong to this decision in the game.
///
/// # Errors
///
/// If the agent cannot start, fails or answers illegally.
pub fn ask(agent: &NamedAgent, context: &DecisionContext<'_>) -> Result<Opinion, AskError> {
    let DecisionContext { observation: o, seed, hand, .. } = *context;
    let rng = |salt| Rng::of_decision(seed, hand, o.seat(), o.decision_count(), salt);
    let reply = match agent.policy() {
        Some(policy) => policy.reply(&o, &mut rng(policy.salt())),
        None => {
            let mut started = agent.start(&Setup { search_info: true, ..Setup::default() })?;
            let rng = rng(started.salt());
            reply_of(&mut *started, context, rng)?
        }
    };
    if !o.legal().contains(reply.action.id()) {
        let (agent, action) = (agent.name().to_owned(), o.describe(reply.action));
        return Err(AskError::Illegal { agent, action });
    }
    Ok(opinion_of(agent, &reply, &o))
}

/// Asks all agents.
///
/// # Errors
///
/// The first error of an agent ([`ask`]).
pub fn ask_all(agents: &[NamedAgent], context: &DecisionContext<'_>) -> Result<Vec<Opinion>, AskError> {
    agents.iter().map(|agent| ask(agent, context)).collect()
}

/// The answer of a started agent, which first receives the events so far.
fn reply_of(agent: &mut dyn Agent, context: &DecisionContext<'_>, rng: Rng) -> Result<Reply, AskError> {
    let (table, observation) = (TABLE, context.observation);
    let seat = observation.seat();
    if agent.wants_updates() {
        let news = News::GameStart { rules: observation.rules() };
        agent.update(Update { table, seat, news })?;
        for event in context.events {
            let seen = event.seen_by(seat);
            agent.update(Update { table, seat, news: News::Event(&seen) })?;
        }
    }
    let mut requests = [Request { table, observation, rng }];
    let mut replies = Vec::new();
    agent.begin(&requests)?;
    agent.decide(&mut requests, &mut replies)?;
    replies.pop().ok_or(AskError::NoAnswer)
}

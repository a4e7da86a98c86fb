//! Why a text names no agents, and why an agent cannot be built.

use std::error::Error;

use jantaku_engine::Known;

/// Why an agent cannot be built although its options are valid, such as a missing file.
pub type BuildError = Box<dyn Error + Send + Sync>;

/// Why a text names no agents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseAgentError {
    /// No agent has this name.
    #[error("unknown agent `{agent}`, {known}")]
    UnknownAgent {
        /// The name in the text.
        agent: String,
        /// The names of the agents.
        known: Known,
    },
    /// The number of agents does not fit the number of seats.
    #[error("{found} agents for {}", expected_for(*.seats))]
    Count {
        /// The number of agents in the text.
        found: usize,
        /// The number of seats.
        seats: usize,
    },
    /// The agent is not a policy, where one is needed.
    #[error(
        "agent `{agent}` answers batches or follows whole games; expected an agent that decides one action at \
         a time, such as `greedy`"
    )]
    NotAPolicy {
        /// The canonical name of the agent.
        agent: String,
    },
    /// The text, a label or an option is wrong, or the agent cannot be built or used for this.
    #[error("{0}")]
    Wrong(String),
}

fn expected_for(seats: usize) -> String {
    if seats == 1 { "1 seat: expected 1".to_owned() } else { format!("{seats} seats: expected 1 or {seats}") }
}

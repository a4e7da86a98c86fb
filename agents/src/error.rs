//! Why a text names no agents, and why an agent cannot be built.

use std::error::Error;

use jantaku_engine::Known;

use crate::text::SyntaxError;

/// Why an agent cannot be built although its options are valid, such as a missing file.
pub type BuildError = Box<dyn Error + Send + Sync>;

/// Why a text names no agents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseAgentError {
    /// The text is not a list of agents.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The name that the user gives an agent is empty or has a character that separates names and
    /// options.
    #[error("`{label}` cannot be the name of an agent: expected letters without spaces and quotation marks")]
    Label {
        /// The name.
        label: String,
    },
    /// No agent has this name.
    #[error("unknown agent `{agent}`, {known}")]
    UnknownAgent {
        /// The name in the text.
        agent: String,
        /// The names of the agents.
        known: Known,
    },
    /// The agent has no option of this name.
    #[error("agent `{agent}` has no option `{option}`, {known}")]
    UnknownOption {
        /// The name of the agent.
        agent: &'static str,
        /// The option in the text.
        option: String,
        /// The names of the agent's options.
        known: Known,
    },
    /// An option has no value.
    #[error("option `{option}` of agent `{agent}` has no value, expected `{option}=…`")]
    NoValue {
        /// The name of the agent.
        agent: &'static str,
        /// The name of the option.
        option: &'static str,
    },
    /// The option does not accept the value.
    #[error("option `{option}` of agent `{agent}` is `{value}`, expected {expected}")]
    Value {
        /// The name of the agent.
        agent: &'static str,
        /// The name of the option.
        option: &'static str,
        /// The value in the text.
        value: String,
        /// What the option accepts.
        expected: String,
    },
    /// The text gives an option twice.
    #[error("option `{option}` of agent `{agent}` is given twice, as `{first}` and as `{second}`")]
    GivenTwice {
        /// The name of the agent.
        agent: &'static str,
        /// The name of the option.
        option: &'static str,
        /// The first value.
        first: String,
        /// The second value.
        second: String,
    },
    /// The text leaves out an option that has no default.
    #[error("agent `{agent}` needs the option `{option}`, {expected}")]
    Missing {
        /// The name of the agent.
        agent: &'static str,
        /// The name of the option.
        option: &'static str,
        /// What the option accepts.
        expected: String,
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
    /// A search cannot use the agent as its prior: it gives no probabilities.
    #[error(
        "agent `{agent}` cannot be the prior of a search; expected `heuristic`, `residual`, a `.safetensors` \
         network, or in Rust a policy that gives each action a probability"
    )]
    NoPrior {
        /// The canonical name of the agent.
        agent: String,
    },
    /// The agent cannot be the base of labels.
    #[error("agent `{agent}` cannot be the base of labels; expected `heuristic` with any options")]
    NoBase {
        /// The name of the agent as given.
        agent: String,
    },
    /// The agent could not be built.
    #[error("agent `{agent}`: {reason}")]
    Build {
        /// The canonical name of the agent.
        agent: String,
        /// The error of its constructor.
        reason: String,
    },
}

fn expected_for(seats: usize) -> String {
    if seats == 1 { "1 seat: expected 1".to_owned() } else { format!("{seats} seats: expected 1 or {seats}") }
}

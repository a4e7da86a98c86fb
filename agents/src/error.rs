//! Why a text names no agents.

use std::fmt;

use crate::text::SyntaxError;

/// Why a text names no agents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseAgentError {
    /// The text is not a list of agents.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
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

/// The valid names instead of an unknown one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The closest name, if one is close.
    pub closest: Option<&'static str>,
    /// All names.
    pub names: Vec<&'static str>,
}

impl Known {
    pub(crate) fn new(word: &str, names: impl Iterator<Item = &'static str>) -> Known {
        let names: Vec<&str> = names.collect();
        let distance = |name: &str| strsim::osa_distance(word, name);
        let is_close = |name: &&str| {
            !word.is_empty() && name.starts_with(word) || distance(name) <= 1 + word.chars().count() / 4
        };
        let closest = names.iter().copied().filter(is_close).min_by_key(|name| distance(name));
        Known { closest, names }
    }
}

/// `did you mean …? Expected one of …`, as the end of a sentence.
impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.names.is_empty() {
            return f.write_str("there are none");
        }
        let names = self.names.join(", ");
        match self.closest {
            Some(name) => write!(f, "did you mean `{name}`? Expected one of {names}"),
            None => write!(f, "expected one of {names}"),
        }
    }
}

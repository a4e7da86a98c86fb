//! An agent with the name that a text gives it.

use std::fmt;
use std::sync::Arc;

use jantaku_engine::{Action, Observation, Rng};

use crate::{Policy, Reply};

/// An agent of a [`Catalog`](crate::Catalog) that is ready to play. Copies share the agent.
#[derive(Clone)]
pub struct NamedAgent {
    name: Arc<str>,
    /// The policy's salt. Each decision needs it, and reading a field is cheaper than a call.
    salt: u64,
    policy: Arc<dyn Policy>,
}

impl NamedAgent {
    /// The agent with this canonical name.
    pub(crate) fn new(name: &str, policy: Arc<dyn Policy>) -> NamedAgent {
        NamedAgent { name: name.into(), salt: policy.salt(), policy }
    }

    /// The canonical name: the agent with the options that differ from their defaults, in the order
    /// of the entry. The catalog builds the same agent from it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for NamedAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Debug for NamedAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NamedAgent").field(&self.name).finish()
    }
}

impl Policy for NamedAgent {
    #[inline]
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        self.policy.choose(o, rng)
    }

    #[inline]
    fn reply(&self, o: &Observation<'_>, rng: &mut Rng) -> Reply {
        self.policy.reply(o, rng)
    }

    #[inline]
    fn salt(&self) -> u64 {
        self.salt
    }
}

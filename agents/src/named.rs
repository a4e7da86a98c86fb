//! Agents with the names that texts give them.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use jantaku_engine::Rules;

use crate::entry::{Built, Implementation, is_plain};
use crate::neural::OpenNetwork;
use crate::text::label_of;
use crate::{
    Agent, AgentError, AgentSpeed, Batched, BuildError, NamedPolicy, ParameterFile, ParseAgentError, Policy,
    Setup, StartAgent,
};

/// An agent of a [`Catalog`](crate::Catalog). Copies share the agent.
///
/// Every agent can be [started](NamedAgent::start) for a runner that asks for batches. Only an
/// agent that decides one action at a time is also a [policy](NamedAgent::policy).
#[derive(Clone)]
pub struct NamedAgent {
    name: Arc<str>,
    built: Built,
}

impl NamedAgent {
    /// The agent with this canonical name.
    pub(crate) fn new(name: &str, built: Built) -> NamedAgent {
        NamedAgent { name: name.into(), built }
    }

    /// An agent that no catalog has, such as a function of the caller.
    ///
    /// Runs state its name. It has none of the characters that separate names and options, so that
    /// no name of a catalog can be mistaken for it.
    ///
    /// # Errors
    ///
    /// The name, if it is empty or has a space, a comma, a colon, an equals sign or a quotation
    /// mark.
    pub fn outside_catalog(name: &str, built: Built) -> Result<NamedAgent, String> {
        if is_plain(name) { Ok(NamedAgent::new(name, built)) } else { Err(name.to_owned()) }
    }

    /// The agent without its name.
    pub(crate) fn into_built(self) -> Built {
        self.built
    }

    /// The canonical name: the agent with the options that differ from their defaults, in the order
    /// of the entry. If the user gives it a name, this comes first, with an equals sign. The catalog
    /// builds the same agent from it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name by which tables and columns call the agent: the one that the user gives it, as in
    /// `mybot=greedy`, or the canonical name.
    pub fn label(&self) -> &str {
        label_of(&self.name)
    }

    /// The agent as a policy. None if it has to be started, even if it can also decide one action at a
    /// time ([`NamedAgent::to_policy`]).
    pub fn policy(&self) -> Option<NamedPolicy> {
        match &self.built.player {
            Implementation::Policy(policy) => Some(NamedPolicy::shared(&self.name, policy.clone())),
            Implementation::Agent(_) => None,
        }
    }

    /// The agent as a policy. Unlike [`NamedAgent::policy`], this accepts an agent that prefers batches but
    /// can decide one action at a time ([`StartAgent::policy`]).
    ///
    /// # Errors
    ///
    /// If the agent cannot decide one action at a time.
    pub fn to_policy(&self) -> Result<NamedPolicy, ParseAgentError> {
        let policy = match &self.built.player {
            Implementation::Policy(_) => self.policy(),
            Implementation::Agent(agent) => agent.policy(&self.name),
        };
        policy.ok_or_else(|| ParseAgentError::NotAPolicy { agent: self.name.to_string() })
    }

    /// The agent, if it is a policy of this type. It may report more about a decision than its
    /// answer, as [`Heuristic::explain`](crate::Heuristic::explain) does.
    pub fn downcast<P: Policy + 'static>(&self) -> Option<&P> {
        match &self.built.player {
            Implementation::Policy(policy) => (&**policy as &dyn Any).downcast_ref(),
            Implementation::Agent(_) => None,
        }
    }

    /// Starts the agent.
    ///
    /// # Errors
    ///
    /// If the agent cannot start, for example because its program does not exist.
    pub fn start(&self, setup: &Setup) -> Result<Box<dyn Agent>, AgentError> {
        match &self.built.player {
            Implementation::Policy(policy) => {
                Ok(Box::new(Batched(NamedPolicy::shared(&self.name, policy.clone()))))
            }
            Implementation::Agent(agent) => agent.start(&self.name, setup),
        }
    }

    /// Checks that the agent and the agents in it can play under these rules
    /// ([`StartAgent::check_rules`]). A policy without other agents in it plays under all rules.
    ///
    /// # Errors
    ///
    /// Why it cannot.
    pub fn check_rules(&self, rules: &Rules) -> Result<(), BuildError> {
        match self.as_start_agent() {
            Some(agent) => agent.check_rules(rules),
            None => self.built.parts.iter().try_for_each(|part| part.check_rules(rules)),
        }
    }

    /// The agent, if it has to be started before it plays.
    fn as_start_agent(&self) -> Option<&dyn StartAgent> {
        match &self.built.player {
            Implementation::Policy(_) => None,
            Implementation::Agent(agent) => Some(&**agent),
        }
    }

    /// The network that plays as this agent ([`StartAgent::network`]). None if the agent is no
    /// network.
    pub fn network(&self) -> Option<OpenNetwork> {
        self.as_start_agent()?.network()
    }

    /// The files that the agent's parameters come from, those of an agent in it included.
    pub fn files(&self) -> &[ParameterFile] {
        &self.built.files
    }

    /// The number of games that a run with this agent plays at once, unless the user chooses one
    /// ([`StartAgent::tables`]). None if the agent is a policy, which needs
    /// no batches.
    pub fn tables(&self) -> Option<usize> {
        Some(self.as_start_agent()?.tables())
    }

    /// How fast the agent plays.
    pub fn speed(&self) -> AgentSpeed {
        self.as_start_agent().map_or(self.built.speed, <dyn StartAgent>::speed)
    }

    /// Whether the agent plays the same game again from the same seed ([`Agent::is_deterministic`]).
    pub fn is_deterministic(&self) -> bool {
        self.as_start_agent().map_or(self.built.is_deterministic, <dyn StartAgent>::is_deterministic)
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

//! How an agent is started: what happens after its faults, and where its messages go.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_engine::{Rules, named_enum};

use crate::neural::OpenNetwork;
use crate::{Agent, AgentError, AgentSpeed, BuildError, FaultLog, NamedPolicy};

/// The default of [`StartAgent::tables`], and the most games that a network plays at once by default.
pub(crate) const USUAL_TABLES: usize = 8192;

/// How an agent is started.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// What happens after a fault of the agent.
    pub on_fault: OnFault,
    /// Whether the user can choose `on_fault`. If so, the error of a fault suggests other values.
    pub has_on_fault: bool,
    /// Where the messages of the agent's processes go.
    pub messages: Messages,
    /// Where the faults of the agent are written. None: nowhere.
    pub fault_log: Option<FaultLog>,
    /// Whether the runner keeps the search info behind decisions. If not, an agent may leave it out.
    pub search_info: bool,
    /// Becomes true when the run is to stop, for example after Ctrl-C. An agent that waits checks
    /// it often, and then ends its wait with [`AgentError::Interrupted`].
    pub stop: Arc<AtomicBool>,
}

named_enum! {
    /// What happens after a fault of an agent. A fault is counted in any case ([`Agent::faults`]).
    #[derive(Default)]
    OnFault {
        /// The run stops with an error that shows the fault.
        #[default]
        Stop = "stop",
        /// A substitute makes the decision: it discards the drawn tile, or passes. It plays the rest of
        /// the game if the agent's process is gone. The next game gets a new process.
        Substitute = "substitute",
        /// The substitute plays the rest of the game in any case.
        Forfeit = "forfeit",
    }
}

/// Where the messages go that the processes of an agent write to stderr.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Messages {
    /// Nowhere.
    #[default]
    Nowhere,
    /// To the stderr of this program.
    Stderr,
    /// To the end of this file, until it has 16 MiB. All processes of the agent share it.
    File(PathBuf),
}

/// An agent that has to be started before it plays: one that keeps state, such as processes.
pub trait StartAgent: Send + Sync {
    /// Starts the agent.
    ///
    /// A runner calls this once for each agent of a run. `name` is the canonical name, for
    /// messages.
    ///
    /// # Errors
    ///
    /// If the agent cannot start.
    fn start(&self, name: &str, setup: &Setup) -> Result<Box<dyn Agent>, AgentError>;

    /// What [`Agent::is_deterministic`] of the started agent answers.
    fn is_deterministic(&self) -> bool;

    /// Checks that the agent can play under these rules.
    ///
    /// A run calls this before it creates its folder. The default accepts all rules.
    ///
    /// # Errors
    ///
    /// Why it cannot, for example because a network was trained for other rules.
    fn check_rules(&self, _: &Rules) -> Result<(), BuildError> {
        Ok(())
    }

    /// The number of games that a run with this agent plays at once, unless the user chooses one.
    ///
    /// A run takes the smallest number of its agents. The default suits networks, which need large
    /// batches: it makes two batches of some 4,096 decisions, and one is answered while the tables
    /// of the other move on. An agent that starts processes for each table needs few tables.
    fn tables(&self) -> usize {
        USUAL_TABLES
    }

    /// The agent as a policy, if it can decide one action at a time on any thread. `name` is its
    /// canonical name. The default is none.
    ///
    /// Other agents use it, such as a search. Games ask the started agent, which is faster for batches.
    /// The caller checks the rules ([`StartAgent::check_rules`]).
    fn policy(&self, _name: &str) -> Option<NamedPolicy> {
        None
    }

    /// The agent's network, which evaluates encoded decisions. The default is none.
    fn network(&self) -> Option<OpenNetwork> {
        None
    }

    /// How fast the agent plays. The default suits networks.
    ///
    /// A match chooses the number of games in a part of its run by it.
    fn speed(&self) -> AgentSpeed {
        AgentSpeed::Fast
    }
}

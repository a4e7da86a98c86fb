//! The agents of games: all as policies, or all started.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_agents::{
    Agent, AgentError, FaultKind, FaultLog, Faults, Messages, NamedAgent, NamedPolicy, OnFault, Setup,
    TableId,
};
use serde_json::{Value, json};

use crate::arena::{Latencies, TimedAgent, labels};
use crate::play::{RunError, Watch, threads_for};
use crate::run::{PlayError, Played, Run, RunConfig, count, count_batched};

/// How agents are started that keep state, such as networks and programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct StartOptions {
    /// The most games in play at once. None for the number that suits the agents.
    pub tables: Option<usize>,
    /// What a fault of a program causes.
    pub on_fault: Option<OnFault>,
    /// Whether the messages of programs go to stderr. Otherwise they go to `agents.log` in the
    /// folder of the games, or nowhere without a folder.
    pub verbose: bool,
}

/// The agents of games.
pub enum Players {
    /// Agents that decide one action at a time, with their names.
    Policies(Vec<(String, NamedPolicy)>),
    /// Each agent once, or once for each role, started.
    Started(Started),
}

/// Agents that play at tables in lockstep.
pub struct Started {
    /// With their names.
    pub agents: Vec<(String, Box<dyn Agent>)>,
    /// The most games in play at once.
    pub tables: usize,
}

/// An agent that cannot start.
#[derive(Debug, thiserror::Error)]
#[error("cannot start `{agent}`: {cause}")]
pub struct CannotStart {
    /// The name of the agent.
    pub agent: String,
    /// The reason. The message contains it, so it is not a source.
    pub cause: AgentError,
}

impl StartOptions {
    /// The agents as policies if all of them are. Otherwise starts each name once. Their waits end
    /// when `stop` is set.
    ///
    /// # Errors
    ///
    /// If an agent cannot start.
    pub fn start(
        &self,
        agents: &[(String, NamedAgent)],
        folder: Option<&Path>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Players, CannotStart> {
        if let Some(policies) = policies(agents) {
            return Ok(Players::Policies(policies));
        }
        let setup = self.setup(folder, stop);
        let is_new = |(at, (name, _)): &(usize, &(String, NamedAgent))| {
            agents[..*at].iter().all(|(other, _)| other != name)
        };
        let once = agents.iter().enumerate().filter(is_new);
        self.started(once.map(|(_, (name, agent))| (name, agent, setup.clone())))
    }

    /// The agents of a match as [`StartOptions::start`] has them, but started for each role, so
    /// that equal names have faults of their own. The faults also go to a file in the folder.
    ///
    /// # Errors
    ///
    /// If an agent cannot start.
    pub fn start_roles(
        &self,
        agents: &[(String, NamedAgent)],
        folder: Option<&Path>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Players, CannotStart> {
        if let Some(policies) = policies(agents) {
            return Ok(Players::Policies(policies));
        }
        let setup = self.setup(folder, stop);
        let names: Vec<String> = agents.iter().map(|(name, _)| name.clone()).collect();
        self.started(agents.iter().zip(labels(&names)).map(|((name, agent), label)| {
            let fault_log = folder.map(|folder| FaultLog { path: folder.join(FAULTS), agent: label });
            (name, agent, Setup { fault_log, ..setup.clone() })
        }))
    }

    /// How agents are started whose games go to this folder.
    #[must_use]
    pub fn setup(&self, folder: Option<&Path>, stop: &Arc<AtomicBool>) -> Setup {
        let messages = match folder.filter(|folder| folder.is_dir()) {
            _ if self.verbose => Messages::Stderr,
            Some(folder) => Messages::File(folder.join("agents.log")),
            None => Messages::Nowhere,
        };
        let on_fault = self.on_fault.unwrap_or_default();
        let thoughts = folder.is_some();
        Setup { on_fault, messages, fault_log: None, thoughts, stop: Arc::clone(stop) }
    }

    fn started<'a>(
        &self,
        agents: impl Iterator<Item = (&'a String, &'a NamedAgent, Setup)>,
    ) -> Result<Players, CannotStart> {
        let mut fewest = None;
        let start = |(name, agent, setup): (&String, &NamedAgent, Setup)| {
            fewest = agent.tables().into_iter().chain(fewest).min();
            match agent.start(&setup) {
                Ok(agent) => Ok((name.clone(), agent)),
                Err(cause) => Err(CannotStart { agent: name.clone(), cause }),
            }
        };
        let agents = agents.map(start).collect::<Result<_, _>>()?;
        Ok(Players::Started(Started { agents, tables: self.tables.or(fewest).unwrap_or(1) }))
    }
}

/// The agents as policies. None if one of them is none.
#[must_use]
pub fn policies(agents: &[(String, NamedAgent)]) -> Option<Vec<(String, NamedPolicy)>> {
    agents.iter().map(|(name, agent)| Some((name.clone(), agent.policy()?))).collect()
}

/// The file of a match's faults.
const FAULTS: &str = "faults.jsonl";

/// The faults of each agent of a match in its games before `end`, from the file in the folder.
/// Other games are played again, so their faults are removed from the file.
///
/// # Errors
///
/// If the file cannot be read or written. The path is that of the file.
pub fn earlier_faults(folder: &Path, end: TableId) -> Result<BTreeMap<String, Faults>, (PathBuf, io::Error)> {
    let path = folder.join(FAULTS);
    FaultLog::resume(&path, end).map_err(|error| (path, error))
}

impl Players {
    /// The threads that play.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self {
            Players::Policies(_) => rayon::current_num_threads(),
            Players::Started(started) => threads_for(started.tables),
        }
    }

    /// Plays the remaining games of a run ([`Run::play`], [`Run::play_batched`]).
    ///
    /// # Errors
    ///
    /// As these.
    pub fn play(&mut self, run: &mut Run, watch: &mut impl Watch) -> Result<Played, PlayError> {
        match self {
            Players::Policies(agents) => run.play(agents, watch),
            Players::Started(Started { agents, tables }) => run.play_batched(agents, *tables, watch),
        }
    }

    /// Plays the games of a run and writes nothing ([`count`], [`count_batched`]).
    ///
    /// # Errors
    ///
    /// As these.
    pub fn count(&mut self, config: &RunConfig, watch: &mut impl Watch) -> Result<Played, RunError> {
        match self {
            Players::Policies(agents) => count(config, agents, watch),
            Players::Started(Started { agents, tables }) => count_batched(config, agents, *tables, watch),
        }
    }

    /// Times the decisions of started agents from now on.
    pub fn time(&mut self) -> Vec<(String, Arc<Latencies>)> {
        let Players::Started(started) = self else { return Vec::new() };
        let mut times = Vec::new();
        let timed = |(name, agent): (String, Box<dyn Agent>)| {
            let latencies = Arc::<Latencies>::default();
            times.push((name.clone(), Arc::clone(&latencies)));
            (name, Box::new(TimedAgent::new(agent, latencies)) as Box<dyn Agent>)
        };
        started.agents = std::mem::take(&mut started.agents).into_iter().map(timed).collect();
        times
    }

    /// The faults of each agent, in the order of the agents. None for policies.
    #[must_use]
    pub fn all_faults(&self) -> Vec<(String, Faults)> {
        let Players::Started(started) = self else { return Vec::new() };
        started.agents.iter().map(|(name, agent)| (name.clone(), agent.faults())).collect()
    }

    /// The faults of each agent that had some.
    #[must_use]
    pub fn faults(&self) -> Vec<(String, Faults)> {
        self.all_faults().into_iter().filter(|(_, faults)| faults.total() > 0).collect()
    }
}

/// The number of faults of each agent and kind.
#[must_use]
pub fn faults_as_json(faults: &[(String, Faults)]) -> Value {
    let of_agent = |(name, faults): &(String, Faults)| {
        let kind =
            |(kind, count): (FaultKind, u64)| json!({ "agent": name, "kind": kind.name(), "count": count });
        faults.iter().map(kind).collect::<Vec<_>>()
    };
    faults.iter().flat_map(of_agent).collect()
}

//! The agents of a command that plays games: all as policies, or all started.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use jantaku_agents::{Agent, FaultKind, Faults, Messages, NamedAgent, NamedPolicy, OnFault, Setup};
use jantaku_sim::arena::{Latencies, TimedAgent};
use serde_json::{Value, json};

use super::arguments::number;
use super::progress::Progress;

/// Options for agents that have to be started, such as programs.
#[derive(clap::Args)]
pub(super) struct StartOptions {
    /// Play at this many tables at once if an agent is a program; built-in agents need no tables
    #[arg(
        long, value_name = "N", default_value_t = 4, value_parser = number::<usize>(1..=4096),
        allow_negative_numbers = true
    )]
    tables: usize,
    /// Choose what a fault of a program causes: end the run, or let a substitute that discards what
    /// it draws decide once or for the rest of the game
    #[arg(long, value_name = "ACTION", default_value = "stop", value_parser = OnFault::ALL.map(OnFault::name))]
    on_fault: String,
    /// Print what programs write to stderr; otherwise it goes to `agents.log` in the folder of a
    /// run
    #[arg(long)]
    verbose: bool,
}

/// The agents of a command.
pub(super) enum Players {
    /// Agents that decide one action at a time, with their names.
    Policies(Vec<(String, NamedPolicy)>),
    /// Each agent once, started.
    Started(Started),
}

/// Agents that play at tables in lockstep.
pub(super) struct Started {
    /// With their names.
    pub agents: Vec<(String, Box<dyn Agent>)>,
    /// The most games in play at once.
    pub tables: usize,
}

impl StartOptions {
    /// The agents as policies if all of them are. Otherwise starts them; what they write to stderr
    /// goes to a file in the folder. A signal that the progress catches ends their waits.
    pub fn start(
        &self,
        agents: &[(String, NamedAgent)],
        folder: Option<&Path>,
        progress: &Progress,
    ) -> anyhow::Result<Players> {
        let policy = |(name, agent): &(String, NamedAgent)| Some((name.clone(), agent.policy()?));
        if let Some(policies) = agents.iter().map(policy).collect() {
            return Ok(Players::Policies(policies));
        }
        let on_fault = OnFault::named(&self.on_fault).expect("clap checks the value");
        let messages = match folder.filter(|folder| folder.is_dir()) {
            _ if self.verbose => Messages::Stderr,
            Some(folder) => Messages::File(folder.join("agents.log")),
            None => Messages::Nowhere,
        };
        let setup = Setup { on_fault, messages, stop: progress.stop_flag() };
        let mut started: Vec<(String, Box<dyn Agent>)> = Vec::new();
        for (name, agent) in agents {
            if started.iter().all(|(other, _)| other != name) {
                let agent = agent.start(&setup).with_context(|| format!("cannot start `{name}`"))?;
                started.push((name.clone(), agent));
            }
        }
        Ok(Players::Started(Started { agents: started, tables: self.tables }))
    }
}

impl Players {
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

    /// The faults of each agent that had some.
    pub fn faults(&self) -> Vec<(String, Faults)> {
        let Players::Started(started) = self else { return Vec::new() };
        let faults = started.agents.iter().map(|(name, agent)| (name.clone(), agent.faults()));
        faults.filter(|(_, faults)| faults.total() > 0).collect()
    }
}

/// A line for each agent with faults.
pub(super) fn fault_lines(faults: &[(String, Faults)]) -> String {
    let line = |(name, faults): &(String, Faults)| {
        let kinds: Vec<String> = faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let latest = faults.latest().unwrap_or_default();
        format!("faults of {name}: {}; the latest: {latest}\n", kinds.join(", "))
    };
    faults.iter().map(line).collect()
}

/// The number of faults of each agent and kind.
pub(super) fn faults_as_json(faults: &[(String, Faults)]) -> Value {
    let of_agent = |(name, faults): &(String, Faults)| {
        let kind =
            |(kind, count): (FaultKind, u64)| json!({ "agent": name, "kind": kind.name(), "count": count });
        faults.iter().map(kind).collect::<Vec<_>>()
    };
    faults.iter().flat_map(of_agent).collect()
}

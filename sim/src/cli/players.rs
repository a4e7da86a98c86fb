//! The agents of a command that plays games: all as policies, or all started.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jantaku_agents::{
    Agent, FaultKind, FaultLog, Faults, Messages, NamedAgent, NamedPolicy, OnFault, Setup, TableId,
};
use jantaku_sim::arena::{Latencies, TimedAgent, labels};
use jantaku_sim::play::threads_for;
use jantaku_sim::run::Run;
use serde_json::{Value, json};

use super::arguments::number;
use super::progress::Progress;

/// Options for agents that have to be started, such as programs.
#[derive(clap::Args)]
pub(super) struct StartOptions {
    /// Play this many games at once if an agent is a network or a program; a program has at most one
    /// process for each seat in these games [default: 8192, or 4 with a program]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=65_536), allow_negative_numbers = true)]
    pub tables: Option<usize>,
    /// Choose what a fault of a program causes: end the run, or let a substitute that discards what
    /// it draws decide once or for the rest of the game [default: stop]
    #[arg(long, value_name = "ACTION", value_parser = on_fault())]
    pub on_fault: Option<OnFault>,
    /// Print what programs write to stderr; otherwise it goes to `agents.log` in the folder of a
    /// run
    #[arg(long)]
    pub verbose: bool,
}

fn on_fault() -> impl TypedValueParser<Value = OnFault> {
    let named = |name: String| OnFault::named(&name).expect("clap checks the name");
    PossibleValuesParser::new(OnFault::ALL.map(OnFault::name)).map(named)
}

/// The agents of a command.
pub(super) enum Players {
    /// Agents that decide one action at a time, with their names.
    Policies(Vec<(String, NamedPolicy)>),
    /// Each agent once, or once for each role, started.
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
    /// The agents as policies if all of them are. Otherwise starts each name once; what the agents
    /// write to stderr goes to a file in the folder. A signal that the progress catches ends their
    /// waits.
    pub fn start(
        &self,
        agents: &[(String, NamedAgent)],
        folder: Option<&Path>,
        progress: &Progress,
    ) -> anyhow::Result<Players> {
        if let Some(policies) = policies(agents) {
            return Ok(Players::Policies(policies));
        }
        let setup = self.setup(folder, progress);
        let is_new = |(at, (name, _)): &(usize, &(String, NamedAgent))| {
            agents[..*at].iter().all(|(other, _)| other != name)
        };
        let once = agents.iter().enumerate().filter(is_new);
        self.started(once.map(|(_, (name, agent))| (name, agent, setup.clone())))
    }

    /// The agents of a match as [`StartOptions::start`] has them, but started for each role, so
    /// that equal names have faults of their own. The faults also go to a file in the folder.
    pub fn start_roles(
        &self,
        agents: &[(String, NamedAgent)],
        folder: Option<&Path>,
        progress: &Progress,
    ) -> anyhow::Result<Players> {
        if let Some(policies) = policies(agents) {
            return Ok(Players::Policies(policies));
        }
        let setup = self.setup(folder, progress);
        let names: Vec<String> = agents.iter().map(|(name, _)| name.clone()).collect();
        self.started(agents.iter().zip(labels(&names)).map(|((name, agent), label)| {
            let fault_log = folder.map(|folder| FaultLog { path: folder.join(FAULTS), agent: label });
            (name, agent, Setup { fault_log, ..setup.clone() })
        }))
    }

    /// How agents are started.
    pub fn setup(&self, folder: Option<&Path>, progress: &Progress) -> Setup {
        let messages = match folder.filter(|folder| folder.is_dir()) {
            _ if self.verbose => Messages::Stderr,
            Some(folder) => Messages::File(folder.join("agents.log")),
            None => Messages::Nowhere,
        };
        let on_fault = self.on_fault.unwrap_or_default();
        let thoughts = folder.is_some();
        Setup { on_fault, messages, fault_log: None, thoughts, stop: progress.stop_flag() }
    }

    fn started<'a>(
        &self,
        agents: impl Iterator<Item = (&'a String, &'a NamedAgent, Setup)>,
    ) -> anyhow::Result<Players> {
        let mut fewest = None;
        let start = |(name, agent, setup): (&String, &NamedAgent, Setup)| {
            fewest = agent.tables().into_iter().chain(fewest).min();
            let agent = agent.start(&setup).with_context(|| format!("cannot start `{name}`"))?;
            Ok((name.clone(), agent))
        };
        let agents = agents.map(start).collect::<anyhow::Result<_>>()?;
        Ok(Players::Started(Started { agents, tables: self.tables.or(fewest).unwrap_or(1) }))
    }
}

/// The agents as policies. None if one of them is none.
pub(super) fn policies(agents: &[(String, NamedAgent)]) -> Option<Vec<(String, NamedPolicy)>> {
    agents.iter().map(|(name, agent)| Some((name.clone(), agent.policy()?))).collect()
}

/// The file of a match's faults.
const FAULTS: &str = "faults.jsonl";

/// The faults of each agent of a match in its games before `end`, from the file in the folder.
/// Other games are played again, so their faults are removed from the file.
pub(super) fn earlier_faults(folder: &Path, end: TableId) -> anyhow::Result<BTreeMap<String, Faults>> {
    let path = folder.join(FAULTS);
    FaultLog::resume(&path, end).with_context(|| path.display().to_string())
}

impl Players {
    /// The threads that play.
    pub fn threads(&self) -> usize {
        match self {
            Players::Policies(_) => rayon::current_num_threads(),
            Players::Started(started) => threads_for(started.tables),
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
    pub fn all_faults(&self) -> Vec<(String, Faults)> {
        let Players::Started(started) = self else { return Vec::new() };
        started.agents.iter().map(|(name, agent)| (name.clone(), agent.faults())).collect()
    }

    /// The faults of each agent that had some.
    pub fn faults(&self) -> Vec<(String, Faults)> {
        self.all_faults().into_iter().filter(|(_, faults)| faults.total() > 0).collect()
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

/// Says which whole parts of a resumed run are played again.
pub(super) fn note_parts_after_gap(run: &Run) {
    if let Some(parts) = run.after_gap() {
        let them = if parts.whole.len() == 1 { "it is" } else { "they are" };
        eprintln!("{parts}, which the manifest does not name: {them} played again, to the same bytes");
    }
}

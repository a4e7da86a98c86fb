//! The agents that play the games of a job.
//!
//! # Why
//!
//! **Who plays?** `Players`: the agents of a job in the order that its schedule seats them. It has
//! one function that plays a job and folds its games. Each thread adds finished games to its own
//! value, and the values arrive in the order of the schedule. Runs, matches, leagues and statistics
//! differ only in their folds. If all agents are policies, each thread plays one game after the
//! other. Otherwise all agents answer batches from many tables. Rejected: a function for each
//! combination of runner and use; there were eight of them.

use std::collections::BTreeMap;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_agents::label_of;
use jantaku_agents::{
    AgentError, FaultLog, Faults, Messages, NamedAgent, NamedPolicy, OnFault, Setup, TableId,
};
use serde::Deserialize;

use super::batched::{self, Started, StartedAgent};
use super::counts::{Counts, UnitCounts};
use super::direct::{self, Policies};
use super::fold::{AddGame, Fold, Taken};
use super::groups::{AgentGroups, Groups};
use super::job::{Job, RunError, Watch};
use super::latency::DecisionTimes;
use super::played::{PartCounts, PlayedParts, begins_part};
use super::record::GameRecord;
use super::sink::Sink;
use super::tally::Tally;
use crate::store;

/// The agents that play, in the order that a schedule seats them.
///
/// Agents that decide one action at a time play games on all threads of the rayon pool. If any agent
/// has to be started, as a network or an external engine, all play many tables at once and answer
/// batches. Then the calling thread must not be in a rayon pool: an agent may wait for a process or a
/// device.
///
/// The games of agents that are functions of their observations and random numbers depend neither
/// on the number of threads nor on that of tables.
#[derive(Debug)]
pub enum Players {
    /// Agents that decide one action at a time.
    Policies(Policies),
    /// Agents that answer batches.
    Started(Started),
}

impl From<Vec<NamedPolicy>> for Players {
    fn from(policies: Vec<NamedPolicy>) -> Players {
        Players::Policies(Policies::new(policies))
    }
}

impl Players {
    /// The names in the order that the schedule seats the agents.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Players::Policies(policies) => policies.agents().iter().map(NamedPolicy::name).collect(),
            Players::Started(started) => started.names().collect(),
        }
    }

    /// The number of threads that play this many games.
    pub fn threads(&self, games: u64) -> usize {
        self.threads_of(&(0..games), usize::MAX)
    }

    fn threads_of(&self, games: &Range<u64>, most_tables: usize) -> usize {
        match self {
            Players::Policies(_) => rayon::current_num_threads(),
            Players::Started(started) => started.threads(games, most_tables),
        }
    }

    /// Plays the games of a job and gives them to a sink in the order of the schedule.
    ///
    /// Returns the counts over all games that the sink took. If the watch stops the job, it ends
    /// without an error.
    ///
    /// # Errors
    ///
    /// If an agent fails or answers illegally, a game has no end, or the sink cannot keep a game. If
    /// several games fail, the error is that of the first, and the sink has all games before it.
    ///
    /// An agent that fails in a batch is reported with the game that its error names, or with the
    /// first game of the batch. Then the sink may lack the games in play before it.
    pub fn play(
        &mut self,
        job: &Job<'_>,
        sink: &mut impl Sink,
        watch: &mut dyn Watch,
    ) -> Result<Tally, RunError> {
        self.play_parts(job, None, sink, watch).map(|played| played.tally)
    }

    /// Plays as [`Players::play`] does. A new part begins at each game whose number is a multiple of
    /// `per_part`. The tally counts the games of complete parts; without `per_part`, all games.
    ///
    /// At most as many tables are in play as a part has games, or 40 if parts are smaller: more
    /// would leave more games unfinished when the program is killed.
    ///
    /// # Errors
    ///
    /// As [`Players::play`].
    pub(crate) fn play_parts(
        &mut self,
        job: &Job<'_>,
        per_part: Option<u64>,
        sink: &mut impl Sink,
        watch: &mut dyn Watch,
    ) -> Result<PlayedParts, RunError> {
        /// Consecutive games.
        struct Value {
            /// The counts of these games by part, each with the number of the first game that it counts.
            counts: Vec<(u64, Counts)>,
            records: Vec<GameRecord>,
        }
        /// Tables that may be in play however small a part is.
        const MIN: usize = 40;
        let most_tables = per_part.map_or(usize::MAX, |games| usize::try_from(games).unwrap_or(usize::MAX));
        let most_tables = most_tables.max(MIN);
        let per_part = per_part.unwrap_or(1);
        let groups = &Groups::default();
        let (mut parts, mut next) = (PartCounts::new(per_part), job.games.start);
        let fold = Fold {
            groups,
            of_agents: AgentGroups::default(),
            unit: 1,
            start: || Value { counts: Vec::new(), records: Vec::new() },
            add: |value: &mut Value, record: GameRecord, unit: &UnitCounts| {
                let Value { counts, records } = value;
                if counts.is_empty() || begins_part(record.game, per_part) {
                    counts.push((record.game, Counts::new(groups)));
                }
                counts.last_mut().expect("one was pushed").1.add(&unit.counts);
                records.push(record);
            },
            take: |value: Value| {
                value.counts.iter().for_each(|(first, counts)| parts.add(*first, counts));
                next += value.records.len() as u64;
                value.records.into_iter().try_for_each(|record| sink.take(record))?;
                Ok(ControlFlow::Continue(()))
            },
        };
        self.fold_at(job, most_tables, fold, watch)?;
        Ok(parts.finish(&job.games, next, self.threads_of(&job.games, most_tables)))
    }

    /// Plays the games of a job and folds them. The watch receives the number of games.
    ///
    /// # Errors
    ///
    /// As [`Players::play`], or the first error of the fold.
    pub fn fold<V: Send>(
        &mut self,
        job: &Job<'_>,
        fold: Fold<'_, impl Fn() -> V + Sync, impl AddGame<V>, impl FnMut(V) -> Taken>,
        watch: &mut dyn Watch,
    ) -> Result<(), RunError> {
        self.fold_at(job, usize::MAX, fold, watch)
    }

    fn fold_at<V: Send>(
        &mut self,
        job: &Job<'_>,
        most_tables: usize,
        fold: Fold<'_, impl Fn() -> V + Sync, impl AddGame<V>, impl FnMut(V) -> Taken>,
        watch: &mut dyn Watch,
    ) -> Result<(), RunError> {
        match self {
            Players::Policies(policies) => direct::fold(job, policies, fold, watch),
            Players::Started(started) => batched::fold(job, started, most_tables, fold, watch),
        }
    }

    /// Times decisions from now on.
    pub fn time(&mut self) {
        match self {
            Players::Policies(policies) => policies.time(),
            Players::Started(started) => started.time(),
        }
    }

    /// How long the decisions of each agent take; empty if they are not timed. An agent that was
    /// started once for several seats has one entry.
    pub fn times(&self) -> Vec<DecisionTimes> {
        match self {
            Players::Policies(policies) => {
                policies.times().map(|(name, times)| DecisionTimes::of(name, times)).collect()
            }
            Players::Started(started) => {
                let times = |agent: &StartedAgent| Some(DecisionTimes::of(agent.name(), agent.times()?));
                started.agents().iter().filter_map(times).collect()
            }
        }
    }

    /// The faults of each agent, in the order of the agents. Empty for policies.
    pub fn all_faults(&self) -> Vec<(String, Faults)> {
        let Players::Started(started) = self else { return Vec::new() };
        let faults = |agent: &StartedAgent| (label_of(agent.name()).to_owned(), agent.agent().faults());
        started.agents().iter().map(faults).collect()
    }

    /// The faults of each agent that had some.
    pub fn faults(&self) -> Vec<(String, Faults)> {
        self.all_faults().into_iter().filter(|(_, faults)| faults.total() > 0).collect()
    }
}

/// How to start agents that keep state, such as networks and external engines.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct StartOptions {
    /// Play this many games at once if an agent is a function, a network or a program; a program has
    /// at most one process for each seat in these games [default: 2048 for each thread, at most 8192;
    /// 8192 with libtorch, 4 with a program]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", value_parser = crate::options::number::<usize>(1..=MAX_TABLES as u64), allow_negative_numbers = true
    ))]
    pub tables: Option<usize>,
    /// Choose what a fault of a program causes: stop the run, substitute this move (discard the
    /// drawn tile, or pass), or forfeit the rest of the game to the substitute [default: stop]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "ACTION", value_parser = crate::options::one_of(OnFault::ALL, OnFault::name)
    ))]
    pub on_fault: Option<OnFault>,
    /// Print what programs write to stderr; otherwise it goes to `agents.log` in the folder of a
    /// run
    #[cfg_attr(feature = "clap", arg(long))]
    pub verbose: bool,
}

/// The largest number of games in play at once.
pub const MAX_TABLES: usize = 65_536;

/// How many threads play.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ThreadOptions {
    /// Use this many threads, at most 1024 [default: all threads of the machine]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "T", value_parser = crate::options::number::<usize>(1..=1024), allow_negative_numbers = true
    ))]
    pub threads: Option<usize>,
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
    /// Starts each agent once; if all are policies, none needs a start. The agents stop waiting when
    /// `stop` is set. Their faults also go to a file in the folder, if there is one.
    ///
    /// # Errors
    ///
    /// If an agent cannot start.
    pub fn start(
        &self,
        agents: &[NamedAgent],
        folder: Option<&Path>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Players, CannotStart> {
        self.start_once(agents, folder.filter(|folder| folder.is_dir()), &self.setup(folder, stop))
    }

    /// Like [`StartOptions::start`], to play games of a run again and compare them with the stored ones:
    /// agents report search info as for a run, and write neither messages nor faults to a folder.
    ///
    /// # Errors
    ///
    /// If an agent cannot start.
    pub(crate) fn start_again(
        &self,
        agents: &[NamedAgent],
        stop: &Arc<AtomicBool>,
    ) -> Result<Players, CannotStart> {
        self.start_once(agents, None, &Setup { search_info: true, ..self.setup(None, stop) })
    }

    /// The agents as policies, or each name started once. Faults go to a file in the folder `faults`.
    fn start_once(
        &self,
        agents: &[NamedAgent],
        faults: Option<&Path>,
        setup: &Setup,
    ) -> Result<Players, CannotStart> {
        let first = |name: &str| agents.iter().position(|agent| agent.name() == name);
        let mut once: Vec<usize> = Vec::new();
        let roles = agents.iter().filter_map(|agent| first(agent.name())).map(|agent| {
            once.iter().position(|known| *known == agent).unwrap_or_else(|| {
                once.push(agent);
                once.len() - 1
            })
        });
        let roles: Vec<usize> = roles.collect();
        let once = once.into_iter().map(|agent| {
            let agent = &agents[agent];
            (agent, Setup { fault_log: log_in(faults, agent.label()), ..setup.clone() })
        });
        self.players(agents, once, roles)
    }

    /// Like [`StartOptions::start`], but starts an agent for each role, so that the faults of equal
    /// names are counted separately. The faults also go to a file in the folder `faults`.
    ///
    /// # Errors
    ///
    /// If an agent cannot start.
    pub fn start_roles(
        &self,
        agents: &[NamedAgent],
        (folder, faults): (Option<&Path>, Option<&Path>),
        stop: &Arc<AtomicBool>,
    ) -> Result<Players, CannotStart> {
        let setup = self.setup(folder, stop);
        let names: Vec<String> = agents.iter().map(NamedAgent::to_string).collect();
        let each = agents
            .iter()
            .zip(labels(&names))
            .map(|(agent, label)| (agent, Setup { fault_log: log_in(faults, &label), ..setup.clone() }));
        self.players(agents, each, (0..agents.len()).collect())
    }

    /// How to start agents whose games go to this folder.
    fn setup(&self, folder: Option<&Path>, stop: &Arc<AtomicBool>) -> Setup {
        let messages = match folder.filter(|folder| folder.is_dir()) {
            _ if self.verbose => Messages::Stderr,
            Some(folder) => Messages::File(folder.join("agents.log")),
            None => Messages::Nowhere,
        };
        let on_fault = self.on_fault.unwrap_or_default();
        let search_info = folder.is_some();
        let stop = Arc::clone(stop);
        Setup { on_fault, has_on_fault: true, messages, fault_log: None, search_info, stop }
    }

    /// The players for these agents: the policies if all are policies, else the agents of `starts`.
    fn players<'a>(
        &self,
        agents: &[NamedAgent],
        starts: impl Iterator<Item = (&'a NamedAgent, Setup)>,
        roles: Vec<usize>,
    ) -> Result<Players, CannotStart> {
        if let Some(policies) = agents.iter().map(NamedAgent::policy).collect::<Option<Vec<_>>>() {
            return Ok(policies.into());
        }
        let start = |(agent, setup): (&NamedAgent, Setup)| match agent.start(&setup) {
            Ok(started) => Ok(StartedAgent::new(agent.name(), started)),
            Err(cause) => Err(CannotStart { agent: agent.to_string(), cause }),
        };
        let started = starts.map(start).collect::<Result<_, _>>()?;
        let fewest = agents.iter().filter_map(NamedAgent::tables).min();
        Ok(Players::Started(Started::new(started, roles, self.tables.or(fewest).unwrap_or(1))))
    }
}

/// The labels of agents ([`label_of`]), with a number after each but the first of equal ones.
pub fn labels(names: &[String]) -> Vec<String> {
    let names: Vec<&str> = names.iter().map(|name| label_of(name)).collect();
    let label = |(index, name): (usize, &&str)| {
        label(name, names[..index].iter().filter(|earlier| *earlier == name).count())
    };
    names.iter().enumerate().map(label).collect()
}

/// The label of an agent, after this many with the same name.
fn label(name: &str, earlier: usize) -> String {
    if earlier == 0 { name.to_owned() } else { format!("{name} #{}", earlier + 1) }
}

/// The file of faults in the folder of a run, such as that of a match or of a league's table.
pub const FAULTS: &str = "faults.jsonl";

/// Where the faults of the agent with this label are written.
fn log_in(folder: Option<&Path>, label: &str) -> Option<FaultLog> {
    folder.map(|folder| FaultLog { path: folder.join(FAULTS), agent: label.to_owned() })
}

/// The faults of each agent in its games before `end`, from the file in the folder. Later games are
/// played again, so their faults are removed from the file.
///
/// # Errors
///
/// If the file cannot be read or written.
pub fn earlier_faults(folder: &Path, end: TableId) -> Result<BTreeMap<String, Faults>, FaultsError> {
    let path = folder.join(FAULTS);
    FaultLog::resume(&path, end).map_err(|cause| FaultsError { path, cause })
}

/// The faults of each agent in its games before `end`, by its label. The file stays as it is.
///
/// # Errors
///
/// If the file of faults cannot be read.
pub fn read_faults(folder: &Path, end: TableId) -> Result<BTreeMap<String, Faults>, FaultsError> {
    let path = folder.join(FAULTS);
    let faults = store::read_text(&path).and_then(|text| match text {
        Some(text) => FaultLog::faults_in(&text, end),
        None => Ok(BTreeMap::new()),
    });
    faults.map_err(|cause| FaultsError { path, cause })
}

/// A file of faults cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
pub struct FaultsError {
    /// The file.
    pub path: PathBuf,
    /// The reason. The message contains it, so it is not a source.
    pub cause: io::Error,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_numbered() {
        let names = ["a", "b", "a", "a"].map(str::to_owned);
        assert_eq!(labels(&names), ["a", "b", "a #2", "a #3"]);
    }
}

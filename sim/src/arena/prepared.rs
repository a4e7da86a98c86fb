//! A match that is ready to be played, new or resumed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_agents::{Faults, NamedAgent, NamedPolicy, OnFault, TableId};
use jantaku_engine::Rules;
use serde_json::Value;

use super::counts::labels;
use super::latency::{Latencies, Timed};
use super::parts::games_per_part;
use super::plan::MatchPlan;
use super::play::{
    MatchError, PlayedMatch, play_match, play_match_batched, write_match, write_match_batched,
};
use super::report::DecisionTimes;
use crate::dataset::ReadError;
use crate::play::{Detail, Seatings, SinkError, Watch};
use crate::players::{CannotStart, Players, StartOptions, Started, earlier_faults};
use crate::run::{ConfigError, Run, RunConfig, StartError, StoppedRun};

/// A match that is ready to be played.
#[derive(Debug)]
pub struct PreparedMatch {
    target: Target,
    plan: MatchPlan,
}

/// Where the games of a match go.
#[derive(Debug)]
enum Target {
    Run(Box<Run>),
    Memory(Box<RunConfig>),
}

/// The agents, rules and seed of a new match.
#[derive(Clone, Debug)]
pub struct MatchSetup<'a> {
    /// The name of the rules.
    pub rules_name: &'a str,
    /// The rules.
    pub rules: &'a Rules,
    /// The agents, in the order that the seatings need, with their names.
    pub agents: &'a [(String, NamedAgent)],
    /// Who sits where in the games of a set.
    pub seatings: Seatings,
    /// The seed of the walls and of random choices.
    pub seed: u64,
    /// How much of each game is written.
    pub detail: Detail,
}

/// What was played of a match.
#[derive(Debug)]
pub struct MatchOutcome {
    /// The sets, earlier ones of the run included.
    pub played: PlayedMatch,
    /// How long the decisions of each agent take.
    pub times: Vec<DecisionTimes>,
    /// The agents that had faults in the sets that count.
    pub faults: Vec<(String, Faults)>,
    /// The threads that played.
    pub threads: usize,
}

/// Why a match cannot be created or resumed.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The configuration is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The run cannot be created or resumed.
    #[error(transparent)]
    Start(#[from] StartError),
    /// `match.toml` cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// `match.toml` cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
    /// The folder has no run.
    #[error("{}: there is no run.toml, so no match to resume", folder.display())]
    NoMatch {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has a run that is no match.
    #[error("{}: has {has}, not a match; `jantaku {command} --resume` goes on with it", folder.display())]
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// What the folder has.
        has: &'static str,
        /// The command that wrote it.
        command: &'static str,
    },
    /// The folder has the games of a match without its plan.
    #[error(
        "{}: has the games of a match, but no match.toml, which says what the match shall play; write the \
        file with the line `sets = {sets}`, and resume again",
        folder.display()
    )]
    NoPlan {
        /// The folder.
        folder: PathBuf,
        /// The sets of the run, or `N` if their number is not known.
        sets: String,
    },
    /// The match has more sets than asked for.
    #[error("sets: the match in {} has {has} sets, found {asked}", folder.display())]
    FewerSets {
        /// The folder.
        folder: PathBuf,
        /// The sets of the match.
        has: u64,
        /// The sets that were asked for.
        asked: u64,
    },
    /// Faults of the match cause something else.
    #[error(
        "on-fault: the match in {} has {}, found {}; leave out the option to resume the match as it is",
        folder.display(), has.name(), asked.name()
    )]
    OnFault {
        /// The folder.
        folder: PathBuf,
        /// What faults cause in the match.
        has: OnFault,
        /// What was asked for.
        asked: OnFault,
    },
    /// The games of a match with luck would be kept without their decisions.
    #[error(
        "luck: needs the decisions of kept games, because a resumed match replays them; found the tables \
        `{}`, expected decisions or oracle",
        has.name()
    )]
    LuckNeedsDecisions {
        /// How much of each game would be kept.
        has: Detail,
    },
    /// The file of faults cannot be read or written.
    #[error("{}: {cause}", path.display())]
    Faults {
        /// The file.
        path: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
}

impl MatchSetup<'_> {
    /// The run of the match. Its number of games is unknown with a test.
    ///
    /// # Errors
    ///
    /// If the agents, seatings and rules do not fit together, or an agent cannot play under the rules.
    pub fn config(&self, plan: &MatchPlan) -> Result<RunConfig, ConfigError> {
        let MatchSetup { rules_name, rules, agents, seatings, seed, detail } = *self;
        let per_set = seatings.games_per_set(rules.players);
        let names = agents.iter().map(|(name, _)| name.clone()).collect();
        let config = RunConfig::new(rules_name, rules, names, 0, seed, detail);
        let config = RunConfig {
            games: plan.sprt.is_none().then_some(plan.most_sets().saturating_mul(per_set)),
            games_per_part: games_per_part(&config.agents, per_set),
            seatings,
            ..config
        };
        config.check()?;
        config.played_by(agents)
    }
}

impl PreparedMatch {
    /// A new match, in memory or as a run in a new or empty folder.
    ///
    /// # Errors
    ///
    /// If the run cannot be created or the plan cannot be written.
    pub fn new(
        config: RunConfig,
        plan: MatchPlan,
        folder: Option<&Path>,
    ) -> Result<PreparedMatch, PrepareError> {
        let target = match folder {
            Some(_) if plan.luck && config.detail < Detail::Decisions => {
                return Err(PrepareError::LuckNeedsDecisions { has: config.detail });
            }
            Some(folder) => {
                let run = Run::create_after(folder, config, |folder| plan.write(folder))?;
                Target::Run(Box::new(run))
            }
            None => Target::Memory(Box::new(config)),
        };
        Ok(PreparedMatch { target, plan })
    }

    /// The match in a folder, with more sets if that is asked for. Of `asked`, only the values that
    /// are given count.
    ///
    /// # Errors
    ///
    /// If there is no match, it cannot be resumed, or it has other options than those asked for.
    pub fn resume(folder: &Path, asked: &MatchPlan) -> Result<PreparedMatch, PrepareError> {
        let stopped =
            StoppedRun::find(folder)?.ok_or_else(|| PrepareError::NoMatch { folder: folder.to_owned() })?;
        let plan = with_changes(planned(folder, &stopped)?, folder, &stopped, asked)?;
        // The plan comes first: the run follows it whenever the program stops.
        plan.write(folder)?;
        let mut config = stopped.config().clone();
        let per_set = config.schedule().games_per_set();
        let run = match (plan.sprt, config.games) {
            (Some(_), Some(games)) if games / per_set < plan.most_sets() && !has_decided(folder) => {
                stopped.reopen()?
            }
            (Some(_), _) => stopped.resume(Some(&config))?,
            (None, _) => {
                config.games = Some(plan.most_sets().saturating_mul(per_set));
                stopped.resume(Some(&config))?
            }
        };
        Ok(PreparedMatch { target: Target::Run(Box::new(run)), plan })
    }

    /// The contents of `run.toml`.
    #[must_use]
    pub const fn config(&self) -> &RunConfig {
        match &self.target {
            Target::Run(run) => run.config(),
            Target::Memory(config) => config,
        }
    }

    /// The run, if the games are written.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        match &self.target {
            Target::Run(run) => Some(run),
            Target::Memory(_) => None,
        }
    }

    /// What the match shall play.
    #[must_use]
    pub const fn plan(&self) -> &MatchPlan {
        &self.plan
    }

    /// The agents, started for each role if they are no policies.
    ///
    /// # Errors
    ///
    /// If an agent cannot start.
    pub fn start(
        &self,
        agents: &[(String, NamedAgent)],
        verbose: bool,
        stop: &Arc<AtomicBool>,
    ) -> Result<Players, CannotStart> {
        let MatchPlan { tables, on_fault, .. } = self.plan;
        let folder = self.run().map(Run::folder);
        StartOptions { tables, on_fault, verbose }.start_roles(agents, folder, stop)
    }

    /// The faults of each agent in the sets that were played before. Call it before
    /// [`PreparedMatch::start`]: faults of games that are played again are removed from the file.
    ///
    /// # Errors
    ///
    /// If the file of faults cannot be read or written.
    pub fn earlier_faults(&self) -> Result<BTreeMap<String, Faults>, PrepareError> {
        let Some(run) = self.run() else { return Ok(BTreeMap::new()) };
        let found = earlier_faults(run.folder(), TableId(run.remaining().start));
        found.map_err(|(path, cause)| PrepareError::Faults { path, cause })
    }

    /// Plays the rest of the match. `earlier` are the faults of the sets before it.
    ///
    /// # Errors
    ///
    /// As [`play_match`] and [`write_match`].
    pub fn play(
        &mut self,
        players: &mut Players,
        earlier: BTreeMap<String, Faults>,
        watch: &mut impl Watch,
    ) -> Result<MatchOutcome, MatchError> {
        let plan = &self.plan;
        let started = players.time();
        let (played, times) = match players {
            Players::Policies(agents) => {
                let timed = timed(agents);
                let played = match &mut self.target {
                    Target::Run(run) => write_match(run, plan, &timed, watch)?,
                    Target::Memory(config) => play_match(config, plan, &timed, watch)?,
                };
                let times = timed.iter().map(|(name, agent)| times(name, agent.latencies()));
                (played, times.collect())
            }
            Players::Started(Started { agents, tables }) => {
                let played = match &mut self.target {
                    Target::Run(run) => write_match_batched(run, plan, agents, *tables, watch)?,
                    Target::Memory(config) => play_match_batched(config, plan, agents, *tables, watch)?,
                };
                (played, started.iter().map(|(name, latencies)| times(name, latencies)).collect())
            }
        };
        let faults = faults_of(&played, self.config(), earlier, players);
        Ok(MatchOutcome { played, times, faults, threads: players.threads() })
    }
}

/// The agents with their decisions timed.
fn timed(agents: &[(String, NamedPolicy)]) -> Vec<(String, Timed<NamedPolicy>)> {
    agents.iter().map(|(name, agent)| (name.clone(), Timed::new(agent.clone()))).collect()
}

fn times(agent: &str, latencies: &Latencies) -> DecisionTimes {
    let [median, slow] = [0.5, 0.99].map(|share| latencies.quantile(share));
    DecisionTimes { agent: agent.to_owned(), median, slow }
}

/// The faults of each agent that had some, in the games of the sets that count.
fn faults_of(
    played: &PlayedMatch,
    config: &RunConfig,
    mut earlier: BTreeMap<String, Faults>,
    players: &Players,
) -> Vec<(String, Faults)> {
    let (end, new) = (played.counts.sets() * config.schedule().games_per_set(), players.all_faults());
    let faults = labels(&config.agents).into_iter().enumerate().map(|(role, label)| {
        let mut faults = earlier.remove(&label).unwrap_or_default();
        new.get(role).iter().for_each(|(_, new)| faults.extend(new));
        (label, faults.before(TableId(end)))
    });
    faults.filter(|(_, faults)| faults.total() > 0).collect()
}

/// Whether the result in a folder says that the test has decided: then nothing is left to play.
fn has_decided(folder: &Path) -> bool {
    let text = std::fs::read_to_string(folder.join("result.json")).unwrap_or_default();
    serde_json::from_str::<Value>(&text).is_ok_and(|result| result["sprt"]["decision"].is_string())
}

/// What the match in a folder shall play.
fn planned(folder: &Path, stopped: &StoppedRun) -> Result<MatchPlan, PrepareError> {
    if folder.join("match.toml").exists() {
        return Ok(MatchPlan::read(folder, played(stopped))?);
    }
    let (config, folder) = (stopped.config(), folder.to_owned());
    let is_table = folder.join("../../league.toml").exists();
    if is_table || config.seatings.is_fixed() {
        let (has, command) = if is_table { ("a table of a league", "league") } else { ("a run", "selfplay") };
        return Err(PrepareError::OtherRun { folder, has, command });
    }
    let sets = config.games.map(|games| games / config.schedule().games_per_set());
    let sets = sets.map_or_else(|| "N".to_owned(), |sets| sets.to_string());
    Err(PrepareError::NoPlan { folder, sets })
}

/// The sets that a match has played.
fn played(stopped: &StoppedRun) -> u64 {
    stopped.games() / stopped.config().schedule().games_per_set()
}

/// The plan of the match in a folder with the values that are asked for.
fn with_changes(
    plan: MatchPlan,
    folder: &Path,
    stopped: &StoppedRun,
    asked: &MatchPlan,
) -> Result<MatchPlan, PrepareError> {
    let folder = folder.to_owned();
    // A match without a limit may get any number of sets that it can still have.
    let least = plan.sets.unwrap_or_else(|| played(stopped));
    if let Some(sets) = asked.sets.filter(|sets| *sets < least) {
        return Err(PrepareError::FewerSets { folder, has: least, asked: sets });
    }
    let has = plan.on_fault.unwrap_or_default();
    if let Some(asked) = asked.on_fault.filter(|asked| *asked != has && has != OnFault::Stop) {
        return Err(PrepareError::OnFault { folder, has, asked });
    }
    Ok(MatchPlan {
        sets: asked.sets.or(plan.sets),
        tables: asked.tables.or(plan.tables),
        on_fault: asked.on_fault.or(plan.on_fault),
        ..plan
    })
}

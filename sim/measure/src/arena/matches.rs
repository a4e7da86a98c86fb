//! A match, new or resumed, and how it is played.
//!
//! # Why
//!
//! **Why is a match resumed from its tables?** The sums over sets are whole numbers, and the sets
//! come in order. So stored and later games give the same digits, however often the match was
//! killed. A run that a test may end early has no number of games at first: `run.toml` gets it with
//! the last part. Only faults of bots are not in the tables. Each is appended to a file when it is
//! counted, before the part with its game is written. Resuming drops those of games that are played
//! again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use jantaku_agents::{Faults, NamedAgent, TableId, argument, call};

use super::counts::MatchCounts;
use super::plan::MatchPlan;
use super::play::{add_kept, add_stored, play_sets};
use super::result::{MatchResult, MatchSpeed, stored_result};
use super::sequential::Undecidable;
use jantaku_sim::dataset::ReadError;
use jantaku_sim::play::{
    CannotStart, Detail, FaultReport, FaultsError, PlayedParts, Players, RunError, SinkError, StartOptions,
    Tally, Watch, earlier_faults, labels, read_faults,
};
use jantaku_sim::run::unchanged::{check_unchanged, on_fault_field};
use jantaku_sim::run::{
    ConfigError, PlayError, Played, RequestError, Run, RunConfig, Shard, StartError, StoppedRun, read_started,
};
use jantaku_sim::store;

/// A match that is ready to be played.
#[derive(Debug)]
pub struct Match {
    /// The run, unless the match keeps no games.
    run: Option<Run>,
    config: RunConfig,
    agents: Vec<NamedAgent>,
    plan: MatchPlan,
    /// The faults of each agent in the sets that were played before.
    earlier_faults: BTreeMap<String, Faults>,
}

/// Why a match was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A game could not be played.
    #[error(transparent)]
    Play(#[from] RunError),
    /// A run could not be played or written.
    #[error(transparent)]
    Write(#[from] PlayError),
    /// The stored games of a run could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The test of a match without a limit cannot decide.
    #[error(transparent)]
    Undecidable(#[from] Undecidable),
}

/// Why a match cannot be created or resumed.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// A field of the request is not valid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The run cannot be created or resumed, or a field does not fit the match.
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
    #[error("{}: has {has}, not a match; {} continues it", folder.display(), call(command, "resume"))]
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
        "{}: has the games of a match, but no match.toml, which says what the match plays; write the \
        file with the line `sets = {sets}`, and resume again",
        folder.display()
    )]
    NoPlan {
        /// The folder.
        folder: PathBuf,
        /// The sets of the run, or `N` if their number is not known.
        sets: String,
    },
    /// The folder has a share of a match.
    #[error(
        "{}: is shard {shard} of a match: repeat its command with {} to continue it, or merge all shards and \
         resume the match there",
        folder.display(), argument("resume", "")
    )]
    IsShard {
        /// The folder.
        folder: PathBuf,
        /// The share.
        shard: Shard,
    },
    /// An agent cannot start.
    #[error(transparent)]
    Agent(#[from] CannotStart),
    /// The file of faults cannot be read or written.
    #[error(transparent)]
    Faults(#[from] FaultsError),
}

impl Match {
    /// A new match, in memory or as a run in a new or empty folder.
    ///
    /// # Errors
    ///
    /// If the run cannot be created or the plan cannot be written.
    pub fn new(
        config: RunConfig,
        agents: Vec<NamedAgent>,
        plan: MatchPlan,
        folder: Option<&Path>,
    ) -> Result<Match, PrepareError> {
        match folder {
            Some(_) if plan.variance_reduction && config.detail < Detail::Decisions => {
                let what = format!(
                    "needs the decisions of kept games, because a resumed match replays them; found the \
                     tables `{}`, expected decisions or oracle",
                    config.detail.name()
                );
                Err(StartError::Config(ConfigError { field: "variance_reduction", what }).into())
            }
            Some(folder) => {
                let run = Run::create_after(folder, config, |folder| plan.write(folder))?;
                Ok(Match::from_run(run, agents, plan))
            }
            None => Ok(Match::in_memory(config, agents, plan)),
        }
    }

    /// A new match that keeps no games.
    pub fn in_memory(config: RunConfig, agents: Vec<NamedAgent>, plan: MatchPlan) -> Match {
        Match { run: None, config, agents, plan, earlier_faults: BTreeMap::new() }
    }

    /// The match of a run that is ready to be played.
    pub fn from_run(run: Run, agents: Vec<NamedAgent>, plan: MatchPlan) -> Match {
        let config = run.config().clone();
        Match { run: Some(run), ..Match::in_memory(config, agents, plan) }
    }

    /// The match in a folder, ready to continue. `asked` may have more sets, and new values of the other
    /// options that a match can change; None keeps a value. The changed plan is written. `agents` returns
    /// the agents of the match, from its run and plan.
    ///
    /// # Errors
    ///
    /// The error of `agents`, or if there is no match, it cannot be resumed, or its options differ
    /// from those asked for.
    pub fn resume(
        folder: &Path,
        asked: &MatchPlan,
        agents: impl FnOnce(&RunConfig, &MatchPlan) -> Result<Vec<NamedAgent>, RequestError>,
    ) -> Result<Match, PrepareError> {
        let stopped =
            StoppedRun::find(folder)?.ok_or_else(|| PrepareError::NoMatch { folder: folder.to_owned() })?;
        let plan = read_plan(folder, &stopped)?;
        if let Some(shard) = stopped.config().shard {
            return Err(PrepareError::IsShard { folder: folder.to_owned(), shard });
        }
        let agents = agents(stopped.config(), &plan)?;
        let plan = with_changes(plan, folder, &stopped, asked)?;
        // The plan is written first, so that the run follows it wherever the program stops.
        plan.write(folder)?;
        let config = stopped.config().clone();
        let per_set = config.schedule().games_per_set();
        let run = match (plan.sprt, config.games) {
            (Some(_), Some(games)) if games / per_set < plan.most_sets() && !has_decided(folder) => {
                stopped.reopen()?
            }
            (Some(_), _) => stopped.resume(Some(&config))?,
            (None, _) => {
                let games = Some(plan.most_sets().saturating_mul(per_set));
                stopped.resume(Some(&RunConfig { games, ..config }))?
            }
        };
        Ok(Match::from_run(run, agents, plan))
    }

    /// The share of a match in a folder; its run must have this configuration. Writes the plan. None if
    /// there is no run.
    ///
    /// # Errors
    ///
    /// If the run cannot be resumed or the plan cannot be written.
    pub fn find_shard(
        folder: &Path,
        config: &RunConfig,
        agents: Vec<NamedAgent>,
        plan: MatchPlan,
    ) -> Result<Option<Match>, PrepareError> {
        let Some(stopped) = StoppedRun::find(folder)? else { return Ok(None) };
        let run = stopped.resume(Some(config))?;
        plan.write(folder)?;
        Ok(Some(Match::from_run(run, agents, plan)))
    }

    /// The contents of `run.toml`, before a test ends the match.
    pub const fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The run, if the games are written.
    pub const fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// What the match plays.
    pub const fn plan(&self) -> &MatchPlan {
        &self.plan
    }

    /// Starts the agents that are not policies, one for each role, and returns all agents. Removes the
    /// faults of games that are played again from the file of faults.
    ///
    /// # Errors
    ///
    /// If an agent cannot start, or the file of faults cannot be read or written.
    pub fn start(&mut self, verbose: bool, stop: &Arc<AtomicBool>) -> Result<Players, PrepareError> {
        let MatchPlan { tables, on_fault, .. } = self.plan;
        if let Some(run) = &self.run {
            self.earlier_faults = earlier_faults(run.folder(), TableId(run.remaining().start))?;
        }
        let folder = self.run().map(Run::folder);
        Ok(StartOptions { tables, on_fault, verbose }.start_roles(&self.agents, (folder, folder), stop)?)
    }

    /// Plays the rest of the match, after the sets that its run has. Returns the result of all sets.
    ///
    /// `players` are the agents of the match ([`Match::start`]). A test ends the match at the first
    /// set at which it decides. The result depends neither on the number of threads nor on whether
    /// the match was stopped and resumed.
    ///
    /// # Errors
    ///
    /// If an agent fails or answers illegally, a game has no end, or the run cannot be read or written.
    /// Also in a match with a test and without a limit, if all of the first [`PILOT_SETS`] sets have the
    /// mean placement of a fair field.
    ///
    /// [`PILOT_SETS`]: super::PILOT_SETS
    pub fn play(&mut self, players: &mut Players, watch: &mut dyn Watch) -> Result<MatchResult, MatchError> {
        self.play_counted(players, watch).map(|(result, _)| result)
    }

    /// [`Match::play`] with its counts.
    pub(super) fn play_counted(
        &mut self,
        players: &mut Players,
        watch: &mut dyn Watch,
    ) -> Result<(MatchResult, MatchCounts), MatchError> {
        players.time();
        let (start, plan) = (Instant::now(), self.plan);
        let mut counts = MatchCounts::new(&self.config, &plan);
        let most = plan.most_sets();
        let mut sets_not_kept = 0;
        let (before, complete) = match &mut self.run {
            None => {
                play_sets(players, &self.config, 0..most, &mut counts, &mut (), watch)?;
                counts.check_can_decide()?;
                (0, counts.sets() == most || counts.is_decided())
            }
            Some(run) => {
                add_kept(run, &mut counts)?;
                let before = counts.sets();
                let end = if counts.is_decided() { before } else { most };
                let games = run.remaining();
                let threads = players.threads(games.end - games.start);
                run.write(watch, |config, sink, watch| {
                    play_sets(players, config, before..end, &mut counts, sink, watch)?;
                    let games = (counts.sets() - before) * config.schedule().games_per_set();
                    Ok(PlayedParts { games, tally: Tally::default(), threads })
                })?;
                counts.check_can_decide()?;
                let complete = run.manifest().complete;
                if !complete {
                    // Only sets in complete parts are kept, so only these are reported.
                    let played = counts.sets();
                    counts = MatchCounts::new(&self.config, &plan);
                    add_kept(run, &mut counts)?;
                    sets_not_kept = played.saturating_sub(counts.sets());
                }
                (before, complete)
            }
        };
        let speed = MatchSpeed {
            sets: counts.sets().saturating_sub(before),
            seconds: start.elapsed().as_secs_f64(),
            threads: players.threads(u64::MAX),
            latency: players.times().iter().map(Into::into).collect(),
        };
        let folder = self.run().map(Run::folder);
        let result = MatchResult::new(&self.config, folder, plan, &counts, (complete, speed));
        let faults = FaultReport::of(&self.faults(players, result.games));
        Ok((MatchResult { sets_not_kept, faults, ..result }, counts))
    }

    /// Plays the rest of a share of the match and writes its games. When all shares are merged,
    /// [`Match::resume`] opens the match, and [`Match::play`] counts its games.
    ///
    /// # Errors
    ///
    /// If an agent fails or answers illegally, a game has no end, or the run cannot be written.
    ///
    /// # Panics
    ///
    /// If the match is not a run.
    pub fn play_shard(&mut self, players: &mut Players, watch: &mut dyn Watch) -> Result<Played, PlayError> {
        self.run.as_mut().expect("a share of a match is a run").play(players, watch)
    }

    /// The faults of each agent that had some, in the first `games` games.
    fn faults(&self, players: &Players, games: u64) -> Vec<(String, Faults)> {
        let new = players.all_faults();
        let faults = labels(&self.config.agents).into_iter().enumerate().map(|(role, label)| {
            let mut faults = self.earlier_faults.get(&label).cloned().unwrap_or_default();
            new.get(role).iter().for_each(|(_, new)| faults.extend(new));
            (label, faults.before(TableId(games)))
        });
        faults.filter(|(_, faults)| faults.total() > 0).collect()
    }
}

impl MatchResult {
    /// The result of the match in a folder so far: of the sets in its complete parts, with the speed in
    /// its `result.json`. Another program may be playing it.
    ///
    /// # Errors
    ///
    /// If there is no match, or it cannot be read.
    pub fn read(folder: &Path) -> Result<MatchResult, ReadError> {
        let (config, manifest) = read_started(folder)?;
        let manifest = manifest.unwrap_or_default();
        let plan = MatchPlan::read(folder, manifest.games / config.schedule().games_per_set())?;
        let mut counts = MatchCounts::new(&config, &plan);
        // The games of a shard begin later.
        let first = manifest.parts.first().map_or(0, |part| part.first_game);
        add_stored(folder, (&config, &manifest), first + manifest.games, &mut counts)?;
        let state = (manifest.complete, MatchSpeed::default());
        let result = MatchResult::new(&config, Some(folder), plan, &counts, state).with_stored_speed(folder);
        let faults = read_faults(folder, TableId(first + result.games));
        let faults = faults.map_err(|error| ReadError::new(&error.path, &error.cause))?;
        let faults: Vec<_> = faults.into_iter().filter(|(_, faults)| faults.total() > 0).collect();
        Ok(MatchResult { faults: FaultReport::of(&faults), ..result })
    }
}

/// Whether the result in a folder says that the test has decided: then nothing is left to play.
fn has_decided(folder: &Path) -> bool {
    stored_result(folder)["sprt"]["decision"].is_string()
}

/// Reads the plan of the match in a folder. Without one, fails with what the folder has instead.
fn read_plan(folder: &Path, stopped: &StoppedRun) -> Result<MatchPlan, PrepareError> {
    if store::exists(&folder.join("match.toml")) {
        return Ok(MatchPlan::read(folder, played(stopped))?);
    }
    let (config, folder) = (stopped.config(), folder.to_owned());
    let is_table = store::exists(&folder.join("../../league.toml"));
    if is_table || config.seatings.is_fixed() {
        let (has, command) = if is_table { ("a table of a league", "league") } else { ("a run", "selfplay") };
        return Err(PrepareError::OtherRun { folder, has, command });
    }
    let sets = config.games.map(|games| games / config.schedule().games_per_set());
    let sets = sets.map_or_else(|| "N".to_owned(), |sets| sets.to_string());
    Err(PrepareError::NoPlan { folder, sets })
}

/// The number of sets that a match has played.
fn played(stopped: &StoppedRun) -> u64 {
    stopped.games() / stopped.config().schedule().games_per_set()
}

/// The plan of the match in a folder, changed to what `asked` states. Fails if one of these changes is not
/// possible.
fn with_changes(
    plan: MatchPlan,
    folder: &Path,
    stopped: &StoppedRun,
    asked: &MatchPlan,
) -> Result<MatchPlan, PrepareError> {
    // A match without a limit may get any limit that it has not passed yet.
    let least = plan.sets.unwrap_or_else(|| played(stopped));
    if let Some(sets) = asked.sets.filter(|sets| *sets < least) {
        let folder = folder.display();
        let expected = match plan.sets {
            Some(_) => format!("at least {least} as in the match in {folder}"),
            None => format!("at least {least}, which the match in {folder} has played"),
        };
        return Err(StartError::Config(ConfigError::new("sets", &expected, &sets)).into());
    }
    if let Some(test) = plan.sprt {
        let wrong = |what| RequestError::Field(ConfigError { field: "sets", what });
        test.check_sets(asked.sets).map_err(wrong)?;
    }
    let on_fault = on_fault_field(plan.on_fault, asked.on_fault);
    check_unchanged("match", Some(folder), [on_fault]).map_err(StartError::Config)?;
    Ok(MatchPlan {
        sets: asked.sets.or(plan.sets),
        tables: asked.tables.or(plan.tables),
        on_fault: asked.on_fault.or(plan.on_fault),
        ..plan
    })
}

//! Leagues: every table of several agents plays on the same walls.
//!
//! ```text
//! league.toml           everything needed to repeat the league
//! result.json           the result of the last call
//! tables/0-1-2-3/       the run of a table, by the positions of its agents in league.toml
//!   faults.jsonl        the faults of its agents
//! tables/0-1-2-4/
//! ```
//!
//! In the order in which the files build on each other:
//!
//! - `config`: the contents of `league.toml`
//! - `error`: why a league cannot be opened or played
//! - `orders`: the games of a table as the orders of its agents
//! - `result`: the result of a league so far
//! - this file: opens, extends and plays a league
//! - `request`: what a caller asks to play, resolved
//! - `report`: the result with the ratings of the agents
//!
//! All tables have the same seed, so set k has the same walls at all of them. More agents add
//! tables and change none; more sets extend the runs.
//!
//! # Why
//!
//! **Why do leagues play every table?** All agents then meet equally often, and set k has the same
//! walls at every table. So luck with the tiles cancels in all comparisons. The sums over sets are
//! independent and identically distributed, as the intervals assume. A new agent adds tables and
//! changes none. Rejected: tables drawn at random or by rating, which are cheaper for dozens of
//! agents but compare them on different walls.

mod config;
mod error;
mod orders;
mod report;
mod request;
mod result;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use jantaku_agents::{Faults, NamedAgent, OnFault, TableId, label_of};
use serde::Serialize;

pub use self::config::LeagueConfig;
pub use self::error::LeagueError;
use self::orders::TableGames;
pub use self::report::{AgentPair, LeagueFit, LeagueReport, RatedAgent, WorstPair};
pub use self::request::LeagueRequest;
pub use self::result::LeagueResult;
use crate::arena::matches::MatchError;
use jantaku_sim::dataset::{ReadError, StoredColumn as _, TableFile, TableKind, select};
use jantaku_sim::play::{
    Detail, FaultsError, Players, Schedule, StartOptions, Watch, earlier_faults, read_faults, watch_after,
};
use jantaku_sim::run::{
    AgentParameters, ConfigError, Manifest, Played, Run, RunConfig, Shard, StartError, StoppedRun, claim,
    located, lock_folder, read_started,
};
use jantaku_sim::store::{self, Lock};

select! {
    struct PlacementColumns from games { game, placement, points }
}

/// What a table of a league has to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeagueTable {
    /// The name of its folder, such as `0-1-2-4`.
    pub name: String,
    /// Its games when all are played.
    pub games: u64,
    /// The parts of these games.
    pub parts: u64,
    /// Its games in complete parts. None if its run has not begun.
    pub played: Option<u64>,
}

/// A league in memory or in a folder.
///
/// A folder is locked against other programs until this value is dropped, where the system has such
/// locks.
#[derive(Debug)]
pub struct League {
    config: LeagueConfig,
    folder: Option<PathBuf>,
    /// Holds the lock.
    _lock: Option<Lock>,
}

impl League {
    /// A league that is only played, not written.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid.
    pub fn in_memory(config: LeagueConfig) -> Result<League, LeagueError> {
        config.check()?;
        Ok(League { config, folder: None, _lock: None })
    }

    /// Creates a league in a new or empty folder. Writes `league.toml` and plays nothing.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid, the folder is in use, or it cannot be written.
    pub fn create(folder: &Path, config: LeagueConfig) -> Result<League, LeagueError> {
        config.check()?;
        if config.detail == Detail::None {
            return Err(ConfigError::new("log", &"games, hands, decisions or oracle", &"none").into());
        }
        let folder = &located(folder)?.path;
        let lock = claim(folder).map_err(|cause| StartError::not_new(folder, cause))?;
        let league = League { config, folder: Some(folder.to_owned()), _lock: lock };
        league.write_config()?;
        Ok(league)
    }

    /// Opens the league in a folder, to play the missing games. None if there is none.
    ///
    /// # Errors
    ///
    /// If `league.toml` cannot be read, or another program plays the league.
    pub fn open(folder: &Path) -> Result<Option<League>, LeagueError> {
        let folder = &located(folder)?.path;
        if !store::exists(&folder.join("league.toml")) {
            return Ok(None);
        }
        let lock = lock_folder(folder)?;
        let config = read_config(folder)?;
        Ok(Some(League { config, folder: Some(folder.to_owned()), _lock: lock }))
    }

    /// The league in a folder, and its games in complete parts so far. Another program may be
    /// playing it.
    ///
    /// # Errors
    ///
    /// If `league.toml` or the run of a table cannot be read.
    pub fn read(folder: &Path) -> Result<(LeagueConfig, LeagueResult), LeagueError> {
        let league = League { config: read_config(folder)?, folder: Some(folder.to_owned()), _lock: None };
        let mut found = LeagueResult::new(&league.config);
        for table in league.config.tables() {
            league.read_table(&table, read_faults, &mut found)?;
        }
        found.complete = found.games.games() == league.config.games();
        Ok((league.config, found))
    }

    /// How many games of the league in a folder are in complete parts, and how many it will have.
    ///
    /// # Errors
    ///
    /// As [`League::read`].
    pub fn progress(folder: &Path) -> Result<(u64, u64), LeagueError> {
        let league = League { config: read_config(folder)?, folder: Some(folder.to_owned()), _lock: None };
        let games = league.config.games();
        Ok((games - league.remaining()?, games))
    }

    /// The contents of `league.toml`.
    pub const fn config(&self) -> &LeagueConfig {
        &self.config
    }

    /// Sets the maximum number of games in play at once and the effect of a fault, also in `league.toml`.
    /// `None` changes nothing.
    ///
    /// # Errors
    ///
    /// If `league.toml` cannot be written.
    pub fn choose(&mut self, at_once: Option<usize>, on_fault: Option<OnFault>) -> Result<(), LeagueError> {
        let before = self.config.clone();
        self.config.at_once = at_once.or(before.at_once);
        self.config.on_fault = on_fault.or(before.on_fault);
        if self.config == before { Ok(()) } else { self.write_config() }
    }

    /// Adds the agents that are not in the league yet, and raises the number of sets.
    ///
    /// # Errors
    ///
    /// If the league has more sets than `sets`, two agents have one name, the files of its agents'
    /// parameters have changed, or `league.toml` cannot be written.
    pub fn extend(&mut self, agents: &[NamedAgent], sets: u64) -> Result<(), LeagueError> {
        if sets < self.config.sets {
            let expected = format!("at least {} as in the league", self.config.sets);
            return Err(ConfigError::new("sets", &expected, &sets).into());
        }
        let before = self.config.clone();
        self.config.sets = sets;
        let new = agents.iter().map(NamedAgent::to_string).filter(|agent| !before.agents.contains(agent));
        self.config.agents.extend(new);
        self.config.parameters.add(&AgentParameters::of(agents));
        self.config.check()?;
        if self.config == before {
            return Ok(());
        }
        self.check_parameters()?;
        self.write_config()
    }

    /// Checks that the agents' parameter files have not changed since the league began.
    pub(super) fn check_parameters(&self) -> Result<(), LeagueError> {
        let path = self.folder.as_deref().unwrap_or(Path::new("")).join("league.toml");
        Ok(self.config.parameters.check().map_err(|what| ReadError::new(&path, &what))?)
    }

    fn write_config(&self) -> Result<(), LeagueError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let text = toml::to_string(&self.config).expect("a league is plain values");
        Ok(store::save(&folder.join("league.toml"), text.as_bytes())?)
    }

    /// The number of games that are not in complete parts yet.
    ///
    /// # Errors
    ///
    /// If the run of a table cannot be read.
    pub fn remaining(&self) -> Result<u64, LeagueError> {
        let mut remaining = self.config.games();
        for table in self.config.tables() {
            if let Some((_, _, manifest)) = self.stored(&table)? {
                remaining = remaining.saturating_sub(manifest.games);
            }
        }
        Ok(remaining)
    }

    /// What each table has to play, in the order of [`LeagueConfig::tables`]. `agents` are those of
    /// the league, in its order.
    ///
    /// # Errors
    ///
    /// If the run of a table cannot be read.
    pub fn tables(&self, agents: &[NamedAgent]) -> Result<Vec<LeagueTable>, LeagueError> {
        let state = |table: &Vec<usize>| {
            let (games, stored) = (self.config.games_per_table(), self.stored(table)?);
            let games_per_part = match &stored {
                Some((_, config, _)) => config.games_per_part,
                None => self.config.run_of(table, &among(agents, table)).games_per_part,
            };
            Ok(LeagueTable {
                name: name_of(table),
                games,
                parts: games.div_ceil(games_per_part),
                played: stored.map(|(_, _, manifest)| manifest.games),
            })
        };
        self.config.tables().iter().map(state).collect()
    }

    /// Plays a share of a table into a folder of its own, on the rayon pool of the calling thread.
    /// Continues the share if the folder has it. [`merge`](jantaku_sim::run::merge) joins the shares of a
    /// table to its run. Without a share, the folder gets the whole run.
    ///
    /// `agents` are those of the league, in its order. `table` is an index into
    /// [`LeagueConfig::tables`].
    ///
    /// # Errors
    ///
    /// As [`League::play`].
    ///
    /// # Panics
    ///
    /// If the league has no such table.
    pub fn play_share(
        &self,
        (table, shard): (usize, Option<Shard>),
        folder: &Path,
        agents: &[NamedAgent],
        verbose: bool,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn Watch,
    ) -> Result<Played, LeagueError> {
        let table = &self.config.tables()[table];
        let at_table = among(agents, table);
        let mut run = self.open_run(table, shard, folder, &at_table)?;
        let mut players = self.start_agents(&at_table, (Some(folder), Some(folder)), verbose, stop)?;
        run.play(&mut players, watch).map_err(|cause| not_played(run.config(), cause))
    }

    /// Creates or resumes the run of a table, which these agents play, or of a share of it.
    fn open_run(
        &self,
        table: &[usize],
        shard: Option<Shard>,
        folder: &Path,
        at_table: &[NamedAgent],
    ) -> Result<Run, LeagueError> {
        let config = RunConfig { shard, ..self.config.run_of(table, at_table) };
        let run = match StoppedRun::find(folder)? {
            Some(stopped) => {
                let games_per_part = stopped.config().games_per_part;
                stopped.resume(Some(&RunConfig { games_per_part, ..config }))?
            }
            None => Run::create(folder, config)?,
        };
        // Removes the faults of games that are played again.
        earlier_faults(folder, TableId(run.remaining().start))?;
        Ok(run)
    }

    /// Starts the agents of a table with the league's own options. Their messages go to the first of
    /// these folders, their faults to the second.
    fn start_agents(
        &self,
        at_table: &[NamedAgent],
        folders: (Option<&Path>, Option<&Path>),
        verbose: bool,
        stop: &Arc<AtomicBool>,
    ) -> Result<Players, LeagueError> {
        let LeagueConfig { at_once: tables, on_fault, .. } = self.config;
        Ok(StartOptions { tables, on_fault, verbose }.start_roles(at_table, folders, stop)?)
    }

    /// The folder of a table. None if the league is in memory.
    fn folder_of(&self, table: &[usize]) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("tables").join(name_of(table)))
    }

    /// The run of a table, if it has begun.
    fn stored(&self, table: &[usize]) -> Result<Option<(PathBuf, RunConfig, Manifest)>, ReadError> {
        let folder = self.folder_of(table).filter(|folder| store::exists(&folder.join("run.toml")));
        let Some(folder) = folder else { return Ok(None) };
        let (config, manifest) = read_started(&folder)?;
        Ok(Some((folder, config, manifest.unwrap_or_default())))
    }

    /// Plays the missing games, table by table, on the rayon pool of the calling thread. Returns
    /// all games.
    ///
    /// `agents` are those of the league, in its order, with the parameters of `league.toml`. The agents
    /// of a table are started for its games with the league's own options. A folder keeps the faults of
    /// each table, so that a resumed league knows all of them. If the watch stops the league, it ends
    /// without an error: complete parts stay, and another call continues after them.
    ///
    /// If one of the agents is not a policy, the thread must not be a worker of a rayon pool.
    ///
    /// # Errors
    ///
    /// If a run in the folder is not that of its table, an agent cannot start, fails or answers
    /// illegally, a game has no end, or a file cannot be read or written.
    ///
    /// # Panics
    ///
    /// If `agents` are not those of the league.
    pub fn play(
        &self,
        agents: &[NamedAgent],
        verbose: bool,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn Watch,
    ) -> Result<LeagueResult, LeagueError> {
        assert!(agents.iter().map(NamedAgent::name).eq(&self.config.agents), "not the agents of the league");
        let start = Instant::now();
        let mut found = LeagueResult::new(&self.config);
        for table in self.config.tables() {
            let at_table = among(agents, &table);
            let mut watch = watch_after(watch, found.played);
            let folder = self.folder_of(&table);
            let players =
                |faults| self.start_agents(&at_table, (self.folder.as_deref(), faults), verbose, stop);
            let Some(folder) = folder else {
                self.play_in_memory(&table, players(None)?, &mut watch, &mut found)?;
                continue;
            };
            if !watch.should_stop() {
                let mut run = self.open_run(&table, None, &folder, &at_table)?;
                let played = run.play(&mut players(Some(&folder))?, &mut watch);
                let played = played.map_err(|cause| not_played(run.config(), cause))?;
                found.played += played.finished;
                found.threads = found.threads.max(played.threads);
            }
            self.read_table(&table, earlier_faults, &mut found)?;
        }
        found.complete = found.games.games() == self.config.games();
        found.seconds = start.elapsed().as_secs_f64();
        Ok(found)
    }

    fn play_in_memory(
        &self,
        table: &[usize],
        mut players: Players,
        watch: &mut dyn Watch,
        found: &mut LeagueResult,
    ) -> Result<(), LeagueError> {
        let config = RunConfig { detail: Detail::None, ..self.config.run_of(table, &[]) };
        let mut sink = self.sink_of(table, config.schedule());
        players
            .play(&config.job(config.range()), &mut sink, watch)
            .map_err(|cause| not_played(&config, cause))?;
        found.played += sink.orders.len() as u64;
        found.threads = found.threads.max(players.threads(config.range().end));
        // Only in whole sets has each agent played in each seat.
        let whole = sink.orders.len() - sink.orders.len() % self.config.games_per_set() as usize;
        sink.orders[..whole].iter().for_each(|(set, order)| found.games.add_shared(*set, order));
        let end = TableId(whole as u64);
        let (faults, first) = (table.iter().zip(players.all_faults()), self.first_game(table));
        found.add_faults(faults.map(|(agent, (_, faults))| (*agent, faults.before(end).shifted(first))));
        Ok(())
    }

    /// A sink for the games of a table, without games yet.
    fn sink_of<'a>(&self, table: &'a [usize], schedule: Schedule) -> TableGames<'a> {
        TableGames { schedule, tie_rule: self.config.rules.tie_rule, table, orders: Vec::new() }
    }

    /// The number of a table's first game among those of all tables.
    fn first_game(&self, table: &[usize]) -> u64 {
        let tables = self.config.tables();
        let index = tables.iter().position(|other| other == table).unwrap_or(0);
        index as u64 * self.config.games_per_table()
    }

    /// Adds the games of a table that are in complete parts, and the faults that `faults_before`
    /// finds before the end of these games.
    fn read_table(
        &self,
        table: &[usize],
        faults_before: impl FnOnce(&Path, TableId) -> Result<BTreeMap<String, Faults>, FaultsError>,
        found: &mut LeagueResult,
    ) -> Result<(), LeagueError> {
        let Some((folder, config, manifest)) = self.stored(table)? else { return Ok(()) };
        found.programs.insert(format!("{}, commit {}", config.version, config.commit));
        let faults = faults_before(&folder, TableId(manifest.games))?;
        let position = |agent: &String| self.config.agents.iter().position(|name| label_of(name) == agent);
        let first = self.first_game(table);
        let numbered = |(agent, own): (String, Faults)| Some((position(&agent)?, own.shifted(first)));
        found.add_faults(faults.into_iter().filter_map(numbered));
        let games = self.sink_of(table, config.schedule());
        for part in &manifest.parts {
            let file = TableFile::new(&folder, TableKind::Games, part.part);
            file.read(|rows: &PlacementColumns, row| {
                let (placements, points) = (rows.placement.at(row), rows.points.at(row));
                let (set, order) = games.order(rows.game.at(row), placements.iter().zip(points.iter()))?;
                found.games.add_shared(set, &order);
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The agents of a table, among those of the league.
fn among(agents: &[NamedAgent], table: &[usize]) -> Vec<NamedAgent> {
    table.iter().map(|agent| agents[*agent].clone()).collect()
}

/// The name of a table's folder: the numbers of its agents in the league.
fn name_of(table: &[usize]) -> String {
    let numbers: Vec<String> = table.iter().map(usize::to_string).collect();
    numbers.join("-")
}

/// Reads and checks `league.toml`.
fn read_config(folder: &Path) -> Result<LeagueConfig, LeagueError> {
    let path = folder.join("league.toml");
    let error = |what: &dyn ToString| LeagueError::Read(ReadError::new(&path, what));
    let text = store::read(&path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    let text = text.map_err(|cause| error(&format!("cannot read: {cause}")))?;
    let config: LeagueConfig = toml::from_str(&text).map_err(|cause| error(&cause))?;
    config.check().map_err(|wrong| error(&wrong))?;
    Ok(config)
}

/// The error for a table that could not be played to its end.
fn not_played(table: &RunConfig, cause: impl Into<MatchError>) -> LeagueError {
    LeagueError::Play { agents: table.agents.join(", "), cause: Box::new(cause.into()) }
}

//! Leagues: every table of several agents plays on the same walls.
//!
//! ```text
//! league.toml           everything needed to repeat the league
//! tables/0-1-2-3/       the run of a table, by the positions of its agents in league.toml
//!   faults.jsonl        the faults of its programs
//! tables/0-1-2-4/
//! ```
//!
//! All tables have the same seed, so set k has the same walls at all of them. More agents add
//! tables and change none; more sets extend the runs.

mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jantaku_agents::{AgentError, FaultLog, Faults, NamedAgent, OnFault, Policy, Setup, TableId};
use jantaku_engine::Rules;
use serde::{Deserialize, Serialize};

use super::parts::games_per_part;
use super::ranked::RankedGames;
use crate::dataset::{ReadError, StoredColumn as _, TableFile, TableKind, select};
use crate::play::{Detail, RunError, Seatings, SinkError, Watch};
use crate::run::store::{Folder, Lock, lock, write};
use crate::run::{
    AgentParameters, ConfigError, Manifest, NotNew, PlayError, Run, RunConfig, StartError, StoppedRun, claim,
    name_of_detail, read_started,
};
use table::{Direct, InLockstep, Later, PlayTable, TableGames};

select! {
    struct PlacementColumns from games { game, placement }
}

/// Everything needed to repeat a league: the contents of `league.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueConfig {
    /// The agents, in the order in which they joined.
    pub agents: Vec<String>,
    /// Sets that every table plays.
    pub sets: u64,
    /// Seed of all tables.
    pub seed: u64,
    /// Who sits where in the games of a set.
    pub seatings: Seatings,
    /// How much of each game is written.
    #[serde(rename = "log", with = "name_of_detail")]
    pub detail: Detail,
    /// The most games in play at once, if an agent is a program and the user chose a number.
    #[serde(default, rename = "tables", skip_serializing_if = "Option::is_none")]
    pub at_once: Option<usize>,
    /// What a fault of a program causes, if the user chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_fault: Option<OnFault>,
    /// Name of the rule set as the user gave it.
    pub rules_name: String,
    /// The parameters of the agents.
    #[serde(default, skip_serializing_if = "AgentParameters::is_empty")]
    pub parameters: AgentParameters,
    /// The rules.
    pub rules: Rules,
}

impl LeagueConfig {
    /// Checks that the values are valid and agree with each other.
    ///
    /// # Errors
    ///
    /// The first value that is wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        let players = self.rules.players.count();
        if self.agents.len() < usize::from(players) {
            let expected = format!("at least {players}, one for each seat");
            return Err(ConfigError::new("agents", &expected, &self.agents.len()));
        }
        let is_repeated = |(index, agent): &(usize, &String)| self.agents[..*index].contains(agent);
        if let Some((_, agent)) = self.agents.iter().enumerate().find(is_repeated) {
            return Err(ConfigError::new("agents", &"different agents", &format!("{agent} twice")));
        }
        if self.sets == 0 {
            return Err(ConfigError::new("sets", &"at least 1", &0));
        }
        if !matches!(self.seatings, Seatings::Rotations | Seatings::AllOrders) {
            return Err(ConfigError::new("seatings", &"rotations or all-orders", &self.seatings.name()));
        }
        // The rules are checked as those of a table.
        self.table(&tables(players.into(), players)[0]).check()
    }

    /// The agents of every table, by their indexes. Later agents come with later tables.
    #[must_use]
    pub fn tables(&self) -> Vec<Vec<usize>> {
        tables(self.agents.len(), self.rules.players.count())
    }

    /// The number of games of a table.
    #[must_use]
    pub fn games_per_table(&self) -> u64 {
        self.sets * self.games_per_set()
    }

    /// The number of games of the league.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.tables().len() as u64 * self.games_per_table()
    }

    const fn games_per_set(&self) -> u64 {
        self.seatings.games_per_set(self.rules.players)
    }

    /// The run of a new table.
    fn table(&self, table: &[usize]) -> RunConfig {
        let agents: Vec<String> = table.iter().map(|agent| self.agents[*agent].clone()).collect();
        let LeagueConfig { rules_name, rules, seed, detail, seatings, .. } = self;
        let games = self.games_per_table();
        RunConfig {
            seatings: *seatings,
            parameters: self.parameters.among(&agents),
            games_per_part: games_per_part(&agents, self.games_per_set()),
            ..RunConfig::new(rules_name, rules, agents, games, *seed, *detail)
        }
    }
}

/// All choices of this many of the agents, those without the last agent first.
fn tables(agents: usize, players: u8) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..players {
        let longer = |table: &Vec<usize>| {
            let first = table.last().map_or(0, |last| last + 1);
            (first..agents).map(|agent| [&table[..], &[agent]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    all
}

/// Why a league cannot be opened or played.
#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    /// The configuration is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder cannot take a new league.
    #[error("{}: {cause}", folder.display())]
    NotNew {
        /// The folder.
        folder: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: NotNew,
    },
    /// The league or a run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// `league.toml` cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
    /// The run of a table cannot be created or resumed.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run of a table could not be played to its end.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// An agent cannot start.
    #[error("cannot start `{agent}`: {cause}")]
    Agent {
        /// The name of the agent.
        agent: String,
        /// The reason. The message contains it, so it is not a source.
        cause: AgentError,
    },
    /// The file of a table's faults cannot be read or written.
    #[error("{}: {cause}", path.display())]
    Faults {
        /// The file.
        path: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
    /// A game that is not written could not be played.
    #[error("table of {agents}: {cause}")]
    Table {
        /// The agents of the table.
        agents: String,
        /// The reason. The message contains it, so it is not a source.
        cause: RunError,
    },
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

/// What is known of a league after it was played.
#[derive(Clone, Debug)]
pub struct PlayedLeague {
    /// The games, those of earlier calls included.
    pub games: RankedGames,
    /// Games that this call played.
    pub played: u64,
    /// Whether all games are played.
    pub complete: bool,
    /// Versions and commits of the programs that played the stored tables.
    pub programs: BTreeSet<String>,
    /// The faults of each agent in these games, in the order of the league.
    pub faults: Vec<Faults>,
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
        let lock = claim(folder).map_err(|cause| LeagueError::NotNew { folder: folder.to_owned(), cause })?;
        let league = League { config, folder: Some(folder.to_owned()), _lock: lock };
        league.write_config()?;
        Ok(league)
    }

    /// Opens the league in a folder, to play what is missing. None if there is none.
    ///
    /// # Errors
    ///
    /// If `league.toml` cannot be read, or another program plays the league.
    pub fn open(folder: &Path) -> Result<Option<League>, LeagueError> {
        let path = folder.join("league.toml");
        let error = |what: &dyn ToString| LeagueError::Read(ReadError::new(&path, what));
        if !path.exists() {
            return Ok(None);
        }
        let lock = lock(folder).map_err(|cause| LeagueError::NotNew {
            folder: folder.to_owned(),
            cause: NotNew::Unusable(cause),
        })?;
        let text = fs::read_to_string(&path).map_err(|cause| error(&format!("cannot read: {cause}")))?;
        let config: LeagueConfig = toml::from_str(&text).map_err(|cause| error(&cause))?;
        config.check().map_err(|wrong| error(&wrong))?;
        Ok(Some(League { config, folder: Some(folder.to_owned()), _lock: lock }))
    }

    /// The contents of `league.toml`.
    #[must_use]
    pub const fn config(&self) -> &LeagueConfig {
        &self.config
    }

    /// Chooses the most games in play at once and what a fault causes. `None` leaves the league as
    /// it is.
    ///
    /// # Errors
    ///
    /// If the league has another choice than [`OnFault::Stop`] for faults, so that they may be in its
    /// games, or `league.toml` cannot be written.
    pub fn choose(&mut self, at_once: Option<usize>, on_fault: Option<OnFault>) -> Result<(), LeagueError> {
        let before = self.config.clone();
        let has = before.on_fault.unwrap_or_default();
        if let Some(asked) = on_fault.filter(|asked| *asked != has && has != OnFault::Stop) {
            return Err(ConfigError::new("on_fault", &has.name(), &asked.name()).into());
        }
        self.config.at_once = at_once.or(before.at_once);
        self.config.on_fault = on_fault.or(before.on_fault);
        if self.config == before { Ok(()) } else { self.write_config() }
    }

    /// Adds those of these agents that are not in the league, and raises the number of sets.
    ///
    /// # Errors
    ///
    /// If the league has more sets than `sets`, the files of its agents' parameters have changed, or
    /// `league.toml` cannot be written.
    pub fn extend(&mut self, agents: &[NamedAgent], sets: u64) -> Result<(), LeagueError> {
        if sets < self.config.sets {
            let expected = format!("at least {}, those of the league", self.config.sets);
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

    /// Checks that the files of the agents' parameters are those that the league began with.
    fn check_parameters(&self) -> Result<(), LeagueError> {
        let path = self.folder.as_deref().unwrap_or(Path::new("")).join("league.toml");
        Ok(self.config.parameters.check().map_err(|what| ReadError::new(&path, &what))?)
    }

    fn write_config(&self) -> Result<(), LeagueError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let text = toml::to_string(&self.config).expect("a league is plain values");
        Ok(write(&mut Folder, &folder.join("league.toml"), text.as_bytes())?)
    }

    /// The number of games that are not played yet.
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

    /// The folder of a table, if the league has one.
    fn folder_of(&self, table: &[usize]) -> Option<PathBuf> {
        let name: Vec<String> = table.iter().map(usize::to_string).collect();
        Some(self.folder.as_ref()?.join("tables").join(name.join("-")))
    }

    /// The run of a table, if it has begun.
    fn stored(&self, table: &[usize]) -> Result<Option<(PathBuf, RunConfig, Manifest)>, ReadError> {
        let folder = self.folder_of(table).filter(|folder| folder.join("run.toml").exists());
        let Some(folder) = folder else { return Ok(None) };
        let (config, manifest) = read_started(&folder)?;
        Ok(Some((folder, config, manifest.unwrap_or_default())))
    }

    /// Plays the missing games, table by table, on the rayon pool of the calling thread. Returns
    /// all games.
    ///
    /// `agents` are those of the league with their names, in its order. If the watch stops the
    /// league, it ends without an error: complete parts stay, and another call continues after
    /// them.
    ///
    /// # Errors
    ///
    /// If a run in the folder is not that of its table, an agent answers illegally, a game has no
    /// end, or a file cannot be read or written.
    ///
    /// # Panics
    ///
    /// If `agents` are not those of the league.
    pub fn play<P: Policy>(
        &self,
        agents: &[(String, P)],
        watch: &mut impl Watch,
    ) -> Result<PlayedLeague, LeagueError> {
        assert!(agents.iter().map(|(name, _)| name).eq(&self.config.agents), "other agents");
        self.play_with(Direct(agents), watch)
    }

    /// Plays the missing games as [`League::play`] does, with this many games in lockstep.
    ///
    /// Starts the agents of each table for its games, with [`LeagueConfig::on_fault`]. A folder
    /// keeps the faults of each table, so that a resumed league knows all of them.
    ///
    /// The thread must not be in a rayon pool, because agents may wait.
    ///
    /// # Errors
    ///
    /// As [`League::play`], if an agent cannot start or fails, or if the faults of a table cannot be
    /// read or written.
    ///
    /// # Panics
    ///
    /// If `agents` are not those of the league.
    pub fn play_started(
        &self,
        agents: &[(String, NamedAgent)],
        setup: &Setup,
        at_once: usize,
        watch: &mut impl Watch,
    ) -> Result<PlayedLeague, LeagueError> {
        assert!(agents.iter().map(|(name, _)| name).eq(&self.config.agents), "other agents");
        let setup = Setup { on_fault: self.config.on_fault.unwrap_or_default(), ..setup.clone() };
        self.play_with(InLockstep { agents, setup, at_once, table: Vec::new(), started: Vec::new() }, watch)
    }

    fn play_with(
        &self,
        mut players: impl PlayTable,
        watch: &mut impl Watch,
    ) -> Result<PlayedLeague, LeagueError> {
        if self.remaining()? > 0 {
            self.check_parameters()?;
        }
        let mut found = PlayedLeague {
            games: RankedGames::new(self.config.agents.len()),
            played: 0,
            complete: false,
            programs: BTreeSet::new(),
            faults: vec![Faults::default(); self.config.agents.len()],
        };
        for table in self.config.tables() {
            let mut watch = Later { watch, before: found.played };
            let Some(folder) = self.folder_of(&table) else {
                self.play_in_memory(&table, &mut players, &mut watch, &mut found)?;
                continue;
            };
            if !watch.should_stop() {
                let config = self.config.table(&table);
                let repeatable = config.repeatable && players.are_repeatable(&table);
                let config = RunConfig { repeatable, ..config };
                let mut run = match StoppedRun::find(&folder)? {
                    Some(stopped) => {
                        let games_per_part = stopped.config().games_per_part;
                        stopped.resume(Some(&RunConfig { games_per_part, ..config }))?
                    }
                    None => Run::create(&folder, config)?,
                };
                let log = folder.join(FAULTS);
                // Faults of games that are played again.
                faults_before(&log, run.remaining().start)?;
                players.start(&table, Some(&log))?;
                found.played += players.write(&mut run, &table, &mut watch)?.finished;
            }
            self.read_table(&table, &mut found)?;
        }
        found.complete = found.games.games() == self.config.games();
        Ok(found)
    }

    fn play_in_memory(
        &self,
        table: &[usize],
        players: &mut impl PlayTable,
        watch: &mut impl Watch,
        found: &mut PlayedLeague,
    ) -> Result<(), LeagueError> {
        let config = RunConfig { detail: Detail::None, ..self.config.table(table) };
        let mut sink = TableGames { schedule: config.schedule(), table, orders: Vec::new() };
        players.start(table, None)?;
        players
            .play(&config, table, &mut sink, watch)
            .map_err(|cause| LeagueError::Table { agents: config.agents.join(", "), cause })?;
        found.played += sink.orders.len() as u64;
        // Only in whole sets has each agent played in each seat.
        let whole = sink.orders.len() - sink.orders.len() % self.config.games_per_set() as usize;
        sink.orders[..whole].iter().for_each(|(set, order)| found.games.add(*set, order));
        let end = TableId(whole as u64);
        found.add_faults(players.faults().into_iter().map(|(agent, faults)| (agent, faults.before(end))));
        Ok(())
    }

    /// Adds the games of a table that are in complete parts.
    ///
    /// Removes the faults of other games, which are played again.
    fn read_table(&self, table: &[usize], found: &mut PlayedLeague) -> Result<(), LeagueError> {
        let Some((folder, config, manifest)) = self.stored(table)? else { return Ok(()) };
        found.programs.insert(format!("{}, commit {}", config.version, config.commit));
        let faults = faults_before(&folder.join(FAULTS), manifest.games)?;
        let position = |agent: &String| self.config.agents.iter().position(|name| name == agent);
        found.add_faults(faults.into_iter().filter_map(|(agent, own)| Some((position(&agent)?, own))));
        let games = TableGames { schedule: config.schedule(), table, orders: Vec::new() };
        for part in &manifest.parts {
            let file = TableFile::new(&folder, TableKind::Games, part.part);
            file.read(|rows: &PlacementColumns, row| {
                let (set, order) = games.order(rows.game.at(row), rows.placement.at(row).iter())?;
                found.games.add(set, &order);
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The file of a table's faults.
const FAULTS: &str = "faults.jsonl";

/// The faults of a table in its games before `end`, by the names of the agents. Removes all others
/// from the file.
fn faults_before(log: &Path, end: u64) -> Result<BTreeMap<String, Faults>, LeagueError> {
    FaultLog::resume(log, TableId(end)).map_err(|cause| LeagueError::Faults { path: log.to_owned(), cause })
}

impl PlayedLeague {
    /// Adds faults of agents, which are given by their indexes.
    fn add_faults(&mut self, faults: impl IntoIterator<Item = (usize, Faults)>) {
        faults.into_iter().for_each(|(agent, faults)| self.faults[agent].extend(&faults));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_agents_come_with_later_tables() {
        let five = tables(5, 3);
        assert_eq!(five.len(), 10);
        assert_eq!(five[..4], tables(4, 3));
        assert!(five[4..].iter().all(|table| table.contains(&4)));
        assert_eq!(tables(3, 3), [[0, 1, 2]]);
    }
}

//! Requests of self-play: optional fields, resolved with defaults and checks.
//!
//! A front end fills in what its user gave. An error names the field; the front end names its own
//! option, such as `--games-per-part` or `games_per_part=`.
//!
//! # Why
//!
//! **Why do requests have only optional fields?** A front end fills in the options that its user
//! gave. The library adds defaults and checks once, for the program and for Python. An error names
//! the field; the front end translates it to its option. So `--games-per-part` and
//! `games_per_part=` cannot differ.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_agents::labels::LabelOptions;
use jantaku_agents::{Catalog, Faults, NamedAgent, OnFault, ParseAgentError, TableId};
use jantaku_engine::Rules;

use crate::play::{CannotStart, Detail, FaultsError, Players, RunError, StartOptions, Watch, earlier_faults};
use crate::run::config::{ConfigError, RunConfig};
use crate::run::manifest::Manifest;
use crate::run::play::{PlayError, Played, count};
use crate::run::shard::Shard;
use crate::run::start::{Run, StartError, StoppedRun};
use crate::run::summary::Summary;

/// The largest number in a request: the largest in a TOML file.
pub const MAX_NUMBER: u64 = i64::MAX as u64;

/// The agents of a request.
#[derive(Clone, Debug)]
pub enum AgentChoice {
    /// Agents of the catalog, separated by commas.
    Text(String),
    /// Agents that the caller has, such as its own functions.
    Ready(Vec<NamedAgent>),
}

/// Rules with the name by which the user chose them.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedRules {
    /// The name of a preset, or of a file.
    pub name: String,
    /// The rules.
    pub rules: Rules,
}

/// The preset `tenhou`.
impl Default for NamedRules {
    fn default() -> NamedRules {
        NamedRules { name: "tenhou".to_owned(), rules: Rules::default() }
    }
}

/// A field of a request that is not valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// A field is missing, is not valid or does not fit another one.
    #[error(transparent)]
    Field(#[from] ConfigError),
    /// One value of a field is not valid.
    #[error("`{field}`: `{value}`: {what}")]
    Value {
        /// The field.
        field: &'static str,
        /// The value as the user gave it.
        value: String,
        /// What is wrong with it.
        what: String,
    },
    /// A text names no agents that can play.
    #[error("`{field}`: {cause}")]
    Agents {
        /// The field.
        field: &'static str,
        /// The text.
        text: String,
        /// The reason. The message contains it, so it is not a source.
        cause: Box<ParseAgentError>,
    },
}

impl RequestError {
    /// A field with this wrong or missing value.
    pub(crate) fn field(
        field: &'static str,
        expected: &dyn std::fmt::Display,
        found: &dyn std::fmt::Display,
    ) -> RequestError {
        RequestError::Field(ConfigError::new(field, expected, found))
    }
}

/// A number of a request that is from `least` to [`MAX_NUMBER`], if it is given.
pub(crate) fn check_number(field: &'static str, number: Option<u64>, least: u64) -> Result<(), RequestError> {
    match number.filter(|number| !(least..=MAX_NUMBER).contains(number)) {
        Some(found) => {
            let expected = format!("a number from {least} to {MAX_NUMBER}");
            Err(RequestError::field(field, &expected, &found))
        }
        None => Ok(()),
    }
}

impl AgentChoice {
    /// The agents of this many seats: one for each, or one for all.
    ///
    /// # Errors
    ///
    /// If the text of `field` names no agents, their number is wrong, or different agents have the same
    /// name.
    pub fn seats(&self, field: &'static str, seats: usize) -> Result<Vec<NamedAgent>, RequestError> {
        let agents = match self {
            AgentChoice::Text(text) => Catalog::standard().agents(text, seats),
            AgentChoice::Ready(agents) => match &agents[..] {
                [agent] => Ok(vec![agent.clone(); seats]),
                _ if agents.len() == seats => Ok(agents.clone()),
                _ => Err(ParseAgentError::Count { found: agents.len(), seats }),
            },
        };
        checked(field, agents.map_err(|cause| self.error(field, cause))?)
    }

    /// The only agent.
    ///
    /// # Errors
    ///
    /// If the text of `field` does not name one agent.
    pub fn one(&self, field: &'static str) -> Result<NamedAgent, RequestError> {
        Ok(self.seats(field, 1)?.remove(0))
    }

    /// All agents, however many there are.
    ///
    /// # Errors
    ///
    /// If the text of `field` names no agents, or different agents have the same name.
    pub fn list(&self, field: &'static str) -> Result<Vec<NamedAgent>, RequestError> {
        let agents = match self {
            AgentChoice::Text(text) => {
                Catalog::standard().list(text).map_err(|cause| self.error(field, cause))?
            }
            AgentChoice::Ready(agents) => agents.clone(),
        };
        checked(field, agents)
    }

    fn error(&self, field: &'static str, cause: ParseAgentError) -> RequestError {
        let text = match self {
            AgentChoice::Text(text) => text.clone(),
            AgentChoice::Ready(agents) => agents.iter().map(NamedAgent::name).collect::<Vec<_>>().join(","),
        };
        RequestError::Agents { field, text, cause: Box::new(cause) }
    }
}

/// The agents of a field, if different ones have different names.
fn checked(field: &'static str, agents: Vec<NamedAgent>) -> Result<Vec<NamedAgent>, RequestError> {
    check_names(field, &agents)?;
    Ok(agents)
}

/// Checks that different agents have different names. Equal agents may share one.
///
/// # Errors
///
/// If two agents with different texts have the same name.
pub fn check_names(field: &'static str, agents: &[NamedAgent]) -> Result<(), ConfigError> {
    let repeats_name = |(index, agent): &(usize, &NamedAgent)| {
        let is_other = |other: &NamedAgent| other.label() == agent.label() && other.name() != agent.name();
        agents[..*index].iter().any(is_other)
    };
    agents.iter().enumerate().find(repeats_name).map_or(Ok(()), |(_, agent)| {
        let found = format!("{} twice", agent.label());
        Err(ConfigError::new(field, &"different names for different agents", &found))
    })
}

/// The agents of a run by their names.
///
/// # Errors
///
/// If a name is not that of an agent of the catalog, such as the name of a function.
pub fn agents_of(config: &RunConfig) -> Result<Vec<NamedAgent>, RequestError> {
    config.named_agents().map_err(|cause| RequestError::Agents {
        field: "agents",
        text: config.agents.join(","),
        cause: Box::new(cause),
    })
}

/// Games of self-play. A field that is not given is that of the run to resume, or has its default.
#[derive(Clone, Debug, Default)]
pub struct SelfplayRequest {
    /// The number of games. A larger one extends a run that is resumed.
    pub games: Option<u64>,
    /// One agent for all seats, or one for each; by default `greedy`.
    pub agents: Option<AgentChoice>,
    /// The rules.
    pub rules: Option<NamedRules>,
    /// The seed; by default 0.
    pub seed: Option<u64>,
    /// How much of each game is written; by default the decisions, or nothing without a folder.
    pub log: Option<Detail>,
    /// Which decisions are labelled by rollouts, and how; by default none.
    pub labels: Option<LabelOptions>,
    /// Games in a part.
    pub games_per_part: Option<u64>,
    /// Share of the games.
    pub shard: Option<Shard>,
    /// The folder or URL of the run. Without one, the games are only counted.
    pub out: Option<PathBuf>,
    /// Whether to resume the run in the folder. If there is none, a new one begins if `games` is
    /// given.
    pub resume: bool,
    /// What a fault of an external engine causes; by default the run stops. A resumed run that
    /// stops at faults may get another value.
    pub on_fault: Option<OnFault>,
}

/// Why a request of self-play cannot be fulfilled.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// A field is not valid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The run cannot be created or resumed.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is a `log` to write but no folder.
    #[error("`out`: expected a folder for the run")]
    NoFolder,
    /// There is a folder but nothing to write.
    #[error("`out`: nothing to write, because `log` is none; drop `out` or choose another `log`")]
    NothingToWrite,
    /// The folder has a run of duplicate sets.
    #[error("{}: has the games of a match or of a league's table, not of `selfplay`", folder.display())]
    IsMatch {
        /// The folder.
        folder: PathBuf,
    },
    /// The file of faults cannot be read or written.
    #[error(transparent)]
    Faults(#[from] FaultsError),
}

impl From<ConfigError> for SelfplayError {
    fn from(error: ConfigError) -> SelfplayError {
        SelfplayError::Request(error.into())
    }
}

/// Games of self-play that are ready to be played.
#[derive(Debug)]
pub struct Selfplay {
    target: Target,
    agents: Vec<NamedAgent>,
    /// Whether there was no run to resume.
    begins_anew: bool,
}

/// Where the games go.
#[derive(Debug)]
enum Target {
    Run(Box<Run>),
    Count(Box<RunConfig>),
}

impl SelfplayRequest {
    /// Creates or finds the run. Plays nothing.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or the run cannot be created or resumed.
    pub fn resolve(&self) -> Result<Selfplay, SelfplayError> {
        check_number("games", self.games, 1)?;
        check_number("seed", self.seed, 0)?;
        check_number("games_per_part", self.games_per_part, 1)?;
        let Some(out) = &self.out else { return self.fresh(false) };
        if !self.resume {
            return self.fresh(false);
        }
        let Some(stopped) = StoppedRun::find(out)? else {
            if self.games.is_none() {
                return Err(StartError::NoRun { folder: out.clone() }.into());
            }
            return self.fresh(true);
        };
        if !stopped.config().seatings().is_fixed() {
            return Err(SelfplayError::IsMatch { folder: out.clone() });
        }
        let (config, agents) = self.config(Some(stopped.config()))?;
        let run = stopped.resume(Some(&config))?;
        // The other games are played again.
        earlier_faults(run.folder(), TableId(run.remaining().start))?;
        Ok(Selfplay { target: Target::Run(Box::new(run)), agents, begins_anew: false })
    }

    /// A new run, or games that are only counted.
    fn fresh(&self, begins_anew: bool) -> Result<Selfplay, SelfplayError> {
        let (config, agents) = self.config(None)?;
        if self.games.is_none() {
            return Err(RequestError::field("games", &"a number from 1", &"none").into());
        }
        config.check()?;
        let target = match (&self.out, config.detail) {
            (None, Detail::None) if !self.resume => Target::Count(Box::new(config)),
            (None, _) => return Err(SelfplayError::NoFolder),
            (Some(_), Detail::None) => return Err(SelfplayError::NothingToWrite),
            (Some(out), _) => Target::Run(Box::new(Run::create(out, config)?)),
        };
        Ok(Selfplay { target, agents, begins_anew })
    }

    /// The requested run and its agents. Missing fields come from `given`. A run of logs has no
    /// agents.
    fn config(&self, given: Option<&RunConfig>) -> Result<(RunConfig, Vec<NamedAgent>), RequestError> {
        let own = |run: &RunConfig| NamedRules { name: run.rules_name.clone(), rules: run.rules };
        let named = self.rules.clone().or_else(|| given.map(own)).unwrap_or_default();
        let is_of_logs = given.is_some_and(RunConfig::is_of_logs);
        let seats = usize::from(named.rules.players.count());
        let agents = match (given, &self.agents) {
            (Some(_), None) if is_of_logs => Vec::new(),
            (Some(run), None) => agents_of(run)?,
            (None, None) => AgentChoice::Text("greedy".to_owned()).seats("agents", seats)?,
            (_, Some(agents)) => agents.seats("agents", seats)?,
        };
        let names = match (given, &self.agents) {
            (Some(run), None) => run.agents.clone(),
            _ => agents.iter().map(NamedAgent::to_string).collect(),
        };
        let usual = if self.out.is_some() { Detail::Decisions } else { Detail::None };
        let detail = self.log.or(given.map(|run| run.detail)).unwrap_or(usual);
        let seed = self.seed.or(given.map(|run| run.seed)).unwrap_or(0);
        let games = self.games.or(given.and_then(RunConfig::games));
        let new = RunConfig::new(&named.name, &named.rules, names, games.unwrap_or(0), seed, detail);
        let new = if is_of_logs { new } else { new.played_by(&agents)? };
        let per_part = self.games_per_part.or(given.map(|run| run.games_per_part));
        let labels = self.labels.clone().or_else(|| given.and_then(|run| run.labels.clone()));
        let on_fault = self.on_fault.or(given.map(|run| run.on_fault)).unwrap_or_default();
        let games_per_part = per_part.unwrap_or(new.games_per_part);
        let config = RunConfig { games_per_part, on_fault, ..new }.with_labels(labels)?;
        let shard = self.shard.or_else(|| given.and_then(RunConfig::shard));
        Ok((config.with_games(games).with_shard(shard), agents))
    }
}

impl Selfplay {
    /// Whether a run was to be resumed, but there was none, so that a new one begins.
    #[must_use]
    pub const fn begins_anew(&self) -> bool {
        self.begins_anew
    }

    /// What is played.
    #[must_use]
    pub const fn config(&self) -> &RunConfig {
        match &self.target {
            Target::Run(run) => run.config(),
            Target::Count(config) => config,
        }
    }

    /// The run, if the games are written.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        match &self.target {
            Target::Run(run) => Some(run),
            Target::Count(_) => None,
        }
    }

    /// The numbers of the games to play.
    #[must_use]
    pub fn games(&self) -> Range<u64> {
        match &self.target {
            Target::Run(run) => run.remaining(),
            Target::Count(config) => config.range(),
        }
    }

    /// The agents, started unless they are policies. Their waits end when `stop` is set, and their
    /// faults have the effect that the run states.
    ///
    /// # Errors
    ///
    /// If an agent cannot start.
    pub fn start(&self, options: &StartOptions, stop: &Arc<AtomicBool>) -> Result<Players, CannotStart> {
        let options = StartOptions { on_fault: Some(self.config().on_fault), ..*options };
        options.start(&self.agents, self.run().map(Run::folder), stop)
    }

    /// Plays the games ([`Run::play`], [`count`]).
    ///
    /// # Errors
    ///
    /// As these functions.
    pub fn play(&mut self, players: &mut Players, watch: &mut dyn Watch) -> Result<Played, SelfplayStopped> {
        Ok(match &mut self.target {
            Target::Run(run) => run.play(players, watch)?,
            Target::Count(config) => count(config, players, watch)?,
        })
    }

    /// What was played and written.
    #[must_use]
    pub fn summary(&self, played: &Played, faults: &[(String, Faults)]) -> Summary {
        let written: Option<(&Path, &Manifest)> = self.run().map(|run| (run.folder(), run.manifest()));
        Summary::new(self.config(), played, written, faults)
    }
}

/// Why games of self-play were not played to their end.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayStopped {
    /// A run could not be played or written.
    #[error(transparent)]
    Write(#[from] PlayError),
    /// A game that is only counted could not be played.
    #[error(transparent)]
    Play(#[from] RunError),
}

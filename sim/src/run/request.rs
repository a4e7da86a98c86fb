//! Requests of self-play: optional fields, resolved with defaults and checks.
//!
//! A request is what the user of a front end gave: the options of a command, whose help is the
//! documentation of the fields, or keyword arguments of Python. An error names the field as the user
//! gives it ([`field_name`]).
//!
//! # Why
//!
//! **Why do requests have only optional fields?** A front end fills in the options that its user
//! gave. The library adds defaults and checks once, for the program and for Python. So
//! `--games-per-part` and `games_per_part=` cannot differ.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_agents::labels::LabelOptions;
use jantaku_agents::{Faults, NamedAgent, TableId, argument, call, field_name};
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use crate::dataset::ReadError;
use crate::play::{CannotStart, Detail, FaultsError, Players, StartOptions, Watch, earlier_faults};
use crate::run::choice::{AgentChoice, NamedRules, RulesChoice, agents_of};
use crate::run::config::{ConfigError, RunConfig};
use crate::run::manifest::Manifest;
use crate::run::play::{PlayError, Played, count};
use crate::run::request_error::RequestError;
use crate::run::shard::Shard;
use crate::run::start::{Run, StartError, StoppedRun};
use crate::run::summary::Summary;

/// The largest number in a request: the largest in a TOML file.
pub const MAX_NUMBER: u64 = i64::MAX as u64;

/// The chosen rules; `tenhou` by default.
///
/// # Errors
///
/// If they cannot be opened.
pub fn open_rules(rules: Option<&RulesChoice>) -> Result<NamedRules, RequestError> {
    Ok(rules.map(RulesChoice::open).transpose()?.unwrap_or_default())
}

/// Checks that a number of a request is from `least` to [`MAX_NUMBER`], if it is given.
///
/// # Errors
///
/// If it is out of range.
pub fn check_number(field: &'static str, number: Option<u64>, least: u64) -> Result<(), RequestError> {
    match number.filter(|number| !(least..=MAX_NUMBER).contains(number)) {
        Some(found) => {
            let expected = format!("a number from {least} to {MAX_NUMBER}");
            Err(RequestError::field(field, &expected, &found))
        }
        None => Ok(()),
    }
}

/// Checks that a field is given only with the field `needs`, without which it has no effect. `has` says
/// whether that one is given.
///
/// # Errors
///
/// If the field is given without it.
pub fn check_effect(
    field: &'static str,
    is_given: bool,
    needs: &'static str,
    has: bool,
) -> Result<(), RequestError> {
    let why = format!("{} is not given", field_name(needs));
    if is_given && !has { Err(ConfigError::without_effect(field, &why).into()) } else { Ok(()) }
}

/// Games of self-play. Fields that are not set come from the run being resumed, or have their
/// defaults.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SelfplayRequest {
    /// Play this many games
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", required_unless_present = "resume",
        value_parser = crate::options::number::<u64>(1..=MAX_NUMBER), allow_negative_numbers = true
    ))]
    pub games: Option<u64>,
    /// Choose one agent for all seats or one for each, such as `greedy` or
    /// `greedy,random,greedy:calls=off,tsumogiri`; `jantaku agents` lists them [default: greedy]
    #[cfg_attr(feature = "clap", arg(long, value_name = "A[,B,C,D]"))]
    pub agents: Option<AgentChoice>,
    /// Choose the rules, a preset (`jantaku rules list` lists them) or a TOML file [default: tenhou]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PRESET|FILE"))]
    pub rules: Option<RulesChoice>,
    /// Set the seed of the run, from 0 to 9223372036854775807; the same seed plays the same games
    /// [default: 0]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "S", value_parser = crate::options::number::<u64>(0..=MAX_NUMBER),
        allow_negative_numbers = true
    ))]
    pub seed: Option<u64>,
    /// Write the run to this new or empty folder, or to a URL (s3://, gs://, az://, file://,
    /// memory://) if the program is built with the feature `cloud`; not needed with `--log none`
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR", required_if_eq("resume", "true")))]
    pub out: Option<PathBuf>,
    /// Choose the tables to write: none, games, also hands, also decisions, or also oracle, the
    /// hidden hands at each decision and the walls [default: decisions]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "LEVEL", value_parser = crate::options::one_of(Detail::ALL, Detail::name)
    ))]
    pub log: Option<Detail>,
    /// Label decisions for training: play their candidates to the end of the hand with the true hands and fresh
    /// walls, and write the values to the table `labels`; OPTIONS such as `deals=8,discard=0.1`
    /// change the defaults
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "OPTIONS", num_args = 0..=1, default_missing_value = ""
    ))]
    #[serde(deserialize_with = "label_options")]
    pub labels: Option<LabelOptions>,
    /// Write parts of this many games; a run that is killed loses the games of unfinished parts
    /// [default: 1000]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", value_parser = crate::options::number::<u64>(1..=MAX_NUMBER),
        allow_negative_numbers = true
    ))]
    pub games_per_part: Option<u64>,
    /// Play one share of the games, such as 2/4 for the second of four; `jantaku merge` joins the
    /// shares
    #[cfg_attr(feature = "clap", arg(long, value_name = "I/N"))]
    pub shard: Option<Shard>,
    /// Resume the run in the folder with the options of its run.toml; the result has the same bytes
    /// as an uninterrupted run. A larger `--games` extends the run
    #[cfg_attr(feature = "clap", arg(long))]
    pub resume: bool,
    /// How its agents start.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub start: StartOptions,
}

/// A list of texts: from one text, a list or null.
///
/// # Errors
///
/// If it is anything else.
pub fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct OneOrMore;

    impl<'de> Visitor<'de> for OneOrMore {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text or a list of texts")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, texts: A) -> Result<Self::Value, A::Error> {
            Deserialize::deserialize(SeqAccessDeserializer::new(texts))
        }
    }

    deserializer.deserialize_any(OneOrMore)
}

/// A value that its type parses from a text, or from the text of a number.
///
/// # Errors
///
/// If it is anything else, or the type cannot parse it.
pub fn parsed<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Parsed<T>(PhantomData<T>);

    impl<T: FromStr<Err: Display>> Visitor<'_> for Parsed<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number or a text")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
            // A whole number keeps its point.
            self.visit_str(&format!("{number:?}"))
        }
    }

    deserializer.deserialize_any(Parsed(PhantomData))
}

/// Options of labels: a text such as `deals=8`, true for the defaults, false or null for no labels.
///
/// # Errors
///
/// If the text is not valid.
pub fn label_options<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<LabelOptions>, D::Error> {
    struct TextOrFlag;

    impl Visitor<'_> for TextOrFlag {
        type Value = Option<LabelOptions>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("True, False or a text such as 'deals=8,discard=0.1'")
        }

        fn visit_bool<E: Error>(self, labels: bool) -> Result<Self::Value, E> {
            Ok(labels.then(LabelOptions::default))
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
            text.parse().map(Some).map_err(E::custom)
        }
    }

    deserializer.deserialize_any(TextOrFlag)
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
    #[error(
        "{} is needed to write a run; to write nothing, give {}",
        field_name("out"),
        argument("log", "none")
    )]
    NoFolder,
    /// There is a folder but nothing to write.
    #[error("{}: {} writes nothing; give only one of them", field_name("out"), argument("log", "none"))]
    NothingToWrite,
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
    /// The run, unless the games are only counted.
    run: Option<Run>,
    config: RunConfig,
    agents: Vec<NamedAgent>,
    /// Whether there was no run to resume.
    begins_anew: bool,
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
        // Shards divide the games between parts.
        let has_parts = self.out.is_some() || self.shard.is_some();
        check_effect("games_per_part", self.games_per_part.is_some(), "out", has_parts)?;
        check_effect("resume", self.resume, "out", self.out.is_some())?;
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
        if !stopped.config().seatings.is_fixed() {
            let resume = call("match", "resume");
            let what = format!(
                "has the games of a match or of a league's table, not of `selfplay`; {resume} resumes a match"
            );
            return Err(StartError::from(ReadError::new(out, &what)).into());
        }
        let (config, agents) = self.config(Some(stopped.config()))?;
        let run = stopped.resume(Some(&config))?;
        // Removes the faults of the games that are played again.
        earlier_faults(run.folder(), TableId(run.remaining().start))?;
        let config = run.config().clone();
        Ok(Selfplay { run: Some(run), config, agents, begins_anew: false })
    }

    /// Creates a run, unless the games are only counted.
    fn fresh(&self, begins_anew: bool) -> Result<Selfplay, SelfplayError> {
        let (config, agents) = self.config(None)?;
        if self.games.is_none() {
            return Err(RequestError::field("games", &"a number from 1", &"none").into());
        }
        config.check()?;
        let run = match (&self.out, config.detail) {
            (None, Detail::None) if !self.resume => None,
            (None, _) => return Err(SelfplayError::NoFolder),
            (Some(_), Detail::None) => return Err(SelfplayError::NothingToWrite),
            (Some(out), _) => Some(Run::create(out, config.clone())?),
        };
        Ok(Selfplay { run, config, agents, begins_anew })
    }

    /// The requested run and its agents. Missing fields come from `stored`, the run to resume. A new run
    /// has the defaults instead. A run of logs has no agents.
    fn config(&self, stored: Option<&RunConfig>) -> Result<(RunConfig, Vec<NamedAgent>), RequestError> {
        let rules_of = |run: &RunConfig| NamedRules { name: run.rules_name.clone(), rules: run.rules };
        let named = match (&self.rules, stored) {
            (None, Some(run)) => rules_of(run),
            (rules, _) => open_rules(rules.as_ref())?,
        };
        let is_of_logs = stored.is_some_and(|run| run.from_logs);
        let seats = usize::from(named.rules.players.count());
        let agents = match (stored, &self.agents) {
            (Some(_), None) if is_of_logs => Vec::new(),
            (Some(run), None) => agents_of(run)?,
            (None, None) => AgentChoice::Text("greedy".to_owned()).seats("agents", seats)?,
            (_, Some(agents)) => agents.seats("agents", seats)?,
        };
        let names = match (stored, &self.agents) {
            (Some(run), None) => run.agents.clone(),
            _ => agents.iter().map(NamedAgent::to_string).collect(),
        };
        let detail = if self.out.is_some() { Detail::Decisions } else { Detail::None };
        let new = RunConfig { detail, ..RunConfig::new(&named.name, &named.rules) };
        let defaults = stored.unwrap_or(&new);
        let labels = self.labels.clone().or_else(|| defaults.labels.clone());
        let config = RunConfig {
            games: self.games.or(defaults.games),
            seed: self.seed.unwrap_or(defaults.seed),
            agents: names,
            detail: self.log.unwrap_or(defaults.detail),
            games_per_part: self.games_per_part.unwrap_or(defaults.games_per_part),
            shard: self.shard.or(defaults.shard),
            on_fault: self.start.on_fault.unwrap_or(defaults.on_fault),
            ..new
        };
        let config = if is_of_logs { config } else { config.played_by(&agents)? };
        Ok((config.with_labels(labels)?, agents))
    }
}

impl Selfplay {
    /// Whether a run was to be resumed, but there was none, so that a new one begins.
    pub const fn begins_anew(&self) -> bool {
        self.begins_anew
    }

    /// What is played.
    pub const fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The run, if the games are written.
    pub const fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// The numbers of the games to play.
    pub fn games(&self) -> Range<u64> {
        self.run().map_or_else(|| self.config.range(), Run::remaining)
    }

    /// The agents, started unless they are policies. Their waits end when `stop` is set, and their
    /// faults have the effect that the run states.
    ///
    /// # Errors
    ///
    /// If an agent cannot start.
    pub fn start(&self, options: &StartOptions, stop: &Arc<AtomicBool>) -> Result<Players, CannotStart> {
        let options = StartOptions { on_fault: Some(self.config.on_fault), ..*options };
        options.start(&self.agents, self.run().map(Run::folder), stop)
    }

    /// Plays the games ([`Run::play`], [`count`]).
    ///
    /// # Errors
    ///
    /// As these functions.
    pub fn play(&mut self, players: &mut Players, watch: &mut dyn Watch) -> Result<Played, PlayError> {
        match &mut self.run {
            Some(run) => run.play(players, watch),
            None => Ok(count(&self.config, players, watch)?),
        }
    }

    /// What was played and written.
    pub fn summary(&self, played: &Played, faults: &[(String, Faults)]) -> Summary {
        let written: Option<(&Path, &Manifest)> = self.run().map(|run| (run.folder(), run.manifest()));
        Summary::new(&self.config, played, written, faults)
    }
}

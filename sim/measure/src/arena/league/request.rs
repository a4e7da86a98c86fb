//! Requests of leagues: optional fields, resolved with defaults and checks.

use std::path::{Path, PathBuf};

use jantaku_agents::{NamedAgent, label_of, without_label};
use serde::Deserialize;

use super::League;
use super::config::LeagueConfig;
use super::error::LeagueError;
use jantaku_sim::play::{Detail, Seatings, StartOptions};
use jantaku_sim::run::unchanged::{check_unchanged, field, on_fault_field, rules_field};
use jantaku_sim::run::{
    AgentChoice, AgentParameters, ConfigError, NamedRules, RequestError, RulesChoice, check_effect,
    check_number, check_rules, open_rules,
};

/// The largest number of sets of a league.
const MAX_SETS: u64 = 1_000_000_000;

/// A league to play. Fields that are not set come from the league being resumed, or have their
/// defaults.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct LeagueRequest {
    /// Choose the agents, at least one for each seat; `jantaku agents` lists them. With `--resume`,
    /// those that are not in the league yet join it
    #[cfg_attr(feature = "clap", arg(long, value_name = "A,B,C,…", required_unless_present = "resume"))]
    pub agents: Option<AgentChoice>,
    /// Play this many sets of walls at every table; with `--resume`, a larger number extends the
    /// league
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", required_unless_present = "resume",
        value_parser = jantaku_sim::options::number::<u64>(1..=MAX_SETS), allow_negative_numbers = true
    ))]
    pub sets: Option<u64>,
    /// Choose the rules, a preset (`jantaku rules list` lists them) or a TOML file
    /// [default: tenhou]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PRESET|FILE"))]
    pub rules: Option<RulesChoice>,
    /// Set the seed of the walls, from 0 to 9223372036854775807 [default: 0]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "S", value_parser = jantaku_sim::options::number::<u64>(0..=jantaku_sim::run::MAX_NUMBER),
        allow_negative_numbers = true
    ))]
    pub seed: Option<u64>,
    /// Choose the seatings of a set: rotations, in which all agents move on by one seat from game
    /// to game, or all-orders [default: rotations]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "KIND",
        value_parser = jantaku_sim::options::one_of([Seatings::Rotations, Seatings::AllOrders], Seatings::name)
    ))]
    pub seatings: Option<Seatings>,
    /// Write the league to this new or empty folder
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR", required_if_eq("resume", "true")))]
    pub out: Option<PathBuf>,
    /// Play the missing games of the league in the folder: interrupted tables, tables with new
    /// agents, and new sets
    #[cfg_attr(feature = "clap", arg(long))]
    pub resume: bool,
    /// Choose the tables of data to write: games, also hands, also decisions, or also oracle
    /// [default: hands]
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "LEVEL", requires = "out",
        value_parser = jantaku_sim::options::one_of(
            [Detail::Games, Detail::Hands, Detail::Decisions, Detail::Oracle], Detail::name
        )
    ))]
    pub log: Option<Detail>,
    /// Give this agent a fixed rating, to which all others are relative [default: the first agent]
    #[cfg_attr(feature = "clap", arg(long, value_name = "AGENT"))]
    pub anchor: Option<AgentChoice>,
    /// Set the rating of the anchor
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "R", default_value_t = 0.0, allow_negative_numbers = true, value_parser = rating
    ))]
    pub anchor_rating: f64,
    /// How its agents start.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(skip)]
    pub start: StartOptions,
}

/// The largest rating of the anchor, in either direction. Larger ones would hide the decimals.
#[cfg(feature = "clap")]
const MAX_RATING: f64 = 1_000_000.0;

#[cfg(feature = "clap")]
fn rating(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.abs() <= MAX_RATING);
    number.ok_or_else(|| format!("expected a number from -{MAX_RATING} to {MAX_RATING}"))
}

impl LeagueRequest {
    /// The index of the agent with a fixed rating: the first by default. It is given as an agent or by
    /// the name that the user gave it.
    ///
    /// # Errors
    ///
    /// If the league does not have the agent.
    pub fn anchor(&self, league: &LeagueConfig) -> Result<usize, RequestError> {
        if let Some(AgentChoice::Text(text)) = &self.anchor
            && let Some(index) = league.agents.iter().position(|name| label_of(name) == text)
        {
            return Ok(index);
        }
        let agent = self.anchor.as_ref().map(|agent| agent.one("anchor")).transpose()?;
        let Some(agent) = agent else { return Ok(0) };
        let is_it = |name: &String| name == agent.name() || without_label(name) == agent.name();
        league.agents.iter().position(is_it).ok_or_else(|| RequestError::Value {
            field: "anchor",
            value: agent.name().to_owned(),
            what: format!("is not in the league; expected one of {}", league.agents.join(", ")),
        })
    }

    /// Creates or finds the league. Plays nothing. Returns its agents in its order.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or the league cannot be created or resumed.
    pub fn resolve(&self) -> Result<(League, Vec<NamedAgent>), LeagueError> {
        check_number("seed", self.seed, 0)?;
        if let Some(sets) = self.sets.filter(|sets| !(1..=MAX_SETS).contains(sets)) {
            let expected = format!("a number from 1 to {MAX_SETS}");
            return Err(RequestError::field("sets", &expected, &sets).into());
        }
        check_effect("log", self.log.is_some(), "out", self.out.is_some())?;
        check_effect("resume", self.resume, "out", self.out.is_some())?;
        let agents = self.agents.as_ref().map(|agents| agents.list("agents")).transpose()?;
        let league = match &self.out {
            Some(folder) if self.resume => self.resumed(folder, agents.as_deref())?,
            _ => self.fresh(agents.as_deref())?,
        };
        let agents = league.config().named_agents(agents.as_deref().unwrap_or_default())?;
        Ok((league, agents))
    }

    /// A new league.
    fn fresh(&self, agents: Option<&[NamedAgent]>) -> Result<League, LeagueError> {
        let Some(agents) = agents else {
            return Err(RequestError::field("agents", &"at least one for each seat", &"none").into());
        };
        let Some(sets) = self.sets else {
            return Err(RequestError::field("sets", &"a number from 1", &"none").into());
        };
        let NamedRules { name, rules } = open_rules(self.rules.as_ref())?;
        let seats = usize::from(rules.players.count());
        if agents.len() < seats {
            let found = format!("{}; a match compares fewer", agents.len());
            let expected = format!("at least {seats}, one for each seat");
            return Err(ConfigError::new("agents", &expected, &found).into());
        }
        check_rules(agents, &rules)?;
        let config = LeagueConfig {
            agents: agents.iter().map(NamedAgent::to_string).collect(),
            sets,
            seed: self.seed.unwrap_or(0),
            seatings: self.seatings.unwrap_or(Seatings::Rotations),
            detail: self.log.unwrap_or(Detail::Hands),
            at_once: self.start.tables,
            on_fault: self.start.on_fault,
            rules_name: name,
            parameters: AgentParameters::of(agents),
            rules,
        };
        match &self.out {
            None => League::in_memory(config),
            Some(folder) => League::create(folder, config),
        }
    }

    /// The league in the folder, with new agents and sets. A new league if there is none and the
    /// agents and sets of a new one are given.
    fn resumed(&self, folder: &Path, agents: Option<&[NamedAgent]>) -> Result<League, LeagueError> {
        let Some(mut league) = League::open(folder)? else {
            if agents.is_none() || self.sets.is_none() {
                return Err(LeagueError::NoLeague { folder: folder.to_owned() });
            }
            return self.fresh(agents);
        };
        self.check_is(folder, league.config())?;
        let sets = self.sets.unwrap_or(league.config().sets);
        check_rules(agents.unwrap_or_default(), &league.config().rules)?;
        league.choose(self.start.tables, self.start.on_fault)?;
        league.extend(agents.unwrap_or_default(), sets)?;
        if league.remaining()? > 0 {
            league.check_parameters()?;
        }
        Ok(league)
    }

    /// Checks that the league in the folder agrees with the request.
    fn check_is(&self, folder: &Path, config: &LeagueConfig) -> Result<(), LeagueError> {
        let asked = self.rules.as_ref().map(RulesChoice::open).transpose().map_err(RequestError::from)?;
        let fields = [
            rules_field(&config.rules_name, &config.rules, asked),
            field("seed", config.seed, self.seed),
            field("seatings", config.seatings.name(), self.seatings.map(Seatings::name)),
            field("log", config.detail.name(), self.log.map(Detail::name)),
            on_fault_field(config.on_fault, self.start.on_fault),
        ];
        Ok(check_unchanged("league", Some(folder), fields)?)
    }
}

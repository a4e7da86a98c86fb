//! Requests of leagues: optional fields, resolved with defaults and checks.

use std::path::{Path, PathBuf};

use jantaku_agents::{NamedAgent, OnFault};

use super::League;
use super::config::LeagueConfig;
use super::error::LeagueError;
use crate::play::{Detail, Seatings};
use crate::run::{AgentChoice, AgentParameters, NamedRules, RequestError, check_number, check_rules};

/// The largest number of sets of a league.
const MAX_SETS: u64 = 1_000_000_000;

/// A league to play. A field that is not given is that of the league to resume, or has its default.
#[derive(Clone, Debug, Default)]
pub struct LeagueRequest {
    /// The agents, at least one for each seat. New agents join a league that is resumed.
    pub agents: Option<AgentChoice>,
    /// Sets that every table plays. A larger number extends a league that is resumed.
    pub sets: Option<u64>,
    /// The rules.
    pub rules: Option<NamedRules>,
    /// The seed; by default 0.
    pub seed: Option<u64>,
    /// Who sits where in the games of a set; by default all agents move on by one seat.
    pub seatings: Option<Seatings>,
    /// How much of each game is written; by default the games and hands.
    pub log: Option<Detail>,
    /// The folder of the league. Without one, no game is kept.
    pub out: Option<PathBuf>,
    /// Whether to resume the league in the folder. If there is none, a new one begins if agents and
    /// sets are given.
    pub resume: bool,
    /// The maximum number of games in play at once.
    pub tables: Option<usize>,
    /// What a fault of an external engine causes.
    pub on_fault: Option<OnFault>,
}

impl LeagueRequest {
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
        let NamedRules { name, rules } = self.rules.clone().unwrap_or_default();
        let seats = usize::from(rules.players.count());
        if agents.len() < seats {
            return Err(LeagueError::TooFewAgents { found: agents.len(), seats });
        }
        check_rules(agents, &rules)?;
        let config = LeagueConfig {
            agents: agents.iter().map(NamedAgent::to_string).collect(),
            sets,
            seed: self.seed.unwrap_or(0),
            seatings: self.seatings.unwrap_or(Seatings::Rotations),
            detail: self.log.unwrap_or(Detail::Hands),
            at_once: self.tables,
            on_fault: self.on_fault,
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
        league.choose(self.tables, self.on_fault)?;
        league.extend(agents.unwrap_or_default(), sets)?;
        if league.remaining()? > 0 {
            league.check_parameters()?;
        }
        Ok(league)
    }

    /// Checks that the league in the folder agrees with the request.
    fn check_is(&self, folder: &Path, config: &LeagueConfig) -> Result<(), LeagueError> {
        let other = |field, found: &str, asked: &str| {
            let (folder, found, asked) = (folder.to_owned(), found.to_owned(), asked.to_owned());
            Err(LeagueError::Other { folder, field, found, asked })
        };
        if let Some(asked) = self.rules.as_ref().filter(|asked| asked.rules != config.rules) {
            return other("rules", &config.rules_name, &asked.name);
        }
        if let Some(seed) = self.seed.filter(|seed| *seed != config.seed) {
            return other("seed", &config.seed.to_string(), &seed.to_string());
        }
        if let Some(seatings) = self.seatings.filter(|seatings| *seatings != config.seatings) {
            return other("seatings", config.seatings.name(), seatings.name());
        }
        if let Some(detail) = self.log.filter(|detail| *detail != config.detail) {
            return other("log", config.detail.name(), detail.name());
        }
        let has = config.on_fault.unwrap_or_default();
        if let Some(asked) = self.on_fault.filter(|asked| *asked != has && has != OnFault::Stop) {
            return other("on_fault", has.name(), asked.name());
        }
        Ok(())
    }
}

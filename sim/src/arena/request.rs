//! Requests of matches: optional fields, resolved with defaults and checks.

use std::path::PathBuf;

use jantaku_agents::{NamedAgent, OnFault};
use jantaku_engine::{Players, Rules};

use super::matches::{Match, PrepareError};
use super::parts::games_per_part;
use super::plan::MatchPlan;
use super::sequential::Sprt;
use crate::play::{Detail, Seatings};
use crate::run::{
    AgentChoice, ConfigError, NamedRules, RequestError, RunConfig, Shard, StoppedRun, agents_of, check_names,
    check_number,
};

/// A match to play. A field that is not given is that of the match to resume, or has its default.
#[derive(Clone, Debug, Default)]
pub struct MatchRequest {
    /// The agent that plays against the baseline.
    pub challenger: Option<AgentChoice>,
    /// The agent that the challenger plays against.
    pub baseline: Option<AgentChoice>,
    /// An agent for each seat, instead of a challenger and a baseline.
    pub agents: Option<AgentChoice>,
    /// Who sits where in the games of a set; by default the challenger in each seat in turn, or all
    /// orders of the agents.
    pub seatings: Option<Seatings>,
    /// The number of sets, or with a test the maximum. A larger one extends a match that is
    /// resumed.
    pub sets: Option<u64>,
    /// The test that can end the match.
    pub sprt: Option<Sprt>,
    /// Whether the match also reports its results with reduced variance.
    pub variance_reduction: bool,
    /// The rules.
    pub rules: Option<NamedRules>,
    /// Whether all seats keep their own draws after calls, even if the rules do not say so
    /// ([`Rules::keep_draws`]).
    pub keep_draws: bool,
    /// The seed; by default 0.
    pub seed: Option<u64>,
    /// How much of each game is written; by default the hands, or the decisions with
    /// `variance_reduction`.
    pub log: Option<Detail>,
    /// Share of the games.
    pub shard: Option<Shard>,
    /// The folder of the run. Without one, no game is kept.
    pub out: Option<PathBuf>,
    /// Whether to resume the match in the folder.
    pub resume: bool,
    /// The maximum number of games in play at once.
    pub tables: Option<usize>,
    /// What a fault of an external engine causes.
    pub on_fault: Option<OnFault>,
}

impl MatchRequest {
    /// Creates or finds the match. Plays nothing.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or the run cannot be created or resumed.
    pub fn resolve(&self) -> Result<Match, PrepareError> {
        let Some(folder) = self.out.as_ref().filter(|_| self.resume) else {
            if self.resume {
                return Err(RequestError::field("out", &"the folder of a match", &"none").into());
            }
            let (config, agents) = self.config()?;
            return Match::new(config, agents, self.plan(), self.out.as_deref());
        };
        self.check()?;
        Match::resume(folder, &self.plan(), |config| self.agents_of(config))
    }

    /// Creates or finds the run of a share of the match, which [`Match::play_shard`] plays. Plays
    /// nothing.
    ///
    /// # Errors
    ///
    /// As [`MatchRequest::resolve`], or if the match has a test.
    pub fn resolve_shard(&self) -> Result<Match, PrepareError> {
        if self.sprt.is_some() {
            let what = "a sequential test needs the sets in order, so no shards".to_owned();
            return Err(RequestError::Field(ConfigError { field: "sprt", what }).into());
        }
        let Some(folder) = &self.out else {
            return Err(RequestError::field("out", &"a folder", &"none").into());
        };
        let (config, agents) = self.config()?;
        let stopped = if self.resume { StoppedRun::find(folder)? } else { None };
        let Some(stopped) = stopped else { return Match::new(config, agents, self.plan(), Some(folder)) };
        let run = stopped.resume(Some(&config))?;
        self.plan().write(folder)?;
        Ok(Match::of_run(run, agents, self.plan()))
    }

    /// What the match plays.
    #[must_use]
    pub const fn plan(&self) -> MatchPlan {
        let MatchRequest { sets, tables, on_fault, variance_reduction, sprt, .. } = *self;
        MatchPlan { sets, tables, on_fault, variance_reduction, sprt }
    }

    /// The run of a new match, and its agents. Its number of games is unknown with a test.
    ///
    /// # Errors
    ///
    /// If a field is not valid, or the agents, seatings and rules do not fit together.
    pub fn config(&self) -> Result<(RunConfig, Vec<NamedAgent>), RequestError> {
        self.check()?;
        let NamedRules { name, rules } = self.rules.clone().unwrap_or_default();
        let rules = Rules { keep_draws: self.keep_draws || rules.keep_draws, ..rules };
        let (agents, seatings) = self.seated(rules.players)?;
        if self.sets.is_none() && self.sprt.is_none() {
            return Err(RequestError::field("sets", &"a number, or a test", &"none"));
        }
        let (plan, per_set) = (self.plan(), seatings.games_per_set(rules.players));
        let names = agents.iter().map(NamedAgent::to_string).collect();
        let (seed, detail) = (self.seed.unwrap_or(0), self.detail()?);
        let config = RunConfig::new(&name, &rules, names, 0, seed, detail);
        let config = RunConfig { games_per_part: games_per_part(&agents, self.tables, per_set), ..config };
        let games = plan.sprt.is_none().then_some(plan.most_sets().saturating_mul(per_set));
        let config = config.with_seatings(seatings).with_games(games).with_shard(self.shard);
        config.check()?;
        Ok((config.played_by(&agents)?, agents))
    }

    /// How much of each game is written.
    fn detail(&self) -> Result<Detail, RequestError> {
        let usual = if self.variance_reduction { Detail::Decisions } else { Detail::Hands };
        match (&self.out, self.log) {
            (None, None) => Ok(Detail::None),
            (None, Some(_)) => Err(RequestError::field("log", &"`out`, too", &"none")),
            (Some(_), Some(log)) if log < Detail::Hands => {
                Err(RequestError::field("log", &"hands, decisions or oracle", &log.name()))
            }
            (Some(_), log) => Ok(log.unwrap_or(usual)),
        }
    }

    fn check(&self) -> Result<(), RequestError> {
        check_number("seed", self.seed, 0)?;
        check_number("sets", self.sets, 1)?;
        let wrong = |field| move |what| RequestError::Field(ConfigError { field, what });
        let Some(test) = self.sprt else { return Ok(()) };
        test.check().map_err(wrong("sprt"))?;
        test.check_sets(self.sets).map_err(wrong("sets"))
    }

    /// The agents, and who sits where.
    fn seated(&self, players: Players) -> Result<(Vec<NamedAgent>, Seatings), RequestError> {
        let (agents, usual) = match (&self.challenger, &self.baseline, &self.agents) {
            (Some(challenger), Some(baseline), None) => {
                let challenger = challenger.one("challenger")?;
                let baseline = baseline.one("baseline")?;
                // A network that plays against itself is opened once.
                let is_same = challenger.name() == baseline.name();
                let baseline = if is_same { challenger.clone() } else { baseline };
                (vec![challenger, baseline], Seatings::OneVersusRest)
            }
            (None, None, Some(agents)) => {
                (agents.seats("agents", usize::from(players.count()))?, Seatings::AllOrders)
            }
            _ => {
                let expected = "a challenger and a baseline, or an agent for each seat";
                return Err(RequestError::field("agents", &expected, &"another choice"));
            }
        };
        check_names("agents", &agents)?;
        let seatings = self.seatings.unwrap_or(usual);
        if seatings.is_fixed() || seatings.agents(players) != agents.len() {
            let others = if agents.len() == 2 { "1-v-rest or 2-v-2" } else { "all-orders or rotations" };
            return Err(RequestError::Value {
                field: "seatings",
                value: seatings.name().to_owned(),
                what: format!("expected {others} for these agents"),
            });
        }
        Ok((agents, seatings))
    }

    /// The agents of a match that is resumed: those of its run, or with these names.
    fn agents_of(&self, config: &RunConfig) -> Result<Vec<NamedAgent>, RequestError> {
        if self.challenger.is_none() && self.agents.is_none() {
            return agents_of(config);
        }
        let (agents, _) = self.seated(config.rules.players)?;
        let found: Vec<&str> = agents.iter().map(NamedAgent::name).collect();
        if found != config.agents {
            let expected = format!("{}, those of the match", config.agents.join(", "));
            let found = format!("{}; leave them out to resume the match as it is", found.join(", "));
            return Err(RequestError::field("agents", &expected, &found));
        }
        Ok(agents)
    }
}

//! The result of a league with the ratings of its agents.

use std::path::Path;

use jantaku_agents::{label_of, without_label};
use serde::{Deserialize, Serialize};

use super::League;
use super::config::LeagueConfig;
use super::error::LeagueError;
use super::result::LeagueResult;
use crate::arena::goodness_of_fit::GoodnessOfFit;
use crate::arena::ranked::RankedGames;
use crate::arena::rating::{Rating, Ratings, rate};
use crate::arena::result::{stored_result, write_result};
use jantaku_sim::path_text;
use jantaku_sim::play::{FaultReport, Seatings, SharedCount, SinkError};

/// The result of a league, as `jantaku league --json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LeagueReport {
    /// The agents, strongest first.
    pub agents: Vec<RatedAgent>,
    /// All ordered pairs of agents, in the order of the agents.
    pub pairs: Vec<AgentPair>,
    /// How well the ratings explain the results. None for fewer than three agents that are compared
    /// with each other, or fewer than three sets.
    pub fit: Option<LeagueFit>,
    /// The agent with a fixed rating.
    pub anchor: String,
    /// Its rating.
    pub anchor_rating: f64,
    /// The number of tables.
    pub tables: usize,
    /// Sets that every table plays.
    pub sets: u64,
    /// Games that were played, earlier ones of a resumed league included.
    pub games: u64,
    /// Games that this call played.
    pub played: u64,
    /// `rotations` or `all-orders`.
    pub seatings: Seatings,
    /// The name of the rules as given.
    pub rules: String,
    /// The hash of the rules, 16 hexadecimal digits.
    pub rules_hash: String,
    /// The rules as a file: the closest preset as `base`, and the fields that differ.
    pub rules_toml: String,
    /// The seed.
    pub seed: u64,
    /// The folder of the league.
    pub out: Option<String>,
    /// Whether all games are played.
    pub complete: bool,
    /// The faults of the agents.
    #[serde(flatten)]
    pub faults: FaultReport,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// The threads that played.
    pub threads: usize,
    /// Sets with a game that counts.
    pub sets_played: u64,
    /// The number of games when all are played.
    pub games_asked: u64,
    /// Versions and commits of the programs that played the stored tables.
    pub programs: Vec<String>,
}

/// An agent of a league.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RatedAgent {
    /// The agent, by the name that the user gives it, as in `mybot=greedy`; the strongest is first.
    pub agent: String,
    /// The agent with its options.
    pub text: String,
    /// Its rating on the Elo scale. None if it is not finite or not known.
    pub rating: Option<f64>,
    /// The lower end of the 95 % interval. None if the games do not determine one.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval. None if the games do not determine one.
    pub high: Option<f64>,
    /// Its games.
    pub games: u64,
    /// Its mean placement, from 1.
    pub placement: Option<f64>,
    /// Its games in each placement; tied players share places if the rules do.
    pub placements: Vec<SharedCount>,
}

/// Two agents of a league.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgentPair {
    /// An agent of a pair; each pair is listed both ways.
    pub agent: String,
    /// The other agent.
    pub other: String,
    /// The games with both.
    pub games: u64,
    /// Those in which the agent finished ahead of the other; a shared place counts as half of one.
    pub ahead: SharedCount,
    /// The likelihood that the agent is stronger, from 0 to 1. None if the games do not determine it.
    pub los: Option<f64>,
}

/// How well ratings explain the results of a league.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LeagueFit {
    /// The chance of differences at least this large if the ratings explain all results.
    pub p_value: f64,
    /// The root mean square of the differences between observed and expected shares, minus the part
    /// that chance explains.
    pub excess_rms: f64,
    /// Whether the ratings do not explain the results.
    pub poor: bool,
    /// The pair of agents that is farthest from its ratings.
    pub worst: WorstPair,
}

/// The pair of agents whose games the ratings explain worst.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorstPair {
    /// An agent of the pair whose games the ratings explain worst.
    pub agent: String,
    /// The other agent.
    pub other: String,
    /// The share of their games in which the agent finished ahead.
    pub observed: f64,
    /// The share that the ratings expect.
    pub expected: f64,
}

impl LeagueReport {
    /// Rates the agents of a league. The anchor, the agent with this index, has the rating
    /// `anchor_rating`.
    ///
    /// # Panics
    ///
    /// If the league has no such agent.
    pub fn new(
        config: &LeagueConfig,
        out: Option<&Path>,
        result: LeagueResult,
        anchor: usize,
        anchor_rating: f64,
    ) -> LeagueReport {
        let games = &result.games;
        let rated = &RatedLeague { config, games, ratings: rate(games, anchor, anchor_rating) };
        let order = rated.order();
        let pairs = order.iter().flat_map(|agent| {
            order.iter().filter(move |other| agent != *other).map(move |other| rated.pair(*agent, *other))
        });
        let labels = config.agents.iter().map(|agent| label_of(agent).to_owned());
        let faults = labels.zip(result.faults);
        LeagueReport {
            agents: order.iter().map(|agent| rated.agent(*agent)).collect(),
            pairs: pairs.collect(),
            fit: rated.fit(),
            anchor: label_of(&config.agents[anchor]).to_owned(),
            anchor_rating,
            tables: config.tables().len(),
            sets: config.sets,
            games: games.games(),
            played: result.played,
            seatings: config.seatings,
            rules: config.rules_name.clone(),
            rules_hash: format!("{:016x}", config.rules.hash()),
            rules_toml: config.rules.to_toml(),
            seed: config.seed,
            out: out.map(|path| path_text(path).into_owned()),
            complete: result.complete,
            faults: FaultReport::of(&faults.filter(|(_, faults)| faults.total() > 0).collect::<Vec<_>>()),
            seconds: result.seconds,
            threads: result.threads,
            sets_played: games.sets(),
            games_asked: config.games(),
            programs: result.programs.into_iter().collect(),
        }
    }

    /// The report of the league in a folder so far: of the games in complete parts. Another program
    /// may be playing it. The anchor is that of `result.json` if there is one; otherwise the first
    /// agent has the rating 0.
    ///
    /// # Errors
    ///
    /// If the league cannot be read.
    pub fn read(folder: &Path) -> Result<LeagueReport, LeagueError> {
        let (config, result) = League::read(folder)?;
        let last = stored_result(folder);
        let anchor = config.agents.iter().position(|agent| last["anchor"] == label_of(agent));
        let (anchor, rating) = (anchor.unwrap_or(0), last["anchor_rating"].as_f64().unwrap_or(0.0));
        Ok(LeagueReport::new(&config, Some(folder), result, anchor, rating))
    }

    /// Writes `result.json` into the folder of the league.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), SinkError> {
        write_result(folder, self)
    }
}

/// A league whose agents are rated. Agents are indexes.
struct RatedLeague<'a> {
    config: &'a LeagueConfig,
    games: &'a RankedGames,
    ratings: Ratings,
}

impl RatedLeague<'_> {
    /// The agents, strongest first.
    fn order(&self) -> Vec<usize> {
        let key = |agent: &usize| match self.ratings.ratings[*agent] {
            Rating::Above { .. } => (0, 0.0),
            Rating::Anchor(value) | Rating::Finite { value, .. } => (1, -value),
            Rating::Unknown => (2, 0.0),
            Rating::Below { .. } => (3, 0.0),
        };
        let placement = |agent: &usize| self.games.mean_placement(*agent).unwrap_or(f64::INFINITY);
        let mut order: Vec<usize> = (0..self.config.agents.len()).collect();
        order.sort_by(|a, b| {
            let ((class, value), (other_class, other)) = (key(a), key(b));
            let by_rating = class.cmp(&other_class).then(value.total_cmp(&other));
            by_rating.then(placement(a).total_cmp(&placement(b)))
        });
        order
    }

    fn name(&self, agent: usize) -> String {
        label_of(&self.config.agents[agent]).to_owned()
    }

    fn agent(&self, agent: usize) -> RatedAgent {
        let players = usize::from(self.config.rules.players.count());
        let rating = self.ratings.ratings[agent];
        let [low, high] = rating.interval();
        RatedAgent {
            agent: self.name(agent),
            text: without_label(&self.config.agents[agent]).to_owned(),
            rating: rating.value(),
            low,
            high,
            games: self.games.games_of(agent),
            placement: self.games.mean_placement(agent),
            placements: self.games.placements(agent)[..players].to_vec(),
        }
    }

    fn pair(&self, agent: usize, other: usize) -> AgentPair {
        AgentPair {
            agent: self.name(agent),
            other: self.name(other),
            games: self.games.games_of_both(agent, other),
            ahead: self.games.ahead(agent, other),
            los: self.ratings.los[agent][other],
        }
    }

    fn fit(&self) -> Option<LeagueFit> {
        let found: &GoodnessOfFit = self.ratings.goodness_of_fit.as_ref()?;
        let pair = found.pairs[0];
        Some(LeagueFit {
            p_value: found.p_value,
            excess_rms: found.excess_rms,
            poor: found.is_poor(),
            worst: WorstPair {
                agent: self.name(pair.agent),
                other: self.name(pair.other),
                observed: pair.observed,
                expected: pair.expected,
            },
        })
    }
}

//! The configuration of an environment: tables and players.

use std::fmt;

use jantaku_agents::{Agent, AgentError, NamedAgent, NamedPolicy, Setup};
use jantaku_engine::Rules;

use super::rewards::Rewards;
use super::starts::Starts;

/// The configuration of an environment: tables and players.
#[derive(Debug)]
pub struct EnvConfig {
    /// The rules of all games.
    pub rules: Rules,
    /// The number of tables.
    pub tables: usize,
    /// The seed of all walls and all random choices of opponents.
    pub seed: u64,
    /// The line-ups of players. Each game draws one by the weights. In all of them the learner has the
    /// same seats.
    pub lineups: Vec<Lineup>,
    /// Whether the players rotate by one seat after each game of a table.
    pub rotate: bool,
    /// The rewards of the learner.
    pub rewards: Rewards,
    /// The distribution of starts.
    pub starts: Starts,
    /// The number of threads. 0 for one per processor.
    pub threads: usize,
    /// Whether tables keep the answers of their games, so that [`VecEnv::state`] can store them.
    ///
    /// [`VecEnv::state`]: super::VecEnv::state
    pub resumable: bool,
}

/// Who plays the seats of a game, and how often.
#[derive(Debug)]
pub struct Lineup {
    /// The player of each seat.
    pub players: Vec<Player>,
    /// The weight in the draw.
    pub weight: f64,
}

impl From<Vec<Player>> for Lineup {
    /// A line-up with weight 1, for an environment that has no other.
    fn from(players: Vec<Player>) -> Lineup {
        Lineup { players, weight: 1.0 }
    }
}

/// The player of a seat.
#[derive(Debug)]
pub enum Player {
    /// The caller, who receives rows and sends actions.
    Learner,
    /// An agent.
    Opponent(Opponent),
}

/// An agent that plays against the learner.
pub enum Opponent {
    /// Decides one action at a time, on the threads that advance the tables.
    Policy(NamedPolicy),
    /// Decides batches of many tables, on the thread that calls [`VecEnv::recv`]. Messages use the
    /// name.
    ///
    /// [`VecEnv::recv`]: super::VecEnv::recv
    Batched(String, Box<dyn Agent>),
}

impl EnvConfig {
    /// An environment in which a learner plays all seats under these rules, with the rewards
    /// [`Rewards::RESULT`] and seed 0.
    pub fn new(rules: &Rules, tables: usize) -> EnvConfig {
        EnvConfig {
            rules: *rules,
            tables,
            seed: 0,
            lineups: vec![rules.players.seats().map(|_| Player::Learner).collect::<Vec<_>>().into()],
            rotate: false,
            rewards: Rewards::RESULT,
            starts: Starts::of_games(rules),
            threads: 0,
            resumable: false,
        }
    }
}

impl Player {
    /// An agent of the catalog as an opponent in games under these rules.
    ///
    /// # Errors
    ///
    /// If it cannot start, or does not play under the rules.
    pub fn named(agent: &NamedAgent, rules: &Rules) -> Result<Player, AgentError> {
        agent.check_rules(rules).map_err(|error| AgentError::Failed {
            agent: agent.name().to_owned(),
            table: None,
            reason: error.to_string(),
        })?;
        let opponent = match agent.policy() {
            Some(policy) => Opponent::Policy(policy),
            None => Opponent::Batched(agent.name().to_owned(), agent.start(&Setup::default())?),
        };
        Ok(Player::Opponent(opponent))
    }
}

impl fmt::Debug for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Opponent::Policy(policy) => policy.name(),
            Opponent::Batched(name, _) => name,
        };
        f.debug_tuple("Opponent").field(&name).finish()
    }
}

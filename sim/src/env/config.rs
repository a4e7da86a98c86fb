//! The tables of an environment, and who plays at them.

use std::fmt;

use jantaku_agents::{Agent, AgentError, NamedAgent, NamedPolicy, Setup};
use jantaku_engine::Rules;

use super::rewards::Rewards;
use super::starts::Starts;

/// The tables of an environment, and who plays at them.
#[derive(Debug)]
pub struct EnvConfig {
    /// The rules of all games.
    pub rules: Rules,
    /// The number of tables.
    pub tables: usize,
    /// The seed, which fixes all walls and all random choices of opponents.
    pub seed: u64,
    /// Who plays: one player for each seat.
    pub players: Vec<Player>,
    /// Whether the players move on by one seat from game to game at each table.
    pub rotate: bool,
    /// How the learner is rewarded.
    pub rewards: Rewards,
    /// Where games start.
    pub starts: Starts,
    /// The number of threads; 0 for one for each processor.
    pub threads: usize,
}

/// Who plays a seat.
#[derive(Debug)]
pub enum Player {
    /// The program that receives the rows and sends the actions.
    Learner,
    /// Another agent.
    Opponent(Opponent),
}

/// An agent that plays against the learner.
pub enum Opponent {
    /// Decides one action at a time, on the threads that move the tables on.
    Policy(NamedPolicy),
    /// Decides batches of many tables, on the thread that calls [`VecEnv::recv`]. The name is that
    /// of messages.
    ///
    /// [`VecEnv::recv`]: super::VecEnv::recv
    Batched(String, Box<dyn Agent>),
}

impl EnvConfig {
    /// Games under these rules that a learner plays in all seats, rewarded by
    /// [`Rewards::RESULT`], with seed 0.
    #[must_use]
    pub fn new(rules: &Rules, tables: usize) -> EnvConfig {
        EnvConfig {
            rules: *rules,
            tables,
            seed: 0,
            players: rules.players.seats().map(|_| Player::Learner).collect(),
            rotate: false,
            rewards: Rewards::RESULT,
            starts: Starts::of_games(rules),
            threads: 0,
        }
    }
}

impl Player {
    /// An agent of the catalog as an opponent.
    ///
    /// # Errors
    ///
    /// If it cannot start.
    pub fn named(agent: &NamedAgent) -> Result<Player, AgentError> {
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

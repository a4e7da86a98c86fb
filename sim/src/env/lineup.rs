//! Line-ups: who plays the seats of a game.

use jantaku_agents::{Agent, NamedPolicy};
use jantaku_engine::Seat;

use super::config::{Lineup, Opponent, Player};
use super::error::EnvError;

/// The player of a seat.
pub(super) enum Role {
    Learner,
    Policy(NamedPolicy),
    /// An agent that decides batches: its number in the environment, and its salt.
    Batched(u32, u64),
}

/// The roles of a line-up.
pub(super) struct Roles {
    /// The number of the line-up, counted from the first one of the environment.
    pub(super) number: u32,
    pub(super) roles: Vec<Role>,
}

/// An agent that decides batches for many tables.
pub(super) struct BatchedAgent {
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) agent: Box<dyn Agent>,
}

impl Roles {
    /// The roles of a line-up with this number. Its agents that decide batches are added to `agents`
    /// with numbers from `next` on.
    ///
    /// # Errors
    ///
    /// If an agent needs the events of whole games.
    pub(super) fn new(
        number: u32,
        lineup: Lineup,
        agents: &mut Vec<BatchedAgent>,
        next: &mut u32,
    ) -> Result<Roles, EnvError> {
        let mut role = |player| {
            Ok(match player {
                Player::Learner => Role::Learner,
                Player::Opponent(Opponent::Policy(policy)) => Role::Policy(policy),
                Player::Opponent(Opponent::Batched(name, agent)) => {
                    if agent.wants_updates() {
                        return Err(EnvError::FollowsGames { agent: name });
                    }
                    let (number, salt) = (*next, agent.salt());
                    *next += 1;
                    agents.push(BatchedAgent { number, name, agent });
                    Role::Batched(number, salt)
                }
            })
        };
        Ok(Roles { number, roles: lineup.players.into_iter().map(&mut role).collect::<Result<_, _>>()? })
    }

    /// Who plays a seat in a game with this number. With `rotate`, the players have moved on by one
    /// seat after each game.
    #[inline]
    pub(super) fn role(&self, rotate: bool, game: u32, seat: Seat) -> &Role {
        let (seats, at) = (self.roles.len(), seat.index());
        let moved = if rotate { (at + seats - game as usize % seats) % seats } else { at };
        &self.roles[moved]
    }

    /// Whether the agent with this number, which decides batches, plays in the line-up.
    pub(super) fn has_agent(&self, number: u32) -> bool {
        self.roles.iter().any(|role| matches!(role, Role::Batched(agent, _) if *agent == number))
    }
}

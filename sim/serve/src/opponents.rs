//! The agents at a table.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jantaku_agents::{
    Agent, AgentError, Messages, NamedAgent, NamedPolicy, News, Policy as _, Request, Setup, TableId, Update,
};
use jantaku_engine::{Action, Event, Game, Seat};

/// A table has one game, so all agents know it by the same number.
const TABLE: TableId = TableId(0);

/// The agents at a table, by seat. Agents with processes start when they are first asked.
pub(super) struct Opponents {
    seats: Vec<Option<SeatedAgent>>,
    stop: Arc<AtomicBool>,
}

/// An agent in its seat.
struct SeatedAgent {
    agent: NamedAgent,
    /// None until an agent with a process is first asked.
    player: Option<Player>,
}

enum Player {
    Policy(NamedPolicy),
    Started {
        agent: Box<dyn Agent>,
        /// How many events of the game it has received.
        received: usize,
    },
}

impl Opponents {
    /// These agents by seat. Their waits end when `stop` is set.
    pub(super) fn new(agents: Vec<Option<NamedAgent>>, stop: Arc<AtomicBool>) -> Opponents {
        let seated = |agent: NamedAgent| SeatedAgent { player: agent.policy().map(Player::Policy), agent };
        Opponents { seats: agents.into_iter().map(|agent| agent.map(seated)).collect(), stop }
    }

    /// The name of the agent in a seat.
    pub(super) fn name(&self, seat: Seat) -> &str {
        self.seated(seat).agent.name()
    }

    /// How many events of the game the agent has received. None if it needs none.
    pub(super) fn received(&self, seat: Seat) -> Option<usize> {
        match &self.seated(seat).player {
            Some(Player::Policy(_)) => None,
            Some(Player::Started { received, agent }) => agent.wants_updates().then_some(*received),
            None => Some(0),
        }
    }

    /// The choice of the agent in a seat, which first receives these events.
    pub(super) fn choose(&mut self, seat: Seat, game: &Game, news: &[Event]) -> Result<Action, AgentError> {
        let stop = Arc::clone(&self.stop);
        let seated = self.seats[usize::from(seat.number())].as_mut().expect("an agent sits here");
        let player = match &mut seated.player {
            Some(player) => player,
            empty => empty.insert(start(&seated.agent, seat, game, stop)?),
        };
        match player {
            Player::Policy(policy) => {
                Ok(policy.choose(&game.observe(seat), &mut game.random_stream(seat, policy.salt())))
            }
            Player::Started { agent, received } => {
                if agent.wants_updates() {
                    for event in news {
                        let seen = event.seen_by(seat);
                        agent.update(Update { table: TABLE, seat, news: News::Event(&seen) })?;
                    }
                    *received += news.len();
                }
                answer(&mut **agent, seat, game)
            }
        }
    }

    /// Drops the agents after the game, which ends their processes.
    pub(super) fn leave(&mut self) {
        self.seats.clear();
    }

    fn seated(&self, seat: Seat) -> &SeatedAgent {
        self.seats[usize::from(seat.number())].as_ref().expect("an agent sits here")
    }
}

/// Starts the agent of a seat, and announces the game to it.
fn start(agent: &NamedAgent, seat: Seat, game: &Game, stop: Arc<AtomicBool>) -> Result<Player, AgentError> {
    let mut started = agent.start(&Setup { messages: Messages::Stderr, stop, ..Setup::default() })?;
    if started.wants_updates() {
        started.update(Update { table: TABLE, seat, news: News::GameStart { rules: game.rules() } })?;
    }
    Ok(Player::Started { agent: started, received: 0 })
}

/// The choice of a started agent.
fn answer(agent: &mut dyn Agent, seat: Seat, game: &Game) -> Result<Action, AgentError> {
    let (observation, rng) = (game.observe(seat), game.random_stream(seat, agent.salt()));
    let mut requests = [Request { table: TABLE, observation, rng }];
    let mut replies = Vec::new();
    agent.begin(&requests)?;
    agent.decide(&mut requests, &mut replies)?;
    let reply = replies.pop().ok_or_else(|| AgentError::Failed {
        agent: String::new(),
        table: None,
        reason: "it gave no answer".to_owned(),
    })?;
    Ok(reply.action)
}

//! A runner that plays several tables in batches, and walks through single games.

use jantaku_agents::{
    Agent, AgentError, Catalog, Heuristic, NamedAgent, News, Policy, Request, TableId, Update,
};
use jantaku_engine::{Action, Event, Game, Observer, Rules, Seat, Signature};

/// A game, the agent of each seat by its index, and the events that no agent has seen yet.
pub struct Table {
    pub id: TableId,
    pub game: Game,
    pub agents: Vec<usize>,
    news: Vec<Event>,
    pub signature: Signature,
}

impl Table {
    /// Starts game number `id` with this seed; seat `s` is played by agent `agents[s]`.
    pub fn start(rules: &Rules, id: u64, agents: Vec<usize>) -> Table {
        let mut news = Vec::new();
        let game = Game::new_seen(rules, id, &mut news);
        Table { id: TableId(id), game, agents, news, signature: Signature::default() }
    }

    pub fn seats_of(&self, agent: usize) -> impl Iterator<Item = Seat> {
        self.game.rules().players.seats().filter(move |seat| self.agents[seat.index()] == agent)
    }
}

/// Plays all tables to the end: gathers the decisions of each agent, asks once, applies the
/// replies.
pub fn play(tables: &mut [Table], agents: &mut [&mut dyn Agent]) -> Result<(), AgentError> {
    for (index, agent) in agents.iter_mut().enumerate().filter(|(_, agent)| agent.wants_updates()) {
        for table in tables.iter() {
            for seat in table.seats_of(index) {
                let news = News::GameStart { rules: table.game.rules() };
                agent.update(Update { table: table.id, seat, news })?;
            }
        }
    }
    while tables.iter().any(|table| !table.game.is_over()) {
        tell(tables, agents)?;
        let mut actions: Vec<(usize, Seat, Action)> = Vec::new();
        for (index, agent) in agents.iter_mut().enumerate() {
            let due: Vec<(usize, Seat)> = tables
                .iter()
                .enumerate()
                .flat_map(|(at, table)| {
                    let pending = table.game.pending();
                    table
                        .seats_of(index)
                        .filter(move |seat| pending.contains(*seat))
                        .map(move |seat| (at, seat))
                })
                .collect();
            if due.is_empty() {
                continue;
            }
            let request = |(at, seat): &(usize, Seat)| Request {
                table: tables[*at].id,
                observation: tables[*at].game.observe(*seat),
                rng: tables[*at].game.random_stream(*seat, agent.salt()),
            };
            let (mut requests, mut replies): (Vec<Request<'_>>, _) =
                (due.iter().map(request).collect(), Vec::new());
            agent.decide(&mut requests, &mut replies)?;
            assert_eq!(replies.len(), due.len(), "one reply for each request");
            actions.extend(due.into_iter().zip(replies).map(|((at, seat), reply)| (at, seat, reply.action)));
        }
        for (at, seat, action) in actions {
            let table = &mut tables[at];
            table.game.submit_seen(seat, action, &mut table.news).expect("agents answer legally");
        }
    }
    tell(tables, agents)
}

/// Sends the new events of each table to the seats of the agents that want them.
fn tell(tables: &mut [Table], agents: &mut [&mut dyn Agent]) -> Result<(), AgentError> {
    for table in tables {
        let news = std::mem::take(&mut table.news);
        for event in &news {
            table.signature.event(event);
            for (index, agent) in agents.iter_mut().enumerate().filter(|(_, agent)| agent.wants_updates()) {
                for seat in table.seats_of(index) {
                    let event = event.seen_by(seat);
                    agent.update(Update { table: table.id, seat, news: News::Event(&event) })?;
                }
            }
        }
    }
    Ok(())
}

/// The agent of this text.
pub fn named(text: &str) -> NamedAgent {
    Catalog::standard().agent(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The error of a text that is no agent.
pub fn refused(text: &str) -> String {
    Catalog::standard().agent(text).expect_err(text).to_string()
}

/// Plays a game of these policies, and calls `see` before each action.
pub fn each_action(
    rules: &Rules,
    seed: u64,
    policies: [&dyn Policy; 4],
    mut see: impl FnMut(&Game, Seat, Action),
) -> Game {
    let mut game = Game::new(rules, seed);
    while let Some(seat) = game.pending().iter().next() {
        let policy = policies[seat.index()];
        let action = policy.choose(&game.observe(seat), &mut game.random_stream(seat, policy.salt()));
        see(&game, seat, action);
        game.submit(seat, action).unwrap_or_else(|illegal| panic!("{illegal}"));
    }
    game
}

/// Plays a game of `heuristic`, and calls `see` before each action.
pub fn each_action_of_heuristic(rules: &Rules, seed: u64, see: impl FnMut(&Game, Seat, Action)) {
    let heuristic = Heuristic::default();
    each_action(rules, seed, [&heuristic; 4], see);
}

/// The signature of one game of these policies through the direct interface.
pub fn direct(rules: &Rules, seed: u64, policies: &[&dyn Policy]) -> Signature {
    let mut signature = Signature::default();
    let mut game = Game::new_seen(rules, seed, &mut signature);
    while !game.is_over() {
        for seat in game.pending().iter() {
            let policy = policies[seat.index()];
            let action = policy.choose(&game.observe(seat), &mut game.random_stream(seat, policy.salt()));
            game.submit_seen(seat, action, &mut signature).expect("policies answer legally");
        }
    }
    signature
}

//! Plays games at several tables in lockstep, with agents that answer batches.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use jantaku_agents::{Agent, AgentError, News, Reply, Request, TableId, Thoughts, Update};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, Event, Game, Observation, Observer, Rules, Seat};

use super::parts::{PartCounts, PlayedParts};
use super::runner::{Counted, finish_counted, submit};
use crate::play::{
    AgentGroups, Detail, Fixture, GameCounter, GameRecord, Groups, Listener, Memory, RunError, Schedule,
    Sink, SinkError, Tally, UnitCounts, Watch,
};

/// Games to play at tables in lockstep.
#[derive(Clone, Debug)]
pub struct Cohort<'a> {
    /// The rules of all games.
    pub rules: &'a Rules,
    /// The schedule that the games are part of.
    pub schedule: Schedule,
    /// The numbers of the games to play.
    pub games: Range<u64>,
    /// The names of the agents that the schedule seats.
    pub agents: &'a [String],
    /// How much of each game goes to the sink.
    pub detail: Detail,
    /// The most games in play at once. 0 counts as 1.
    pub tables: usize,
}

/// Plays games in lockstep and gives them to a sink in the order of the schedule.
///
/// In each step, all agents begin to think at the same time ([`Agent::begin`]). Every agent answers
/// its decisions at all tables in one call of [`Agent::decide`], and every table moves on to its
/// next decision. A table whose game is over starts the next one. `agents` has the agents of the
/// job by name. Where the job repeats a name, its agents of that name follow in turn, and the last
/// of them answers for all further ones.
///
/// All calls of agents come from the calling thread, which must not be in a rayon pool: an agent
/// may wait for a process or a device. The games of agents that are functions of their observations
/// and random numbers do not depend on the number of tables, and are those of
/// [`direct`](super::direct).
///
/// Returns the counts over all games that the sink took. If the watch stops it between two steps,
/// it ends without an error.
///
/// # Errors
///
/// If an agent fails or answers illegally, a game has no end, or the sink cannot keep a game. The
/// sink has taken all earlier games, unless the agent failed: then it may lack those that were in
/// play. An agent that fails in [`Agent::decide`] is reported with the game that its error names,
/// or with the first game of the batch.
///
/// # Panics
///
/// If `agents` has no agent of a name in the job.
pub fn cohort(
    job: &Cohort<'_>,
    agents: &mut [(String, Box<dyn Agent>)],
    sink: &mut impl Sink,
    watch: &mut impl Watch,
) -> Result<Tally, RunError> {
    cohort_in_parts(job, agents, 1, sink, watch).map(|played| played.tally)
}

/// Plays games as [`cohort`] does. A part ends with the games before each multiple of `per_part`,
/// and with the last game.
///
/// # Errors
///
/// As [`cohort`].
pub(crate) fn cohort_in_parts(
    job: &Cohort<'_>,
    agents: &mut [(String, Box<dyn Agent>)],
    per_part: u64,
    sink: &mut impl Sink,
    watch: &mut impl Watch,
) -> Result<PlayedParts, RunError> {
    let mut parts = PartCounts::new(per_part);
    let mut next = job.games.start;
    let groups = (&Groups::default(), AgentGroups::default());
    play_in_order(job, agents, groups, watch, |record, unit| {
        parts.add(next, &unit.counts);
        next += 1;
        sink.take(record)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(parts.finish(&job.games, next, 1))
}

/// Plays games as [`cohort`] does. `take` receives each with its counts, in the order of the
/// schedule, and can end the run.
///
/// `groups` are those of the counts, and the group of each agent. The watch receives the number of
/// games that `take` has received.
///
/// # Errors
///
/// As [`cohort`], or the first error of `take`.
pub(crate) fn play_in_order(
    job: &Cohort<'_>,
    agents: &mut [(String, Box<dyn Agent>)],
    groups: (&Groups, AgentGroups),
    watch: &mut impl Watch,
    mut take: impl FnMut(GameRecord, &UnitCounts) -> Result<ControlFlow<()>, SinkError>,
) -> Result<(), RunError> {
    let mut hall = Hall::new(job, agents, groups);
    loop {
        match hall.step(watch) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => {
                return hall.failed.filter(|_| hall.tables.is_empty()).map_or(Ok(()), Err);
            }
            Err(RunError::Agent { error: AgentError::Interrupted, .. }) if watch.should_stop() => {
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        let before = hall.taken;
        while let Some(Table { fixture, memory, mut counter, .. }) = hall.finished.remove(&hall.taken) {
            hall.taken += 1;
            let (record, unit) = finish_counted(memory, &mut counter, fixture, job.rules);
            if take(record, unit)?.is_break() {
                return Ok(());
            }
            hall.counters.push(counter);
        }
        if hall.taken > before {
            watch.progress(hall.taken - job.games.start);
        }
    }
}

/// A free table waits for the first unfinished game if this many games per table lie between it and
/// the next one. It bounds the memory of finished games that wait for their turn.
const GAMES_AHEAD: u64 = 4;

/// The tables of a cohort.
struct Hall<'a> {
    job: &'a Cohort<'a>,
    agents: Agents<'a>,
    of_agents: AgentGroups,
    /// Games in play.
    tables: Vec<Table>,
    /// Finished games by their numbers, until it is their turn.
    finished: BTreeMap<u64, Table>,
    /// The game that is to be taken next.
    taken: u64,
    /// The game that is to be started next.
    next: u64,
    /// The end of the games, or the first game that failed.
    end: u64,
    /// The error of that game.
    failed: Option<RunError>,
    /// An unused counter, and further ones of games that were taken.
    counters: Vec<GameCounter>,
    /// The replies of a batch.
    replies: Vec<Reply>,
}

/// The decisions of an agent in a step.
struct Batch<'a> {
    /// The index of the agent.
    agent: usize,
    /// The table and seat of each request.
    due: Vec<(usize, Seat)>,
    requests: Vec<Request<'a>>,
}

impl<'a> Batch<'a> {
    fn new(agent: usize, agents: &Agents<'_>, tables: &'a [Table]) -> Batch<'a> {
        let (mut due, mut requests) = (Vec::new(), Vec::new());
        for (at, table) in tables.iter().enumerate() {
            let pending = table.game.pending().iter();
            for seat in pending.filter(|seat| agents.of_seat(table.fixture, *seat) == agent) {
                due.push((at, seat));
                requests.push(Request {
                    table: table.id(),
                    observation: table.game.observe(seat),
                    rng: table.game.random_stream(seat, agents.salts[agent]),
                });
            }
        }
        Batch { agent, due, requests }
    }
}

/// The error for an agent that failed at these requests: at the table that it names, or at the
/// first one.
fn failed(requests: &[Request<'_>], error: AgentError) -> RunError {
    let named = if let AgentError::Failed { table, .. } = &error { *table } else { None };
    let first = || requests.iter().map(|request| request.table).min().expect("there are requests");
    RunError::Agent { game: named.unwrap_or_else(first).0, error }
}

/// A game in play.
struct Table {
    fixture: Fixture,
    game: Game,
    memory: Memory,
    counter: GameCounter,
    /// Events that the agents have not received yet; none if no agent at the table subscribes.
    news: Option<Vec<Event>>,
    /// The replies of this step by seat.
    replies: [Option<Reply>; 4],
}

impl<'a> Hall<'a> {
    /// A hall without games.
    fn new(
        job: &'a Cohort<'a>,
        agents: &'a mut [(String, Box<dyn Agent>)],
        (groups, of_agents): (&Groups, AgentGroups),
    ) -> Hall<'a> {
        Hall {
            job,
            agents: Agents::new(job, agents),
            of_agents,
            tables: Vec::new(),
            finished: BTreeMap::new(),
            taken: job.games.start,
            next: job.games.start,
            end: job.games.end,
            failed: None,
            counters: vec![GameCounter::new(groups)],
            replies: Vec::new(),
        }
    }

    /// Starts games and moves every table on to its next decision. Breaks off if there is none or
    /// the watch stops the games.
    fn step(&mut self, watch: &impl Watch) -> Result<ControlFlow<()>, RunError> {
        self.start_games()?;
        if self.tables.is_empty() || watch.should_stop() {
            return Ok(ControlFlow::Break(()));
        }
        self.ask()?;
        self.answer()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Starts games at the tables that are free.
    fn start_games(&mut self) -> Result<(), RunError> {
        let tables = self.job.tables.max(1);
        let end = self.end.min(self.taken.saturating_add(GAMES_AHEAD * tables as u64));
        while self.tables.len() < tables && self.next < end {
            let table = self.start(self.next)?;
            self.tables.push(table);
            self.next += 1;
        }
        Ok(())
    }

    /// Starts a game and gives its agents the news.
    fn start(&mut self, game: u64) -> Result<Table, RunError> {
        let (rules, fixture) = (self.job.rules, self.job.schedule.fixture(game));
        let mut counter = match &self.counters[..] {
            [unused] => unused.clone(),
            _ => self.counters.pop().expect("there are several"),
        };
        counter.start(fixture.seating.arrange(self.of_agents));
        let mut memory = Memory::new(self.job.detail, rules);
        let mut news = self.agents.follow(rules, fixture).then(Vec::new);
        self.agents.tell(rules, fixture, News::GameStart { rules })?;
        let mut seen =
            Seen { counted: Counted { memory: &mut memory, counter: &mut counter }, news: &mut news };
        let game = Game::new_seen(rules, fixture.seed, &mut seen);
        let mut table = Table { fixture, game, memory, counter, news, replies: [const { None }; 4] };
        self.agents.tell_news(&mut table)?;
        Ok(table)
    }

    /// Asks each agent once for all its decisions. All of them begin before one is waited for.
    fn ask(&mut self) -> Result<(), RunError> {
        let Hall { agents, tables, replies, .. } = self;
        let batch = |agent: usize| Batch::new(agent, agents, tables);
        let mut batches: Vec<Batch<'_>> = (0..agents.list.len()).map(batch).collect();
        batches.retain(|batch| !batch.due.is_empty());
        for Batch { agent, requests, .. } in &batches {
            let (_, agent) = &mut agents.list[*agent];
            agent.begin(requests).map_err(|error| failed(requests, error))?;
        }
        let mut answered = Vec::new();
        for Batch { agent, due, mut requests } in batches {
            let (name, agent) = &mut agents.list[agent];
            replies.clear();
            let decided = agent.decide(&mut requests, replies).and_then(|()| {
                let (asked, found) = (due.len(), replies.len());
                let reason = || format!("expected a reply to each of {asked} requests, found {found}");
                let failed = || AgentError::Failed { agent: name.clone(), table: None, reason: reason() };
                if asked == found { Ok(()) } else { Err(failed()) }
            });
            decided.map_err(|error| failed(&requests, error))?;
            answered.extend(due.into_iter().zip(replies.drain(..)));
        }
        for ((at, seat), reply) in answered {
            tables[at].replies[seat.index()] = Some(reply);
        }
        Ok(())
    }

    /// Applies the replies, gives the agents the news, and puts finished games aside.
    fn answer(&mut self) -> Result<(), RunError> {
        for table in &mut self.tables {
            match table.answer(&self.agents) {
                Ok(()) => self.agents.tell_news(table)?,
                Err(error) if table.fixture.game < self.end => {
                    self.end = table.fixture.game;
                    self.failed = Some(error);
                }
                Err(_) => {}
            }
        }
        // Earlier games go on: one of them may fail, too, and all that end well are kept.
        self.tables.retain(|table| table.fixture.game < self.end);
        while let Some(at) = self.tables.iter().position(|table| table.game.is_over()) {
            let table = self.tables.swap_remove(at);
            self.finished.insert(table.fixture.game, table);
        }
        Ok(())
    }
}

impl Table {
    const fn id(&self) -> TableId {
        TableId(self.fixture.game)
    }

    /// Applies the replies of all seats that must decide.
    fn answer(&mut self, agents: &Agents<'_>) -> Result<(), RunError> {
        let Table { fixture, game, memory, counter, news, replies } = self;
        let mut seen = Seen { counted: Counted { memory, counter }, news };
        for seat in game.pending().iter() {
            let reply = replies[seat.index()].take().expect("every seat was asked");
            let (name, _) = &agents.list[agents.of_seat(*fixture, seat)];
            submit(game, seat, name, reply, &mut seen)
                .map_err(|error| RunError::Agent { game: fixture.game, error })?;
        }
        if game.is_endless() { Err(RunError::Endless { game: fixture.game }) } else { Ok(()) }
    }
}

/// The agents of a cohort.
struct Agents<'a> {
    /// With their names.
    list: &'a mut [(String, Box<dyn Agent>)],
    /// The index in the list of each agent of the job.
    named: Vec<usize>,
    salts: Vec<u64>,
    /// Whether they want news.
    subscribe: Vec<bool>,
}

impl<'a> Agents<'a> {
    fn new(job: &Cohort<'_>, list: &'a mut [(String, Box<dyn Agent>)]) -> Agents<'a> {
        let index = |(at, name): (usize, &String)| {
            let earlier = job.agents[..at].iter().filter(|other| *other == name).count();
            let own = || list.iter().enumerate().filter(|(_, (own, _))| own == name).map(|(index, _)| index);
            let found = own().nth(earlier).or_else(|| own().next_back());
            found.unwrap_or_else(|| panic!("the agents of the job: no agent is named `{name}`"))
        };
        Agents {
            named: job.agents.iter().enumerate().map(index).collect(),
            salts: list.iter().map(|(_, agent)| agent.salt()).collect(),
            subscribe: list.iter().map(|(_, agent)| agent.wants_updates()).collect(),
            list,
        }
    }

    /// The index of the agent in a seat of a game.
    fn of_seat(&self, fixture: Fixture, seat: Seat) -> usize {
        self.named[fixture.seating.agent(seat)]
    }

    /// Whether any agent of a game wants its news.
    fn follow(&self, rules: &Rules, fixture: Fixture) -> bool {
        rules.players.seats().any(|seat| self.subscribe[self.of_seat(fixture, seat)])
    }

    /// Gives the subscribers of a game what happened, without the tiles that they do not see.
    fn tell(&mut self, rules: &Rules, fixture: Fixture, news: News<'_>) -> Result<(), RunError> {
        for seat in rules.players.seats() {
            let agent = self.of_seat(fixture, seat);
            if !self.subscribe[agent] {
                continue;
            }
            let masked;
            let news = match news {
                News::Event(event) => {
                    masked = event.seen_by(seat);
                    News::Event(&masked)
                }
                news @ News::GameStart { .. } => news,
            };
            let update = Update { table: TableId(fixture.game), seat, news };
            let told = self.list[agent].1.update(update);
            told.map_err(|error| RunError::Agent { game: fixture.game, error })?;
        }
        Ok(())
    }

    /// Gives the subscribers of a game its new events.
    fn tell_news(&mut self, table: &mut Table) -> Result<(), RunError> {
        let Table { fixture, game, news, .. } = table;
        let mut news = news.iter_mut().flat_map(|news| news.drain(..));
        news.try_for_each(|event| self.tell(game.rules(), *fixture, News::Event(&event)))
    }
}

/// Records a game in play, counts its hands, and keeps its events for agents that want them.
struct Seen<'a> {
    counted: Counted<'a>,
    news: &'a mut Option<Vec<Event>>,
}

impl Observer for Seen<'_> {
    fn event(&mut self, event: &Event) {
        self.counted.event(event);
        if let Some(news) = self.news {
            news.push(event.clone());
        }
    }
}

impl Spectator for Seen<'_> {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.counted.decision(o, action);
    }
}

impl Listener for Seen<'_> {
    fn listens(&self) -> bool {
        self.counted.listens()
    }

    fn thoughts(&mut self, thoughts: Box<Thoughts>) {
        self.counted.thoughts(thoughts);
    }
}

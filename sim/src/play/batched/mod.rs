//! The batched runner: plays games at many tables, with agents that answer batches.
//!
//! The tables are two groups (double buffering): while the agents think about the decisions of one
//! group, the tables of the other advance.
//!
//! - `roles`: which agent sits where
//! - `group`: tables that advance together
//! - `queue`: which game comes next, and finished games until it is their turn
//! - this file: asks the agents, for the two groups in turn
//!
//! # Why
//!
//! **Why does the batched runner have two groups of tables?** Double buffering: a network evaluates
//! the decisions of one group while the processor advances the other one. The thread that calls the
//! agents is in no pool, because agents may wait; the threads of the pool never wait. Rejected: a
//! thread for each group, because agents would have to be shared between threads.

mod group;
mod queue;
mod roles;

use std::ops::{ControlFlow, Range};
use std::time::Instant;

use jantaku_agents::{Agent, AgentError, News, Reply, Request, TableId, Update};
use jantaku_engine::Rules;

use self::group::{Advanced, TableGroup};
use self::queue::{Finished, Queue};
use self::roles::Roles;
use super::direct::Notice;
use super::fold::{AddGame, Fold, Taken};
use super::latency::Latencies;
use crate::play::{AgentGroups, Fixture, GameCounter, GameRecord, Groups, Job, RunError, UnitCounts, Watch};

/// Agents that were started, and play at many tables at once.
#[derive(Debug)]
pub struct Started {
    agents: Vec<StartedAgent>,
    /// The index of the agent that plays each role. The roles are the agents that the schedule
    /// seats.
    roles: Vec<usize>,
    /// The maximum number of games in play at once.
    tables: usize,
}

/// An agent that was started.
pub struct StartedAgent {
    name: String,
    agent: Box<dyn Agent>,
    /// How long it takes for its decisions, if they are timed.
    times: Option<Latencies>,
}

impl StartedAgent {
    /// An agent with its name.
    pub fn new(name: &str, agent: Box<dyn Agent>) -> StartedAgent {
        StartedAgent { name: name.to_owned(), agent, times: None }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The agent.
    pub fn agent(&self) -> &dyn Agent {
        &*self.agent
    }

    /// How long the agent takes for its decisions, if they are timed.
    pub(super) const fn times(&self) -> Option<&Latencies> {
        self.times.as_ref()
    }
}

impl std::fmt::Debug for StartedAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("StartedAgent").field(&self.name).finish()
    }
}

impl Started {
    /// Agents at this many tables at once, at least one. `roles` has the index of the agent for
    /// each role, in the order in which the schedule seats them.
    ///
    /// # Panics
    ///
    /// If a role has no agent.
    pub fn new(agents: Vec<StartedAgent>, roles: Vec<usize>, tables: usize) -> Started {
        assert!(roles.iter().all(|agent| *agent < agents.len()), "a role without an agent");
        Started { agents, roles, tables: tables.max(1) }
    }

    /// The agents.
    pub fn agents(&self) -> &[StartedAgent] {
        &self.agents
    }

    /// The name of the agent of each role.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().map(|agent| self.agents[*agent].name.as_str())
    }

    /// Times the decisions from now on.
    pub(super) fn time(&mut self) {
        self.agents.iter_mut().for_each(|agent| agent.times = Some(Latencies::default()));
    }

    /// The maximum number of games in play at once when these are played at no more than `most` tables.
    fn tables(&self, games: &Range<u64>, most: usize) -> usize {
        let games = games.end.saturating_sub(games.start);
        self.tables.min(most).max(1).min(usize::try_from(games).unwrap_or(usize::MAX))
    }

    /// The number of threads of the current rayon pool that play these games.
    pub(super) fn threads(&self, games: &Range<u64>, most: usize) -> usize {
        let tables = self.tables(games, most);
        rayon::current_num_threads().min(tables.div_ceil(2).div_ceil(group::BLOCK)).max(1)
    }
}

/// Plays the games of a job at up to `most_tables` tables, and folds them.
///
/// The tables are two groups, which take turns. Every agent answers its decisions at all tables of a
/// group in one call of [`Agent::decide`]. Then the threads of rayon's pool advance all tables of
/// the group to their next decisions. A table whose game is over starts the next one. All agents
/// begin to think about the new decisions ([`Agent::begin`]). They may continue to think during the
/// turn of the other group.
///
/// All calls of agents come from the calling thread. After an error, agents may have begun
/// decisions that they are never asked for.
///
/// # Errors
///
/// As [`Players::play`](super::Players::play).
pub fn fold<V: Send>(
    job: &Job<'_>,
    started: &mut Started,
    most_tables: usize,
    fold: Fold<'_, impl Fn() -> V + Sync, impl AddGame<V>, impl FnMut(V) -> Taken>,
    watch: &mut dyn Watch,
) -> Result<(), RunError> {
    let Fold { groups, of_agents, unit, start, add, mut take } = fold;
    let mut value: Option<V> = None;
    play_in_order(job, started, most_tables, (groups, of_agents), watch, |game, counts, is_last| {
        let ends_unit = (game.game + 1).is_multiple_of(unit);
        add(value.get_or_insert_with(&start), game, counts);
        // A value holds one unit or, if units are single games, the games finished in a row.
        match value.take_if(|_| ends_unit && (is_last || unit > 1)) {
            Some(value) => take(value),
            None => Ok(ControlFlow::Continue(())),
        }
    })
}

/// Plays the games of a job. `take` receives each with its counts in the order of the schedule, and
/// whether the game after it is not finished yet.
///
/// `groups` are those of the counts, and the group of each agent. The watch receives the number of
/// games that `take` has received.
fn play_in_order(
    job: &Job<'_>,
    started: &mut Started,
    most_tables: usize,
    (groups, of_agents): (&Groups, AgentGroups),
    watch: &mut dyn Watch,
    take: impl FnMut(GameRecord, &UnitCounts, bool) -> Taken,
) -> Result<(), RunError> {
    let tables = started.tables(&job.games, most_tables);
    let queue = Queue::new(job, started.tables.min(most_tables).max(1), GameCounter::new(groups));
    let known = started.agents.iter().map(|one| (one.name(), one.agent()));
    let roles = Roles::new(job, known, started.roles.clone(), of_agents);
    let agents = &mut started.agents[..];
    let asked = Asked::new(agents.len());
    let play = Play {
        rules: job.rules,
        replies: vec![Vec::new(); agents.len()],
        spare: Vec::new(),
        agents,
        roles: &roles,
        queue,
    };
    match play.in_turns(tables, asked, watch, take) {
        Err(RunError::Agent { error: AgentError::Interrupted, .. }) if watch.should_stop() => Ok(()),
        ended => ended,
    }
}

/// The decisions of a group that agents have begun to think about: a batch for each agent, possibly
/// empty.
struct Asked<'a>(Vec<Vec<Request<'a>>>);

impl Asked<'_> {
    /// No decisions, for this many agents.
    fn new(agents: usize) -> Asked<'static> {
        Asked((0..agents).map(|_| Vec::new()).collect())
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
}

/// Games in play.
struct Play<'a> {
    rules: &'a Rules,
    agents: &'a mut [StartedAgent],
    roles: &'a Roles<'a>,
    queue: Queue<'a>,
    /// The answers of each agent in a turn.
    replies: Vec<Vec<Reply>>,
    /// Empty vectors with memory for the next batches.
    spare: Vec<Vec<Request<'static>>>,
}

impl Play<'_> {
    /// Plays all games at tables in two groups, which take turns. `asked` has no decisions.
    fn in_turns(
        mut self,
        tables: usize,
        asked: Asked<'static>,
        watch: &mut dyn Watch,
        mut take: impl FnMut(GameRecord, &UnitCounts, bool) -> Taken,
    ) -> Result<(), RunError> {
        let (mut one, mut other) = (TableGroup::new(tables.div_ceil(2)), TableGroup::new(tables / 2));
        let (mut asked_one, mut asked_other) = (asked, Asked::new(self.agents.len()));
        let mut flow = ControlFlow::Continue(());
        while flow.is_continue() && !watch.should_stop() {
            self.take_answers(asked_one)?;
            let empty = self.empty_requests();
            let advanced = one.advance(&mut self.replies, empty, self.roles, &self.queue);
            (asked_one, flow) = self.begin_next(advanced, watch, &mut take)?;
            if flow.is_break() || watch.should_stop() {
                return self.stop([asked_other, asked_one], flow);
            }
            self.take_answers(asked_other)?;
            let empty = self.empty_requests();
            let advanced = other.advance(&mut self.replies, empty, self.roles, &self.queue);
            (asked_other, flow) = self.begin_next(advanced, watch, &mut take)?;
            if asked_one.is_empty() && asked_other.is_empty() && !self.queue.may_start() {
                return self.queue.into_error().map_or(Ok(()), Err);
            }
        }
        self.stop([asked_one, asked_other], flow)
    }

    /// Lets the agents finish the decisions they have begun, oldest first. If `take` ended the job,
    /// a failure no longer counts.
    fn stop(mut self, begun: [Asked<'_>; 2], flow: ControlFlow<()>) -> Result<(), RunError> {
        let decided = begun.into_iter().try_for_each(|asked| self.take_answers(asked));
        if flow.is_break() { Ok(()) } else { decided }
    }

    /// Takes the answers to the decisions that the agents have begun.
    fn take_answers(&mut self, asked: Asked<'_>) -> Result<(), RunError> {
        for (at, mut requests) in asked.0.into_iter().enumerate() {
            let (agent, replies) = (&mut self.agents[at], &mut self.replies[at]);
            replies.clear();
            if !requests.is_empty() {
                let decided = agent.decide(&mut requests, replies);
                decided.map_err(|error| failed(&requests, error))?;
            }
            self.spare.push(emptied(requests));
        }
        Ok(())
    }

    /// An empty list of requests for each agent, with the memory of earlier ones.
    fn empty_requests<'t>(&mut self) -> Vec<Vec<Request<'t>>> {
        self.agents.iter().map(|_| -> Vec<Request<'t>> { self.spare.pop().unwrap_or_default() }).collect()
    }

    /// Gives the agents the news of a group, `take` the finished games whose turn it is, and lets the
    /// agents begin with the new decisions. If `take` ends the job, they begin with none.
    fn begin_next<'t>(
        &mut self,
        advanced: Advanced<'t>,
        watch: &mut dyn Watch,
        mut take: impl FnMut(GameRecord, &UnitCounts, bool) -> Taken,
    ) -> Result<(Asked<'t>, ControlFlow<()>), RunError> {
        let (asked, mut sent) = (Asked(advanced.requests), Ok(()));
        for (fixture, notice) in advanced.news {
            sent = sent.and_then(|()| self.send(fixture, &notice));
        }
        self.queue.add(advanced.finished, advanced.failed);
        let before = self.queue.taken();
        while let Some(Finished { record, counter }) = self.queue.pop() {
            let is_last = !self.queue.has_next();
            if take(record, counter.counts(), is_last)?.is_break() {
                return Ok((Asked::new(self.agents.len()), ControlFlow::Break(())));
            }
        }
        if self.queue.taken() > before {
            watch.progress(self.queue.taken());
        }
        // Games that are finished are taken even if an agent fails at its news.
        sent?;
        for (requests, agent) in asked.0.iter().zip(self.agents.iter_mut()) {
            if !requests.is_empty() {
                agent.agent.begin(requests).map_err(|error| failed(requests, error))?;
            }
        }
        Ok((asked, ControlFlow::Continue(())))
    }

    /// Gives the subscribers of a game a piece of news, without the tiles that they do not see.
    fn send(&mut self, fixture: Fixture, notice: &Notice) -> Result<(), RunError> {
        for seat in self.rules.players.seats() {
            let agent = self.roles.agent_at(fixture, seat);
            if !self.roles.follows(agent) {
                continue;
            }
            let masked;
            let news = match notice {
                Notice::Start => News::GameStart { rules: self.rules },
                Notice::Event(event) => {
                    masked = event.seen_by(seat);
                    News::Event(&masked)
                }
            };
            let update = Update { table: TableId(fixture.game), seat, news };
            let updated = self.agents[agent].agent.update(update);
            updated.map_err(|error| RunError::Agent { game: fixture.game, error })?;
        }
        Ok(())
    }
}

impl StartedAgent {
    /// Answers all requests, one reply for each.
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        let start = self.times.is_some().then(Instant::now);
        self.agent.decide(requests, replies)?;
        check_count(&self.name, requests.len(), replies.len())?;
        if let (Some(times), Some(start)) = (&self.times, start) {
            let took = (!self.agent.times_all_answers()).then(|| start.elapsed());
            times.add_batch(replies, took);
        }
        Ok(())
    }
}

/// Checks that an agent gave a reply to each request.
pub(crate) fn check_count(agent: &str, asked: usize, found: usize) -> Result<(), AgentError> {
    if asked == found {
        return Ok(());
    }
    let reason = format!("expected a reply to each of {asked} requests, found {found}");
    Err(AgentError::Failed { agent: agent.to_owned(), table: None, reason })
}

/// The error for an agent that failed at these requests: at the table it names, or else at the
/// first one.
fn failed(requests: &[Request<'_>], error: AgentError) -> RunError {
    let named = if let AgentError::Failed { table, .. } = &error { *table } else { None };
    let first = || requests.iter().map(|request| request.table).min().expect("there are requests");
    RunError::Agent { game: named.unwrap_or_else(first).0, error }
}

/// The memory of these requests, to reuse for requests with any lifetime. The standard library
/// collects into the memory that it iterates over.
fn emptied(mut requests: Vec<Request<'_>>) -> Vec<Request<'static>> {
    requests.clear();
    requests.into_iter().map(|_| unreachable!("it is empty")).collect()
}

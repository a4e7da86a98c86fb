//! Plays games at several tables in lockstep, with agents that answer batches.
//!
//! - `roles`: which agent sits where
//! - `hall`: tables that move on together
//! - `queue`: which game comes next, and finished games until it is their turn
//! - this file: asks the agents, in two halls by turns

mod hall;
mod queue;
mod roles;

use std::ops::{ControlFlow, Range};

use jantaku_agents::{Agent, AgentError, News, Reply, Request, TableId, Update};
use jantaku_engine::Rules;

use self::hall::{Hall, Moved, Notice};
use self::queue::{Finished, Queue};
use self::roles::Roles;
use super::parts::{PartCounts, PlayedParts};
use crate::play::{
    AgentGroups, Detail, Fixture, GameCounter, GameRecord, Groups, RunError, Schedule, Sink, SinkError,
    Tally, UnitCounts, Watch,
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

impl Cohort<'_> {
    /// The tables that these games need.
    fn tables(&self) -> usize {
        let games = self.games.end.saturating_sub(self.games.start);
        self.tables.max(1).min(usize::try_from(games).unwrap_or(usize::MAX))
    }
}

/// The number of threads of the current rayon pool that a cohort with this many tables uses.
#[must_use]
pub fn threads_for(tables: usize) -> usize {
    rayon::current_num_threads().min(tables.div_ceil(2).div_ceil(hall::BLOCK)).max(1)
}

/// Plays games in lockstep and gives them to a sink in the order of the schedule.
///
/// The tables stand in two halls, which take turns. Every agent answers its decisions at all tables
/// of a hall in one call of [`Agent::decide`]. Then the threads of rayon's pool move all tables of
/// the hall on to their next decisions, a table whose game is over starts the next one, and all
/// agents begin to think about the new decisions ([`Agent::begin`]). They may think on while the
/// other hall has its turn. `agents` has the agents of the job by name. Where the job repeats a
/// name, its agents of that name follow in turn, and the last of them answers for all further ones.
///
/// All calls of agents come from the calling thread, which must not be in a rayon pool: an agent
/// may wait for a process or a device. The games of agents that are functions of their observations
/// and random numbers do not depend on the number of tables and threads, and are those of
/// [`direct`](super::direct).
///
/// Returns the counts over all games that the sink took. If the watch stops it between two turns,
/// it ends without an error.
///
/// # Errors
///
/// If an agent fails or answers illegally, a game has no end, or the sink cannot keep a game. The
/// sink has taken all earlier games, unless the agent failed: then it may lack those that were in
/// play. An agent that fails in [`Agent::decide`] is reported with the game that its error names,
/// or with the first game of the batch. After an error, agents may have begun what they were never
/// asked to decide.
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
    Ok(parts.finish(&job.games, next, threads_for(job.tables())))
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
    (groups, of_agents): (&Groups, AgentGroups),
    watch: &mut impl Watch,
    take: impl FnMut(GameRecord, &UnitCounts) -> Result<ControlFlow<()>, SinkError>,
) -> Result<(), RunError> {
    let roles = Roles::new(job, agents, of_agents);
    let asked = Asked::new(agents.len());
    let play = Play {
        rules: job.rules,
        replies: vec![Vec::new(); agents.len()],
        spare: Vec::new(),
        agents,
        roles: &roles,
        queue: Queue::new(job, GameCounter::new(groups)),
    };
    match play.halls(job.tables(), asked, watch, take) {
        Err(RunError::Agent { error: AgentError::Interrupted, .. }) if watch.should_stop() => Ok(()),
        ended => ended,
    }
}

/// The decisions that agents have begun to think about in a hall: a batch for each agent, which may
/// be empty.
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
    agents: &'a mut [(String, Box<dyn Agent>)],
    roles: &'a Roles<'a>,
    queue: Queue<'a>,
    /// The answers of each agent in a turn.
    replies: Vec<Vec<Reply>>,
    /// Empty vectors with memory for the next batches.
    spare: Vec<Vec<Request<'static>>>,
}

impl Play<'_> {
    /// Plays all games at tables in two halls by turns: while the agents think about the decisions
    /// of one hall, the tables of the other one move on. `asked` has no decisions.
    fn halls(
        mut self,
        tables: usize,
        asked: Asked<'static>,
        watch: &mut impl Watch,
        mut take: impl FnMut(GameRecord, &UnitCounts) -> Result<ControlFlow<()>, SinkError>,
    ) -> Result<(), RunError> {
        let (mut one, mut other) = (Hall::new(tables.div_ceil(2)), Hall::new(tables / 2));
        let (mut asked_one, mut asked_other) = (asked, Asked::new(self.agents.len()));
        let mut flow = ControlFlow::Continue(());
        while flow.is_continue() && !watch.should_stop() {
            self.take_answers(asked_one)?;
            let empty = self.empty_requests();
            let moved = one.advance(&mut self.replies, empty, self.roles, &self.queue);
            (asked_one, flow) = self.begin_next(moved, watch, &mut take)?;
            if flow.is_break() || watch.should_stop() {
                return self.stop([asked_other, asked_one], flow);
            }
            self.take_answers(asked_other)?;
            let empty = self.empty_requests();
            let moved = other.advance(&mut self.replies, empty, self.roles, &self.queue);
            (asked_other, flow) = self.begin_next(moved, watch, &mut take)?;
            if asked_one.is_empty() && asked_other.is_empty() && !self.queue.may_start() {
                return self.queue.into_error().map_or(Ok(()), Err);
            }
        }
        self.stop([asked_one, asked_other], flow)
    }

    /// Lets the agents decide what they have begun, oldest first. If `take` ended the run, a failure
    /// no longer counts.
    fn stop(mut self, begun: [Asked<'_>; 2], flow: ControlFlow<()>) -> Result<(), RunError> {
        let decided = begun.into_iter().try_for_each(|asked| self.take_answers(asked));
        if flow.is_break() { Ok(()) } else { decided }
    }

    /// Takes the answers to what the agents have begun.
    fn take_answers(&mut self, asked: Asked<'_>) -> Result<(), RunError> {
        for (at, mut requests) in asked.0.into_iter().enumerate() {
            let ((name, agent), replies) = (&mut self.agents[at], &mut self.replies[at]);
            replies.clear();
            if !requests.is_empty() {
                let decided = agent.decide(&mut requests, replies);
                let decided = decided.and_then(|()| check_count(name, requests.len(), replies.len()));
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

    /// Gives the agents the news of a hall, `take` the finished games whose turn it is, and lets the
    /// agents begin with the new decisions. If `take` ends the run, they begin with none.
    fn begin_next<'t>(
        &mut self,
        moved: Moved<'t>,
        watch: &mut impl Watch,
        mut take: impl FnMut(GameRecord, &UnitCounts) -> Result<ControlFlow<()>, SinkError>,
    ) -> Result<(Asked<'t>, ControlFlow<()>), RunError> {
        let (asked, mut sent) = (Asked(moved.requests), Ok(()));
        for (fixture, notice) in moved.news {
            sent = sent.and_then(|()| self.send(fixture, &notice));
        }
        self.queue.add(moved.finished, moved.failed);
        let before = self.queue.taken();
        while let Some(Finished { record, counter }) = self.queue.pop() {
            if take(record, counter.counts())?.is_break() {
                return Ok((Asked::new(self.agents.len()), ControlFlow::Break(())));
            }
        }
        if self.queue.taken() > before {
            watch.progress(self.queue.taken());
        }
        // Games that are finished are taken even if an agent fails at its news.
        sent?;
        for (requests, (_, agent)) in asked.0.iter().zip(self.agents.iter_mut()) {
            if !requests.is_empty() {
                agent.begin(requests).map_err(|error| failed(requests, error))?;
            }
        }
        Ok((asked, ControlFlow::Continue(())))
    }

    /// Gives the subscribers of a game a piece of news, without the tiles that they do not see.
    fn send(&mut self, fixture: Fixture, notice: &Notice) -> Result<(), RunError> {
        for seat in self.rules.players.seats() {
            let agent = self.roles.of_seat(fixture, seat);
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
            let updated = self.agents[agent].1.update(update);
            updated.map_err(|error| RunError::Agent { game: fixture.game, error })?;
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

/// The error for an agent that failed at these requests: at the table that it names, or at the
/// first one.
fn failed(requests: &[Request<'_>], error: AgentError) -> RunError {
    let named = if let AgentError::Failed { table, .. } = &error { *table } else { None };
    let first = || requests.iter().map(|request| request.table).min().expect("there are requests");
    RunError::Agent { game: named.unwrap_or_else(first).0, error }
}

/// The memory of these requests, for others of any lifetime. The standard library collects into the
/// memory that it iterates over.
fn emptied(mut requests: Vec<Request<'_>>) -> Vec<Request<'static>> {
    requests.clear();
    requests.into_iter().map(|_| unreachable!("it is empty")).collect()
}

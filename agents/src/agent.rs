//! The batched interface: the decisions of many tables at once, and the events of these tables.
//!
//! # Why
//!
//! **Why two traits?** `Policy` answers one decision at a time and may be called from many threads,
//! as the direct runner does. `Agent` answers a batch, which networks need. An adapter makes a
//! policy an agent.

use std::time::Instant;

use jantaku_engine::{Event, IllegalAction, Observation, Rng, Rules, Seat};
use rayon::prelude::*;

use crate::{Faults, Policy, Reply};

/// The number that names one game at one table.
///
/// No two games of a run have the same number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId(pub u64);

/// A decision that an agent has to make.
#[derive(Debug)]
pub struct Request<'a> {
    /// The table.
    pub table: TableId,
    /// The view of the player who decides.
    pub observation: Observation<'a>,
    /// The random numbers of this decision.
    pub rng: Rng,
}

impl Request<'_> {
    /// The seat that decides.
    pub const fn seat(&self) -> Seat {
        self.observation.seat()
    }
}

/// News of one table, as one seat sees it.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// The table.
    pub table: TableId,
    /// The seat. An agent that plays several seats of a table gets the news of each.
    pub seat: Seat,
    /// What happened.
    pub news: News<'a>,
}

/// What happened at a table.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// A game starts.
    GameStart {
        /// The rules of the game.
        rules: &'a Rules,
    },
    /// The table changed. Tiles that the seat does not see are masked ([`Event::seen_by`]).
    ///
    /// [`Event::Deal`] starts a hand, [`Event::HandEnd`] ends it, and [`Event::GameEnd`] ends the
    /// game.
    Event(&'a Event),
}

/// An agent that decides for many tables at once.
///
/// A runner gathers the decisions that are due in many games as a batch, calls
/// [`decide`](Agent::decide) once for each agent, and applies the replies. One agent may play
/// several seats and several games of a batch.
///
/// # The order of calls
///
/// A runner may call [`begin`](Agent::begin) with each batch some time before `decide`. In between
/// it does other work, so that the agent can think at the same time:
///
/// - It lets other agents begin with their decisions of the same games.
/// - It moves other games on. It gives the agent news of them, lets it begin with their batch, or
///   asks it to decide a batch that began earlier.
///
/// So several batches may have begun, and batches are decided in the order in which they began. No
/// game has decisions in two of them: a game stands still from `begin` to the `decide` of the same
/// batch, and there is no news of it. A runner that stops early still calls `decide` for every
/// batch that has begun, except after an error. It may also call `decide` without `begin`, if no
/// batch has begun.
///
/// The runner calls all methods from one thread at a time. An agent may block in them, so this
/// thread is not in rayon's pool. An agent may share its work in them between rayon's threads. An
/// agent that waits for a process or a device in the background uses threads of its own, never
/// rayon's.
///
/// An agent may keep state for each table and seat, such as the memory of a recurrent network.
/// State that changes its decisions must not carry over from one game to another.
pub trait Agent: Send {
    /// Begins to work on requests and returns at once.
    ///
    /// A runner may call this before [`decide`](Agent::decide), with the same requests in the same
    /// order ([the order of calls](Agent#the-order-of-calls)). The default does nothing.
    ///
    /// # Errors
    ///
    /// As [`decide`](Agent::decide).
    fn begin(&mut self, _: &[Request<'_>]) -> Result<(), AgentError> {
        Ok(())
    }

    /// Answers every request: pushes one reply for each to `replies`, in the order of the requests.
    ///
    /// A runner calls this once for each batch, in which at least one seat of the agent has to
    /// decide, so `requests` is never empty. All games of a batch have the same rules. If a batch has
    /// begun, the requests belong to the earliest such batch. `replies` is empty at the call. The
    /// size and order of a batch depend on the runner and must not change a decision. An action that
    /// is not legal, or a wrong number of replies, stops the run.
    ///
    /// # Errors
    ///
    /// If the agent cannot answer. The run stops, and the runner keeps the finished games.
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError>;

    /// Whether the agent subscribes to the news of its tables.
    ///
    /// A runner asks once, before the first game. For an agent that answers `false`, the default,
    /// it neither masks nor copies an event.
    fn wants_updates(&self) -> bool {
        false
    }

    /// Takes one piece of news.
    ///
    /// A runner calls this only for an agent that [wants updates](Agent::wants_updates), once for
    /// each event and each of its seats. News of one table and seat arrives in order, and
    /// everything that precedes a decision arrives before the [`decide`](Agent::decide) call with
    /// this decision. The first news of a game is [`News::GameStart`], the last is
    /// [`Event::GameEnd`]. If a run stops early, there is no last news.
    ///
    /// # Errors
    ///
    /// If the agent cannot continue. The run stops, and the runner keeps the finished games.
    fn update(&mut self, _: Update<'_>) -> Result<(), AgentError> {
        Ok(())
    }

    /// A number that gives this agent random numbers of its own ([`Policy::salt`]).
    ///
    /// A runner reads it to seed [`Request::rng`].
    fn salt(&self) -> u64 {
        0
    }

    /// The faults of the agent since its start.
    ///
    /// A runner reads them after the last game. An agent that cannot go wrong has none.
    fn faults(&self) -> Faults {
        Faults::default()
    }

    /// Whether every answer of the agent states its time ([`Reply::took`]). Replies without a time, such as
    /// a substitute's moves, are then not timed.
    ///
    /// If `false` and no reply of a batch states a time, a runner that times agents counts the time
    /// of the whole batch for each reply.
    fn times_all_answers(&self) -> bool {
        false
    }

    /// Whether the agent plays the same game again from the same seed, on every machine.
    ///
    /// Runs record it. An agent that uses a clock, another program or other random numbers than
    /// [`Request::rng`] answers `false`.
    fn is_deterministic(&self) -> bool {
        true
    }
}

/// A [`Policy`] as an [`Agent`]. Rayon's threads share the decisions of a large batch.
#[derive(Clone, Debug)]
pub struct Batched<P>(pub P);

/// The number of decisions that a thread makes in a row. Only the first of them is timed: reading the
/// clock takes longer than a decision of a fast agent.
const IN_A_ROW: usize = 32;

impl<P: Policy> Agent for Batched<P> {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        let policy = &self.0;
        let reply = |(at, r): (usize, &mut Request<'_>)| {
            let start = at.is_multiple_of(IN_A_ROW).then(Instant::now);
            let reply = policy.reply(&r.observation, &mut r.rng);
            Reply { took: start.map(|start| start.elapsed()), ..reply }
        };
        if requests.len() <= IN_A_ROW || rayon::current_num_threads() == 1 {
            replies.extend(requests.iter_mut().enumerate().map(reply));
        } else {
            replies.par_extend(requests.par_iter_mut().enumerate().with_min_len(IN_A_ROW).map(reply));
        }
        Ok(())
    }

    fn salt(&self) -> u64 {
        self.0.salt()
    }
}

/// Why an agent gave no usable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// The agent chose an action that is not legal.
    #[error("agent `{agent}` answered illegally: {illegal}\nIt saw:\n{seen}")]
    Illegal {
        /// The name of the agent.
        agent: String,
        /// The action and the legal actions.
        illegal: Box<IllegalAction>,
        /// The observation as text.
        seen: String,
    },
    /// The run was stopped ([`Setup::stop`](crate::Setup::stop)) before the agent had answered.
    #[error("the run was stopped while waiting for an agent's answer")]
    Interrupted,
    /// The agent could not answer.
    #[error("agent `{agent}`: {reason}")]
    Failed {
        /// The name of the agent.
        agent: String,
        /// The table where it failed. None if the reason concerns no single table.
        table: Option<TableId>,
        /// The reason.
        reason: String,
    },
}

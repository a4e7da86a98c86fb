//! The games of a job: which one starts next, and finished ones until it is their turn.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::play::{Fixture, GameCounter, GameRecord, Job, RunError};

/// How far the start of games runs ahead of the first unfinished game, in games per table. It bounds the
/// memory of finished games that wait for their turn.
const GAMES_AHEAD: u64 = 4;

/// The games of a job in their order.
pub(super) struct Queue<'a> {
    job: &'a Job<'a>,
    /// The maximum number of games in play at once.
    tables: u64,
    /// The game to start next, for all threads.
    next_start: AtomicU64,
    /// The game that `pop` returns next.
    next_pop: u64,
    /// The end of the games, or the first game that failed.
    end: u64,
    /// The error of that game.
    failed: Option<RunError>,
    /// Finished games by their numbers, until it is their turn.
    finished: BTreeMap<u64, Finished>,
    /// A counter of no games, copied for each game.
    empty: GameCounter,
}

/// A finished game and its counts.
pub(super) struct Finished {
    pub(super) record: GameRecord,
    pub(super) counter: GameCounter,
}

impl<'a> Queue<'a> {
    /// All games of a job at this many tables. They are counted by copies of this counter.
    pub const fn new(job: &'a Job<'a>, tables: usize, empty: GameCounter) -> Queue<'a> {
        let (next_pop, end) = (job.games.start, job.games.end);
        let next_start = AtomicU64::new(next_pop);
        let tables = tables as u64;
        Queue { job, tables, next_start, next_pop, end, failed: None, finished: BTreeMap::new(), empty }
    }

    /// The next game to start, with a counter. None if a table is to stay free for now.
    ///
    /// Which table gets which game depends on the threads, but no game depends on its table.
    pub(super) fn start(&self) -> Option<(Fixture, GameCounter)> {
        let end = self.start_limit();
        let later = |next| (next < end).then_some(next + 1);
        let game = self.next_start.fetch_update(Ordering::Relaxed, Ordering::Relaxed, later).ok()?;
        Some((self.job.schedule.fixture(game), self.empty.clone()))
    }

    /// Whether a free table may start a game now.
    pub(super) fn may_start(&self) -> bool {
        self.next_start.load(Ordering::Relaxed) < self.start_limit()
    }

    /// Only games before this one may start now.
    fn start_limit(&self) -> u64 {
        self.end.min(self.next_pop.saturating_add(GAMES_AHEAD * self.tables))
    }

    /// Whether a game is still wanted: no earlier one has failed.
    pub(super) const fn wants(&self, game: u64) -> bool {
        game < self.end
    }

    /// Keeps finished games until it is their turn. A game that failed ends the games.
    pub fn add(&mut self, finished: Vec<Finished>, failed: Option<(u64, RunError)>) {
        self.finished.extend(finished.into_iter().map(|game| (game.record.game, game)));
        // Earlier games continue: one of them may fail, too, and all that end well are kept.
        if let Some((game, error)) = failed.filter(|(game, _)| *game < self.end) {
            (self.end, self.failed) = (game, Some(error));
        }
    }

    /// Whether the next game in order is finished.
    pub(super) fn has_next(&self) -> bool {
        self.wants(self.next_pop) && self.finished.contains_key(&self.next_pop)
    }

    /// The next game in order, if it is finished.
    pub(super) fn pop(&mut self) -> Option<Finished> {
        let finished = self.finished.remove(&self.next_pop).filter(|_| self.wants(self.next_pop))?;
        self.next_pop += 1;
        Some(finished)
    }

    /// The number of games that `pop` returned.
    pub(super) const fn taken(&self) -> u64 {
        self.next_pop - self.job.games.start
    }

    /// The error of the first game that failed.
    pub(super) fn into_error(self) -> Option<RunError> {
        self.failed
    }
}

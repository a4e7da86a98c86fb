//! The games to play, and the watch that follows them.

use std::ops::Range;

use jantaku_agents::AgentError;
use jantaku_engine::{Game, Rules};

use crate::play::{Detail, Schedule, SinkError};

/// Games to play.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The rules of all games.
    pub rules: &'a Rules,
    /// The schedule that the games are part of.
    pub schedule: Schedule,
    /// The numbers of the games to play.
    pub games: Range<u64>,
    /// How much of each game goes to the sink.
    pub detail: Detail,
}

impl<'a> Job<'a> {
    /// All games of a schedule.
    pub const fn new(rules: &'a Rules, schedule: Schedule, detail: Detail) -> Job<'a> {
        Job { rules, schedule, games: 0..schedule.games, detail }
    }
}

/// Why a runner ended before the last game.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An agent failed: it gave no answer, an illegal one, or impossible search info.
    #[error("game {game}: {error}")]
    Agent {
        /// Number of the game.
        game: u64,
        /// The agent's error.
        error: AgentError,
    },
    /// A game has no end.
    #[error(
        "game {game}: no end after {} hands: the rules do not force one; \
        see `renchan`, `tobi`, `extension` and `extension_rounds`",
        Game::MAX_HANDS
    )]
    Endless {
        /// Number of the game.
        game: u64,
    },
    /// The watch stopped a game.
    #[error("stopped")]
    Stopped,
    /// The sink could not keep a game.
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// Follows a runner and can stop it.
pub trait Watch: Sync {
    /// Receives the amount done so far, in games or in another unit of the caller.
    ///
    /// Called between waves of games, on the thread that started the runner.
    fn progress(&mut self, done: u64);

    /// Receives a new estimate of the whole amount.
    ///
    /// Called between batches of games by runners that find out how many games they need.
    fn expect(&mut self, _: u64) {}

    /// Whether the runner should stop.
    ///
    /// Called before every decision, or every batch of them, on the threads that play. If it answers
    /// yes, games in play are abandoned and the runner ends without an error.
    fn should_stop(&self) -> bool;

    /// Receives a short text about the state of the run, before [`Watch::progress`].
    fn note(&mut self, _: &str) {}

    /// Receives whether games had to wait for the writer since the last call.
    ///
    /// Called before [`Watch::progress`], only while a run is written.
    fn writer_is_behind(&mut self, _: bool) {}
}

/// Ignores the progress and never stops.
impl Watch for () {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        false
    }
}

/// A function that says when to stop ignores the progress.
impl<F: Fn() -> bool + Sync> Watch for F {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        self()
    }
}

/// The watch of a part of the work of another watch.
pub struct WatchPart<'a, F> {
    /// The watch of the whole work.
    pub watch: &'a mut dyn Watch,
    /// Reports the progress of the part to it.
    pub report: F,
}

impl<F: FnMut(&mut dyn Watch, u64) + Sync> Watch for WatchPart<'_, F> {
    fn progress(&mut self, done: u64) {
        (self.report)(self.watch, done);
    }

    fn should_stop(&self) -> bool {
        self.watch.should_stop()
    }

    fn note(&mut self, text: &str) {
        self.watch.note(text);
    }

    fn writer_is_behind(&mut self, is_behind: bool) {
        self.watch.writer_is_behind(is_behind);
    }
}

/// The watch of a later job: its progress includes the work of earlier jobs.
pub fn watch_after(watch: &mut dyn Watch, before: u64) -> impl Watch {
    WatchPart { watch, report: move |watch: &mut dyn Watch, done| watch.progress(before + done) }
}

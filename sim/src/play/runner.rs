//! Plays the games of a schedule on all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use jantaku_agents::{AgentError, Policy};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Game, Rules};
use rayon::prelude::*;

use crate::play::{Detail, Fixture, GameRecord, Memory, SelfPlay, Sink, SinkError, Tally, waves};
use crate::text;

/// Games to play.
#[derive(Debug)]
pub struct Job<'a, P> {
    /// The rules of all games.
    pub rules: &'a Rules,
    /// Which games.
    pub schedule: SelfPlay,
    /// The agent of each seat, with its name for messages.
    pub agents: &'a [(String, P)],
    /// How much of each game goes to the sink.
    pub detail: Detail,
}

/// Why a runner ended before the last game.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An agent gave no answer, or an illegal one.
    #[error("game {game}: {error}")]
    Agent {
        /// Number of the game.
        game: u64,
        /// The agent's error.
        error: AgentError,
    },
    /// A game has no end.
    #[error(
        "game {game}: no end after {} hands, the rules do not force one: \
        see `renchan`, `tobi`, `extension` and `extension_rounds`",
        Game::MOST_HANDS
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
    /// Takes the amount done so far, in games or in another unit of the caller.
    ///
    /// Called between waves of games, on the thread that started the runner.
    fn progress(&mut self, done: u64);

    /// Whether the runner should stop.
    ///
    /// Called before every decision, on all threads. If it answers yes, games in play are abandoned
    /// and the runner ends without an error.
    fn should_stop(&self) -> bool;

    /// Takes whether games had to wait for the writer since the last call.
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

/// Games of a wave: enough that threads rarely wait for the last game, few enough for the memory.
const WAVE: u64 = 512;

/// Plays all games of a job and gives them to a sink in the order of the schedule.
///
/// Threads of the calling thread's rayon pool play the games of a wave. A sink with threads of its
/// own writes one wave while the next is played, so memory does not grow with the number of games.
/// The players share the rules, the agents and a flag that stops them.
///
/// Returns the counts over all games that the sink took. If the watch stops it, it ends without an
/// error.
///
/// # Errors
///
/// If an agent answers illegally, a game has no end, or the sink cannot keep a game. If several
/// games fail, the error is that of the first.
pub fn direct<P: Policy>(
    job: &Job<'_, P>,
    sink: &mut impl Sink,
    watch: &mut impl Watch,
) -> Result<Tally, RunError> {
    direct_over(job, 0..job.schedule.games, sink, watch)
}

/// Plays these games of a job, as [`direct`] plays all of them.
///
/// # Errors
///
/// As [`direct`].
pub fn direct_over<P: Policy>(
    job: &Job<'_, P>,
    games: Range<u64>,
    sink: &mut impl Sink,
    watch: &mut impl Watch,
) -> Result<Tally, RunError> {
    let mut total = Tally::default();
    for wave in waves(games, WAVE) {
        let failed = AtomicU64::new(u64::MAX);
        let play = |game| {
            let watch = UpTo { game, failed: &failed, watch: &*watch };
            let played = play(job, job.schedule.fixture(game), &watch);
            played.inspect_err(|_| _ = failed.fetch_min(game, Ordering::Relaxed))
        };
        let played: Vec<_> = wave.into_par_iter().map(play).collect();
        for outcome in played {
            let (record, tally) = match outcome {
                Err(RunError::Stopped) => return Ok(total),
                outcome => outcome?,
            };
            total.merge(&tally);
            sink.take(record)?;
        }
        watch.progress(total.games);
    }
    Ok(total)
}

/// Plays the games of a schedule in parallel and folds each game into an accumulator.
///
/// `start` makes an empty accumulator, `play` plays a game into one, and `take` takes accumulators
/// in the order of the schedule. `take` gets whole waves only. Returns how many games it got. If
/// the watch stops it, it ends without an error.
///
/// # Errors
///
/// If a game fails. If several games fail, the error is that of the first.
pub fn gather<T: Send>(
    schedule: SelfPlay,
    watch: &mut impl Watch,
    start: impl Fn() -> T + Sync,
    play: impl Fn(&mut T, Fixture, &dyn Watch) -> Result<(), RunError> + Sync,
    mut take: impl FnMut(T),
) -> Result<u64, RunError> {
    let mut done = 0;
    for wave in waves(0..schedule.games, WAVE) {
        let (failed, games) = (AtomicU64::new(u64::MAX), wave.end - wave.start);
        let add = |gathered: Result<T, RunError>, game| {
            let (mut gathered, watch) = (gathered?, UpTo { game, failed: &failed, watch: &*watch });
            let played = play(&mut gathered, schedule.fixture(game), &watch);
            played.inspect_err(|_| _ = failed.fetch_min(game, Ordering::Relaxed))?;
            Ok(gathered)
        };
        let gathered: Vec<Result<T, RunError>> = wave.into_par_iter().fold(|| Ok(start()), add).collect();
        match gathered.into_iter().collect::<Result<Vec<T>, RunError>>() {
            Err(RunError::Stopped) => return Ok(done),
            gathered => gathered?.into_iter().for_each(&mut take),
        }
        done += games;
        watch.progress(done);
    }
    Ok(done)
}

/// Stops a game also if an earlier game of its wave failed: the runner ends with the first error.
struct UpTo<'a, W> {
    game: u64,
    /// The first game that failed.
    failed: &'a AtomicU64,
    watch: &'a W,
}

impl<W: Watch> Watch for UpTo<'_, W> {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        self.failed.load(Ordering::Relaxed) < self.game || self.watch.should_stop()
    }
}

/// Plays one game and records it.
fn play<P: Policy>(
    job: &Job<'_, P>,
    fixture: Fixture,
    watch: &impl Watch,
) -> Result<(GameRecord, Tally), RunError> {
    let mut memory = Memory::new(job.detail, job.rules);
    let game = play_game(job, fixture, &mut memory, watch)?;
    Ok(memory.finish(fixture.game, game.seed()).expect("the game is over"))
}

/// Plays one game and shows it to a spectator.
///
/// # Errors
///
/// If an agent answers illegally, the game has no end, or the watch stops it.
pub fn play_game<P: Policy>(
    job: &Job<'_, P>,
    fixture: Fixture,
    spectator: &mut impl Spectator,
    watch: &(impl Watch + ?Sized),
) -> Result<Game, RunError> {
    let mut game = Game::new_seen(job.rules, fixture.seed, spectator);
    while !game.is_over() {
        if watch.should_stop() {
            return Err(RunError::Stopped);
        }
        // All pending seats answer before the next event.
        for seat in game.pending().iter() {
            let (name, policy) = &job.agents[seat.index()];
            let observation = game.observe(seat);
            let action = policy.choose(&observation, &mut game.random_stream(seat, policy.salt()));
            spectator.decision(&observation, action);
            if let Err(illegal) = game.submit_seen(seat, action, spectator) {
                let seen = text::observation(&game.observe(seat));
                let error = AgentError::Illegal { agent: name.clone(), illegal: Box::new(illegal), seen };
                return Err(RunError::Agent { game: fixture.game, error });
            }
        }
    }
    if game.is_endless() { Err(RunError::Endless { game: fixture.game }) } else { Ok(game) }
}

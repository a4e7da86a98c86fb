//! Plays games on all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use jantaku_agents::{AgentError, Policy};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Game, Rules};
use rayon::prelude::*;

use crate::play::{Detail, Fixture, GameRecord, Memory, SelfPlay, Sink, SinkError, Tally, waves};
use crate::text;

/// What is to be played.
#[derive(Debug)]
pub struct Job<'a, P> {
    /// Under which rules.
    pub rules: &'a Rules,
    /// Which games.
    pub schedule: SelfPlay,
    /// Who sits where, with names for messages.
    pub agents: &'a [(String, P)],
    /// How much is kept.
    pub detail: Detail,
}

/// Why games could not be played on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An agent gave no usable answer.
    #[error("game {game}: {error}")]
    Agent {
        /// The game.
        game: u64,
        /// What went wrong.
        error: AgentError,
    },
    /// A game did not come to its end.
    #[error(
        "game {game}: no end after {} hands, under rules that do not bring it about: \
        see `renchan`, `tobi`, `extension` and `extension_rounds`",
        Game::MOST_HANDS
    )]
    Endless {
        /// The game.
        game: u64,
    },
    /// The watch has stopped a game.
    #[error("stopped")]
    Stopped,
    /// Finished games could not be kept.
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// What a runner tells while it runs.
pub trait Watch: Sync {
    /// So much is done, in games or what else the caller counts. Called between waves of games, on the thread that started the run.
    fn progress(&mut self, done: u64);

    /// Whether the run should end. Asked before every decision, on all threads; games that are in play are left.
    fn should_stop(&self) -> bool;
}

/// Nobody watches.
impl Watch for () {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        false
    }
}

/// Games that are played at once: enough that threads rarely wait for the last, few enough to be remembered.
const WAVE: u64 = 512;

/// Plays a job game by game: rayon hands games to threads, and finished games go to the sink in the order of the schedule.
///
/// Games are played in waves, of which the sink takes one while the next is in play; so memory does not grow with the
/// number of games. Threads share nothing but the rules, the agents and a word that tells them to stop. Runs on the rayon pool of the calling thread.
///
/// Returns the counts over all games that the sink took. A run that was stopped ends without an error.
///
/// # Errors
///
/// If an agent answers illegally, a game has no end, or the sink cannot keep a game.
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

/// Plays the games of a schedule on all threads, where nothing is kept of a game but what it adds to something that gathers games.
///
/// `start` makes what gathers nothing yet, `play` plays a game into it, `take` takes what was gathered of some games, in the order of the
/// schedule. All that is taken is of whole waves. Returns how many games were taken; a run that was stopped ends without an error.
///
/// # Errors
///
/// If a game comes to nothing; of several the first.
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

/// Stops a game of a wave also when an earlier one has come to nothing: it is the first of these that the run ends with.
struct UpTo<'a, W> {
    game: u64,
    /// The first game that has come to nothing.
    failed: &'a AtomicU64,
    watch: &'a W,
}

impl<W: Watch> Watch for UpTo<'_, W> {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        self.failed.load(Ordering::Relaxed) < self.game || self.watch.should_stop()
    }
}

/// Plays one game.
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
        // Everybody who is asked answers before the game goes on.
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

//! Plays games on all threads.

use jantaku_agents::{AgentError, Policy};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Game, Rules};
use rayon::prelude::*;

use crate::record::{Detail, GameRecord, Memory};
use crate::schedule::{Fixture, SelfPlay};
use crate::sink::{Sink, SinkError};
use crate::tally::Tally;
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
    /// Finished games could not be kept.
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// What a runner tells while it runs.
pub trait Watch {
    /// So much is done, in games or what else the caller counts. Called between waves of games, on the thread that started the run.
    fn progress(&mut self, done: u64);

    /// Whether the run should end after the games that are in play.
    fn should_stop(&self) -> bool;
}

/// Nobody watches.
impl Watch for () {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        false
    }
}

/// Plays a job game by game: threads take games one at a time, and finished games go to the sink in the order of the schedule.
///
/// Games are played in waves, of which the sink takes one while the next is in play; so memory does not grow with the
/// number of games. Threads share nothing but the rules and the agents. Runs on the rayon pool of the calling thread.
///
/// Returns the counts over all games that the sink took. A run that was stopped ends without an error.
///
/// # Errors
///
/// If an agent answers illegally, or the sink cannot keep a game.
pub fn direct<P: Policy>(
    job: &Job<'_, P>,
    sink: &mut impl Sink,
    watch: &mut impl Watch,
) -> Result<Tally, RunError> {
    /// Large enough that threads rarely wait for the last game, small enough to be remembered.
    const WAVE: u64 = 512;
    let mut total = Tally::default();
    for wave in job.schedule.waves(WAVE) {
        if watch.should_stop() {
            break;
        }
        let played: Vec<_> = wave.into_par_iter().map(|game| play(job, job.schedule.fixture(game))).collect();
        for outcome in played {
            let (record, tally) = outcome?;
            total.merge(&tally);
            sink.take(record)?;
        }
        watch.progress(total.games);
    }
    Ok(total)
}

/// Plays one game.
fn play<P: Policy>(job: &Job<'_, P>, fixture: Fixture) -> Result<(GameRecord, Tally), RunError> {
    let mut memory = Memory::new(job.detail, job.rules);
    let game = play_game(job, fixture, &mut memory)?;
    Ok(memory.finish(fixture.game, game.seed()).expect("the game is over"))
}

/// Plays one game and shows it to a spectator.
///
/// # Errors
///
/// If an agent answers illegally.
pub fn play_game<P: Policy>(
    job: &Job<'_, P>,
    fixture: Fixture,
    spectator: &mut impl Spectator,
) -> Result<Game, RunError> {
    let mut game = Game::new_seen(job.rules, fixture.seed, spectator);
    while !game.is_over() {
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
    Ok(game)
}

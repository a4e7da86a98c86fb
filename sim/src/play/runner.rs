//! Plays the games of a schedule on all threads.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jantaku_agents::{AgentError, Policy, Reply, Thoughts, WrongThoughts};
use jantaku_engine::replay::Spectator;
use jantaku_engine::{Action, Event, Game, Observation, Observer, Rules, Seat};
use jantaku_hands::text;
use rayon::prelude::*;

use super::parts::{PartCounts, PlayedParts, begins_part};
use crate::play::{
    AgentGroups, Counts, Detail, Fixture, GameCounter, GameRecord, Groups, Listener, Memory, Schedule, Sink,
    SinkError, Tally, UnitCounts,
};

/// Games to play.
#[derive(Debug)]
pub struct Job<'a, P> {
    /// The rules of all games.
    pub rules: &'a Rules,
    /// Which games.
    pub schedule: Schedule,
    /// The agents that the schedule seats, with their names for messages.
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
        "game {game}: no end after {} hands: the rules do not force one; \
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
    /// Called before every decision, on all threads. If it answers yes, games in play are abandoned
    /// and the runner ends without an error.
    fn should_stop(&self) -> bool;

    /// Receives a few words about where the run stands, before [`Watch::progress`].
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

/// The most games of a wave: enough that threads rarely wait for the last game, few enough for the
/// memory.
const WAVE: u64 = 512;

/// The size of the next wave, from that of the last one and the time that it took.
///
/// Waves of slow agents are small: the watch learns of progress after each, and games of a wave are
/// lost if its games end the run.
fn next_wave(size: u64, took: Duration) -> u64 {
    const BRIEF: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_secs(1);
    match took {
        took if took < BRIEF => (2 * size).min(WAVE),
        took if took > LONG => size.div_ceil(2).max(rayon::current_num_threads() as u64),
        _ => size,
    }
}

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
    direct_in_parts(job, games, 1, sink, watch).map(|played| played.tally)
}

/// Plays games as [`direct_over`] does. A part ends with the games before each multiple of
/// `per_part`, and with the last game.
///
/// # Errors
///
/// As [`direct`].
pub(crate) fn direct_in_parts<P: Policy>(
    job: &Job<'_, P>,
    games: Range<u64>,
    per_part: u64,
    sink: &mut impl Sink,
    watch: &mut impl Watch,
) -> Result<PlayedParts, RunError> {
    /// Consecutive games of a wave.
    struct Played {
        counter: GameCounter,
        /// The counts, with the first game of each.
        counts: Vec<(u64, Counts)>,
        records: Vec<GameRecord>,
    }
    let groups = Groups::default();
    let mut parts = PartCounts::new(per_part);
    let start = || Played { counter: GameCounter::new(&groups), counts: Vec::new(), records: Vec::new() };
    let mut next = games.start;
    gather(
        games.clone(),
        watch,
        start,
        |played, game, watch| {
            let Played { counter, counts, records } = played;
            let (record, unit) = play_counted(job, game, AgentGroups::default(), counter, watch)?;
            if counts.is_empty() || begins_part(game, per_part) {
                counts.push((game, Counts::new(&groups)));
            }
            counts.last_mut().expect("one was pushed").1.add(&unit.counts);
            records.push(record);
            Ok(())
        },
        |played| {
            played.counts.iter().for_each(|(first, counts)| parts.add(*first, counts));
            next += played.records.len() as u64;
            played.records.into_iter().try_for_each(|record| sink.take(record))?;
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(parts.finish(&games, next, rayon::current_num_threads()))
}

/// Plays games on all threads of the rayon pool and folds them into values that `take` receives.
///
/// `start` makes an empty value, and `play` plays one game into a value. A value holds consecutive
/// games of one wave; `take` receives the values in the order of the games, and can end the run. If
/// the watch stops the run, `take` has received the games before the first stopped one, and there
/// is no error. The games may also be sets of games.
///
/// # Errors
///
/// The error of the first game that fails, after `take` has received the games before it; or the
/// first error of `take`.
pub(crate) fn gather<T: Send, W: Watch>(
    games: Range<u64>,
    watch: &mut W,
    start: impl Fn() -> T + Sync,
    play: impl Fn(&mut T, u64, &UpTo<'_, W>) -> Result<(), RunError> + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, SinkError>,
) -> Result<(), RunError> {
    let (first, mut next) = (games.start, games.start);
    let mut size = (8 * rayon::current_num_threads() as u64).min(WAVE);
    while next < games.end {
        let wave = next..games.end.min(next.saturating_add(size));
        let (failed, began) = (AtomicU64::new(u64::MAX), Instant::now());
        next = wave.end;
        let add = |(mut value, mut result): (T, Result<(), RunError>), game| {
            if result.is_ok() {
                let watch = UpTo { game, failed: &failed, watch: &*watch };
                result = play(&mut value, game, &watch);
                if result.is_err() {
                    failed.fetch_min(game, Ordering::Relaxed);
                }
            }
            (value, result)
        };
        let values: Vec<_> = wave.into_par_iter().fold(|| (start(), Ok(())), add).collect();
        for (value, result) in values {
            if take(value)?.is_break() {
                return Ok(());
            }
            match result {
                Err(RunError::Stopped) => return Ok(()),
                result => result?,
            }
        }
        watch.progress(next - first);
        size = next_wave(size, began.elapsed());
    }
    Ok(())
}

/// A watch that also stops a game if an earlier game of its wave failed: the runner ends with the
/// first error.
pub(crate) struct UpTo<'a, W> {
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

/// Plays one game of a job and counts it, with the agents in these groups.
///
/// # Errors
///
/// As for [`play_game`].
pub(crate) fn play_counted<'c, P: Policy>(
    job: &Job<'_, P>,
    game: u64,
    agents: AgentGroups,
    counter: &'c mut GameCounter,
    watch: &impl Watch,
) -> Result<(GameRecord, &'c UnitCounts), RunError> {
    let fixture = job.schedule.fixture(game);
    counter.start(fixture.seating.arrange(agents));
    let mut memory = Memory::new(job.detail, job.rules);
    play_game(job, fixture, &mut Counted { memory: &mut memory, counter }, watch)?;
    Ok(finish_counted(memory, counter, fixture, job.rules))
}

/// The record of a finished game and what was counted in it.
pub(super) fn finish_counted<'c>(
    memory: Memory,
    counter: &'c mut GameCounter,
    fixture: Fixture,
    rules: &Rules,
) -> (GameRecord, &'c UnitCounts) {
    let has_walls = memory.detail() >= Detail::Oracle;
    let mut record = memory.finish(fixture.game, fixture.seed).expect("the game is over");
    if has_walls {
        record.add_walls(rules);
    }
    let unit = counter.finish(&record.results, record.decision_count);
    (record, unit)
}

/// Records a game in play and counts its hands.
pub(super) struct Counted<'a> {
    pub(super) memory: &'a mut Memory,
    pub(super) counter: &'a mut GameCounter,
}

impl Observer for Counted<'_> {
    #[inline]
    fn event(&mut self, event: &Event) {
        self.memory.event(event);
        if let Event::HandEnd(outcome) = event {
            self.counter.hand(&self.memory.hand().facts(outcome));
        }
    }
}

impl Spectator for Counted<'_> {
    #[inline]
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        self.memory.decision(o, action);
    }
}

impl Listener for Counted<'_> {
    fn listens(&self) -> bool {
        self.memory.listens()
    }

    fn thoughts(&mut self, thoughts: Box<Thoughts>) {
        self.memory.thoughts(thoughts);
    }
}

/// Plays one game and shows it to a listener.
///
/// # Errors
///
/// If an agent answers illegally or reports impossible thoughts, the game has no end, or the watch
/// stops it.
pub fn play_game<P: Policy>(
    job: &Job<'_, P>,
    fixture: Fixture,
    listener: &mut impl Listener,
    watch: &(impl Watch + ?Sized),
) -> Result<Game, RunError> {
    let mut game = Game::new_seen(job.rules, fixture.seed, listener);
    while !game.is_over() {
        if watch.should_stop() {
            return Err(RunError::Stopped);
        }
        // All pending seats answer before the next event.
        for seat in game.pending().iter() {
            let (name, policy) = &job.agents[fixture.seating.agent(seat)];
            let observation = game.observe(seat);
            let rng = &mut game.random_stream(seat, policy.salt());
            let reply = if listener.listens() {
                policy.reply(&observation, rng)
            } else {
                policy.choose(&observation, rng).into()
            };
            submit(&mut game, seat, name, reply, listener)
                .map_err(|error| RunError::Agent { game: fixture.game, error })?;
        }
    }
    if game.is_endless() { Err(RunError::Endless { game: fixture.game }) } else { Ok(game) }
}

/// Submits an agent's reply to its game and shows it to a listener.
///
/// # Errors
///
/// If the action is not legal, or the listener listens and the thoughts are impossible.
pub(super) fn submit(
    game: &mut Game,
    seat: Seat,
    agent: &str,
    reply: Reply,
    listener: &mut impl Listener,
) -> Result<(), AgentError> {
    let Reply { action, thoughts, .. } = reply;
    let observation = game.observe(seat);
    listener.decision(&observation, action);
    if let Some(thoughts) = thoughts.filter(|_| listener.listens()) {
        thoughts.check(observation.legal()).map_err(|wrong| wrong_thoughts(agent, &wrong))?;
        listener.thoughts(thoughts);
    }
    game.submit_seen(seat, action, listener).map_err(|illegal| {
        let seen = text::observation(&game.observe(seat));
        AgentError::Illegal { agent: agent.to_owned(), illegal: Box::new(illegal), seen }
    })
}

fn wrong_thoughts(agent: &str, wrong: &WrongThoughts) -> AgentError {
    let reason = format!("reports impossible thoughts: {wrong}");
    AgentError::Failed { agent: agent.to_owned(), table: None, reason }
}

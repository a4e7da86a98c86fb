//! Plays a match in memory or into a run.

use std::mem;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use jantaku_agents::{Agent, Policy};
use rayon::prelude::*;

use super::counts::{CountedSet, GameValues, MatchCounts};
use super::luck::GameLuck;
use super::plan::MatchPlan;
use crate::dataset::{ReadError, TableKind, read_games};
use crate::play::{
    Detail, GameCounter, GameRecord, PlayedParts, RunError, Seating, Sink, SinkError, Tally, Watch, gather,
    play_counted, play_in_order,
};
use crate::run::{self, PlayError, Run, RunConfig};
use crate::stats::for_each_set;

/// A match that is played to its end, or stopped.
#[derive(Debug)]
pub struct PlayedMatch {
    /// What is counted, earlier sets of the run included.
    pub counts: MatchCounts,
    /// Whether the match is over: all sets are played, or the test has decided.
    pub complete: bool,
    /// The sets that were played now.
    pub sets: u64,
    /// The seconds that they took.
    pub seconds: f64,
}

/// Why a match was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A game could not be played.
    #[error(transparent)]
    Play(#[from] RunError),
    /// A run could not be played or written.
    #[error(transparent)]
    Write(#[from] PlayError),
    /// The stored games of a run could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Plays the match that a run describes and keeps no games.
///
/// `agents` are those of the run, with their names. Of the plan, `tables` and `on_fault` do not
/// count. A test ends the match at the first set at which it decides. The result does not depend
/// on the number of threads.
///
/// # Errors
///
/// If an agent answers illegally or a game has no end.
pub fn play_match<P: Policy>(
    config: &RunConfig,
    plan: &MatchPlan,
    agents: &[(String, P)],
    watch: &mut impl Watch,
) -> Result<PlayedMatch, MatchError> {
    play_with(Direct(agents), config, plan, watch)
}

/// Plays a match as [`play_match`] does, at this many tables in lockstep.
///
/// `agents` has each agent of the run once. The thread must not be in a rayon pool.
///
/// # Errors
///
/// As [`play_match`], and if an agent fails.
pub fn play_match_batched(
    config: &RunConfig,
    plan: &MatchPlan,
    agents: &mut [(String, Box<dyn Agent>)],
    tables: usize,
    watch: &mut impl Watch,
) -> Result<PlayedMatch, MatchError> {
    play_with(Batched { agents, tables }, config, plan, watch)
}

/// Plays the rest of a match into its run, after the sets that the run has.
///
/// A match that was stopped and goes on later has the result of one that was not.
///
/// # Errors
///
/// As [`play_match`], and if the run cannot be read or written.
pub fn write_match<P: Policy>(
    run: &mut Run,
    plan: &MatchPlan,
    agents: &[(String, P)],
    watch: &mut impl Watch,
) -> Result<PlayedMatch, MatchError> {
    write_with(Direct(agents), run, plan, watch)
}

/// Plays the rest of a match into its run as [`write_match`] does, at this many tables in
/// lockstep.
///
/// `agents` has each agent of the run once. The thread must not be in a rayon pool.
///
/// # Errors
///
/// As [`write_match`], and if an agent fails.
pub fn write_match_batched(
    run: &mut Run,
    plan: &MatchPlan,
    agents: &mut [(String, Box<dyn Agent>)],
    tables: usize,
    watch: &mut impl Watch,
) -> Result<PlayedMatch, MatchError> {
    write_with(Batched { agents, tables }, run, plan, watch)
}

fn play_with(
    players: impl PlaySets,
    config: &RunConfig,
    plan: &MatchPlan,
    watch: &mut impl Watch,
) -> Result<PlayedMatch, MatchError> {
    let (mut counts, start, most) = (MatchCounts::new(config, plan), Instant::now(), plan.most_sets());
    players.play_sets(config, 0..most, &mut counts, &mut (), watch)?;
    let (sets, seconds) = (counts.sets(), start.elapsed().as_secs_f64());
    Ok(PlayedMatch { complete: sets == most || counts.is_decided(), sets, seconds, counts })
}

fn write_with(
    players: impl PlaySets,
    run: &mut Run,
    plan: &MatchPlan,
    watch: &mut impl Watch,
) -> Result<PlayedMatch, MatchError> {
    let start = Instant::now();
    let mut counts = MatchCounts::new(run.config(), plan);
    add_stored(run, &mut counts)?;
    let before = counts.sets();
    let end = if counts.is_decided() { before } else { plan.most_sets() };
    let threads = players.threads();
    run.write(watch, |config, sink, watch| {
        players.play_sets(config, before..end, &mut counts, sink, watch)?;
        let games = (counts.sets() - before) * config.schedule().games_per_set();
        Ok(PlayedParts { games, tally: Tally::default(), threads })
    })?;
    let complete = run.manifest().complete;
    Ok(PlayedMatch { complete, sets: counts.sets() - before, seconds: start.elapsed().as_secs_f64(), counts })
}

/// Adds the sets that a run has.
fn add_stored(run: &Run, counts: &mut MatchCounts) -> Result<(), ReadError> {
    let (groups, of_agents) = (counts.groups().clone(), counts.of_agents());
    // An extended run plays its last part again if that was too short.
    let kept = run.remaining().start;
    let schedule = run.config().schedule();
    let mut luck = Vec::new().into_iter();
    if counts.measure_luck() {
        luck = stored_luck(run, kept)?.into_iter();
    }
    let mut fixtures = (0..kept).map(|game| schedule.fixture(game));
    for_each_set(run.folder(), run.config(), run.manifest(), kept, &groups, of_agents, |games| {
        let mut set = counts.empty_set();
        for (unit, fixture) in games.iter().zip(&mut fixtures) {
            let values = set.add(unit, of_agents);
            luck.next().iter().for_each(|luck| set.add_without_luck(&values, luck, fixture.seating));
        }
        let _ = counts.add(&[set]);
    })
}

/// The luck in the stored games of a run before this one, from their decisions. Parts are replayed
/// on all threads of the rayon pool.
fn stored_luck(run: &Run, end: u64) -> Result<Vec<GameLuck>, ReadError> {
    let contents = run.config().contents();
    let mut luck = Vec::new();
    for part in run.manifest().parts.iter().take_while(|part| part.first_game < end) {
        run::check_part(run.folder(), part, &TableKind::ALL)?;
        let games = read_games(run.folder(), &contents, part.part, None)?;
        let replayed: Result<Vec<GameLuck>, ReadError> = games
            .par_iter()
            .map(|game| {
                let cause = |error| ReadError::new(run.folder(), &format!("game {}: {error}", game.game));
                GameLuck::of_stored(game).map_err(cause)
            })
            .collect();
        luck.extend(replayed?);
    }
    Ok(luck)
}

/// The agents of a match, and how they play.
trait PlaySets {
    /// The number of threads that play.
    fn threads(&self) -> usize;

    /// Plays sets up to the one at which the test of the match decides.
    fn play_sets<W: Watch>(
        self,
        config: &RunConfig,
        sets: Range<u64>,
        counts: &mut MatchCounts,
        sink: &mut impl Sink,
        watch: &mut W,
    ) -> Result<(), RunError>;
}

/// Policies, on all threads of the rayon pool.
struct Direct<'a, P>(&'a [(String, P)]);

impl<P: Policy> PlaySets for Direct<'_, P> {
    fn threads(&self) -> usize {
        rayon::current_num_threads()
    }

    fn play_sets<W: Watch>(
        self,
        config: &RunConfig,
        sets: Range<u64>,
        counts: &mut MatchCounts,
        sink: &mut impl Sink,
        watch: &mut W,
    ) -> Result<(), RunError> {
        struct Played {
            counter: GameCounter,
            sets: Vec<CountedSet>,
        }
        let mut job = config.job(self.0);
        let measure_luck = counts.measure_luck();
        job.detail = detail_for(job.detail, measure_luck);
        let job = &job;
        let (per_set, of_agents) = (job.schedule.games_per_set(), counts.of_agents());
        let (groups, empty) = (counts.groups().clone(), counts.empty_set());
        let llr = AtomicU64::new(f64::NAN.to_bits());
        gather(
            sets,
            &mut WatchTest { watch, games_per_step: 1, llr: &llr },
            || Played { counter: GameCounter::new(&groups), sets: Vec::new() },
            |played, set, watch| {
                let mut counted = empty.clone();
                for game in set * per_set..(set + 1) * per_set {
                    let (record, unit) = play_counted(job, game, of_agents, &mut played.counter, watch)?;
                    let values = counted.add(unit, of_agents);
                    if measure_luck {
                        let luck = GameLuck::of_record(&config.rules, &record);
                        counted.add_without_luck(&values, &luck, job.schedule.fixture(game).seating);
                    }
                    if config.detail > Detail::None {
                        counted.records.push(record);
                    }
                }
                played.sets.push(counted);
                Ok(())
            },
            |played| take_sets(played.sets, counts, sink, &llr),
        )
    }
}

/// Agents that answer batches, at tables in lockstep.
struct Batched<'a> {
    agents: &'a mut [(String, Box<dyn Agent>)],
    tables: usize,
}

impl PlaySets for Batched<'_> {
    fn threads(&self) -> usize {
        1
    }

    fn play_sets<W: Watch>(
        self,
        config: &RunConfig,
        sets: Range<u64>,
        counts: &mut MatchCounts,
        sink: &mut impl Sink,
        watch: &mut W,
    ) -> Result<(), RunError> {
        let (per_set, of_agents) = (config.schedule().games_per_set(), counts.of_agents());
        let (groups, empty) = (counts.groups().clone(), counts.empty_set());
        let mut job = config.cohort(sets.start * per_set..sets.end.saturating_mul(per_set), self.tables);
        let measure_luck = counts.measure_luck();
        job.detail = detail_for(job.detail, measure_luck);
        let llr = AtomicU64::new(f64::NAN.to_bits());
        let watch = &mut WatchTest { watch, games_per_step: per_set, llr: &llr };
        let (mut set, mut values) = (empty.clone(), Vec::new());
        play_in_order(&job, self.agents, (&groups, of_agents), watch, |record, unit| {
            values.push(set.add(unit, of_agents));
            let is_whole = (record.game + 1).is_multiple_of(per_set);
            if job.detail > Detail::None {
                set.records.push(record);
            }
            if is_whole {
                if measure_luck {
                    take_luck_away(&mut set, &values, config);
                }
                values.clear();
                take_sets(vec![mem::replace(&mut set, empty.clone())], counts, sink, &llr)
            } else {
                Ok(ControlFlow::Continue(()))
            }
        })
    }
}

/// How much of a game is recorded: luck needs the decisions.
fn detail_for(detail: Detail, measure_luck: bool) -> Detail {
    if measure_luck { detail.max(Detail::Decisions) } else { detail }
}

/// Adds the games of a set without their luck. Threads of the rayon pool share them.
fn take_luck_away(set: &mut CountedSet, values: &[GameValues], config: &RunConfig) {
    let schedule = config.schedule();
    let luck = |record: &GameRecord| GameLuck::of_record(&config.rules, record);
    let luck: Vec<GameLuck> = set.records.par_iter().map(luck).collect();
    let seatings: Vec<Seating> =
        set.records.iter().map(|record| schedule.fixture(record.game).seating).collect();
    for ((values, luck), seating) in values.iter().zip(&luck).zip(seatings) {
        set.add_without_luck(values, luck, seating);
    }
}

/// Adds sets to the counts and gives their games to the sink, up to the set at which the test of
/// the match decides.
fn take_sets(
    sets: Vec<CountedSet>,
    counts: &mut MatchCounts,
    sink: &mut impl Sink,
    llr: &AtomicU64,
) -> Result<ControlFlow<()>, SinkError> {
    let (added, goes_on) = counts.add(&sets);
    let records = sets.into_iter().take(added).flat_map(|set| set.records);
    records.into_iter().try_for_each(|record| sink.take(record))?;
    llr.store(counts.llr().unwrap_or(f64::NAN).to_bits(), Ordering::Relaxed);
    Ok(goes_on)
}

/// Tells a watch where the test stands.
struct WatchTest<'a, W> {
    watch: &'a mut W,
    /// The runner reports sets, or each game of a set.
    games_per_step: u64,
    /// The bits of the logarithm of the likelihood ratio; NaN if there is none.
    llr: &'a AtomicU64,
}

impl<W: Watch> Watch for WatchTest<'_, W> {
    fn progress(&mut self, done: u64) {
        let llr = f64::from_bits(self.llr.load(Ordering::Relaxed));
        if !llr.is_nan() {
            self.watch.note(&format!("log-likelihood ratio {llr:+.2}"));
        }
        self.watch.progress(done / self.games_per_step);
    }

    fn should_stop(&self) -> bool {
        self.watch.should_stop()
    }
}

//! Statistics of games that are played for them.

use std::ops::{ControlFlow, Range};

use jantaku_agents::{Agent, Policy};

use super::precision::{Measured, Precision, Target};
use super::statistics::Statistics;
use super::sweep::Sweep;
use crate::play::{
    Cohort, Detail, GameCounter, Groups, Job, RunError, UnitCounts, Watch, gather, play_counted,
    play_in_order,
};

/// Plays a job on all threads of the rayon pool and returns its statistics.
///
/// Ignores the job's [`Detail`]. If the watch stops the run, the statistics are those of the games
/// before the first one that was stopped.
///
/// # Errors
///
/// If an agent answers illegally or a game has no end.
pub fn simulate<P: Policy>(job: &Job<'_, P>, watch: &mut impl Watch) -> Result<Statistics, RunError> {
    let mut total = Statistics::new(&groups(job), job.rules);
    add_games(&mut total, job, 0..job.schedule.games, watch)?;
    Ok(total)
}

/// Plays games of a job, in batches, until every target is met.
///
/// The job's number of games is the most that is played. The batches depend only on the numbers of
/// games, and the targets only on the games: equal jobs play equally many games. Ends early if a
/// figure has no interval after [`PATIENCE`] games.
///
/// # Errors
///
/// As for [`simulate`].
pub fn simulate_until<P: Policy>(
    job: &Job<'_, P>,
    targets: &[Target],
    watch: &mut impl Watch,
) -> Result<Statistics, RunError> {
    let mut total = Statistics::new(&groups(job), job.rules);
    let most = job.schedule.games;
    until_met(&mut total, most, targets, watch, |total, games, watch| add_games(total, job, games, watch))?;
    Ok(total)
}

/// Plays games at tables in lockstep, and returns their statistics.
///
/// Ignores the job's [`Detail`]. If the watch stops the games, the statistics are those of the
/// first games that were finished.
///
/// # Errors
///
/// If an agent fails or answers illegally, or a game has no end.
pub fn simulate_batched(
    job: &Cohort<'_>,
    agents: &mut [(String, Box<dyn Agent>)],
    watch: &mut impl Watch,
) -> Result<Statistics, RunError> {
    let mut total = Statistics::new(&Groups::new(job.agents), job.rules);
    add_batched(&mut total, job, agents, watch)?;
    Ok(total)
}

/// Plays games at tables in lockstep, in batches as [`simulate_until`] does, until every target is
/// met.
///
/// # Errors
///
/// As for [`simulate_batched`].
pub fn simulate_until_batched(
    job: &Cohort<'_>,
    agents: &mut [(String, Box<dyn Agent>)],
    targets: &[Target],
    watch: &mut impl Watch,
) -> Result<Statistics, RunError> {
    let mut total = Statistics::new(&Groups::new(job.agents), job.rules);
    until_met(&mut total, job.games.end, targets, watch, |total, games, watch| {
        add_batched(total, &Cohort { games, ..job.clone() }, agents, watch)
    })?;
    Ok(total)
}

/// Plays the same games under several rule sets and returns the statistics of each and of their
/// differences.
///
/// The jobs differ only in their rules. Game k has the same wall in all of them.
///
/// # Errors
///
/// As for [`simulate`].
pub fn sweep<P: Policy>(jobs: &[Job<'_, P>], watch: &mut impl Watch) -> Result<Sweep, RunError> {
    let mut total = empty_sweep(jobs);
    add_sweep(&mut total, jobs, 0..jobs[0].schedule.games, watch)?;
    Ok(total)
}

/// A [`sweep`] over batches of games, until the differences meet every target.
///
/// Ends as [`simulate_until`].
///
/// # Errors
///
/// As for [`simulate`].
pub fn sweep_until<P: Policy>(
    jobs: &[Job<'_, P>],
    targets: &[Target],
    watch: &mut impl Watch,
) -> Result<Sweep, RunError> {
    let mut total = empty_sweep(jobs);
    let most = jobs[0].schedule.games;
    until_met(&mut total, most, targets, watch, |total, games, watch| add_sweep(total, jobs, games, watch))?;
    Ok(total)
}

/// The groups of a job's players.
fn groups<P>(job: &Job<'_, P>) -> Groups {
    Groups::new(job.agents.iter().map(|(name, _)| name))
}

/// A sweep of no games.
fn empty_sweep<P>(jobs: &[Job<'_, P>]) -> Sweep {
    Sweep::new(&groups(&jobs[0]), &jobs.iter().map(|job| job.rules).collect::<Vec<_>>())
}

/// Plays these games of a job and adds them.
fn add_games<P: Policy, W: Watch>(
    total: &mut Statistics,
    job: &Job<'_, P>,
    games: Range<u64>,
    watch: &mut W,
) -> Result<(), RunError> {
    let (job, groups) = (&only_counted(job), groups(job));
    let agents = groups.of_agents(job.agents.iter().map(|(name, _)| name));
    let empty = Statistics::new(&groups, job.rules);
    gather(
        games,
        watch,
        || (GameCounter::new(&groups), empty.clone()),
        |(counter, statistics), game, watch| {
            let (_, unit) = play_counted(job, game, agents, counter, watch)?;
            statistics.add(unit);
            Ok(())
        },
        |(_, statistics)| {
            total.merge(&statistics);
            Ok(ControlFlow::Continue(()))
        },
    )
}

/// Plays games at tables in lockstep and adds them.
fn add_batched(
    total: &mut Statistics,
    job: &Cohort<'_>,
    agents: &mut [(String, Box<dyn Agent>)],
    watch: &mut impl Watch,
) -> Result<(), RunError> {
    let groups = Groups::new(job.agents);
    let of_agents = groups.of_agents(job.agents);
    let job = Cohort { detail: Detail::None, ..job.clone() };
    play_in_order(&job, agents, (&groups, of_agents), watch, |_, unit| {
        total.add(unit);
        Ok(ControlFlow::Continue(()))
    })
}

/// Plays these games under the rules of every job and adds them.
fn add_sweep<P: Policy, W: Watch>(
    total: &mut Sweep,
    jobs: &[Job<'_, P>],
    games: Range<u64>,
    watch: &mut W,
) -> Result<(), RunError> {
    let groups = groups(&jobs[0]);
    let agents = groups.of_agents(jobs[0].agents.iter().map(|(name, _)| name));
    let empty = empty_sweep(jobs);
    let jobs: Vec<_> = jobs.iter().map(only_counted).collect();
    gather(
        games,
        watch,
        || (vec![GameCounter::new(&groups); jobs.len()], empty.clone()),
        |(counters, sweep), game, watch| {
            let play = |(job, counter)| Ok(play_counted(job, game, agents, counter, watch)?.1);
            let units =
                jobs.iter().zip(counters).map(play).collect::<Result<Vec<&UnitCounts>, RunError>>()?;
            sweep.add(&units);
            Ok(())
        },
        |(_, sweep)| {
            total.merge(&sweep);
            Ok(ControlFlow::Continue(()))
        },
    )
}

/// A job without records of its games.
const fn only_counted<'a, P>(job: &Job<'a, P>) -> Job<'a, P> {
    Job { rules: job.rules, schedule: job.schedule, agents: job.agents, detail: Detail::None }
}

/// The number of games of the first batch.
pub const FIRST_BATCH: u64 = 512;

/// After this many games, a figure that still has no interval ends the games.
pub const PATIENCE: u64 = 20 * FIRST_BATCH;

/// The size of the batch after this many games.
///
/// A tenth of them: few looks at the intervals, and at most a tenth more games than needed.
const fn batch_after(games: u64) -> u64 {
    match games / 10 / FIRST_BATCH {
        0 => FIRST_BATCH,
        batches => batches * FIRST_BATCH,
    }
}

/// Plays batches, up to this many games, until every target is met.
fn until_met<M: Measured, W: Watch>(
    total: &mut M,
    most: u64,
    targets: &[Target],
    watch: &mut W,
    mut play: impl FnMut(&mut M, Range<u64>, &mut Batch<'_, W>) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let mut games = 0;
    while games < most {
        let end = most.min(games + batch_after(games));
        play(total, games..end, &mut Batch { before: games, watch })?;
        let known = Precision::of_all(targets, total);
        let is_hopeless = end >= PATIENCE && known.iter().any(|known| known.distance.is_none());
        // The watch stops a batch before its end.
        if total.games() < end || is_hopeless || known.iter().all(|known| known.met) {
            break;
        }
        if let Some(needed) = known.iter().filter_map(|known| known.games).max() {
            watch.expect(needed.clamp(end, most));
        }
        games = end;
    }
    Ok(())
}

/// The watch of a batch, which counts from the first game of all.
struct Batch<'a, W> {
    /// The number of games before the batch.
    before: u64,
    watch: &'a mut W,
}

impl<W: Watch> Watch for Batch<'_, W> {
    fn progress(&mut self, done: u64) {
        self.watch.progress(self.before + done);
    }

    fn should_stop(&self) -> bool {
        self.watch.should_stop()
    }
}

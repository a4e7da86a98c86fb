//! Plays games and counts them.

use std::ops::{ControlFlow, Range};

use jantaku_agents::NamedPolicy;

use super::case_counter::CaseCounter;
use super::case_table::CaseTable;
use super::cases::CaseChoice;
use super::precision::{Measured, Precision, Target};
use super::statistics::Statistics;
use super::sweep::Sweep;
use jantaku_sim::dataset::StoredGame;
use jantaku_sim::play::{
    Detail, Fold, GameCounter, GameRecord, Groups, Job, Players, Policies, RunError, UnitCounts, Watch,
    gather, play_counted, watch_after,
};

/// Plays a job and returns its statistics.
///
/// Ignores the job's [`Detail`]. If the watch stops the job, the statistics are those of the first
/// games that were finished.
///
/// # Errors
///
/// If an agent fails or answers illegally, or a game has no end.
pub fn simulate(job: &Job<'_>, players: &mut Players, watch: &mut dyn Watch) -> Result<Statistics, RunError> {
    let groups = &Groups::new(players.names());
    let empty = Statistics::new(groups, job.rules);
    let mut total = empty.clone();
    let fold = Fold {
        groups,
        of_agents: groups.agent_groups(players.names()),
        unit: 1,
        start: || empty.clone(),
        add: |statistics: &mut Statistics, _: GameRecord, unit: &UnitCounts| statistics.add(unit),
        take: |statistics: Statistics| {
            total.merge(&statistics);
            Ok(ControlFlow::Continue(()))
        },
    };
    players.fold(&Job { detail: Detail::None, ..job.clone() }, fold, watch)?;
    Ok(total)
}

/// Plays a job and returns a conditional table of its games.
///
/// # Errors
///
/// As for [`simulate`].
pub fn simulate_cases(
    job: &Job<'_>,
    players: &mut Players,
    choice: &CaseChoice,
    watch: &mut dyn Watch,
) -> Result<CaseTable, RunError> {
    let groups = &Groups::new(players.names());
    let of_agents = groups.agent_groups(players.names());
    let mut total = CaseTable::new(choice);
    let empty = (CaseCounter::new(choice), total.clone());
    let fold = Fold {
        groups,
        of_agents,
        unit: 1,
        start: || empty.clone(),
        add: |(counter, table): &mut (CaseCounter, CaseTable), record: GameRecord, _: &UnitCounts| {
            counter.start(job.rules, job.schedule.fixture(record.game).seating.arrange(of_agents));
            let replayed = StoredGame::from_record(job.rules, &record).replay(counter);
            replayed.expect("a game that was played replays");
            table.add(&counter.take());
        },
        take: |(_, table): (CaseCounter, CaseTable)| {
            total.merge(&table);
            Ok(ControlFlow::Continue(()))
        },
    };
    players.fold(&Job { detail: Detail::Decisions, ..job.clone() }, fold, watch)?;
    Ok(total)
}

/// Plays games of a job, in batches, until every target is met. Without targets, one batch has all
/// games.
///
/// Plays from game 0 up to the end of the job's games at most. The batches depend only on the numbers
/// of games, and the targets only on the games: equal jobs play equally many games. Ends early if a
/// figure has no interval after [`PATIENCE`] games, or after the first batch if most rules fix it.
///
/// # Errors
///
/// As for [`simulate`].
pub fn simulate_until(
    job: &Job<'_>,
    players: &mut Players,
    targets: &[Target],
    watch: &mut dyn Watch,
) -> Result<Statistics, RunError> {
    let mut total = Statistics::new(&Groups::new(players.names()), job.rules);
    until_met(&mut total, job.games.end, targets, watch, |total, games, watch| {
        total.merge(&simulate(&Job { games, ..job.clone() }, players, watch)?);
        Ok(())
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
pub fn sweep(jobs: &[Job<'_>], policies: &Policies, watch: &mut dyn Watch) -> Result<Sweep, RunError> {
    let (groups, empty) = empty_sweep(jobs, policies);
    let mut total = empty.clone();
    let of_agents = groups.agent_groups(policies.agents().iter().map(NamedPolicy::name));
    let jobs: Vec<Job<'_>> = jobs.iter().map(|job| Job { detail: Detail::None, ..job.clone() }).collect();
    gather(
        jobs[0].games.clone(),
        1,
        watch,
        || (vec![GameCounter::new(&groups); jobs.len()], empty.clone()),
        |(counters, sweep), game, watch| {
            let play = |(job, counter)| Ok(play_counted(job, game, policies, of_agents, counter, watch)?.1);
            let units =
                jobs.iter().zip(counters).map(play).collect::<Result<Vec<&UnitCounts>, RunError>>()?;
            sweep.add(&units);
            Ok(())
        },
        |(_, sweep)| {
            total.merge(&sweep);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(total)
}

/// A [`sweep`] over batches of games, until the differences meet every target.
///
/// Ends as [`simulate_until`].
///
/// # Errors
///
/// As for [`simulate`].
pub fn sweep_until(
    jobs: &[Job<'_>],
    policies: &Policies,
    targets: &[Target],
    watch: &mut dyn Watch,
) -> Result<Sweep, RunError> {
    let (_, mut total) = empty_sweep(jobs, policies);
    until_met(&mut total, jobs[0].games.end, targets, watch, |total, games, watch| {
        let batch: Vec<Job<'_>> =
            jobs.iter().map(|job| Job { games: games.clone(), ..job.clone() }).collect();
        total.merge(&sweep(&batch, policies, watch)?);
        Ok(())
    })?;
    Ok(total)
}

/// A sweep of no games, with the groups of its players.
pub fn empty_sweep(jobs: &[Job<'_>], policies: &Policies) -> (Groups, Sweep) {
    let groups = Groups::new(policies.agents().iter().map(NamedPolicy::name));
    let sweep = Sweep::new(&groups, &jobs.iter().map(|job| job.rules).collect::<Vec<_>>());
    (groups, sweep)
}

/// The number of games of the first batch.
pub const FIRST_BATCH: u64 = 512;

/// After this many games, a figure that still has no interval ends the games.
pub const PATIENCE: u64 = 20 * FIRST_BATCH;

/// The size of the batch after this many games.
///
/// A tenth of them, so that the intervals are computed rarely, and at most a tenth more games are played than
/// needed.
const fn batch_after(games: u64) -> u64 {
    match games / 10 / FIRST_BATCH {
        0 => FIRST_BATCH,
        batches => batches * FIRST_BATCH,
    }
}

/// The batches of games that are played until every target is met.
///
/// They depend only on the games and their number, not on the processes that play them.
#[derive(Clone, Debug)]
pub struct Batches {
    most: u64,
    /// The end of the last batch.
    end: u64,
    expected: u64,
}

impl Batches {
    /// The batches of at most this many games. Without targets, one batch has all games.
    pub fn new(most: u64, targets: &[Target]) -> Batches {
        let expected = if targets.is_empty() { most } else { FIRST_BATCH.min(most) };
        Batches { most, end: 0, expected }
    }

    /// How many games are expected in all, from the games so far.
    pub const fn expected(&self) -> u64 {
        self.expected
    }

    /// The next batch, from the figures of the games so far. None if every target is met or one
    /// cannot be, all games are played, or the last batch was stopped before its end.
    pub fn after(&mut self, measured: &impl Measured, targets: &[Target]) -> Option<Range<u64>> {
        if self.end == self.most {
            return None;
        }
        if self.end > 0 {
            let known = Precision::of_all(targets, measured);
            let is_hopeless = |(target, known): (&Target, &Precision)| {
                known.distance.is_none()
                    && (self.end >= PATIENCE || self.end >= FIRST_BATCH && target.is_fixed)
            };
            let is_hopeless = targets.iter().zip(&known).any(is_hopeless);
            // With fewer games than the batches have, the watch stopped the last one before its end.
            if measured.games() < self.end || is_hopeless || known.iter().all(|known| known.met) {
                return None;
            }
            if let Some(needed) = known.iter().filter_map(|known| known.games).max() {
                self.expected = needed.clamp(self.end, self.most);
            }
        }
        let size = if targets.is_empty() { self.most } else { batch_after(self.end) };
        let batch = self.end..self.most.min(self.end.saturating_add(size));
        self.end = batch.end;
        Some(batch)
    }
}

/// Plays batches, up to `most` games, until every target is met or one cannot be.
fn until_met<M: Measured>(
    total: &mut M,
    most: u64,
    targets: &[Target],
    watch: &mut dyn Watch,
    mut play: impl FnMut(&mut M, Range<u64>, &mut dyn Watch) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let mut batches = Batches::new(most, targets);
    while let Some(games) = batches.after(total, targets) {
        watch.expect(batches.expected());
        let mut watch = watch_after(watch, games.start);
        play(total, games, &mut watch)?;
    }
    Ok(())
}

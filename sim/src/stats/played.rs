//! Statistics of games that are played for them.

use jantaku_agents::Policy;

use super::{Statistics, Sweep};
use crate::play::{Counts, Detail, GameCounter, Groups, Job, RunError, Watch, gather, play_counted};

/// Plays a job on all threads of the rayon pool and returns its statistics.
///
/// Ignores the job's [`Detail`]. If the watch stops the run, the statistics are those of the games
/// before the first one that was stopped.
///
/// # Errors
///
/// If an agent answers illegally or a game has no end.
pub fn simulate<P: Policy>(job: &Job<'_, P>, watch: &mut impl Watch) -> Result<Statistics, RunError> {
    let (job, groups) = (&only_counted(job), Groups::new(job.agents.iter().map(|(name, _)| name)));
    let agents = groups.of_agents(job.agents.iter().map(|(name, _)| name));
    let mut total = Statistics::new(&groups);
    let empty = total.clone();
    gather(
        0..job.schedule.games,
        watch,
        || (GameCounter::new(&groups), empty.clone()),
        |(counter, statistics), game, watch| {
            let (_, counts) = play_counted(job, game, agents, counter, watch)?;
            statistics.add(counts);
            Ok(())
        },
        |(_, statistics)| {
            total.merge(&statistics);
            Ok(())
        },
    )?;
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
    let names = || jobs[0].agents.iter().map(|(name, _)| name);
    let (groups, games) = (Groups::new(names()), jobs[0].schedule.games);
    let agents = groups.of_agents(names());
    let mut total = Sweep::new(&groups, jobs.iter().map(|job| job.rules == jobs[0].rules).collect());
    let empty = total.clone();
    let jobs: Vec<_> = jobs.iter().map(only_counted).collect();
    gather(
        0..games,
        watch,
        || (vec![GameCounter::new(&groups); jobs.len()], empty.clone()),
        |(counters, sweep), game, watch| {
            let play = |(job, counter)| Ok(play_counted(job, game, agents, counter, watch)?.1);
            let unit = jobs.iter().zip(counters).map(play).collect::<Result<Vec<&Counts>, RunError>>()?;
            sweep.add(&unit);
            Ok(())
        },
        |(_, sweep)| {
            total.merge(&sweep);
            Ok(())
        },
    )?;
    Ok(total)
}

/// A job without records of its games.
const fn only_counted<'a, P>(job: &Job<'a, P>) -> Job<'a, P> {
    Job { rules: job.rules, schedule: job.schedule, agents: job.agents, detail: Detail::None }
}

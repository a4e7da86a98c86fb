//! Plays the sets of a match.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::aivat::GameVariate;
use super::counts::{CountedSet, MatchCounts};
use crate::dataset::{ReadError, TableKind, read_games};
use crate::play::{Detail, Fold, GameRecord, Players, RunError, Sink, Taken, UnitCounts, Watch};
use crate::run::{self, Run, RunConfig};
use crate::stats::for_each_set;

/// Adds the sets that a run has.
pub(super) fn add_stored(run: &Run, counts: &mut MatchCounts) -> Result<(), ReadError> {
    let (groups, of_agents) = (counts.groups().clone(), counts.of_agents());
    // An extended run plays its last part again if that was too short.
    let kept = run.remaining().start;
    let seating = |game| run.config().schedule().fixture(game).seating;
    let mut variates = Vec::new().into_iter();
    if counts.reduces_variance() {
        variates = stored_variates(run, kept)?.into_iter();
    }
    for_each_set(run.folder(), run.config(), run.manifest(), kept, &groups, of_agents, |games| {
        let mut set = counts.empty_set();
        games.iter().for_each(|unit| set.add(unit, of_agents));
        let variates: Vec<GameVariate> = variates.by_ref().take(games.len()).collect();
        set.add_variance_reduced(&variates, seating);
        let _ = counts.add(&[set]);
    })
}

/// The luck in the stored games of a run before this one, from their decisions. Parts are replayed
/// on all threads of the rayon pool.
fn stored_variates(run: &Run, end: u64) -> Result<Vec<GameVariate>, ReadError> {
    let contents = run.config().contents();
    let mut variates = Vec::new();
    for part in run.manifest().parts.iter().take_while(|part| part.first_game < end) {
        run::check_part(run.folder(), part, &TableKind::ALL)?;
        let games = read_games(run.folder(), &contents, part.part, None)?;
        let replayed: Result<Vec<GameVariate>, ReadError> = games
            .par_iter()
            .map(|game| {
                let cause = |error| ReadError::new(run.folder(), &format!("game {}: {error}", game.game));
                GameVariate::of_stored(game).map_err(cause)
            })
            .collect();
        variates.extend(replayed?);
    }
    Ok(variates)
}

/// Plays sets of a match up to the one at which its test decides, adds them to the counts and gives
/// their games to a sink.
pub(super) fn play_sets(
    players: &mut Players,
    config: &RunConfig,
    sets: Range<u64>,
    counts: &mut MatchCounts,
    sink: &mut impl Sink,
    watch: &mut dyn Watch,
) -> Result<(), RunError> {
    let schedule = config.schedule();
    let (per_set, of_agents) = (schedule.games_per_set(), counts.of_agents());
    let (groups, empty) = (counts.groups().clone(), counts.empty_set());
    let mut job = config.job(sets.start * per_set..sets.end.saturating_mul(per_set));
    let (reduces_variance, keeps) = (counts.reduces_variance(), config.detail > Detail::None);
    if reduces_variance {
        // The correction follows from the decisions.
        job.detail = job.detail.max(Detail::Decisions);
    }
    let variate = |record: &GameRecord| GameVariate::of_record(&config.rules, record);
    let llr = AtomicU64::new(f64::NAN.to_bits());
    let fold = Fold {
        groups: &groups,
        of_agents,
        unit: per_set,
        start: Vec::new,
        add: |sets: &mut Vec<CountedSet>, record: GameRecord, unit: &UnitCounts| {
            if record.game.is_multiple_of(per_set) {
                sets.push(empty.clone());
            }
            let set = sets.last_mut().expect("a value begins with a set");
            set.add(unit, of_agents);
            if reduces_variance || keeps {
                set.records.push(record);
            }
            if reduces_variance && set.games() == per_set {
                let variates: Vec<GameVariate> = set.records.par_iter().map(variate).collect();
                set.add_variance_reduced(&variates, |game| schedule.fixture(game).seating);
            }
            if !keeps && set.games() == per_set {
                set.records.clear();
            }
        },
        take: |mut sets: Vec<CountedSet>| -> Taken {
            // The last set is not whole if a game failed or the watch stopped it.
            sets.retain(|set| set.games() == per_set);
            let (added, flow) = counts.add(&sets);
            let records = sets.into_iter().take(added).flat_map(|set| set.records);
            records.into_iter().try_for_each(|record| sink.take(record))?;
            llr.store(counts.llr().unwrap_or(f64::NAN).to_bits(), Ordering::Relaxed);
            Ok(flow)
        },
    };
    players.fold(&job, fold, &mut WatchTest { watch, per_set, llr: &llr })
}

/// Reports the state of the test to a watch, and sets instead of games.
struct WatchTest<'a> {
    watch: &'a mut dyn Watch,
    per_set: u64,
    /// The bits of the logarithm of the likelihood ratio; NaN if there is none.
    llr: &'a AtomicU64,
}

impl Watch for WatchTest<'_> {
    fn progress(&mut self, done: u64) {
        let llr = f64::from_bits(self.llr.load(Ordering::Relaxed));
        if !llr.is_nan() {
            self.watch.note(&format!("log-likelihood ratio {llr:+.2}"));
        }
        self.watch.progress(done / self.per_set);
    }

    fn should_stop(&self) -> bool {
        self.watch.should_stop()
    }
}

//! Plays the sets of a match.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::aivat::GameVariate;
use super::counts::{CountedSet, MatchCounts};
use crate::stats::for_each_set;
use jantaku_sim::dataset::{ReadError, TableKind, read_games};
use jantaku_sim::play::{
    Detail, Fold, GameRecord, Players, RunError, Sink, Taken, UnitCounts, Watch, WatchPart,
};
use jantaku_sim::run::{self, Manifest, Run, RunConfig};

/// Adds the sets of a run that are kept: an extended run plays its last part again if that was too short.
pub(super) fn add_kept(run: &Run, counts: &mut MatchCounts) -> Result<(), ReadError> {
    add_stored(run.folder(), (run.config(), run.manifest()), run.remaining().start, counts)
}

/// Adds the sets that are stored in a folder, before the game with the number `end`.
pub(super) fn add_stored(
    folder: &Path,
    (config, manifest): (&RunConfig, &Manifest),
    end: u64,
    counts: &mut MatchCounts,
) -> Result<(), ReadError> {
    let (groups, of_agents) = (counts.groups.clone(), counts.of_agents);
    let seating = |game| config.schedule().fixture(game).seating;
    let mut variates = Vec::new().into_iter();
    if counts.reduces_variance() {
        variates = stored_variates(folder, (config, manifest), end)?.into_iter();
    }
    for_each_set(folder, config, manifest, end, &groups, of_agents, |games| {
        let mut set = counts.empty_set();
        games.iter().for_each(|unit| set.add(unit, of_agents));
        let variates: Vec<GameVariate> = variates.by_ref().take(games.len()).collect();
        set.add_variance_reduced(&variates, seating);
        let _ = counts.add(&[set]);
    })
}

/// The luck in the stored games, from their decisions. Parts are replayed on all threads of the
/// rayon pool.
fn stored_variates(
    folder: &Path,
    (config, manifest): (&RunConfig, &Manifest),
    end: u64,
) -> Result<Vec<GameVariate>, ReadError> {
    let contents = config.contents();
    let mut variates = Vec::new();
    for part in manifest.parts.iter().take_while(|part| part.first_game < end) {
        run::check_part(folder, part, &TableKind::ALL)?;
        let games = read_games(folder, &contents, part.part, None)?;
        let replayed: Result<Vec<GameVariate>, ReadError> = games
            .par_iter()
            .map(|game| {
                let cause = |error| ReadError::new(folder, &format!("game {}: {error}", game.game));
                GameVariate::from_stored(game).map_err(cause)
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
    let (per_set, of_agents) = (schedule.games_per_set(), counts.of_agents);
    let (groups, empty) = (counts.groups.clone(), counts.empty_set());
    let mut job = config.job(sets.start * per_set..sets.end.saturating_mul(per_set));
    let (reduces_variance, keeps) = (counts.reduces_variance(), config.detail > Detail::None);
    if reduces_variance {
        // The luck of a game is computed from its decisions.
        job.detail = job.detail.max(Detail::Decisions);
    }
    let variate = |record: &GameRecord| GameVariate::from_record(&config.rules, record);
    // The bits of the logarithm of the likelihood ratio; NaN if there is none.
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
            let ratio = counts.state.and_then(|state| state.llr);
            llr.store(ratio.unwrap_or(f64::NAN).to_bits(), Ordering::Relaxed);
            Ok(flow)
        },
    };
    let report = |watch: &mut dyn Watch, done| {
        let llr = f64::from_bits(llr.load(Ordering::Relaxed));
        if !llr.is_nan() {
            watch.note(&format!("log-likelihood ratio {llr:+.2}"));
        }
        watch.progress(done / per_set);
    };
    players.fold(&job, fold, &mut WatchPart { watch, report })
}

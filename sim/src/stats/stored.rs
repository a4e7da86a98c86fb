//! Counts the games of runs from their files: those of games and of hands.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::vec::IntoIter;

use rayon::prelude::*;

use super::Statistics;
use super::cells::{column, numbers};
use super::counts::{Counts, Groups};
use super::part::{CountedGame, PartGames};
use crate::dataset::{ReadError, TableFile, TableKind};
use crate::play::{Detail, Watch};
use crate::run::{self, Manifest, RunConfig};

/// Runs whose games are counted together.
pub struct StoredRuns {
    runs: Vec<StoredRun>,
    groups: Groups,
    /// Games of logs that are there a second time, by the place of their run and their number.
    twins: HashSet<(usize, u64)>,
}

struct StoredRun {
    folder: PathBuf,
    config: RunConfig,
    manifest: Manifest,
}

/// A part of a run: its place among the runs, its number and its games.
#[derive(Clone, Copy)]
struct PartOf {
    run: usize,
    part: u64,
    first: u64,
    end: u64,
}

impl StoredRuns {
    /// Opens runs, which keep their hands and were played under the same rules.
    ///
    /// Of games from logs with equal signatures the first is counted: what was recorded has no twin by chance. To know them takes up to
    /// 32 bytes of memory a game from logs.
    ///
    /// # Errors
    ///
    /// If a folder is not such a run, or games of a run would be counted twice.
    pub fn open(folders: &[PathBuf]) -> Result<StoredRuns, ReadError> {
        let open = |folder: &PathBuf| {
            let (config, manifest) = run::read(folder)?;
            Ok(StoredRun { folder: folder.clone(), config, manifest })
        };
        let runs: Vec<StoredRun> = folders.iter().map(open).collect::<Result<_, _>>()?;
        for run in &runs {
            run.check(&runs[0])?;
        }
        check_named_once(folders)?;
        for (place, run) in runs.iter().enumerate() {
            run.check_has_others_than(&runs[..place])?;
        }
        // The players of logs are too many to tell them apart.
        let agents = runs.iter().filter(|run| !run.config.walls).flat_map(|run| &run.config.agents);
        let groups = Groups::new(agents);
        let twins = twins(&runs)?;
        Ok(StoredRuns { runs, groups, twins })
    }

    /// The groups of players: agents only where the games were played here.
    #[must_use]
    pub const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// What each run says of itself, with its folder.
    pub fn configs(&self) -> impl Iterator<Item = (&Path, &RunConfig)> {
        self.runs.iter().map(|run| (run.folder.as_path(), &run.config))
    }

    /// How many games there are in complete parts, without those that are left out.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.runs.iter().map(|run| run.manifest.games).sum::<u64>() - self.left_out()
    }

    /// How many games of logs are left out, being there already.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.twins.len() as u64
    }

    /// Whether all games of all runs are there.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        self.runs.iter().all(|run| run.manifest.complete)
    }

    /// Parts of which no two groups have walls in common: runs of the same seed share theirs.
    fn blocks(&self) -> Vec<Vec<PartOf>> {
        let family = |run: usize| {
            let config = &self.runs[run].config;
            if config.walls { (run, 0) } else { (0, config.seed) }
        };
        let mut parts: Vec<PartOf> = Vec::new();
        for (run, stored) in self.runs.iter().enumerate() {
            parts.extend(stored.manifest.parts.iter().map(|part| {
                let (first, end) = (part.first_game, part.first_game + part.games);
                PartOf { run, part: part.part, first, end }
            }));
        }
        parts.sort_by_key(|part| (family(part.run), part.first));
        let mut blocks: Vec<Vec<PartOf>> = Vec::new();
        let mut before = None;
        for part in parts {
            let family = family(part.run);
            match blocks.last_mut() {
                Some(block) if before.is_some_and(|(of, end)| of == family && part.first < end) => {
                    block.push(part);
                }
                _ => blocks.push(vec![part]),
            }
            let end = before.filter(|(of, _)| *of == family).map_or(part.end, |(_, end)| part.end.max(end));
            before = Some((family, end));
        }
        blocks
    }
}

/// Games from logs that went as one before them did, event by event.
fn twins(runs: &[StoredRun]) -> Result<HashSet<(usize, u64)>, ReadError> {
    let (mut seen, mut twins) = (HashSet::new(), HashSet::new());
    for (place, run) in runs.iter().enumerate().filter(|(_, run)| run.config.walls) {
        for part in &run.manifest.parts {
            TableFile::new(&run.folder, TableKind::Games, part.part).read(&["game", "signature"], |batch| {
                let of = |name: &str| numbers(column(batch, name)?);
                let games = of("game")?.into_iter().zip(of("signature")?);
                twins.extend(
                    games
                        .filter(|(_, signature)| !seen.insert(*signature))
                        .map(|(game, _)| (place, game as u64)),
                );
                Ok(())
            })?;
        }
    }
    Ok(twins)
}

/// Whether no two of these are the same folder, however they are spelt.
fn check_named_once(folders: &[PathBuf]) -> Result<(), ReadError> {
    let mut seen: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for folder in folders {
        let place = folder.canonicalize().map_err(|error| ReadError::new(folder, &error))?;
        if let Some(first) = seen.insert(place, folder) {
            let what =
                format!("is the run {}, given before: its games would be counted twice", first.display());
            return Err(ReadError::new(folder, &what));
        }
    }
    Ok(())
}

impl StoredRun {
    /// The numbers of the games that are there.
    fn range(&self) -> Range<u64> {
        let first = self.manifest.parts.first().map_or(0, |part| part.first_game);
        first..first + self.manifest.games
    }

    /// Whether none of its games is one of these runs, as those of a copy or of a shard are.
    fn check_has_others_than(&self, runs: &[StoredRun]) -> Result<(), ReadError> {
        let (own, range) = (&self.config, self.range());
        let has_same = |other: &&StoredRun| {
            let (found, range_found) = (&other.config, other.range());
            let is_same_play =
                (own.seed, &own.agents, &own.rules_hash) == (found.seed, &found.agents, &found.rules_hash);
            let start = range.start.max(range_found.start);
            own.repeatable && found.repeatable && is_same_play && start < range.end.min(range_found.end)
        };
        let Some(other) = runs.iter().find(has_same) else { return Ok(()) };
        let what = format!(
            "has games of {}, with the same seed, agents and rules: they would be counted twice",
            other.folder.display()
        );
        Err(ReadError::new(&self.folder, &what))
    }

    /// Whether its games can be counted together with those of another run.
    fn check(&self, first: &StoredRun) -> Result<(), ReadError> {
        let wrong = |what: &str| Err(ReadError::new(&self.folder, &what));
        if self.config.detail() < Detail::Hands {
            return wrong(&format!(
                "keeps {} only; statistics are made of a run with hands: `--log hands` or `--log decisions`",
                self.config.log
            ));
        }
        let (own, other) = (&self.config, &first.config);
        if own.walls != other.walls || own.rules_hash != other.rules_hash {
            let of = |config: &RunConfig| {
                if config.walls { "each log".to_owned() } else { config.rules_name.clone() }
            };
            let (own, other, folder) = (of(own), of(other), first.folder.display());
            return wrong(&format!(
                "has the rules of {own}, and {folder} those of {other}: they are not counted together"
            ));
        }
        Ok(())
    }
}

/// Counts all games of the runs, on all threads of the rayon pool.
///
/// Games of the same seed share their walls and are a unit together; games from logs are units of their own. Each game is counted and let
/// go of, however many a part has. If the watch stops it, the statistics are of some of the games.
///
/// # Errors
///
/// If a file is missing or not what it should be.
pub fn read(runs: &StoredRuns, watch: &mut impl Watch) -> Result<Statistics, ReadError> {
    let mut total = Statistics::new(&runs.groups);
    let empty = total.clone();
    // So many that no thread waits for long.
    let at_once = 2 * rayon::current_num_threads();
    for blocks in runs.blocks().chunks(at_once) {
        let stopped = AtomicBool::new(false);
        let count = |block: &Vec<PartOf>| {
            let mut statistics = empty.none_yet();
            if watch.should_stop() {
                stopped.store(true, Ordering::Relaxed);
                return Ok(statistics);
            }
            each_unit(runs, block, |unit| statistics.add(unit))?;
            Ok(statistics)
        };
        let counted: Vec<Result<Statistics, ReadError>> = blocks.par_iter().map(count).collect();
        for statistics in counted {
            total.merge(&statistics?);
        }
        watch.progress(total.games());
        if stopped.into_inner() {
            break;
        }
    }
    Ok(total)
}

/// Shows the units of some parts: the games with a number, which are of one seed where the parts are of several runs.
fn each_unit(runs: &StoredRuns, block: &[PartOf], mut each: impl FnMut(&Counts)) -> Result<(), ReadError> {
    let mut parts: BTreeMap<usize, Vec<PartOf>> = BTreeMap::new();
    block.iter().for_each(|part| parts.entry(part.run).or_default().push(*part));
    let chains = parts.into_iter().map(|(run, parts)| Chain::start(runs, run, parts));
    let mut chains = chains.collect::<Result<Vec<Chain>, _>>()?;
    while let Some(number) = chains.iter().filter_map(Chain::number).min() {
        let mut unit: Option<Counts> = None;
        for chain in chains.iter_mut().filter(|chain| chain.number() == Some(number)) {
            let Some(game) = chain.take()? else { continue };
            match &mut unit {
                Some(unit) => unit.add(&game.counts),
                None => unit = Some(game.counts),
            }
        }
        unit.iter().for_each(&mut each);
    }
    Ok(())
}

/// The games of some parts of a run, one after the other, without those that are left out.
struct Chain<'a> {
    runs: &'a StoredRuns,
    run: usize,
    parts: IntoIter<PartOf>,
    open: Option<PartGames<'a>>,
    next: Option<CountedGame>,
}

impl Chain<'_> {
    fn start(runs: &StoredRuns, run: usize, parts: Vec<PartOf>) -> Result<Chain<'_>, ReadError> {
        let mut chain = Chain { runs, run, parts: parts.into_iter(), open: None, next: None };
        chain.take()?;
        Ok(chain)
    }

    /// The number of the next game; none after the last.
    fn number(&self) -> Option<u64> {
        self.next.as_ref().map(|game| game.number)
    }

    /// The next game, in whose place the one after it comes.
    fn take(&mut self) -> Result<Option<CountedGame>, ReadError> {
        let after = loop {
            match self.open.as_mut().map(PartGames::next).transpose()?.flatten() {
                Some(game) if self.runs.twins.contains(&(self.run, game.number)) => {}
                Some(game) => break Some(game),
                None => {
                    let Some(PartOf { part, first, end, .. }) = self.parts.next() else { break None };
                    let StoredRun { folder, config, .. } = &self.runs.runs[self.run];
                    // The players of logs are no agents.
                    let groups = &self.runs.groups;
                    self.open = Some(PartGames::open(folder, part, first..end, groups, !config.walls)?);
                }
            }
        };
        Ok(std::mem::replace(&mut self.next, after))
    }
}

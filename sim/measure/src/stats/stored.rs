//! Counts the games of runs, from their tables `games` and `hands`.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::vec::IntoIter;

use jantaku_agents::Faults;
use jantaku_agents::argument;
use rayon::prelude::*;

use super::case_counter::{CaseCounter, CaseUnit};
use super::case_table::CaseTable;
use super::cases::{CaseChoice, Condition};
use super::part::{CountedGame, PartGames, PlayerGroups, groups_of};
use super::statistics::Statistics;
use jantaku_sim::dataset::{ReadError, StoredColumn as _, TableFile, TableKind, select};
use jantaku_sim::play::{AgentGroups, Detail, Groups, UnitCounts, Watch};
use jantaku_sim::replay::error::SourceError;
use jantaku_sim::replay::stored_run::{self as replay, WantedExtras};
use jantaku_sim::run::{self, Manifest, PartEntry, RunConfig};
use jantaku_sim::store;

/// Runs that are counted together.
pub struct StoredRuns {
    runs: Vec<StoredRun>,
    groups: Groups,
    /// Games from logs that are copies of earlier games: the index of their run, and their number.
    copies: HashSet<(usize, u64)>,
}

struct StoredRun {
    folder: PathBuf,
    config: RunConfig,
    manifest: Manifest,
}

/// A part of a run: the index of the run, the part, and the numbers of its sets. A set is the games on
/// the same walls; each game of self-play is a set of its own.
struct PartOfRun<'a> {
    run: usize,
    part: &'a PartEntry,
    sets: Range<u64>,
}

impl StoredRuns {
    /// Opens runs that have tables of hands and the same rules.
    ///
    /// Of games from logs with equal signatures only the first is counted: two recorded games are
    /// not equal by chance. Finding them takes up to 32 bytes of memory for each game from a log.
    ///
    /// # Errors
    ///
    /// If a folder is not such a run, or games would be counted twice.
    pub fn open(folders: &[PathBuf]) -> Result<StoredRuns, ReadError> {
        let open = |folder: &PathBuf| {
            let (config, manifest) = run::read(folder)?;
            Ok(StoredRun { folder: folder.clone(), config, manifest })
        };
        let runs: Vec<StoredRun> = folders.iter().map(open).collect::<Result<_, _>>()?;
        for run in &runs {
            run.check(&runs[0])?;
        }
        check_folders_differ(folders)?;
        for (index, run) in runs.iter().enumerate() {
            run.check_games_differ(&runs[..index])?;
        }
        // Logs can have more players than a table of figures can show.
        let agents = runs.iter().filter(|run| !run.config.from_logs).flat_map(|run| &run.config.agents);
        let groups = Groups::new(agents);
        let copies = copies(&runs)?;
        Ok(StoredRuns { runs, groups, copies })
    }

    /// The groups of players. Players of logs are not agents and have no groups of their own.
    pub const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The folder and configuration of each run.
    pub fn configs(&self) -> impl Iterator<Item = (&Path, &RunConfig)> {
        self.runs.iter().map(|run| (run.folder.as_path(), &run.config))
    }

    /// The number of games in complete parts. Copies are left out.
    pub fn games(&self) -> u64 {
        self.runs.iter().map(|run| run.manifest.games).sum::<u64>() - self.left_out()
    }

    /// The number of games from logs that are left out as copies.
    pub fn left_out(&self) -> u64 {
        self.copies.len() as u64
    }

    /// The agents that had faults in the games, by their labels.
    ///
    /// # Errors
    ///
    /// If a file of faults cannot be read.
    pub fn faults(&self) -> Result<Vec<(String, Faults)>, ReadError> {
        let (mut faults, mut first) = (BTreeMap::<String, Faults>::new(), 0);
        for run in &self.runs {
            for (label, of_run) in run::stored_faults(&run.folder, &run.manifest)? {
                faults.entry(label).or_default().extend(&of_run.shifted(first));
            }
            first += run.range().end;
        }
        Ok(faults.into_iter().collect())
    }

    /// The [stray files](run::stray_files) of the runs.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read.
    pub fn stray_files(&self) -> Result<Vec<PathBuf>, ReadError> {
        let found = self.runs.iter().map(|run| run::stray_files(&run.folder, &run.manifest));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Whether all runs are complete.
    pub fn are_complete(&self) -> bool {
        self.runs.iter().all(|run| run.manifest.complete)
    }

    /// All parts, in blocks that have no walls in common. Runs with the same seed share walls.
    fn blocks(&self) -> Vec<Vec<PartOfRun<'_>>> {
        let walls = |run: usize| {
            let config = &self.runs[run].config;
            if config.from_logs { (run, 0) } else { (0, config.seed) }
        };
        let mut parts: Vec<PartOfRun<'_>> = Vec::new();
        for (run, stored) in self.runs.iter().enumerate() {
            parts.extend(stored.manifest.parts.iter().map(|part| {
                let (games, per_set) = (part.range(), stored.games_per_set());
                PartOfRun { run, part, sets: games.start / per_set..games.end.div_ceil(per_set) }
            }));
        }
        parts.sort_by_key(|part| (walls(part.run), part.sets.start));
        let mut blocks: Vec<Vec<PartOfRun<'_>>> = Vec::new();
        // The walls of the block, and the end of its sets.
        let mut open = None;
        for part in parts {
            let (walls, sets) = (walls(part.run), part.sets.clone());
            let block_end = open.filter(|(of, _)| *of == walls).map(|(_, end)| end);
            match blocks.last_mut() {
                Some(block) if block_end.is_some_and(|end| sets.start < end) => block.push(part),
                _ => blocks.push(vec![part]),
            }
            open = Some((walls, block_end.map_or(sets.end, |end| sets.end.max(end))));
        }
        blocks
    }
}

select! {
    struct SignatureColumns from games { game, signature }
}

/// Games from logs that have the signature of an earlier game.
fn copies(runs: &[StoredRun]) -> Result<HashSet<(usize, u64)>, ReadError> {
    let (mut seen, mut copies) = (HashSet::new(), HashSet::new());
    for (index, run) in runs.iter().enumerate().filter(|(_, run)| run.config.from_logs) {
        for part in &run.manifest.parts {
            TableFile::new(&run.folder, TableKind::Games, part.part).read(
                |games: &SignatureColumns, row| {
                    if !seen.insert(games.signature.at(row)) {
                        copies.insert((index, games.game.at(row)));
                    }
                    Ok(())
                },
            )?;
        }
    }
    Ok(copies)
}

/// Whether the same seed plays the same games. Runs of modified sources are not marked as deterministic, but
/// two of them with one seed have the same games more likely than different ones.
fn plays_again(config: &RunConfig) -> bool {
    config.deterministic || (!config.from_logs && config.has_modified_sources())
}

/// Checks that no folder is given twice, under any spelling.
fn check_folders_differ(folders: &[PathBuf]) -> Result<(), ReadError> {
    let mut seen: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for folder in folders {
        let path = if store::is_url(folder) {
            folder.clone()
        } else {
            folder.canonicalize().map_err(|error| ReadError::new(folder, &error))?
        };
        if let Some(first) = seen.insert(path, folder) {
            let what = format!("is the same folder as {}; its games would be counted twice", first.display());
            return Err(ReadError::new(folder, &what));
        }
    }
    Ok(())
}

impl StoredRun {
    /// The number of games on the same walls.
    const fn games_per_set(&self) -> u64 {
        self.config.seatings.games_per_set(self.config.rules.players)
    }

    /// The numbers of the games in complete parts.
    fn range(&self) -> Range<u64> {
        let first = self.manifest.parts.first().map_or(0, |part| part.first_game);
        first..first + self.manifest.games
    }

    /// Checks that the run has no game of these runs, as a copy of a run or of a shard would.
    fn check_games_differ(&self, runs: &[StoredRun]) -> Result<(), ReadError> {
        let (own, range) = (&self.config, self.range());
        let has_same = |other: &&StoredRun| {
            let (found, range_found) = (&other.config, other.range());
            let key = |config: &RunConfig| (config.seed, config.seatings, config.rules_hash.clone());
            let is_same_play = key(own) == key(found) && own.agents == found.agents;
            let start = range.start.max(range_found.start);
            plays_again(own) && plays_again(found) && is_same_play && start < range.end.min(range_found.end)
        };
        let Some(other) = runs.iter().find(has_same) else { return Ok(()) };
        let what = format!(
            "has games of {}: the same seed, agents and rules; they would be counted twice",
            other.folder.display()
        );
        Err(ReadError::new(&self.folder, &what))
    }

    /// Checks that the run has hands, does not branch from another game, and has the rules of the first run.
    fn check(&self, first: &StoredRun) -> Result<(), ReadError> {
        let wrong = |what: &str| Err(ReadError::new(&self.folder, &what));
        if self.config.detail < Detail::Hands {
            return wrong(&format!(
                "has no table of hands ({}); statistics need a run with {} or {}",
                argument("log", self.config.detail.name()),
                argument("log", "hands"),
                argument("log", "decisions")
            ));
        }
        if self.config.branch.is_some() {
            return wrong("the game branches from another one, so it has no statistics: leave it out");
        }
        let (own, other) = (&self.config, &first.config);
        if own.from_logs != other.from_logs || own.rules_hash != other.rules_hash {
            let of = |config: &RunConfig| {
                if config.from_logs {
                    "the rules of each log".to_owned()
                } else {
                    format!("{} ({})", config.rules_in_words(), config.rules_hash)
                }
            };
            let (own, other, folder) = (of(own), of(other), first.folder.display());
            return wrong(&format!(
                "has other rules than {folder}: {own} instead of {other}; count them separately"
            ));
        }
        Ok(())
    }
}

/// Counts all games of the runs, on all threads of the rayon pool.
///
/// Games with the same seed share their walls and form one unit: games of runs with the same seed,
/// and the games of a set. Each game from a log is a unit of its own. If the watch stops the count,
/// the statistics cover only some of the games.
///
/// # Errors
///
/// If a file is missing or invalid.
pub fn read(runs: &StoredRuns, watch: &mut dyn Watch) -> Result<Statistics, ReadError> {
    let empty = Statistics::new(&runs.groups, &runs.runs[0].config.rules);
    let count = |statistics: &mut Statistics, block: &[PartOfRun<'_>]| {
        for_each_unit(runs, block, |unit| statistics.add(unit))
    };
    let merge = |total: &mut Statistics, block: &Statistics| {
        total.merge(block);
        total.games()
    };
    count_blocks(runs, watch, empty, count, merge)
}

/// Replays all games of the runs and counts the cases of a conditional table. Units and threads are those of
/// [`read`].
///
/// # Errors
///
/// If a run has no decisions, the cases are divided by agent but the games come from logs, or a file is
/// missing or invalid.
pub fn read_cases(
    runs: &StoredRuns,
    choice: &CaseChoice,
    watch: &mut dyn Watch,
) -> Result<CaseTable, SourceError> {
    let open = |run: &StoredRun| {
        if run.config.from_logs && choice.by.contains(&Condition::Agent) {
            let what = "games from logs have no agents: leave out the condition `agent`";
            return Err(ReadError::new(&run.folder, &what).into());
        }
        replay::StoredRun::new(&run.folder, run.config.clone(), run.manifest.clone())
    };
    let opened: Vec<replay::StoredRun> = runs.runs.iter().map(open).collect::<Result<_, _>>()?;
    let count = |table: &mut CaseTable, block: &[PartOfRun<'_>]| {
        let mut counter = CaseCounter::new(choice);
        let mut units = BTreeMap::<u64, CaseUnit>::new();
        for PartOfRun { run, part, .. } in block {
            let replay::StoredRun { folder, config, .. } = &opened[*run];
            for (game, _) in opened[*run].read(part, None, WantedExtras::default())? {
                if runs.copies.contains(&(*run, game.game)) {
                    continue;
                }
                counter.start(&game.rules, groups_of(&runs.groups, &config.agents, &game.agents));
                let replayed = game.replay(&mut counter);
                replayed.map_err(|wrong| ReadError::new(folder, &format!("game {}: {wrong}", game.game)))?;
                let set = game.game / runs.runs[*run].games_per_set();
                units.entry(set).or_default().merge(&counter.take());
            }
        }
        units.values().for_each(|unit| table.add(unit));
        Ok(())
    };
    let merge = |total: &mut CaseTable, block: &CaseTable| {
        total.merge(block);
        total.games()
    };
    Ok(count_blocks(runs, watch, CaseTable::new(choice), count, merge)?)
}

/// Counts all blocks of runs on all threads, each from an empty total. `merge` adds the counts of a block
/// and returns the number of games so far.
fn count_blocks<T: Clone + Send + Sync>(
    runs: &StoredRuns,
    watch: &mut dyn Watch,
    empty: T,
    count: impl Fn(&mut T, &[PartOfRun<'_>]) -> Result<(), ReadError> + Sync,
    merge: impl Fn(&mut T, &T) -> u64,
) -> Result<T, ReadError> {
    let (mut total, mut games) = (empty.clone(), 0);
    // Two for each thread: enough that few threads wait for the last block.
    let at_once = 2 * rayon::current_num_threads();
    for blocks in runs.blocks().chunks(at_once) {
        let stopped = AtomicBool::new(false);
        let count = |block: &Vec<PartOfRun<'_>>| {
            let mut counted = empty.clone();
            if watch.should_stop() {
                stopped.store(true, Ordering::Relaxed);
            } else {
                count(&mut counted, block)?;
            }
            Ok(counted)
        };
        let counted: Vec<Result<T, ReadError>> = blocks.par_iter().map(count).collect();
        for counted in counted {
            games = merge(&mut total, &counted?);
        }
        watch.progress(games);
        if stopped.into_inner() {
            break;
        }
    }
    Ok(total)
}

/// Calls `each` with the games of every whole set in the parts that begin before the game `end`, in
/// order. The games of the run must not come from logs. `of_agents` are the groups of its agents.
///
/// # Errors
///
/// If a file is missing or invalid.
pub(crate) fn for_each_set(
    folder: &Path,
    config: &RunConfig,
    manifest: &Manifest,
    end: u64,
    groups: &Groups,
    of_agents: AgentGroups,
    mut each: impl FnMut(&[UnitCounts]),
) -> Result<(), ReadError> {
    let schedule = config.schedule();
    let (mut set, players) = (Vec::new(), PlayerGroups::Seated(schedule, of_agents));
    for (index, part) in manifest.parts.iter().enumerate().take_while(|(_, part)| part.first_game < end) {
        if let Some(next) = manifest.parts.get(index + 1) {
            run::prefetch_part(folder, next, &PartGames::TABLES);
        }
        let mut games = PartGames::open(folder, part, &config.rules, groups, players)?;
        while let Some(game) = games.next()? {
            set.push(game.unit);
            if (game.number + 1).is_multiple_of(schedule.games_per_set()) {
                each(&set);
                set.clear();
            }
        }
    }
    Ok(())
}

/// Calls `each` with every unit of a block: the sets with the same number, of all its runs.
fn for_each_unit(
    runs: &StoredRuns,
    block: &[PartOfRun<'_>],
    mut each: impl FnMut(&UnitCounts),
) -> Result<(), ReadError> {
    let mut parts: BTreeMap<usize, Vec<&PartEntry>> = BTreeMap::new();
    block.iter().for_each(|part| parts.entry(part.run).or_default().push(part.part));
    let readers = parts.into_iter().map(|(run, parts)| GameReader::start(runs, run, parts));
    let mut readers = readers.collect::<Result<Vec<GameReader<'_>>, _>>()?;
    while let Some(set) = readers.iter().filter_map(GameReader::set).min() {
        let mut unit: Option<UnitCounts> = None;
        for reader in &mut readers {
            while reader.set() == Some(set) {
                let Some(game) = reader.take()? else { break };
                match &mut unit {
                    Some(unit) => unit.add(&game.unit),
                    None => unit = Some(game.unit),
                }
            }
        }
        unit.iter().for_each(&mut each);
    }
    Ok(())
}

/// The games of several parts of a run in order, without copies.
struct GameReader<'a> {
    runs: &'a StoredRuns,
    run: usize,
    /// Parts that are not open yet.
    parts: IntoIter<&'a PartEntry>,
    open: Option<PartGames<'a>>,
    next: Option<CountedGame>,
}

impl<'a> GameReader<'a> {
    fn start(
        runs: &'a StoredRuns,
        run: usize,
        parts: Vec<&'a PartEntry>,
    ) -> Result<GameReader<'a>, ReadError> {
        let mut reader = GameReader { runs, run, parts: parts.into_iter(), open: None, next: None };
        reader.take()?;
        Ok(reader)
    }

    /// The number of the next game's set. None after the last game.
    fn set(&self) -> Option<u64> {
        let per_set = self.runs.runs[self.run].games_per_set();
        self.next.as_ref().map(|game| game.number / per_set)
    }

    /// Returns the next game and reads the one after it.
    fn take(&mut self) -> Result<Option<CountedGame>, ReadError> {
        let after = loop {
            match self.open.as_mut().map(PartGames::next).transpose()?.flatten() {
                Some(game) if self.runs.copies.contains(&(self.run, game.number)) => {}
                Some(game) => break Some(game),
                None => {
                    let Some(part) = self.parts.next() else { break None };
                    let StoredRun { folder, config, .. } = &self.runs.runs[self.run];
                    let groups = &self.runs.groups;
                    let named = PlayerGroups::Named(groups, &config.agents);
                    let players = if config.from_logs { PlayerGroups::None } else { named };
                    self.open = Some(PartGames::open(folder, part, &config.rules, groups, players)?);
                }
            }
        };
        Ok(std::mem::replace(&mut self.next, after))
    }
}

//! The verification of several runs.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::{Difference, VerifiedFiles, verify, verify_hashes};
use crate::dataset::ReadError;
use crate::play::{Watch, watch_after};
use crate::run;

/// The most differences, and the most errors, that a verification keeps. The others are only
/// counted.
pub const MAX_KEPT: usize = 10_000;

/// Runs to verify.
#[derive(Clone, Copy, Debug)]
pub struct VerifyRequest<'a> {
    /// The folders of the runs.
    pub runs: &'a [PathBuf],
    /// Whether to compare only the files with the sizes and hashes in the manifest.
    pub quick: bool,
}

/// What a verification found.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Verification {
    /// Games that were replayed. Of a quick verification, the games of the parts that were read.
    pub games: u64,
    /// Games in complete parts of the runs; more than `games` if it was interrupted, or if a file
    /// cannot be read or a game cannot be played.
    pub games_stored: u64,
    /// Whether all runs are complete and it was not interrupted; also true with differences and errors.
    pub complete: bool,
    /// The number of differences.
    pub difference_count: u64,
    /// The first differences, at most [`MAX_KEPT`].
    pub differences: Vec<DifferenceInRun>,
    /// The number of runs and files that cannot be read, or that no manifest names.
    pub error_count: u64,
    /// The first of their errors, at most [`MAX_KEPT`].
    pub errors: Vec<Unreadable>,
    /// Runs that are not complete.
    #[serde(skip)]
    pub unfinished: Vec<UnfinishedRun>,
    /// Whether the watch stopped it.
    #[serde(skip)]
    pub interrupted: bool,
    /// Bytes that a quick verification read.
    #[serde(skip)]
    pub bytes: u64,
    /// Wall-clock time in seconds.
    #[serde(skip)]
    pub seconds: f64,
}

/// A difference with its run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DifferenceInRun {
    /// The folder of the run.
    pub run: String,
    /// The difference.
    #[serde(flatten)]
    pub difference: Difference,
}

/// A run or file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Unreadable {
    /// The file and the reason.
    pub error: String,
}

/// A run that is not complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfinishedRun {
    /// The folder of the run.
    pub run: PathBuf,
    /// The games that it has.
    pub games: u64,
    /// The games that it should have. None if their number is not known yet.
    pub asked: Option<u64>,
}

/// What a verification finds on its way.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'a> {
    /// A stored value is wrong.
    Difference(&'a DifferenceInRun),
    /// A run or file cannot be read.
    Unreadable(&'a Unreadable),
}

impl VerifyRequest<'_> {
    /// The games in complete parts of those runs that can be read.
    pub fn games_stored(&self) -> u64 {
        let manifests = self.runs.iter().filter_map(|run| run::read_unchecked(run).ok());
        manifests.map(|(_, manifest)| manifest.games).sum()
    }

    /// Verifies the runs one after another, each on all threads of the rayon pool. Calls `found` with
    /// each finding.
    ///
    /// The values of each run are compared first, then the hashes of files in which no value
    /// differs. The watch receives the number of games.
    pub fn verify(&self, watch: &mut dyn Watch, found: impl FnMut(Finding<'_>)) -> Verification {
        let start = Instant::now();
        let problems = RefCell::new(Problems { report: found, kept: Verification::default() });
        let (mut games, mut bytes, mut unfinished) = (0, 0, Vec::new());
        for folder in self.runs {
            if watch.should_stop() {
                break;
            }
            unfinished.extend(UnfinishedRun::find(folder));
            let watch = &mut watch_after(watch, games);
            match verify_run(folder, self.quick, watch, &problems) {
                Ok(verified) => {
                    games += verified.games;
                    bytes += verified.bytes;
                }
                Err(error) => problems.borrow_mut().unreadable(&error),
            }
        }
        let interrupted = watch.should_stop();
        Verification {
            games,
            games_stored: self.games_stored(),
            complete: unfinished.is_empty() && !interrupted,
            unfinished,
            interrupted,
            bytes,
            seconds: start.elapsed().as_secs_f64(),
            ..problems.into_inner().kept
        }
    }
}

impl UnfinishedRun {
    /// The run in a folder, or None if it is complete.
    fn find(folder: &Path) -> Option<UnfinishedRun> {
        let (config, manifest) = run::read_unchecked(folder).ok()?;
        let asked = config.games_of_folder();
        (!manifest.complete).then(|| UnfinishedRun { run: folder.to_owned(), games: manifest.games, asked })
    }
}

/// The problems so far.
struct Problems<F> {
    report: F,
    /// Their numbers, and the first of them.
    kept: Verification,
}

impl<F: FnMut(Finding<'_>)> Problems<F> {
    fn differs(&mut self, folder: &Path, difference: Difference) {
        let difference = DifferenceInRun { run: folder.display().to_string(), difference };
        (self.report)(Finding::Difference(&difference));
        self.kept.difference_count += 1;
        keep(&mut self.kept.differences, difference);
    }

    fn unreadable(&mut self, error: &ReadError) {
        let error = Unreadable { error: error.to_string() };
        (self.report)(Finding::Unreadable(&error));
        self.kept.error_count += 1;
        keep(&mut self.kept.errors, error);
    }
}

/// Keeps a problem unless there are too many.
fn keep<T>(problems: &mut Vec<T>, problem: T) {
    if problems.len() < MAX_KEPT {
        problems.push(problem);
    }
}

fn verify_run<F: FnMut(Finding<'_>)>(
    folder: &Path,
    quick: bool,
    watch: &mut dyn Watch,
    problems: &RefCell<Problems<F>>,
) -> Result<VerifiedFiles, ReadError> {
    let unreadable = |error| problems.borrow_mut().unreadable(&error);
    let (_, manifest) = run::read_unchecked(folder)?;
    for path in run::stray_files(folder, &manifest)? {
        unreadable(ReadError::new(&path, &run::stray_problem(&path)));
    }
    if quick {
        let differs = |difference| problems.borrow_mut().differs(folder, difference);
        return verify_hashes(folder, watch, differs, unreadable);
    }
    let mut different = BTreeSet::new();
    let differs = |difference: Difference| {
        different.insert((difference.table, difference.part));
        problems.borrow_mut().differs(folder, difference);
    };
    let games = verify(folder, watch, differs, unreadable)?;
    if manifest.has_hashes() {
        let differs = |difference: Difference| {
            if !different.contains(&(difference.table, difference.part)) {
                problems.borrow_mut().differs(folder, difference);
            }
        };
        // Files that cannot be read are reported already.
        verify_hashes(folder, &mut || watch.should_stop(), differs, |_| {})?;
    }
    Ok(VerifiedFiles { games, bytes: 0 })
}

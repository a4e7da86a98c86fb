//! `jantaku verify`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use jantaku_sim::dataset::ReadError;
use jantaku_sim::play::Watch;
use jantaku_sim::replay::verify::{Difference, verify, verify_hashes};
use jantaku_sim::run;
use serde_json::{Value, json};

use super::output::{Ended, Output, say, say_json};
use super::print;
use super::problems::Problems;
use super::progress::Progress;

/// Replay runs from seeds, walls and actions, and compare every value that follows from them
///
/// Prints the row and column of each differing value; for a game that diverges, only the first
/// differing row. The agents of a run without decisions play it again. Verifies the complete parts
/// of an incomplete run. A file without a differing value is also compared with the size and hash
/// in the manifest. Exit status: 0 no difference, 1 differences, 2 some files cannot be read
#[derive(clap::Args)]
pub(super) struct Args {
    /// Verify the runs in these folders
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Compare only the files with the sizes and hashes in the manifest, at the speed of the disk
    #[arg(long)]
    quick: bool,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    // A run that cannot be read is reported in its turn.
    let stored =
        args.runs.iter().filter_map(|run| run::read_unchecked(run).ok()).map(|(_, run)| run.games).sum();
    let mut progress = Progress::games(stored, !output.quiet).context("cannot watch for signals")?;
    let start = Instant::now();
    let [differences, errors] = [(); 2].map(|()| RefCell::new(Problems::new(output, progress.bar())));
    let fail = |error: &dyn ToString| {
        let error = error.to_string();
        errors.borrow_mut().report(&format!("{error}\n"), || json!({ "error": error }));
    };
    let (mut games, mut bytes, mut unfinished) = (0, 0, String::new());
    for folder in &args.runs {
        if progress.should_stop() {
            break;
        }
        unfinished += &unfinished_note(folder);
        let name = folder.display().to_string();
        let differs = |found: Difference| {
            differences.borrow_mut().report(&format!("{name}/{found}\n"), || as_json(&name, &found));
        };
        let watch = &mut After { progress: &mut progress, games };
        let verified = if args.quick {
            verify_hashes(folder, watch, differs, |error| fail(&error)).map(|read| {
                bytes += read.bytes;
                read.games
            })
        } else {
            verify_all(folder, watch, differs, |error| fail(&error))
        };
        match verified {
            Ok(verified) => games += verified,
            Err(error) => fail(&error),
        }
    }
    progress.finish();
    let interrupted = progress.should_stop();
    let (mut differences, mut errors) = (differences.into_inner(), errors.into_inner());
    differences.printed().and(errors.printed())?;
    if output.json {
        say_json(&json!({
            "games": games,
            "games_stored": stored,
            "complete": unfinished.is_empty() && !interrupted,
            "difference_count": differences.count(),
            "differences": differences.kept(),
            "error_count": errors.count(),
            "errors": errors.kept(),
        }))?;
    } else if !output.quiet {
        let seconds = start.elapsed().as_secs_f64();
        let rate = if args.quick {
            print::bytes((bytes as f64 / seconds) as u64)
        } else {
            print::many((games as f64 / seconds) as u64, "game")
        };
        let head = if interrupted {
            format!("interrupted after {} of {}\n", print::thousands(games), print::many(stored, "game"))
        } else {
            String::new()
        };
        let games = print::many(games, "game");
        let different = print::many(differences.count(), "difference");
        let unread = print::many(errors.count(), "error");
        say(&format!("{head}{games} in {seconds:.1} s, {rate}/s\n{different}, {unread}\n{unfinished}"))?;
    }
    Ok(if interrupted {
        Ended::Interrupted
    } else if errors.count() > 0 {
        Ended::Unreadable
    } else if differences.count() > 0 {
        Ended::No
    } else {
        Ended::Done
    })
}

/// Verifies the values of a run, then the hashes of files in which no value differs.
fn verify_all(
    folder: &Path,
    watch: &mut After<'_>,
    mut differs: impl FnMut(Difference),
    unreadable: impl FnMut(ReadError),
) -> Result<u64, ReadError> {
    let mut different = BTreeSet::new();
    let report = |found: Difference| {
        different.insert((found.table, found.part));
        differs(found);
    };
    let games = verify(folder, watch, report, unreadable)?;
    if run::read_unchecked(folder)?.1.has_hashes() {
        let is_new = |found: &Difference| !different.contains(&(found.table, found.part));
        let report = |found| {
            if is_new(&found) {
                differs(found);
            }
        };
        // What cannot be read is reported already.
        verify_hashes(folder, &mut Silent(watch), report, |_| {})?;
    }
    Ok(games)
}

/// The games that an incomplete run has; empty for other runs.
fn unfinished_note(folder: &Path) -> String {
    match run::read_unchecked(folder) {
        Ok((config, manifest)) if !manifest.complete => {
            let range = config.range();
            // The number of games from logs is known only after the last.
            let found = match config.games() {
                None => print::many(manifest.games, "game"),
                Some(_) => {
                    let asked = print::many(range.end - range.start, "game");
                    format!("{} of {asked}", print::thousands(manifest.games))
                }
            };
            format!("{}: not complete: has {found}\n", folder.display())
        }
        _ => String::new(),
    }
}

/// Adds the games of earlier runs to the progress of one run.
struct After<'a> {
    progress: &'a mut Progress,
    games: u64,
}

impl Watch for After<'_> {
    fn progress(&mut self, done: u64) {
        self.progress.progress(self.games + done);
    }

    fn should_stop(&self) -> bool {
        self.progress.should_stop()
    }
}

/// Stops with another watch, and reports no progress.
struct Silent<'a, W>(&'a W);

impl<W: Watch> Watch for Silent<'_, W> {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

fn as_json(run: &str, found: &Difference) -> Value {
    let Difference { table, part, row, game, hand, step, column, expected, found } = found;
    json!({
        "run": run,
        "table": table.name(),
        "part": part,
        "row": row,
        "game": game,
        "hand": hand,
        "step": step,
        "column": column,
        "expected": expected,
        "found": found,
    })
}

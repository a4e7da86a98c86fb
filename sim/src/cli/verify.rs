//! `jantaku verify`.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use jantaku_sim::play::Watch;
use jantaku_sim::replay::verify::{Difference, verify};
use jantaku_sim::run;
use serde_json::{Value, json};

use super::progress::Progress;
use super::told::Told;
use super::{Ended, Output, print, say, say_json};

/// Play runs again from seeds, walls and actions, and compare every value that follows from them.
///
/// Names the row and column of each value that is not as it should be; of a game that goes another way than it went, the first row. A run
/// without decisions is played again by its agents, and of a run that is not complete what is there is verified. Exit status: 0 no difference, 1 differences, 2 a file that cannot be read.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The folders of runs.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    // What cannot be read is told when it is its turn.
    let stored =
        args.runs.iter().filter_map(|folder| run::read(folder).ok()).map(|(_, found)| found.games).sum();
    let mut progress = Progress::games(stored, !output.quiet).context("cannot watch for signals")?;
    let start = Instant::now();
    let [differences, errors] = [(); 2].map(|()| RefCell::new(Told::new(output, progress.bar())));
    let fail = |error: &dyn ToString| {
        let error = error.to_string();
        errors.borrow_mut().tell(&format!("{error}\n"), || json!({ "error": error }));
    };
    let (mut games, mut unfinished) = (0, String::new());
    for folder in &args.runs {
        if progress.should_stop() {
            break;
        }
        unfinished += &told_unfinished(folder);
        let name = folder.display().to_string();
        let differs = |found: Difference| {
            differences.borrow_mut().tell(&format!("{name}/{found}\n"), || as_json(&name, &found));
        };
        let verified =
            verify(folder, &mut After { progress: &mut progress, games }, differs, |error| fail(&error));
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
        let rate = print::thousands((games as f64 / seconds) as u64);
        let head = if interrupted {
            format!("interrupted after {} of {}\n", print::thousands(games), print::many(stored, "game"))
        } else {
            String::new()
        };
        let games = print::many(games, "game");
        let different = print::many(differences.count(), "difference");
        let unread = print::many(errors.count(), "error");
        say(&format!(
            "{head}{games} in {seconds:.1} s, {rate} games/s\n{different}, {unread}\n{unfinished}"
        ))?;
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

/// Says how much is there of a run that is not complete.
fn told_unfinished(folder: &Path) -> String {
    match run::read(folder) {
        Ok((config, manifest)) if !manifest.complete => {
            let range = config.range();
            // Of logs it is not known how many games there are until the last has come.
            let there = match config.games {
                None => print::many(manifest.games, "game"),
                Some(_) => {
                    let asked = print::many(range.end - range.start, "game");
                    format!("{} of {asked}", print::thousands(manifest.games))
                }
            };
            format!("{}: not complete: {there} are there\n", folder.display())
        }
        _ => String::new(),
    }
}

/// Progress over the games of one run after those of the runs before.
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

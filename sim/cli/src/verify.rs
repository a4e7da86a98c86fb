//! `jantaku verify`.

use std::path::PathBuf;

use jantaku_sim::play::ThreadOptions;
use jantaku_sim::replay::verify::{DifferenceInRun, Finding, UnfinishedRun, Verification, VerifyRequest};
use jantaku_sim::run::{ReplayRequest, WrongFile, WrongPart};

use super::arguments::start_threads;
use super::output::{Ended, Output, say};
use super::print;
use super::progress::Progress;

/// Replay runs from seeds, walls and actions, and compare every value that follows from them
///
/// Prints the row and column of each differing value; for a game that diverges, only the first
/// differing row. The agents of a run without decisions play it again. Verifies the complete parts
/// of an incomplete run. A file without a differing value is also compared with the size and hash
/// in the manifest. Exit status: 0 no difference, 1 differences, 2 some files cannot be read or are in
/// no manifest
#[derive(clap::Args)]
pub(super) struct Args {
    /// Verify the runs in these folders or under these URLs
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Compare only the files with the sizes and hashes in the manifest, at the speed of the disk
    #[arg(long, conflicts_with = "replay")]
    quick: bool,
    #[command(flatten)]
    again: Option<ReplayRequest>,
    #[command(flatten)]
    threads: ThreadOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(args.threads)?;
    if let Some(request) = &args.again {
        return replay(&args.runs, request, output);
    }
    let request = VerifyRequest { runs: &args.runs, quick: args.quick };
    let mut progress = Progress::games(request.games_stored(), !output.quiet)?;
    let (bar, mut printed) = (progress.bar(), Ok(()));
    let found = request.verify(&mut progress, |finding| {
        if !output.json && printed.is_ok() {
            printed = bar.suspend(|| say(&line(finding)));
        }
    });
    progress.finish();
    printed?;
    output.sum_up(&found, || text(&found, args.quick))?;
    Ok(Ended::of(found.interrupted, found.error_count, found.difference_count))
}

/// Plays parts again.
fn replay(runs: &[PathBuf], request: &ReplayRequest, output: Output) -> anyhow::Result<Ended> {
    let request = request.clone().seeded();
    let mut progress = Progress::games(request.games(runs), !output.quiet)?;
    let (bar, mut printed, stop) = (progress.bar(), Ok(()), progress.stop_flag());
    let replayed = request.replay(runs, &stop, &mut progress, |part| {
        if !output.json && printed.is_ok() {
            printed = bar.suspend(|| say(&wrong_part(part)));
        }
    });
    progress.finish();
    printed?;
    let replayed = replayed?;
    output.sum_up(&replayed, || {
        let (parts, games) = (print::many(replayed.parts, "part"), print::many(replayed.games, "game"));
        let wrong = print::many(replayed.wrong.len() as u64, "wrong part");
        let head = if replayed.complete { "" } else { "interrupted: " };
        let (seconds, seed) = (replayed.seconds, replayed.seed);
        format!("{head}{parts} with {games} played again in {seconds:.1} s, chosen by seed {seed}\n{wrong}\n")
    })?;
    Ok(Ended::of(!replayed.complete, 0, replayed.wrong.len() as u64))
}

/// The lines for a wrong part.
fn wrong_part(part: &WrongPart) -> String {
    let WrongPart { run, part, first_game, games, host, files, put_back } = part;
    let host = host.as_ref().map_or_else(String::new, |host| format!(", written by {host}"));
    let last = first_game + games - 1;
    let then = if *put_back { "; removed with all later parts, `--resume` plays them again" } else { "" };
    let mut text = format!(
        "{}: part {part}, games {first_game} to {last}{host}: its files differ from those that its agents play{then}\n",
        run.display()
    );
    for WrongFile { path, expected, found } in files {
        text += &format!("  {path}: expected the SHA-256 {expected}, found {found}\n");
    }
    text
}

/// A line for a finding.
fn line(finding: Finding<'_>) -> String {
    match finding {
        Finding::Difference(DifferenceInRun { run, difference }) => format!("{run}/{difference}\n"),
        Finding::Unreadable(unreadable) => format!("{}\n", unreadable.error),
    }
}

/// What is printed at the end.
fn text(found: &Verification, quick: bool) -> String {
    let Verification { games, games_stored, seconds, .. } = *found;
    let rate = if quick {
        print::bytes((found.bytes as f64 / seconds) as u64)
    } else {
        print::many((games as f64 / seconds) as u64, "game")
    };
    let head = if found.interrupted {
        let stored = print::many(games_stored, "game");
        format!("interrupted after {} of {stored}\n", print::thousands(games))
    } else {
        String::new()
    };
    let games = print::many(games, "game");
    let different = print::many(found.difference_count, "difference");
    let unread = print::many(found.error_count, "error");
    let unfinished: String = found.unfinished.iter().map(unfinished_note).collect();
    format!("{head}{games} in {seconds:.1} s, {rate}/s\n{different}, {unread}\n{unfinished}")
}

/// The games that an incomplete run has.
fn unfinished_note(run: &UnfinishedRun) -> String {
    let UnfinishedRun { run, games, asked } = run;
    let found = match asked {
        None => print::many(*games, "game"),
        Some(asked) => format!("{} of {}", print::thousands(*games), print::many(*asked, "game")),
    };
    format!("{}: not complete: has {found}\n", run.display())
}

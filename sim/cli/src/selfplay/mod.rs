//! `jantaku selfplay`.
//!
//! - `summary`: what it prints at the end

mod summary;

use jantaku_sim::play::{Detail, ThreadOptions};
use jantaku_sim::run::{Run, SelfplayRequest};
use summary::Summary;

use super::arguments::start_threads;
use super::output::{Ended, Output, note};
use super::players::note_games_played_again;
use super::print;
use super::progress::Progress;

/// Runs that write at least this many bytes are announced.
const LARGE: u64 = 100_000_000;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    request: SelfplayRequest,
    #[command(flatten)]
    threads: ThreadOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(args.threads)?;
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet)?;
    let mut request = args.request.clone();
    if request.out.is_none() {
        // Without `--out`, this is an error unless the user chose `--log none`, which writes nothing.
        request.log.get_or_insert(Detail::Decisions);
    }
    let mut games = request.resolve()?;
    if let Some(out) = request.out.as_ref().filter(|_| games.begins_anew() && !output.quiet) {
        note(&format!("no run in {}: a new one begins", out.display()));
    }
    if let Some(run) = games.run().filter(|run| run.manifest().games > 0) {
        warn_of_modified_sources(run);
    }
    note_games_played_again(games.run(), output);
    let mut players = games.start(&request.start, &progress.stop_flag())?;
    if let Some(run) = games.run().filter(|_| !output.quiet) {
        announce_size(run);
    }
    let range = games.games();
    progress.set_length(range.end - range.start);
    let played = games.play(&mut players, &mut progress);
    progress.finish();
    let (played, faults) = (played?, players.faults());
    let summary = games.summary(&played, &faults);
    output.sum_up(&summary, || {
        let written = games.run().map(|run| (run.folder(), run.manifest()));
        let shown = Summary { config: games.config(), played: &played, written, faults: &summary.faults };
        shown.report().to_text(print::width())
    })?;
    Ok(if played.is_interrupted() { Ended::Interrupted } else { Ended::Done })
}

/// Warns that this program may not play the same games as the one that began the run.
fn warn_of_modified_sources(run: &Run) {
    if run.config().has_modified_sources() && !run.manifest().complete {
        let commit = &run.config().commit;
        note(&format!(
            "warning: the commit {commit} has modified sources; the games continue the run only if this is \
            the program that began it"
        ));
    }
}

/// Announces a large run.
fn announce_size(run: &Run) {
    let bytes = run.estimated_bytes();
    if bytes >= LARGE {
        let (bytes, folder) = (print::bytes(bytes), run.folder().display());
        note(&format!("about {bytes} will be written to {folder}, estimated from games of greedy"));
    }
}

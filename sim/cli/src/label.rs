//! `jantaku label`.

use jantaku_sim::play::ThreadOptions;
use jantaku_sim::replay::label::{LabelRequest, Labelled};

use super::arguments::start_threads;
use super::output::{Ended, Output};
use super::print;
use super::progress::Progress;

/// Label the decisions of a run by rollouts, for training
///
/// Replays the games of a complete run and writes them to a new one, with the table `labels` as of
/// `selfplay --labels`. `jantaku convert --to run` makes a run of recorded games
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    request: LabelRequest,
    #[command(flatten)]
    threads: ThreadOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(args.threads)?;
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet)?;
    let mut labelling = args.request.resolve()?;
    let games = labelling.games();
    progress.set_length(games.end - games.start);
    let labelled = labelling.label(&mut progress);
    progress.finish();
    let labelled = labelled?;
    output.sum_up(&labelled, || text(&labelled))?;
    Ok(if labelled.complete { Ended::Done } else { Ended::Interrupted })
}

/// What is printed at the end.
fn text(labelled: &Labelled) -> String {
    let Labelled { out, games, rows, complete, seconds, .. } = labelled;
    let head = if *complete { "" } else { "interrupted; the complete parts are kept\n" };
    let (games, labels) = (print::many(*games, "game"), print::many(rows.labels, "label"));
    format!("{head}{}: {games}, {labels} in {seconds:.1} s\n", out.display())
}

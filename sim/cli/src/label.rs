//! `jantaku label`.

use std::path::PathBuf;

use anyhow::Context as _;
use jantaku_agents::labels::LabelOptions;
use jantaku_sim::replay::label::{LabelError, LabelRequest, Labelled};
use jantaku_sim::run::{Shard, StartError};

use super::arguments::{field_in_words, number, start_threads};
use super::output::{Ended, Output, say, say_json};
use super::print;
use super::progress::Progress;

/// Label the decisions of a run by rollouts, for training
///
/// Replays the games of a complete run and writes them to a new one, with the table `labels` as of
/// `selfplay --labels`. `jantaku convert --to run` makes a run of recorded games
#[derive(clap::Args)]
pub(super) struct Args {
    /// Label the games of this run, which stays as it is
    run: PathBuf,
    /// Write the labelled run to this new or empty folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Change the defaults by options such as `deals=8,discard=0.1`; sim/docs/labels.md has all
    #[arg(long, value_name = "OPTIONS")]
    labels: Option<LabelOptions>,
    /// Label one share of the games, such as 2/4 for the second of four; `jantaku merge` joins the
    /// shares
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Resume the labelled run in the folder; the result has the same bytes as without a stop
    #[arg(long)]
    resume: bool,
    /// Use this many threads, at most 1024 [default: all threads of the machine]
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=1024), allow_negative_numbers = true)]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(args.threads)?;
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet).context("cannot watch for signals")?;
    let request = LabelRequest {
        run: args.run.clone(),
        labels: args.labels.clone(),
        shard: args.shard,
        out: args.out.clone(),
        resume: args.resume,
    };
    let mut labelling = request.resolve().map_err(in_words)?;
    let games = labelling.games();
    progress.set_length(games.end - games.start);
    let labelled = labelling.label(&mut progress);
    progress.finish();
    let labelled = labelled?;
    if output.json {
        say_json(&labelled)?;
    } else if !output.quiet {
        say(&text(&labelled))?;
    }
    Ok(if labelled.complete { Ended::Done } else { Ended::Interrupted })
}

/// The error with options instead of fields.
fn in_words(error: LabelError) -> anyhow::Error {
    match error {
        LabelError::Config(error) | LabelError::Start(StartError::Config(error)) => field_in_words(error),
        other => other.into(),
    }
}

/// What is printed at the end.
fn text(labelled: &Labelled) -> String {
    let Labelled { out, games, rows, complete, seconds, .. } = labelled;
    let head = if *complete { "" } else { "interrupted; the complete parts are kept\n" };
    let (games, labels) = (print::many(*games, "game"), print::many(rows.labels, "label"));
    format!("{head}{}: {games}, {labels} in {seconds:.1} s\n", out.display())
}

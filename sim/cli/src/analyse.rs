//! `jantaku analyse`.

use jantaku_measure::reports::page::ReviewDetail;
use jantaku_measure::review::ReviewRequest;
use jantaku_sim::logs::files::shown;
use jantaku_sim::play::ThreadOptions;
use jantaku_sim::run::RulesChoice;

use super::arguments::{rules_of_game, split_game, start_threads};
use super::html::{HtmlOption, check_new_file, game_page};
use super::output::{Ended, Output, note};
use super::print;
use super::progress::Progress;

/// The end of `--help`.
const MORE: &str = "\
Numbers count from 0: GAME in the run or log, N of the hand in the game.

A search finds the actions that may be better. These are tried against the
action played, in fresh determinizations, until the loss is certain to be above
or below the mistake threshold. Where that needs more rollouts than are
left, the decision stays undecided. All losses come from these trials, so
another seed marks nearly the same mistakes. `perhaps` shows a better action
whose loss is smaller, or not certain. The total counts the losses of all
decisions, also small and undecided ones. A loss below 0 says that the action
that was tried is worse than the one played.

`--html review.html` also writes `review-game.html`: the game as a page of
`view` with these findings. Each decision links to its place there.

Points are those of the result of the game, uma included. Intervals have 95 %
confidence. More `--rollouts` find smaller mistakes and narrow the intervals.

Examples:
  $ jantaku analyse runs/first:3 --seat 0
  $ jantaku analyse game.mjlog --seat 2 --only mistakes
  $ jantaku analyse game.mjlog --seat 2 --hand E3 --threshold 500 --verbose
  $ jantaku analyse game.json --seat 1 --json";

/// Review the decisions of one player by search
///
/// Lists each decision, and explains the mistakes: what was better, what it costs and why. Sums up
/// agreement and losses by kind of decision
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// Review this game of a run or log (- is stdin)
    #[arg(value_name = "RUN:GAME|LOG|LOG:GAME")]
    place: String,
    #[command(flatten)]
    request: ReviewRequest,
    /// List only these decisions
    #[arg(long, value_name = "WHICH")]
    only: Option<Only>,
    /// Add the figures of searches and trials to each decision
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    html: HtmlOption,
}

/// The decisions to list.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    /// Mistakes, and disputed and undecided decisions
    Mistakes,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    args.html.check()?;
    args.html.html.as_deref().map_or(Ok(()), |page| check_new_file(&game_page(page)))?;
    start_threads(args.threads)?;
    let (source, game) = split_game(&args.place)?;
    let request = ReviewRequest { source, game, ..args.request.clone() };
    let rules = request.rules.as_ref().and_then(RulesChoice::text);
    rules_of_game((&request.source, game), rules, ":1", output)?;
    let mut progress = Progress::searches(!output.quiet)?;
    let review = request.review(&mut progress)?;
    progress.finish();
    let path = shown(&request.source);
    for difference in &review.differences {
        note(&format!("warning: {path}: {difference}"));
    }
    if !review.differences.is_empty() {
        note(&format!("warning: {path}: the rest of a hand that differs from the rules is not reviewed"));
    }
    args.html.write_review(&review, &request)?;
    let detail = ReviewDetail { all: args.only.is_none(), verbose: args.verbose };
    output.print(&review, || review.report_with(detail, None).to_text(print::width()))?;
    Ok(if review.complete { Ended::Done } else { Ended::Interrupted })
}

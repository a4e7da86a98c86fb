//! `jantaku analyse`.

use anyhow::Context as _;
use jantaku_agents::Catalog;
use jantaku_measure::reports::page::ReviewDetail;
use jantaku_measure::review::{ReviewRequest, SeatChoice, Threshold};
use jantaku_show::HandChoice;
use jantaku_sim::logs::files::shown;
use jantaku_sim::options::number;
use jantaku_sim::play::ThreadOptions;

use super::arguments::{rules_of_game, split_game, start_threads};
use super::html::{HtmlOption, check_new_file, game_page};
use super::output::{Ended, Output, note};
use super::print;

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
    /// Review this player: a seat (0 is the first dealer), its wind in the first hand (E), or a name
    #[arg(long, value_name = "SEAT|WIND|NAME", allow_negative_numbers = true)]
    seat: SeatChoice,
    /// Review only this hand: a number from 0, or the first hand with a name such as E3 or E3-1
    #[arg(long, value_name = "N|HAND", allow_negative_numbers = true)]
    hand: Option<HandChoice>,
    /// Search with this agent: `mc` with any options, or another one, such as `residual`, as the prior of
    /// the usual search
    #[arg(long, value_name = "AGENT", default_value = ReviewRequest::AGENT)]
    agent: String,
    /// Call a loss of more than this many points a mistake [default: 2000, unless `--threshold-places` is
    /// given]
    #[arg(long, value_name = "POINTS", value_parser = number::<u32>(0..=1_000_000), allow_negative_numbers = true)]
    threshold: Option<u32>,
    /// Call a loss of more than this part of a place a mistake, such as 0.05
    #[arg(long, value_name = "PLACES", value_parser = places, allow_negative_numbers = true)]
    threshold_places: Option<f32>,
    /// Spend at most this many rollouts on confirming losses, after the searches
    #[arg(long, value_name = "N", default_value_t = ReviewRequest::ROLLOUTS, value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    rollouts: u64,
    /// List only these decisions
    #[arg(long, value_name = "WHICH")]
    only: Option<Only>,
    /// Add the figures of searches and trials to each decision
    #[arg(long)]
    verbose: bool,
    /// Choose the random numbers of the search
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Read a log under these rules, whatever it states: a preset or a file. Runs have their own
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    #[command(flatten)]
    html: HtmlOption,
}

/// The decisions to list.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    /// Mistakes, and decisions that stayed undecided
    Mistakes,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    args.html.check()?;
    args.html.html.as_deref().map_or(Ok(()), |page| check_new_file(&game_page(page)))?;
    start_threads(args.threads)?;
    let agent = Catalog::standard().agent(&args.agent).with_context(|| format!("--agent {}", args.agent))?;
    let place = split_game(&args.place)?;
    let rules = rules_of_game(&place, args.rules.as_deref(), ":1", output)?;
    let (path, game) = place;
    let (seat, hand, seed) = (args.seat.clone(), args.hand, args.seed);
    let threshold = Threshold::new(args.threshold.map(|points| points as f32), args.threshold_places);
    let rollouts = args.rollouts;
    let request = ReviewRequest { path, game, seat, hand, agent, threshold, rollouts, seed, rules };
    let review = request.review(&mut ())?;
    if let Some(difference) = &review.difference {
        let path = shown(&request.path);
        note(&format!("warning: {path}: the review ends where the log and the rules differ: {difference}"));
    }
    args.html.write_review(&review, &request)?;
    let detail = ReviewDetail { all: args.only.is_none(), verbose: args.verbose };
    output.print(&review, || review.report_with(detail, None).to_text(print::width()))?;
    Ok(Ended::Done)
}

/// Parses a threshold in places.
fn places(text: &str) -> Result<f32, String> {
    let places = text.parse().ok().filter(|places| (0.0..=3.0).contains(places));
    places.ok_or_else(|| "expected a number of places from 0 to 3".to_owned())
}

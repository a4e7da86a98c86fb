//! `jantaku analyse`.
//!
//! - `report`: the review as text

mod report;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use jantaku_agents::Catalog;
use jantaku_sim::review::{ReviewError, ReviewRequest};

use super::arguments::{load_rules, number};
use super::output::{Ended, Output, say, say_json};

/// The end of `--help`.
const MORE: &str = "\
Numbers count from 0: GAME in the run or log, N of the hand in the game.

Values are points of the result of the game, uma included. After each alternative
comes how much better it is believed to be than the action played, and in
brackets the difference in the rollouts ± its standard error. The belief shrinks
that difference towards what the agent that proposes the alternatives thinks.

`perhaps` marks where the search would take an alternative: it is believed to be
better, and the rollouts differ by more than `errors` standard errors, by
default 1. `mistake` marks where they also differ by more than 2. Another seed
marks other close decisions. The points lost add up both: relative to its size,
their sum is more certain than each. More rollouts also find losses that are
smaller.

Examples:
  $ jantaku analyse runs/first:3 --seat 0
  $ jantaku analyse game.mjlog --seat 2 --hand 4 --agent mc:rollouts=4096
  $ jantaku analyse game.json --seat 1 --json";

/// Review the decisions of one player by search
///
/// Lists each decision with the values of the alternatives and what the player lost by their own
/// choice, and sums up by kind of decision
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// Review this game of a run or log
    #[arg(value_name = "RUN:GAME|LOG|LOG:GAME")]
    place: String,
    /// Review the player in this seat: 0 is the first dealer
    #[arg(long, value_name = "SEAT", value_parser = number::<u8>(0..=3), allow_negative_numbers = true)]
    seat: u8,
    /// Review only this hand
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::from(u16::MAX)), allow_negative_numbers = true)]
    hand: Option<usize>,
    /// Search with this agent, `mc` with any options
    #[arg(long, value_name = "AGENT", default_value = "mc:rollouts=1024")]
    agent: String,
    /// Choose the random numbers of the search
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = number::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Set the rules of a log that states none, or none that fit: a preset or a file
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let agent = Catalog::standard().agent(&args.agent).with_context(|| format!("--agent {}", args.agent))?;
    let (path, game) = split(&args.place)?;
    let rules = args.rules.as_deref().filter(|_| !path.is_dir()).map(load_rules).transpose()?;
    let (seat, hand, seed) = (args.seat, args.hand, args.seed);
    let request = ReviewRequest { path, game, seat, hand, agent, seed, rules };
    let review = request.review(&mut ()).map_err(|error| in_words_of_options(args, error))?;
    if let Some(difference) = &review.difference {
        let path = request.path.display();
        eprintln!("warning: {path}: the review ends where the log and the rules differ: {difference}");
    }
    if output.json {
        say_json(&review)?;
    } else {
        say(&report::text(&review))?;
    }
    Ok(Ended::Done)
}

/// The error with options instead of fields.
fn in_words_of_options(args: &Args, error: ReviewError) -> anyhow::Error {
    match error {
        ReviewError::NoSearch { .. } => {
            anyhow!("--agent {}: expected `mc`, which compares actions by search", args.agent)
        }
        ReviewError::NoGame { run } => {
            let run = run.display();
            anyhow!("{run}: name a game of the run, as in {run}:0")
        }
        ReviewError::NoSeat { found, last } => anyhow!("--seat {found}: the game has seats 0 to {last}"),
        other => other.into(),
    }
}

/// The path and the game after it.
fn split(text: &str) -> anyhow::Result<(PathBuf, Option<u64>)> {
    if Path::new(text).exists() {
        return Ok((text.into(), None));
    }
    let found =
        text.rsplit_once(':').and_then(|(path, game)| Some((PathBuf::from(path), game.parse().ok()?)));
    match found.filter(|(path, _)| path.exists()) {
        Some((path, game)) => Ok((path, Some(game))),
        None => bail!("{text}: no such file; expected RUN:GAME, LOG or LOG:GAME"),
    }
}

//! `jantaku analyse`.
//!
//! - `review`: reviews the decisions of a seat
//! - `report`: the review as text and JSON

mod report;
mod review;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use jantaku_agents::{Catalog, MonteCarlo};
use jantaku_engine::{Rules, Seat};
use jantaku_sim::replay::inputs::Inputs;

use super::arguments::{load_rules, number};
use super::output::{Ended, Output, say, say_json};
use super::show::open_game;
use review::Reviewer;

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
    let Some(search) = agent.downcast::<MonteCarlo>() else {
        bail!("--agent {}: expected `mc`, which compares actions by search", args.agent);
    };
    let (path, game) = split(&args.place)?;
    let show = path.display();
    let (name, review) = if path.is_dir() {
        let game = game.with_context(|| format!("{show}: name a game of the run, as in {show}:0"))?;
        let stored = open_game(&path, game)?.stored;
        let mut reviewer = reviewer(search, args, &stored.rules)?;
        stored.replay(&mut reviewer).map_err(|what| anyhow::anyhow!("{show}: game {game}: {what}"))?;
        let player = stored.agents.get(usize::from(args.seat)).cloned();
        (player.unwrap_or_default(), reviewer.finish())
    } else {
        let assumed = args.rules.as_deref().map(load_rules).transpose()?;
        let game = game.unwrap_or(0);
        let mut inputs = Inputs::open(std::slice::from_ref(&path))?;
        let input = inputs.nth(game as usize).with_context(|| format!("{show}: no game {game}"))?;
        let recorded = input.and_then(|input| input.read(assumed.as_ref()))?;
        let mut reviewer = reviewer(search, args, &recorded.rules)?;
        let report = recorded.replay(&mut reviewer);
        if let Some(difference) = report.differences.first() {
            eprintln!("warning: {show}: the review ends where the log and the rules differ: {difference}");
        }
        let player = recorded.names.get(usize::from(args.seat)).cloned();
        (player.unwrap_or_default(), reviewer.finish())
    };
    if let Some(hand) = args.hand.filter(|hand| *hand >= review.hands) {
        bail!("{show}: no hand {hand}; the game has hands 0 to {}", review.hands.saturating_sub(1));
    }
    if output.json {
        say_json(&report::as_json(&review, args.seat, &name, agent.name()))?;
    } else {
        say(&report::text(&review, args.seat, &name, agent.name()))?;
    }
    Ok(Ended::Done)
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

fn reviewer<'a>(search: &'a MonteCarlo, args: &Args, rules: &Rules) -> anyhow::Result<Reviewer<'a>> {
    let seats = rules.players.count();
    let seat = Seat::new(args.seat).filter(|_| args.seat < seats);
    let seat =
        seat.with_context(|| format!("--seat {}: the game has seats 0 to {}", args.seat, seats - 1))?;
    Ok(Reviewer::new(search, seat, args.hand, args.seed))
}

//! `jantaku sweep`.

use anyhow::bail;
use jantaku_measure::reports::{SweepReport, SweepRequest};
use jantaku_measure::stats::difference_table;
use jantaku_sim::play::ThreadOptions;

use super::arguments::start_threads;
use super::figures::FigureOptions;
use super::output::{Ended, Output};
use super::precision::{self, PlanOption};
use super::print::AgentNames;
use super::progress::Progress;
use super::stats;

/// Compare variants of the rules on the same walls
///
/// Each figure of each variant has a 95 % interval, and so has its difference from the first
/// variant. The difference is taken game by game, so the luck that both variants share cancels.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    request: SweepRequest,
    #[command(flatten)]
    plan: PlanOption,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    figures: FigureOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let request = &args.request;
    if !stats::plays_games(&request.play) {
        bail!("give --games N, the number of games to play under each variant, or --precision");
    }
    let divisions = args.figures.divisions()?;
    args.figures.check()?;
    start_threads(args.threads)?;
    if args.plan.plan {
        return plan(request, output);
    }
    let mut swept = SweepReport::play(&request.resolve()?, &mut Progress::games(0, !output.quiet)?)?;
    let rules: Vec<String> = swept.variants.iter().map(|variant| variant.rules_toml.clone()).collect();
    args.figures.keep(&mut swept.figures, &rules);
    args.figures.write(&swept, &swept.figures, &difference_table(&swept.figures), &divisions, output)?;
    Ok(if swept.complete { Ended::Done } else { Ended::Interrupted })
}

/// Prints how many games the precision needs.
fn plan(request: &SweepRequest, output: Output) -> anyhow::Result<Ended> {
    let sweep = request.resolve()?;
    let mut progress = Progress::games(0, !output.quiet)?;
    let plan = sweep.plan(request.play.games, &mut progress);
    progress.finish();
    let agents: Vec<String> = sweep.policies.agents().iter().map(ToString::to_string).collect();
    precision::print_plan(plan, request.play.games, &AgentNames::of(&agents), output)
}

//! `jantaku match`.
//!
//! - `shard`: plays a share of a match

mod shard;

use std::sync::Arc;

use jantaku_measure::arena::{
    MatchRequest, MatchResult, PILOT_SETS, SetsPlan, SetsPlanError, SetsPlanRequest,
};
use jantaku_measure::stats::{Section, figure_table};
use jantaku_sim::play::{By, ThreadOptions};

use super::arguments::start_threads;
use super::figures::{FILES, FigureOptions};
use super::output::{Ended, Output, note};
use super::players::note_games_played_again;
use super::print;
use super::progress::Progress;

/// Find out which agent is stronger, with error bars
///
/// All games of a set are on the same walls, and the agents change seats. Intervals and tests are
/// over sets. sim/docs/matches.md has the formulas.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    request: MatchRequest,
    /// Say how many sets show this placement difference in 80 of 100 matches; plays 400 sets to find
    /// out, unless the variance of a set's mean placement is given
    #[arg(
        long, value_name = "difference=D[,variance=V]", value_parser = difference_to_plan, conflicts_with_all = FILES
    )]
    plan: Option<(f64, Option<f64>)>,
    #[command(flatten)]
    figures: FigureOptions,
    #[command(flatten)]
    threads: ThreadOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    args.figures.check()?;
    let sections = if args.figures.are_chosen() { args.figures.sections()? } else { vec![Section::Players] };
    let divisions = args.figures.divisions()?;
    start_threads(args.threads)?;
    let request = &args.request;
    if let Some((difference, variance)) = args.plan {
        return plan(request, (difference, variance), output);
    }
    if request.shard.is_some() {
        return shard::run(request, output);
    }
    // Signals are caught before the first file is written.
    let mut progress = Progress::sets(0, !output.quiet)?;
    let mut game = request.resolve()?;
    note_games_played_again(game.run(), output);
    let mut players = game.start(request.start.verbose, &progress.stop_flag())?;
    game.plan().sets.map_or_else(|| progress.set_open(), |sets| progress.set_length(sets));
    let result = game.play(&mut players, &mut progress);
    progress.finish();
    let mut result = result?;
    result.keep_figures(&sections, if args.figures.are_chosen() { &divisions } else { &[By::Agent] });
    args.figures.keep(&mut result.figures, std::slice::from_ref(&result.rules_toml));
    if let Some(folder) = &request.out {
        result.write(folder)?;
    }
    note_sets_not_kept(&result, game.config().games_per_part, output);
    args.figures.write(&result, &result.figures, &figure_table(&result.figures), &divisions, output)?;
    Ok(if result.complete { Ended::Done } else { Ended::Interrupted })
}

/// Says how many sets an interruption cost.
fn note_sets_not_kept(result: &MatchResult, games_per_part: u64, output: Output) {
    if result.sets_not_kept > 0 && !output.quiet {
        note(&format!(
            "note: {} more were played but are not kept: a run keeps whole parts of {}",
            print::many(result.sets_not_kept, "set"),
            print::many(games_per_part, "game")
        ));
    }
}

/// Prints how many sets show a placement difference.
fn plan(
    game: &MatchRequest,
    (placement_difference, variance): (f64, Option<f64>),
    output: Output,
) -> anyhow::Result<Ended> {
    let verbose = game.start.verbose;
    let request = SetsPlanRequest { game: game.clone(), placement_difference, variance };
    let plan = if variance.is_some() {
        request.plan(verbose, &Arc::default(), &mut ())
    } else {
        let mut progress = Progress::sets(PILOT_SETS, !output.quiet)?;
        let plan = request.plan(verbose, &progress.stop_flag(), &mut progress);
        progress.finish();
        plan
    };
    let plan = match plan {
        Ok(plan) => plan,
        Err(interrupted @ SetsPlanError::Interrupted { .. }) => {
            note(&interrupted.to_string());
            return Ok(Ended::Interrupted);
        }
        Err(error) => return Err(error.into()),
    };
    output.print(&plan, || plan_text(&plan))?;
    Ok(Ended::Done)
}

fn plan_text(plan: &SetsPlan) -> String {
    let SetsPlan { placement_difference, variance, sets, games, seconds, .. } = *plan;
    let time = seconds.map_or_else(String::new, |seconds| format!(", {}", print::duration(seconds)));
    let text = format!(
        "a placement difference of {placement_difference} shows in 80 of 100 matches of {} ({}{time})\n\
         standard deviation of a set's mean placement: {}\n",
        print::many(sets, "set"),
        print::many(games, "game"),
        print::decimal(variance.sqrt(), 3),
    );
    print::wrapped(&text, 2)
}

/// Parses `difference=0.03` or `difference=0.03,variance=0.25`.
fn difference_to_plan(text: &str) -> Result<(f64, Option<f64>), String> {
    let expected = || {
        "expected difference=D or difference=D,variance=V with positive numbers, such as difference=0.03"
            .to_owned()
    };
    let (mut difference, mut variance) = (None, None);
    for part in text.split(',') {
        let (name, value) = part.split_once('=').ok_or_else(expected)?;
        let value = real(value).filter(|value| *value > 0.0).ok_or_else(expected)?;
        let number = match name.trim() {
            "difference" => &mut difference,
            "variance" => &mut variance,
            _ => return Err(expected()),
        };
        if number.replace(value).is_some() {
            return Err(format!("{} is given twice", name.trim()));
        }
    }
    Ok((difference.ok_or_else(expected)?, variance))
}

/// A finite number.
fn real(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

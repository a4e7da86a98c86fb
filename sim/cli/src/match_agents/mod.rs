//! `jantaku match`.
//!
//! - `shard`: plays a share of a match

mod shard;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use jantaku_sim::arena::{
    MAX_SETS, MatchError, MatchRequest, MatchResult, PILOT_SETS, PrepareError, SetsPlan, SetsPlanError,
    SetsPlanRequest, Sprt,
};
use jantaku_sim::play::{By, Detail, Seatings};
use jantaku_sim::run::{RequestError, Shard, StartError};
use jantaku_sim::stats::{Section, figure_table};

use super::arguments::{agents, field_in_words, in_words_of_options, named_rules, number, start_threads};
use super::figures::{FILES, FigureOptions};
use super::output::{Ended, Output, note, say, say_json};
use super::players::{StartOptions, note_games_played_again};
use super::print;
use super::progress::Progress;

/// Find out which agent is stronger, with error bars
///
/// All games of a set are on the same walls, and the agents change seats. Intervals and tests are
/// over sets. sim/docs/matches.md has the formulas.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Play this agent against the baseline; see `jantaku agents`
    #[arg(long, value_name = "AGENT", requires = "baseline", conflicts_with = "agents")]
    challenger: Option<String>,
    /// Play the challenger against this agent
    #[arg(long, value_name = "AGENT", requires = "challenger")]
    baseline: Option<String>,
    /// Play these agents at one table, an agent for each seat
    #[arg(long, value_name = "A,B,C,D")]
    agents: Option<String>,
    /// Choose who sits where in the games of a set: 1-v-rest, the challenger in each seat in turn;
    /// 2-v-2, both agents in two seats, all six ways; all-orders, all orders of --agents around the
    /// table; rotations, each of --agents in each seat [default: 1-v-rest, or all-orders]
    #[arg(long, value_name = "SEATINGS", value_parser = ["1-v-rest", "2-v-2", "all-orders", "rotations"])]
    seatings: Option<String>,
    /// Play this many sets, or at most as many with --sprt
    #[arg(
        long, value_name = "N", value_parser = number::<u64>(1..=MAX_SETS), allow_negative_numbers = true,
        required_unless_present_any = ["sprt", "plan", "resume"]
    )]
    sets: Option<u64>,
    /// Stop as soon as it is clear whether the challenger places better by the second number or
    /// only the first, such as 0,0.05
    #[arg(long, value_name = "D0,D1", value_parser = two_differences, allow_hyphen_values = true, conflicts_with = "agents")]
    sprt: Option<(f64, f64)>,
    /// Set the chance of each wrong decision of --sprt
    #[arg(long, value_name = "ALPHA[,BETA]", value_parser = two_risks, default_value = "0.05", requires = "sprt")]
    risk: (f64, f64),
    /// Say how many sets show this placement difference in 80 of 100 matches; plays 400 sets to find
    /// out, unless the variance of a set's mean placement is given
    #[arg(
        long, value_name = "difference=D[,variance=V]", value_parser = difference_to_plan,
        conflicts_with_all = ["sets", "sprt", "out", "agents", "variance_reduction"].into_iter().chain(FILES)
    )]
    plan: Option<(f64, Option<f64>)>,
    /// Choose the rules, a preset or a TOML file; `jantaku rules list` lists the presets
    /// [default: tenhou]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// Let all seats keep their own draws when a call changes the order of turns, so that the games of
    /// a set have more luck in common
    #[arg(long)]
    keep_draws: bool,
    /// Set the seed of the walls and of random choices [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=i64::MAX as u64), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Play on this many threads, at most 1024 [default: all threads of the machine]
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=1024), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Keep the games as a run in this new or empty folder, with the result in result.json
    #[arg(long, value_name = "DIR", required_if_eq("resume", "true"))]
    out: Option<PathBuf>,
    /// Also report variance-reduced results (AIVAT): without the luck of the tiles, so with narrower
    /// intervals
    #[arg(long)]
    variance_reduction: bool,
    /// Choose the tables of the run: hands, also decisions, or also oracle [default: hands, or
    /// decisions with --variance-reduction]
    #[arg(long, value_name = "LEVEL", value_parser = ["hands", "decisions", "oracle"], requires = "out")]
    log: Option<String>,
    /// Play one share of the games, such as 2/4 for the second of four, and count nothing;
    /// `jantaku merge` joins the shares to a match, which `--resume` then counts
    #[arg(
        long, value_name = "I/N", requires = "out",
        conflicts_with_all = ["sprt", "plan", "only", "by"].into_iter().chain(FILES)
    )]
    shard: Option<Shard>,
    /// Resume the match in the folder with its own options; a larger --sets extends it. With
    /// --shard, repeat all options: the share is resumed, or begun if there is none
    #[arg(long, conflicts_with_all = ["sprt", "plan"])]
    resume: bool,
    #[command(flatten)]
    figures: FigureOptions,
    #[command(flatten)]
    start: StartOptions,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    args.figures.check()?;
    let sections = if args.figures.are_chosen() { args.figures.sections()? } else { vec![Section::Players] };
    let divisions = args.figures.divisions()?;
    start_threads(args.threads)?;
    if args.shard.is_some() {
        return shard::run(args, output);
    }
    if let Some((difference, variance)) = args.plan {
        return plan(args, (difference, variance), output);
    }
    // Signals are caught before the first file is written.
    let mut progress = Progress::sets(0, !output.quiet)?;
    let mut game = request(args)?.resolve().map_err(|error| in_words(args, error))?;
    if let Some(run) = game.run()
        && !output.quiet
    {
        note_games_played_again(run);
    }
    let mut players = game.start(args.start.verbose, &progress.stop_flag())?;
    game.plan().sets.map_or_else(|| progress.set_open(), |sets| progress.set_length(sets));
    let result = game.play(&mut players, &mut progress);
    progress.finish();
    let mut result = result.map_err(match_in_words)?;
    result.keep_figures(&sections, if args.figures.are_chosen() { &divisions } else { &[By::Agent] });
    args.figures.keep(&mut result.figures);
    if let Some(folder) = &args.out {
        result.write(folder)?;
    }
    note_sets_not_kept(&result, game.config().games_per_part, output);
    let table = figure_table(&result.figures.iter().collect::<Vec<_>>());
    args.figures.write(&result, &result.figures, &table, &divisions, output)?;
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
    args: &Args,
    (placement_difference, variance): (f64, Option<f64>),
    output: Output,
) -> anyhow::Result<Ended> {
    let request = SetsPlanRequest { game: request(args)?, placement_difference, variance };
    let verbose = args.start.verbose;
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
        Err(error) => return Err(plan_in_words(error)),
    };
    if output.json {
        say_json(&plan)?;
    } else {
        say(&plan_text(&plan))?;
    }
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

/// The error of a match with options instead of fields.
fn match_in_words(error: MatchError) -> anyhow::Error {
    match error {
        MatchError::Undecidable(error) => anyhow!("--sprt: {error}"),
        other => other.into(),
    }
}

/// The error of a plan with options instead of fields.
fn plan_in_words(error: SetsPlanError) -> anyhow::Error {
    match error {
        SetsPlanError::Request(error) => in_words_of_options(error),
        SetsPlanError::NoVariance => anyhow!("--plan: {error}"),
        SetsPlanError::TooMany { .. } => anyhow!("--plan {error}"),
        other => other.into(),
    }
}

/// Checks that the match to resume is not given other options.
fn check_resumed(args: &Args) -> anyhow::Result<()> {
    let own = [
        ("--challenger", args.challenger.is_some()),
        ("--agents", args.agents.is_some()),
        ("--seatings", args.seatings.is_some()),
        ("--rules", args.rules.is_some()),
        ("--keep-draws", args.keep_draws),
        ("--seed", args.seed.is_some()),
        ("--log", args.log.is_some()),
        ("--variance-reduction", args.variance_reduction),
    ];
    match own.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) if args.resume && args.shard.is_none() => {
            bail!("{option}: the match to resume has its own; leave out the option")
        }
        _ => Ok(()),
    }
}

/// What the command line asks for.
fn request(args: &Args) -> anyhow::Result<MatchRequest> {
    check_resumed(args)?;
    let is_given = args.challenger.is_some() || args.agents.is_some();
    if !is_given && args.shard.is_some() {
        bail!(
            "--shard: expected --challenger and --baseline, or --agents, also with --resume: repeat all options"
        );
    }
    if !is_given && !args.resume {
        bail!("expected --challenger and --baseline, or --agents, or --resume with --out");
    }
    let seatings = |name: &str| Seatings::ALL.into_iter().find(|seatings| seatings.name() == name);
    Ok(MatchRequest {
        challenger: args.challenger.as_deref().map(agents),
        baseline: args.baseline.as_deref().map(agents),
        agents: args.agents.as_deref().map(agents),
        seatings: args.seatings.as_deref().and_then(seatings),
        sets: args.sets,
        sprt: args.sprt.map(|(low, high)| Sprt { low, high, alpha: args.risk.0, beta: args.risk.1 }),
        variance_reduction: args.variance_reduction,
        rules: args.rules.as_deref().map(named_rules).transpose()?,
        keep_draws: args.keep_draws,
        seed: args.seed,
        log: args.log.as_deref().and_then(Detail::named),
        shard: args.shard,
        out: args.out.clone(),
        resume: args.resume,
        tables: args.start.tables,
        on_fault: args.start.on_fault,
    })
}

/// The error with options instead of fields.
fn in_words(args: &Args, error: PrepareError) -> anyhow::Error {
    match error {
        PrepareError::Request(RequestError::Field(error))
        | PrepareError::Start(StartError::Config(error))
            if error.field == "agents" && args.agents.is_none() =>
        {
            anyhow!("--challenger, --baseline: {}", error.what)
        }
        // A match has no option for the size of its parts.
        PrepareError::Request(RequestError::Field(error)) => field_in_words(error),
        PrepareError::Request(error) => in_words_of_options(error),
        PrepareError::Start(StartError::Config(error)) => field_in_words(error),
        PrepareError::FewerSets { .. }
        | PrepareError::OnFault { .. }
        | PrepareError::VarianceReductionNeedsDecisions { .. } => anyhow!("--{error}"),
        other => other.into(),
    }
}

/// Parses two placement differences such as `0,0.05`.
fn two_differences(text: &str) -> Result<(f64, f64), String> {
    let (low, high) = text.split_once(',').and_then(|(low, high)| Some((real(low)?, real(high)?))).ok_or(
        "expected two placement differences, such as 0,0.05: the test decides whether it is the second \
         one or only the first",
    )?;
    let test = Sprt { low, high, alpha: 0.05, beta: 0.05 };
    test.check().map(|()| (low, high))
}

/// Parses one or two chances such as `0.05` or `0.01,0.05`.
fn two_risks(text: &str) -> Result<(f64, f64), String> {
    let (alpha, beta) = text.split_once(',').unwrap_or((text, text));
    let risks =
        real(alpha).zip(real(beta)).ok_or("expected one or two chances, such as 0.05 or 0.01,0.05")?;
    let test = Sprt { low: 0.0, high: 1.0, alpha: risks.0, beta: risks.1 };
    test.check().map(|()| risks)
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
        match name.trim() {
            "difference" => difference = Some(value),
            "variance" => variance = Some(value),
            _ => return Err(expected()),
        }
    }
    Ok((difference.ok_or_else(expected)?, variance))
}

/// A finite number.
fn real(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

//! `jantaku stats`.

use std::path::PathBuf;

use anyhow::bail;
use jantaku_engine::Rules;
use jantaku_measure::reports::{
    CaseReport, GamesReport, GamesRequest, ReportError, Simulation, StatsRequest,
};
use jantaku_measure::stats::{
    CaseChoice, Figure, FigureKind, FigureRow, Statistics, StoredRuns, figure_table,
};
use jantaku_sim::play::{Groups, Players, RunError, ThreadOptions, Watch};
use serde_json::json;

use super::arguments::start_threads;
use super::figures::FigureOptions;
use super::output::{Ended, Output};
use super::precision::{self, PlanOption};
use super::print::{self, AgentNames};
use super::progress::Progress;

/// Print rates and means over many games, each with a 95 % interval
///
/// Counts the games of stored runs with hands, or plays games and writes nothing. The same games
/// have the same figures either way. sim/docs/statistics.md defines the figures and the intervals.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Count the games of these runs together; all must have the same rules
    #[arg(value_name = "RUN", conflicts_with_all = ["games", "precision"])]
    runs: Vec<PathBuf>,
    /// Count these cases of replayed games instead, divided by the conditions of `--by`: decisions,
    /// hands, riichi, discards, tiles, danger, deal-ins; sim/docs/statistics.md defines both
    #[arg(long, value_name = "CASES", conflicts_with_all = ["only", "precision", "plan"])]
    of: Option<String>,
    /// List all figures
    #[arg(long, conflicts_with_all = ["runs", "games", "precision"])]
    list: bool,
    #[command(flatten)]
    request: StatsRequest,
    #[command(flatten)]
    plan: PlanOption,
    #[command(flatten)]
    figures: FigureOptions,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// Whether games are to be played: their number or a precision is given.
pub(super) const fn plays_games(play: &GamesRequest) -> bool {
    play.games.is_some() || !play.precision.is_empty()
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    if args.list {
        return list(output);
    }
    if let Some(of) = &args.of {
        return cases(args, &CaseChoice::named(of, &args.figures.by)?, output);
    }
    let divisions = args.figures.divisions()?;
    args.figures.check()?;
    start_threads(args.threads)?;
    if args.plan.plan {
        return plan(&args.request, output);
    }
    let mut report = count(args, output, GamesReport::read, GamesReport::play)?;
    args.figures.keep(&mut report.figures, report.counted.rules_toml.as_slice());
    args.figures.write(&report, &report.figures, &figure_table(&report.figures), &divisions, output)?;
    Ok(if report.counted.interrupted { Ended::Interrupted } else { Ended::Done })
}

/// Counts the cases of a conditional table.
fn cases(args: &Args, choice: &CaseChoice, output: Output) -> anyhow::Result<Ended> {
    args.figures.check()?;
    start_threads(args.threads)?;
    let report = count(
        args,
        output,
        |runs, watch| CaseReport::read(runs, choice, watch),
        |games, players, watch| CaseReport::play(games, choice, players, watch),
    )?;
    args.figures.write::<FigureRow>(&report, &[], &report.columns(), &[], output)?;
    Ok(if report.counted.interrupted { Ended::Interrupted } else { Ended::Done })
}

/// Counts the games of runs, or games that it plays.
fn count<T>(
    args: &Args,
    output: Output,
    read: impl FnOnce(&StoredRuns, &mut dyn Watch) -> Result<T, ReportError>,
    play: impl FnOnce(&Simulation, &mut Players, &mut dyn Watch) -> Result<T, RunError>,
) -> anyhow::Result<T> {
    if plays_games(&args.request.play) {
        let (games, mut players, mut progress) = start(&args.request, output)?;
        return Ok(play(&games, &mut players, &mut progress)?);
    }
    if args.runs.is_empty() {
        bail!(
            "expected the folders of runs, or --games N to play games, or --precision to play until a \
             figure is known"
        );
    }
    if args.request.play.agents.is_some() || args.request.play.seed.is_some() {
        bail!("--agents and --seed need --games N: a stored run has its own agents and seed");
    }
    let runs = StoredRuns::open(&args.runs)?;
    Ok(read(&runs, &mut Progress::games(runs.games(), !output.quiet)?)?)
}

/// The games to play, their players, who have started, and the progress.
fn start(request: &StatsRequest, output: Output) -> anyhow::Result<(Simulation, Players, Progress)> {
    let games = request.resolve()?;
    let progress = Progress::games(0, !output.quiet)?;
    let players = request.start.start(&games.agents, None, &progress.stop_flag())?;
    Ok((games, players, progress))
}

/// Prints how many games the precision needs.
fn plan(request: &StatsRequest, output: Output) -> anyhow::Result<Ended> {
    let (games, mut players, mut progress) = start(request, output)?;
    let plan = games.plan(request.play.games, &mut players, &mut progress);
    progress.finish();
    let names = AgentNames::of(&games.agents.iter().map(ToString::to_string).collect::<Vec<_>>());
    precision::print_plan(plan, request.play.games, &names, output)
}

/// Prints the names of all figures, their kinds, and their denominators.
fn list(output: Output) -> anyhow::Result<Ended> {
    let statistics = Statistics::new(&Groups::default(), &Rules::default());
    let figures = || statistics.figures().map(|(figure, _)| figure).filter(|figure| figure.group == 0);
    let own = |figure: &Figure| (figure.full_name(), figure.kind(), figure.per);
    let spread = |figure: &Figure| {
        let per = figure.per;
        figure.spread_names().into_iter().map(move |(name, kind)| (name, kind, per))
    };
    let all = figures().map(own).chain(figures().flat_map(spread));
    let all: Vec<(String, FigureKind, &str)> = all.collect();
    let one =
        |(name, kind, per): &(String, FigureKind, &str)| json!({ "name": name, "kind": kind, "per": per });
    let line = |(name, kind, per): &(String, FigureKind, &str)| {
        print::wrapped(&format!("{name:<40} {} per {per}", kind.name()), 41)
    };
    let figures: Vec<_> = all.iter().map(one).collect();
    output.print(&json!({ "figures": figures }), || all.iter().map(line).collect())?;
    Ok(Ended::Done)
}

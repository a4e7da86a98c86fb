//! `jantaku stats`.

use std::path::PathBuf;

use anyhow::bail;
use jantaku_engine::Rules;
use jantaku_sim::play::Groups;
use jantaku_sim::reports::{GamesReport, Simulation, StatsRequest};
use jantaku_sim::run::MAX_NUMBER;
use jantaku_sim::stats::{FIRST_BATCH, Figure, FigureKind, Statistics, StoredRuns, figure_table};
use serde_json::json;

use super::against::AgainstOption;
use super::arguments::{agents, in_words_of_options, named_rules, number, start_threads};
use super::figures::FigureOptions;
use super::output::{Ended, Output, say, say_json};
use super::players::StartOptions;
use super::precision::{self, PrecisionOptions};
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
    /// List all figures
    #[arg(long, conflicts_with_all = ["runs", "games", "precision"])]
    list: bool,
    #[command(flatten)]
    play: GameOptions,
    /// Use this preset or TOML file; see `jantaku rules list`
    #[arg(long, value_name = "PRESET|FILE", default_value = "tenhou", conflicts_with = "runs")]
    rules: String,
    #[command(flatten)]
    against: AgainstOption,
    #[command(flatten)]
    figures: FigureOptions,
    #[command(flatten)]
    start: StartOptions,
}

/// Options that choose the games to play, without their rules.
#[derive(clap::Args)]
pub(super) struct GameOptions {
    /// Play this many games
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=MAX_NUMBER), allow_negative_numbers = true)]
    pub games: Option<u64>,
    /// Use one agent for all seats, or one for each; see `jantaku agents` [default: greedy]
    #[arg(long, value_name = "A[,B,C,D]")]
    pub agents: Option<String>,
    /// Play the games that `selfplay` plays with this seed [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=MAX_NUMBER), allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Use this many threads, at most 1024 [default: all threads of the machine]
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=1024), allow_negative_numbers = true)]
    threads: Option<usize>,
    #[command(flatten)]
    pub precision: PrecisionOptions,
}

impl GameOptions {
    /// Whether games are to be played: their number or a precision is given.
    pub const fn are_given(&self) -> bool {
        self.games.is_some() || self.precision.is_given()
    }

    /// The progress over the games; a precision finds out how many there are.
    pub fn progress(&self, output: Output) -> std::io::Result<Progress> {
        let games = if self.precision.is_given() { FIRST_BATCH } else { self.games.unwrap_or(0) };
        Progress::games(games, !output.quiet)
    }

    /// Starts the chosen number of threads.
    pub fn start_threads(&self) -> anyhow::Result<()> {
        start_threads(self.threads)
    }
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    if args.list {
        return list(output);
    }
    let (sections, divisions) = (args.figures.sections()?, args.figures.divisions()?);
    args.figures.check()?;
    args.play.start_threads()?;
    if args.play.precision.plan {
        return plan(args, output);
    }
    let reference = args.against.open(output)?;
    let report = if args.play.are_given() { play(args, output)? } else { read(args, output)? };
    let mut report = report.with_sections(&sections);
    args.figures.keep(&mut report.figures);
    report.against = reference.map(|reference| reference.beside(&report));
    let table = figure_table(&report.figures.iter().collect::<Vec<_>>());
    args.figures.write(&report, &report.figures, &table, &divisions, output)?;
    Ok(if report.interrupted { Ended::Interrupted } else { Ended::Done })
}

fn play(args: &Args, output: Output) -> anyhow::Result<GamesReport> {
    let games = simulation(args)?;
    let mut progress = args.play.progress(output)?;
    let mut players = args.start.options().start(&games.agents, None, &progress.stop_flag())?;
    let report = GamesReport::play(&games, &mut players, &mut progress);
    progress.finish();
    Ok(report?)
}

/// What the command line asks to play.
fn simulation(args: &Args) -> anyhow::Result<Simulation> {
    let request = StatsRequest {
        games: args.play.games,
        precision: args.play.precision.precision.clone(),
        agents: args.play.agents.as_deref().map(agents),
        rules: Some(named_rules(&args.rules)?),
        seed: args.play.seed,
    };
    request.resolve().map_err(in_words_of_options)
}

/// Prints how many games the precision needs.
fn plan(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let games = simulation(args)?;
    let mut progress = args.play.progress(output)?;
    let mut players = args.start.options().start(&games.agents, None, &progress.stop_flag())?;
    let plan = games.plan(args.play.games, &mut players, &mut progress);
    progress.finish();
    let names = AgentNames::of(&games.agents.iter().map(ToString::to_string).collect::<Vec<_>>());
    precision::print_plan(plan, args.play.games, &names, output)
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
    if output.json {
        let one = |(name, kind, per)| json!({ "name": name, "kind": kind, "per": per });
        say_json(&json!({ "figures": all.map(one).collect::<Vec<_>>() }))?;
    } else {
        let line = |(name, kind, per): (String, FigureKind, &str)| {
            print::wrapped(&format!("{name:<40} {} per {per}", kind.name()), 41)
        };
        say(&all.map(line).collect::<String>())?;
    }
    Ok(Ended::Done)
}

fn read(args: &Args, output: Output) -> anyhow::Result<GamesReport> {
    if args.runs.is_empty() {
        bail!(
            "expected the folders of runs, or --games N to play games, or --precision to play until a \
             figure is known"
        );
    }
    if args.play.agents.is_some() || args.play.seed.is_some() {
        bail!("--agents and --seed need --games N: a stored run has its own agents and seed");
    }
    let runs = StoredRuns::open(&args.runs)?;
    let mut progress = Progress::games(runs.games(), !output.quiet)?;
    let report = GamesReport::read(&runs, &mut progress);
    progress.finish();
    Ok(report?)
}

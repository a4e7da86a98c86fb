//! `jantaku stats`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use jantaku_agents::{Catalog, NamedAgent, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, Groups, Job, Schedule};
use jantaku_sim::reports::{GamesReport, Simulation};
use jantaku_sim::stats::{self, FIRST_BATCH, Figure, Statistics, StoredRuns, figure_table};
use serde_json::json;

use super::arguments::{load_rules, number, start_threads};
use super::figures::{self, FigureOptions};
use super::output::{Ended, Output, say, say_json};
use super::players::{StartOptions, fault_lines};
use super::precision::{self, PrecisionOptions};
use super::print;
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
    figures: FigureOptions,
    #[command(flatten)]
    start: StartOptions,
}

/// Options that choose the games to play, without their rules.
#[derive(clap::Args)]
pub(super) struct GameOptions {
    /// Play this many games
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=LARGEST), allow_negative_numbers = true)]
    pub games: Option<u64>,
    /// Use one agent for all seats, or one for each seat; see `jantaku agents` [default: greedy]
    #[arg(long, value_name = "A[,B,C,D]")]
    agents: Option<String>,
    /// Play the games that `selfplay` plays with this seed [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=LARGEST), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Use this many threads, at most 1024 [default: all threads of the machine]
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=1024), allow_negative_numbers = true)]
    threads: Option<usize>,
    #[command(flatten)]
    pub precision: PrecisionOptions,
}

/// The largest number that `selfplay` accepts.
const LARGEST: u64 = i64::MAX as u64;

impl GameOptions {
    /// The most games that are played. None if neither their number nor a precision is given.
    pub fn most_games(&self) -> Option<u64> {
        self.games.or(self.precision.is_given().then_some(LARGEST))
    }

    /// The progress over the games; a precision finds out how many there are.
    pub fn progress(&self, output: Output) -> std::io::Result<Progress> {
        let games = if self.precision.is_given() { FIRST_BATCH } else { self.games.unwrap_or(0) };
        Progress::games(games, !output.quiet)
    }

    /// The seed of the games.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(0)
    }

    /// The agent of each seat, with its name.
    pub fn players(&self, rules: &Rules) -> anyhow::Result<Vec<(String, NamedPolicy)>> {
        let seats = usize::from(rules.players.count());
        let agents = self.agents.as_deref().unwrap_or("greedy");
        let players =
            Catalog::standard().policies(agents, seats).with_context(|| format!("--agents {agents}"))?;
        Ok(players.into_iter().map(|player| (player.to_string(), player)).collect())
    }

    /// The agent of each seat, with its name. Not all need be policies.
    fn agents(&self, rules: &Rules) -> anyhow::Result<Vec<(String, NamedAgent)>> {
        let seats = usize::from(rules.players.count());
        let agents = self.agents.as_deref().unwrap_or("greedy");
        let agents =
            Catalog::standard().agents(agents, seats).with_context(|| format!("--agents {agents}"))?;
        Ok(agents.into_iter().map(|agent| (agent.to_string(), agent)).collect())
    }

    /// The games under these rules.
    pub fn job<'a>(
        &self,
        rules: &'a Rules,
        agents: &'a [(String, NamedPolicy)],
        games: u64,
    ) -> Job<'a, NamedPolicy> {
        let schedule = Schedule::selfplay(self.seed(), games);
        Job { rules, schedule, agents, detail: Detail::None }
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
    let report = match args.play.most_games() {
        Some(games) => play(args, games, output)?,
        None => read(args, output)?,
    };
    let rows = report.rows(&sections);
    args.figures.write(&figure_table(&rows.iter().collect::<Vec<_>>()))?;
    if output.json {
        say_json(&report.json(&rows))?;
    } else {
        let head = if output.quiet { String::new() } else { head(&report) };
        say(&(head + &figures::text(&rows, &divisions)))?;
    }
    Ok(if report.interrupted { Ended::Interrupted } else { Ended::Done })
}

fn play(args: &Args, games: u64, output: Output) -> anyhow::Result<GamesReport> {
    let rules = load_rules(&args.rules)?;
    let named = args.play.agents(&rules)?;
    let agents: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
    let targets = args.play.precision.targets(&Groups::new(&agents), &[&rules])?;
    let mut progress = args.play.progress(output)?;
    let mut players = args.start.start(&named, None, &progress)?;
    let (rules_name, seed) = (args.rules.as_str(), args.play.seed());
    let (rules, agents, targets) = (&rules, &agents[..], &targets[..]);
    let games = Simulation { rules_name, rules, seed, games, agents, targets };
    let report = GamesReport::play(&games, &mut players, &mut progress);
    progress.finish();
    Ok(report?)
}

/// Prints how many games the precision needs.
fn plan(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let rules = load_rules(&args.rules)?;
    let players = args.play.players(&rules)?;
    let groups = Groups::new(players.iter().map(|(name, _)| name));
    let targets = args.play.precision.targets(&groups, &[&rules])?;
    let mut progress = args.play.progress(output)?;
    let play = |games| {
        let pilot = stats::simulate(&args.play.job(&rules, &players, games), &mut progress);
        progress.finish();
        pilot
    };
    precision::plan(&targets, args.play.games, play, output)
}

/// Prints the names of all figures, and what they are per.
fn list(output: Output) -> anyhow::Result<Ended> {
    let statistics = Statistics::new(&Groups::default(), &Rules::default());
    let kind = |is_rate| if is_rate { "rate" } else { "mean" };
    let figures = || statistics.figures().map(|(figure, _)| figure).filter(|figure| figure.group == 0);
    if output.json {
        let one = |figure: &Figure| json!({ "name": figure.full_name(), "kind": kind(figure.is_rate), "per": figure.per });
        say_json(&json!({ "figures": figures().map(one).collect::<Vec<_>>() }))?;
    } else {
        for figure in figures() {
            say(&format!("{:<40} {} per {}\n", figure.full_name(), kind(figure.is_rate), figure.per))?;
        }
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

/// The lines above the figures.
fn head(report: &GamesReport) -> String {
    let many = print::thousands;
    let (games, units) = (report.statistics.games(), report.statistics.units());
    let agents = report
        .agents
        .as_ref()
        .map_or_else(String::new, |(agents, seatings)| format!(" of {}", print::players(agents, *seatings)));
    let from = match report.seed {
        Some(seed) => format!(", seed {seed}"),
        None => format!(
            ", from {}",
            report.runs.iter().map(|run| run.display().to_string()).collect::<Vec<_>>().join(", ")
        ),
    };
    let sets =
        if units == games { String::new() } else { format!(" in {} sets on the same walls", many(units)) };
    let copies = match report.left_out {
        0 => String::new(),
        1 => "1 copy of a game left out\n".to_owned(),
        games => format!("{} copies of games left out\n", many(games)),
    };
    let faults = fault_lines(&report.faults);
    let conditional = |run: &PathBuf| {
        format!(
            "a sequential test stopped {}: the intervals are conditional on that, and a little too far from a \
             fair field\n",
            run.display()
        )
    };
    let conditional: String = report.conditional.iter().map(conditional).collect();
    let part = if report.complete { "" } else { "; incomplete" };
    let text = format!(
        "{}{sets}{agents} under {}{from}: {}{part}\n\
         {copies}{faults}{conditional}\
         95 % intervals; –: no interval\n{}",
        print::many(games, "game"),
        report.rules,
        print::many(report.statistics.hands(), "hand"),
        precision::lines(&report.precision),
    );
    print::wrapped(&text, 2)
}

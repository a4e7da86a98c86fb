//! `jantaku stats`.

use std::path::PathBuf;

use anyhow::bail;
use jantaku_agents::without_label;
use jantaku_engine::Rules;
use jantaku_sim::play::{Groups, Seatings};
use jantaku_sim::reports::page::PageKind;
use jantaku_sim::reports::{GamesReport, Simulation, StatsRequest, note_on_played_on};
use jantaku_sim::run::MAX_NUMBER;
use jantaku_sim::stats::{FIRST_BATCH, Figure, Statistics, StoredRuns, figure_table};
use serde_json::json;

use super::against::{self, AgainstOption};
use super::arguments::{agents, named_rules, number, start_threads};
use super::figures::{self, FigureOptions};
use super::markdown;
use super::output::{Ended, Output, say, say_json};
use super::players::{StartOptions, fault_lines, shown_faults};
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
    let mut rows = report.rows(&sections);
    args.figures.keep(&mut rows);
    args.figures
        .write(&figure_table(&rows.iter().collect::<Vec<_>>()), || markdown::figures(&rows, &divisions))?;
    let beside = reference.map(|reference| reference.beside(&report, &rows));
    let json = report.json(&rows, beside.as_ref());
    args.figures.html.write(PageKind::Statistics, &json, &divisions)?;
    if output.json {
        say_json(&json)?;
    } else {
        let names = AgentNames::of(report.agents.iter().flat_map(|(agents, _)| agents));
        let head = if output.quiet { String::new() } else { head(&report, &names, beside.is_none()) };
        let fixed = args.figures.fixed(&rows, &divisions);
        let text = match &beside {
            Some(beside) => against::text(beside),
            None => figures::text(&figures::shown(&rows, &names), &divisions),
        };
        say(&(head + &print::legend(&names) + &text + &fixed))?;
    }
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
    request.resolve().map_err(precision::in_words_of_options)
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
    let own =
        |figure: &Figure| (figure.full_name(), if figure.is_rate { "rate" } else { "mean" }, figure.per);
    let spread = |figure: &Figure| {
        let per = figure.per;
        figure.spread_names().into_iter().map(move |(name, kind)| (name, kind, per))
    };
    let all = figures().map(own).chain(figures().flat_map(spread));
    if output.json {
        let one = |(name, kind, per)| json!({ "name": name, "kind": kind, "per": per });
        say_json(&json!({ "figures": all.map(one).collect::<Vec<_>>() }))?;
    } else {
        let line = |(name, kind, per): (String, &str, &str)| {
            print::wrapped(&format!("{name:<40} {kind} per {per}"), 41)
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

/// The lines above the figures. `has_intervals`: whether the tables have intervals.
fn head(report: &GamesReport, names: &AgentNames, has_intervals: bool) -> String {
    let many = print::thousands;
    let (games, units) = (report.statistics.games(), report.statistics.units());
    let (agents, of_runs) = match &report.agents[..] {
        [(agents, seatings)] => (format!(" of {}", names.players(agents, *seatings)), String::new()),
        of_runs => {
            let line = |(run, (agents, seatings)): (&PathBuf, &(Vec<String>, Seatings))| {
                format!("{}: {}\n", run.display(), names.players(agents, *seatings))
            };
            (String::new(), report.runs.iter().zip(of_runs).map(line).collect())
        }
    };
    let from = match report.seed {
        Some(seed) => format!(", seed {seed}"),
        None => format!(
            ", from {}",
            report.runs.iter().map(|run| run.display().to_string()).collect::<Vec<_>>().join(", ")
        ),
    };
    let sets = match &report.agents[..] {
        _ if units >= games => String::new(),
        [(_, seatings)] if !seatings.is_fixed() => {
            format!(" in {} on the same walls", print::many(units, "set"))
        }
        _ => format!(" on {} different walls", many(units)),
    };
    let copies = match report.left_out {
        0 => String::new(),
        1 => "1 copy of a game left out\n".to_owned(),
        games => format!("{} copies of games left out\n", many(games)),
    };
    let played_on = note_on_played_on(report.played_on).map_or_else(String::new, |note| note + "\n");
    let faults = fault_lines(&shown_faults(&report.faults, names));
    let conditional = |run: &PathBuf| {
        format!(
            "a sequential test stopped {}: the intervals are conditional on that, and a little too far from a \
             fair field\n",
            run.display()
        )
    };
    let conditional: String = report.conditional.iter().map(conditional).collect();
    let players = games_by_players(&report.statistics.games_by_players());
    let part = if report.complete { "" } else { "; incomplete" };
    let greedy = if is_of_greedy(report) { GREEDY } else { "" };
    let intervals = if has_intervals { "95 % intervals; –: no interval\n" } else { "" };
    let text = format!(
        "{}{sets}{agents} under {}{from}: {}{part}\n\
         {of_runs}{players}{copies}{played_on}{faults}{conditional}{greedy}\
         {intervals}{}",
        print::many(games, "game"),
        report.rules,
        print::many(report.statistics.hands(), "hand"),
        precision::lines(&report.precision, names),
    );
    print::wrapped(&text, 2)
}

/// What figures of `greedy` are not.
const GREEDY: &str = "greedy ignores danger, so abortive draws and wins are several times as frequent or rare as \
                      people's; `--agents heuristic` is nearer\n";

/// Whether `greedy` alone plays all games.
fn is_of_greedy(report: &GamesReport) -> bool {
    let mut agents = report.agents.iter().flat_map(|(agents, _)| agents).peekable();
    agents.peek().is_some() && agents.all(|agent| without_label(agent).starts_with("greedy"))
}

/// A line if games of different numbers of players are counted together.
fn games_by_players(found: &[(u8, u64)]) -> String {
    let [(players, games), others @ ..] = found else { return String::new() };
    if others.is_empty() {
        return String::new();
    }
    let first = format!("{} of {players} players", print::many(*games, "game"));
    let others = others.iter().map(|(players, games)| format!(", {} of {players}", print::thousands(*games)));
    format!("{first}{}, counted together\n", others.collect::<String>())
}

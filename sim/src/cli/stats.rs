//! `jantaku stats`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use jantaku_agents::{Catalog, NamedAgent};
use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, Job, SelfPlay};
use jantaku_sim::stats::{self, Groups, Row, Statistics, StoredRuns, columns};
use serde_json::json;

use super::figures::{self, Files};
use super::progress::Progress;
use super::{Ended, Output, load_rules, number, print, say, say_json};

/// Tell how often things happen, each figure with an interval of 95 %.
///
/// The games are those of runs, which keep their hands, or are played for it, where nothing is written. The same games give the same figures
/// either way. What the figures mean and how the intervals are made: sim/docs/statistics.md.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Folders of runs under the same rules, counted together.
    #[arg(value_name = "RUN", conflicts_with = "games")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    play: Play,
    /// A preset or a TOML file; see `jantaku rules list`.
    #[arg(long, value_name = "PRESET|FILE", default_value = "tenhou", conflicts_with = "runs")]
    rules: String,
    #[command(flatten)]
    files: Files,
}

/// Which games are played, without their rules.
#[derive(clap::Args)]
pub(super) struct Play {
    /// How many games are played.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=LARGEST), allow_negative_numbers = true)]
    pub games: Option<u64>,
    /// One agent for all seats, or one for each; see `jantaku agents`. [default: greedy]
    #[arg(long, value_name = "A[,B,C,D]")]
    agents: Option<String>,
    /// The seed of the games: those that `selfplay` plays with it. [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=LARGEST), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// How many threads work, at most 1024; all of the machine's if not given.
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=1024), allow_negative_numbers = true)]
    threads: Option<usize>,
}

/// Numbers that `selfplay` takes.
const LARGEST: u64 = i64::MAX as u64;

impl Play {
    /// The seed of the games.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(0)
    }

    /// The agents by seat with their names.
    pub fn players(&self, rules: &Rules) -> anyhow::Result<Vec<(String, NamedAgent)>> {
        let seats = usize::from(rules.players.count());
        let agents = self.agents.as_deref().unwrap_or("greedy");
        let players =
            Catalog::standard().agents(agents, seats).with_context(|| format!("--agents {agents}"))?;
        Ok(players.into_iter().map(|player| (player.to_string(), player)).collect())
    }

    /// The games under some rules.
    pub fn job<'a>(
        &self,
        rules: &'a Rules,
        agents: &'a [(String, NamedAgent)],
        games: u64,
    ) -> Job<'a, NamedAgent> {
        let schedule = SelfPlay { seed: self.seed(), games };
        Job { rules, schedule, agents, detail: Detail::None }
    }

    /// Works on as many threads as are wanted.
    pub fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
        let threads = self.threads.unwrap_or(0);
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
        Ok(pool.install(work))
    }
}

/// Statistics, and of what.
struct Told {
    statistics: Statistics,
    groups: Groups,
    /// The agents by seat; none where there are several runs, or the players are of logs.
    agents: Option<Vec<String>>,
    rules: String,
    hash: Option<String>,
    /// The seed that the games were played with; none if they were read.
    seed: Option<u64>,
    runs: Vec<PathBuf>,
    /// How many games of logs are not counted, being there already.
    left_out: u64,
    complete: bool,
    seconds: f64,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let sections = args.files.sections()?;
    args.files.check()?;
    let start = Instant::now();
    let (mut told, interrupted) = match args.play.games {
        Some(games) => play(args, games, output)?,
        None => read(args, output)?,
    };
    told.seconds = start.elapsed().as_secs_f64();
    let rows = told.statistics.rows(&told.groups, &sections);
    args.files.write(&columns(&rows.iter().collect::<Vec<_>>()))?;
    if output.json {
        say_json(&as_json(&told, &rows))?;
    } else if !output.quiet {
        say(&(head(&told) + &figures::text(&rows)))?;
    }
    Ok(if interrupted { Ended::Interrupted } else { Ended::Done })
}

fn play(args: &Args, games: u64, output: Output) -> anyhow::Result<(Told, bool)> {
    let rules = load_rules(&args.rules)?;
    let players = args.play.players(&rules)?;
    let job = args.play.job(&rules, &players, games);
    let mut progress = Progress::games(games, !output.quiet)?;
    let statistics = args.play.on_threads(|| stats::simulate(&job, &mut progress))??;
    progress.finish();
    let agents: Vec<String> = players.iter().map(|(name, _)| name.clone()).collect();
    let complete = statistics.games() == games;
    let told = Told {
        statistics,
        groups: Groups::new(&agents),
        agents: Some(agents),
        rules: args.rules.clone(),
        hash: Some(format!("{:016x}", rules.hash())),
        seed: Some(args.play.seed()),
        runs: Vec::new(),
        left_out: 0,
        complete,
        seconds: 0.0,
    };
    Ok((told, !complete))
}

fn read(args: &Args, output: Output) -> anyhow::Result<(Told, bool)> {
    if args.runs.is_empty() {
        bail!("name the folders of runs, or say with --games N how many games are played");
    }
    if args.play.agents.is_some() || args.play.seed.is_some() {
        bail!("--agents and --seed are for games that are played: a run has its own");
    }
    let runs = StoredRuns::open(&args.runs)?;
    if runs.games() == 0 {
        bail!("{}: holds no games: no part is complete", args.runs[0].display());
    }
    let mut progress = Progress::games(runs.games(), !output.quiet)?;
    let statistics = args.play.on_threads(|| stats::read(&runs, &mut progress))??;
    progress.finish();
    let (_, config) = runs.configs().next().expect("there is a run");
    let have_same_agents = runs.configs().all(|(_, other)| other.agents == config.agents);
    let interrupted = statistics.games() < runs.games();
    let told = Told {
        groups: runs.groups().clone(),
        agents: (have_same_agents && !config.walls).then(|| config.agents.clone()),
        rules: if config.walls { "the rules of each log".to_owned() } else { config.rules_name.clone() },
        hash: (!config.walls).then(|| config.rules_hash.clone()),
        seed: None,
        runs: args.runs.clone(),
        left_out: runs.left_out(),
        complete: runs.are_complete() && !interrupted,
        statistics,
        seconds: 0.0,
    };
    Ok((told, interrupted))
}

/// What the figures are of.
fn head(told: &Told) -> String {
    let many = print::thousands;
    let (games, units) = (told.statistics.games(), told.statistics.units());
    let agents = told.agents.as_ref().map_or_else(String::new, |agents| {
        let mut agents = agents.clone();
        agents.dedup();
        format!(" of {}", agents.join(", "))
    });
    let from = match told.seed {
        Some(seed) => format!(", seed {seed}"),
        None => format!(
            ", from {}",
            told.runs.iter().map(|run| run.display().to_string()).collect::<Vec<_>>().join(", ")
        ),
    };
    let sets =
        if units == games { String::new() } else { format!(" in {} sets on the same walls", many(units)) };
    let twice = match told.left_out {
        0 => String::new(),
        1 => "; 1 game left out that is there already".to_owned(),
        games => format!("; {} games left out that are there already", many(games)),
    };
    let part = if told.complete { "" } else { "; not all games of the run" };
    format!(
        "{} games{sets}{agents} under {}{from}: {} hands{twice}{part}\nintervals of 95 % from the totals of games; ≤, ≥ and `at most` are bounds where all games are alike; –: nothing tells how far the mean can be trusted\n",
        many(games),
        told.rules,
        many(told.statistics.hands()),
    )
}

fn as_json(told: &Told, rows: &[Row]) -> serde_json::Value {
    let runs: Vec<&Path> = told.runs.iter().map(PathBuf::as_path).collect();
    json!({
        "games": told.statistics.games(),
        "units": told.statistics.units(),
        "hands": told.statistics.hands(),
        "rules": told.rules,
        "rules_hash": told.hash,
        "agents": told.agents,
        "seed": told.seed,
        "runs": runs,
        "left_out": told.left_out,
        "complete": told.complete,
        "figures": rows,
        "seconds": told.seconds,
    })
}

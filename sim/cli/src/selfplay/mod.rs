//! `jantaku selfplay`.
//!
//! - `summary`: what it prints at the end

mod summary;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use jantaku_agents::{Catalog, NamedAgent};
use jantaku_sim::play::Detail;
use jantaku_sim::players::Players;
use jantaku_sim::run::{
    ConfigError, Manifest, Played, Run, RunConfig, Shard, StartError, StoppedRun, Summary,
};

use super::arguments::{load_rules, number, start_threads};
use super::output::{Ended, Output, say, say_json};
use super::players::{self, StartOptions};
use super::print;
use super::progress::Progress;

/// The largest integer of a TOML file.
const LARGEST: u64 = i64::MAX as u64;

/// More threads than any machine has, and few enough for its memory.
const MOST_THREADS: u64 = 1024;

/// Runs that write more bytes than this are announced.
const LARGE: u64 = 100_000_000;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Play this many games
    #[arg(
        long, value_name = "N", required_unless_present = "resume",
        value_parser = number::<u64>(1..=LARGEST), allow_negative_numbers = true
    )]
    games: Option<u64>,
    /// Choose one agent for all seats or one for each, such as `greedy` or
    /// `greedy,random,greedy:calls=off,tsumogiri`; `jantaku agents` lists them [default: greedy]
    #[arg(long, value_name = "A[,B,C,D]")]
    agents: Option<String>,
    /// Choose the rules, a preset or a TOML file; `jantaku rules list` lists the presets
    /// [default: tenhou]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// Set the seed of the run, from 0 to 9223372036854775807; the same seed plays the same games
    /// [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=LARGEST), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Write the run to this new or empty folder, or to a URL (s3://, gs://, az://, file://,
    /// memory://) if the program is built with the feature `cloud`; not needed with `--log none`
    #[arg(long, value_name = "DIR", required_if_eq("resume", "true"))]
    out: Option<PathBuf>,
    /// Play on this many threads, at most 1024 [default: all threads of the machine]
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=MOST_THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Choose the tables to write: none, games, also hands, also decisions, or also oracle, the
    /// hidden hands at each decision and the walls [default: decisions]
    #[arg(long, value_name = "LEVEL", value_parser = ["none", "games", "hands", "decisions", "oracle"])]
    log: Option<String>,
    /// Write parts of this many games; a run that is killed loses the games of unfinished parts
    /// [default: 1000]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=LARGEST), allow_negative_numbers = true)]
    games_per_part: Option<u64>,
    /// Play one share of the games, such as 2/4 for the second of four; `jantaku merge` joins the
    /// shares
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Resume the run in the folder with the options of its run.toml; the result has the same bytes
    /// as an uninterrupted run. A larger `--games` extends the run
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    start: StartOptions,
}

/// What to play: a run to write, or games only to count.
#[allow(clippy::large_enum_variant, reason = "one value; a run is large with the feature `cloud`")]
enum Plan {
    Write(Run),
    Count(RunConfig),
}

impl Plan {
    const fn config(&self) -> &RunConfig {
        match self {
            Plan::Write(run) => run.config(),
            Plan::Count(config) => config,
        }
    }

    /// Plays the games.
    fn play(&mut self, players: &mut Players, progress: &mut Progress) -> anyhow::Result<Played> {
        Ok(match self {
            Plan::Write(run) => players.play(run, progress)?,
            Plan::Count(config) => players.count(config, progress)?,
        })
    }

    /// The folder and its manifest; `None` if nothing is written.
    fn written(&self) -> Option<(&Path, &Manifest)> {
        match self {
            Plan::Write(run) => Some((run.folder(), run.manifest())),
            Plan::Count(_) => None,
        }
    }
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(args.threads)?;
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet)?;
    let (mut plan, agents) = if args.resume { resumed(args)? } else { fresh(args)? };
    if let Plan::Write(run) = &plan
        && run.manifest().games > 0
    {
        warn_of_modified_sources(run);
    }
    if let Plan::Write(run) = &plan
        && !output.quiet
    {
        players::note_games_played_again(run);
    }
    let mut players = args.start.start(&agents, plan.written().map(|(folder, _)| folder), &progress)?;
    let games = match &plan {
        Plan::Write(run) => run.remaining(),
        Plan::Count(config) => config.range(),
    };
    if let Plan::Write(run) = &plan
        && !output.quiet
    {
        announce_size(run);
    }
    progress.set_length(games.end - games.start);
    let played = plan.play(&mut players, &mut progress);
    progress.finish();
    let (played, faults) = (played?, players.faults());
    let summary =
        Summary { config: plan.config(), played: &played, written: plan.written(), faults: &faults };
    if output.json {
        say_json(&summary.json())?;
    } else if !output.quiet {
        say(&summary::Report(summary).text())?;
    }
    Ok(if played.is_interrupted() { Ended::Interrupted } else { Ended::Done })
}

/// The agents of a run, with their names. Their files are read once.
type Agents = Vec<(String, NamedAgent)>;

/// A new run.
fn fresh(args: &Args) -> anyhow::Result<(Plan, Agents)> {
    let (config, agents) = asked(args, None)?;
    config.check().map_err(in_words_of_options)?;
    let plan = match (&args.out, config.detail) {
        (None, Detail::None) => Plan::Count(config),
        (Some(_), Detail::None) => bail!("--out DIR: `--log none` writes nothing; give only one of them"),
        (None, _) => bail!("--out DIR is needed to write a run; to write nothing, give `--log none`"),
        (Some(path), _) => Plan::Write(Run::create(path, config)?),
    };
    Ok((plan, agents))
}

/// The error with the name of the option instead of the field.
fn in_words_of_options(error: ConfigError) -> anyhow::Error {
    match error.field {
        "shard" => anyhow!("--shard: {}; a smaller --games-per-part makes more parts", error.what),
        "games_per_part" => anyhow!("--games-per-part: {}", error.what),
        _ => error.into(),
    }
}

/// The run in the folder. A new run if there is none and all options of a new run are given.
fn resumed(args: &Args) -> anyhow::Result<(Plan, Agents)> {
    let path = args.out.as_deref().expect("clap requires the folder");
    let Some(stopped) = StoppedRun::find(path)? else {
        if args.games.is_none() {
            return Err(StartError::NoRun { folder: path.to_owned() }.into());
        }
        eprintln!("no run in {}: a new one begins", path.display());
        return fresh(args);
    };
    if !stopped.config().seatings.is_fixed() {
        bail!(
            "{}: has the games of a match or of a league's table, not of `selfplay`; `jantaku match --resume` \
            resumes a match",
            path.display()
        );
    }
    let (asked, agents) = asked(args, Some(stopped.config()))?;
    match stopped.resume(Some(&asked)) {
        Ok(run) => Ok((Plan::Write(run), agents)),
        Err(StartError::OtherRun { folder, field, expected, found }) => {
            let (flag, folder) = (field.replace('_', "-"), folder.display());
            bail!(
                "--{flag}: the run in {folder} has {found}, found {expected}; \
                leave out the option to resume the run as it is"
            )
        }
        Err(error) => Err(error.into()),
    }
}

/// The run that the command line asks for, and its agents. Options that it does not give are those
/// of `given`. A run of logs has no agents.
fn asked(args: &Args, given: Option<&RunConfig>) -> anyhow::Result<(RunConfig, Agents)> {
    let rules_name = args.rules.clone().or(given.map(|run| run.rules_name.clone()));
    let rules_name = rules_name.unwrap_or_else(|| "tenhou".to_owned());
    let rules = match (given, &args.rules) {
        (Some(run), None) => run.rules,
        _ => load_rules(&rules_name)?,
    };
    let agents = match (given, &args.agents) {
        (Some(run), None) if run.walls => Vec::new(),
        (Some(run), None) => {
            run.named_agents().with_context(|| format!("agents {}", run.agents.join(",")))?
        }
        (_, words) => {
            let words = words.as_deref().unwrap_or("greedy");
            let players = Catalog::standard().agents(words, usize::from(rules.players.count()));
            let players = players.with_context(|| format!("--agents {words}"))?;
            players.into_iter().map(|agent| (agent.to_string(), agent)).collect()
        }
    };
    let names = match (given, &args.agents) {
        (Some(run), None) => run.agents.clone(),
        _ => agents.iter().map(|(name, _)| name.clone()).collect(),
    };
    let log = args.log.as_deref();
    let log = log.map(|name| Detail::named(name).expect("clap checks the level"));
    let detail = log.or(given.map(|run| run.detail)).unwrap_or(Detail::Decisions);
    let seed = args.seed.or(given.map(|run| run.seed)).unwrap_or(0);
    let new = RunConfig::new(&rules_name, &rules, names, args.games.unwrap_or(0), seed, detail);
    let per_part = args.games_per_part.or(given.map(|run| run.games_per_part));
    let new = match given {
        Some(run) if run.walls => new,
        _ => new.played_by(&agents)?,
    };
    let config = RunConfig {
        games: args.games.or(given.and_then(|run| run.games)),
        games_per_part: per_part.unwrap_or(new.games_per_part),
        shard: args.shard.or_else(|| given.and_then(|run| run.shard)),
        ..new
    };
    Ok((config, agents))
}

/// Says that nobody knows whether this program plays the same games as the one that began the run.
fn warn_of_modified_sources(run: &Run) {
    if run.config().has_modified_sources() && !run.manifest().complete {
        let commit = &run.config().commit;
        eprintln!(
            "warning: the commit {commit} has modified sources; the games continue the run only if this is \
            the program that began it"
        );
    }
}

/// Announces a large run.
fn announce_size(run: &Run) {
    let bytes = run.estimated_bytes();
    if bytes >= LARGE {
        let (bytes, folder) = (print::bytes(bytes), run.folder().display());
        eprintln!("about {bytes} will be written to {folder}, estimated from games of greedy");
    }
}

//! `jantaku selfplay`.
//!
//! - `summary`: what it prints at the end

mod summary;

use std::path::PathBuf;

use anyhow::anyhow;
use jantaku_agents::labels::LabelOptions;
use jantaku_sim::play::Detail;
use jantaku_sim::run::{MAX_NUMBER, Run, SelfplayError, SelfplayRequest, Shard, StartError};

use super::arguments::{agents, field_in_words, in_words_of_options, named_rules, number, start_threads};
use super::output::{Ended, Output, note, say, say_json};
use super::players::{self, StartOptions};
use super::print;
use super::progress::Progress;

/// More threads than any machine has, and few enough for its memory.
const MAX_THREADS: u64 = 1024;

/// Runs that write more bytes than this are announced.
const LARGE: u64 = 100_000_000;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Play this many games
    #[arg(
        long, value_name = "N", required_unless_present = "resume",
        value_parser = number::<u64>(1..=MAX_NUMBER), allow_negative_numbers = true
    )]
    games: Option<u64>,
    /// Choose one agent for all seats or one for each, such as `greedy` or
    /// `greedy,random,greedy:calls=off,tsumogiri`; `jantaku agents` lists them [default: greedy]
    #[arg(long, value_name = "A[,B,C,D]")]
    agents: Option<String>,
    /// Choose the rules, a preset (`jantaku rules list` lists them) or a TOML file [default: tenhou]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// Set the seed of the run, from 0 to 9223372036854775807; the same seed plays the same games
    /// [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=MAX_NUMBER), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Write the run to this new or empty folder, or to a URL (s3://, gs://, az://, file://,
    /// memory://) if the program is built with the feature `cloud`; not needed with `--log none`
    #[arg(long, value_name = "DIR", required_if_eq("resume", "true"))]
    out: Option<PathBuf>,
    /// Play on this many threads, at most 1024 [default: all threads of the machine]
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=MAX_THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Choose the tables to write: none, games, also hands, also decisions, or also oracle, the
    /// hidden hands at each decision and the walls [default: decisions]
    #[arg(long, value_name = "LEVEL", value_parser = ["none", "games", "hands", "decisions", "oracle"])]
    log: Option<String>,
    /// Label decisions for training: play their candidates to the end of the hand with the true hands and fresh
    /// walls, and write the values to the table `labels`; OPTIONS such as `deals=8,discard=0.1`
    /// change the defaults
    #[arg(long, value_name = "OPTIONS", num_args = 0..=1, default_missing_value = "")]
    labels: Option<LabelOptions>,
    /// Write parts of this many games; a run that is killed loses the games of unfinished parts
    /// [default: 1000]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=MAX_NUMBER), allow_negative_numbers = true)]
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

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    start_threads(args.threads)?;
    // Signals are caught before the first file is written.
    let mut progress = Progress::games(0, !output.quiet)?;
    let mut games = request(args)?.resolve().map_err(in_words)?;
    if let Some(out) = args.out.as_ref().filter(|_| games.begins_anew() && !output.quiet) {
        note(&format!("no run in {}: a new one begins", out.display()));
    }
    if let Some(run) = games.run() {
        if run.manifest().games > 0 {
            warn_of_modified_sources(run);
        }
        if !output.quiet {
            players::note_games_played_again(run);
        }
    }
    let mut players = games.start(&args.start.options(), &progress.stop_flag())?;
    if let Some(run) = games.run().filter(|_| !output.quiet) {
        announce_size(run);
    }
    let range = games.games();
    progress.set_length(range.end - range.start);
    let played = games.play(&mut players, &mut progress);
    progress.finish();
    let (played, faults) = (played?, players.faults());
    let summary = games.summary(&played, &faults);
    if output.json {
        say_json(&summary)?;
    } else if !output.quiet {
        let written = games.run().map(|run| (run.folder(), run.manifest()));
        let config = games.config();
        say(&summary::Report { config, played: &played, written, faults: &summary.faults }.text())?;
    }
    Ok(if played.is_interrupted() { Ended::Interrupted } else { Ended::Done })
}

/// What the command line asks for.
fn request(args: &Args) -> anyhow::Result<SelfplayRequest> {
    let log = args.log.as_deref().map(|name| Detail::named(name).expect("clap checks the level"));
    Ok(SelfplayRequest {
        games: args.games,
        agents: args.agents.as_deref().map(agents),
        rules: args.rules.as_deref().map(named_rules).transpose()?,
        seed: args.seed,
        // Without a folder, nothing is written only if the user says so.
        log: log.or(args.out.is_none().then_some(Detail::Decisions)),
        labels: args.labels.clone(),
        games_per_part: args.games_per_part,
        shard: args.shard,
        out: args.out.clone(),
        resume: args.resume,
        on_fault: args.start.on_fault,
    })
}

/// The error with options instead of fields.
fn in_words(error: SelfplayError) -> anyhow::Error {
    match error {
        SelfplayError::Request(error) => in_words_of_options(error),
        SelfplayError::Start(StartError::OtherRun { folder, field, expected, found }) => {
            let (flag, folder) = (field.replace('_', "-"), folder.display());
            anyhow!(
                "--{flag}: the run in {folder} has {found}, found {expected}; \
                leave out the option to resume the run as it is"
            )
        }
        SelfplayError::NoFolder => {
            anyhow!("--out DIR is needed to write a run; to write nothing, give `--log none`")
        }
        SelfplayError::NothingToWrite => {
            anyhow!("--out DIR: `--log none` writes nothing; give only one of them")
        }
        SelfplayError::IsMatch { .. } => anyhow!("{error}; `jantaku match --resume` resumes a match"),
        SelfplayError::Start(StartError::Config(error)) => field_in_words(error),
        SelfplayError::Start(error) => error.into(),
        SelfplayError::Faults(error) => error.into(),
    }
}

/// Warns that this program may not play the same games as the one that began the run.
fn warn_of_modified_sources(run: &Run) {
    if run.config().has_modified_sources() && !run.manifest().complete {
        let commit = &run.config().commit;
        note(&format!(
            "warning: the commit {commit} has modified sources; the games continue the run only if this is \
            the program that began it"
        ));
    }
}

/// Announces a large run.
fn announce_size(run: &Run) {
    let bytes = run.estimated_bytes();
    if bytes >= LARGE {
        let (bytes, folder) = (print::bytes(bytes), run.folder().display());
        note(&format!("about {bytes} will be written to {folder}, estimated from games of greedy"));
    }
}

//! The program: parses the command line, calls the library and prints the result.
//!
//! - `selfplay`, `merge`, `info`, `verify`, `stats`, `sweep`, `show`, `replay`, `convert`, `hand`,
//!   `rules`, `agents`, `bench`, `perft`: one file or folder for each command
//! - `figures`: the tables of `stats` and `sweep`
//! - `progress`: the progress bar and Ctrl-C
//! - `problems`: differences and errors of single games
//! - `print`: numbers and tables as text

mod agents;
mod bench;
mod convert;
mod figures;
mod hand;
mod info;
mod merge;
mod perft;
mod print;
mod problems;
mod progress;
mod replay;
mod rules;
mod selfplay;
mod show;
mod stats;
mod sweep;
mod verify;

use std::io::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use jantaku_engine::Rules;
use jantaku_engine::rules::{PRESETS, Preset};
use jantaku_sim::run::check_is_new;

/// Play, record and measure games of riichi mahjong
#[derive(Parser)]
#[command(name = "jantaku", version, max_term_width = 100)]
struct Words {
    #[command(subcommand)]
    command: Command,
    /// Print one JSON object on stdout instead of text
    #[arg(long, global = true)]
    json: bool,
    /// Print no progress and no summary
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Play games and write a run
    Selfplay(selfplay::Args),
    Stats(stats::Args),
    Sweep(sweep::Args),
    Merge(merge::Args),
    Info(info::Args),
    Verify(verify::Args),
    /// Show one game of a run, decision by decision
    Show(show::Args),
    Replay(replay::Args),
    Convert(convert::Args),
    /// Print shanten, waits, discards and value of a hand
    Hand(hand::Args),
    /// List, show, compare and check rule sets
    Rules(rules::Args),
    /// List the agents and their options
    Agents,
    /// Measure speed over fixed games, and print the behaviour signature
    Bench(bench::Args),
    /// Count all lines of play from positions, as perft does in computer chess
    Perft(perft::Args),
}

/// How a command prints: as JSON or text, with or without progress.
#[derive(Clone, Copy)]
struct Output {
    json: bool,
    quiet: bool,
}

/// How a command ended, with its exit status.
enum Ended {
    /// Status 0.
    Done,
    /// Status 1: a check failed.
    No,
    /// Status 2: some input could not be read. The rest was processed and the errors are printed.
    Unreadable,
    /// Status 130: Ctrl-C or another signal.
    Interrupted,
}

/// Runs the program. Bad usage, input or output gives status 2 and a message on stderr.
pub fn main() -> ExitCode {
    let words = Words::parse();
    let output = Output { json: words.json, quiet: words.quiet };
    let ended = match words.command {
        Command::Selfplay(args) => selfplay::run(&args, output),
        Command::Stats(args) => stats::run(&args, output),
        Command::Sweep(args) => sweep::run(&args, output),
        Command::Merge(args) => merge::run(&args, output),
        Command::Info(args) => info::run(&args, output),
        Command::Verify(args) => verify::run(&args, output),
        Command::Show(args) => show::run(&args, output),
        Command::Convert(args) => convert::run(&args, output),
        Command::Replay(args) => replay::run(&args, output),
        Command::Hand(args) => hand::run(&args, output),
        Command::Rules(args) => rules::run(&args, output),
        Command::Agents => agents::run(output),
        Command::Bench(args) => bench::run(&args, output),
        Command::Perft(args) => perft::run(&args, output),
    };
    match ended {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::No) => ExitCode::from(1),
        Ok(Ended::Unreadable) => ExitCode::from(2),
        Ok(Ended::Interrupted) => ExitCode::from(130),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Loads the rules of a preset or file.
fn load_rules(name: &str) -> anyhow::Result<Rules> {
    Ok(Rules::from_toml(&rule_text(name)?, name)?)
}

/// The text of a preset or rule file.
fn rule_text(name: &str) -> anyhow::Result<String> {
    if let Some(preset) = Preset::named(name) {
        return Ok(preset.toml.to_owned());
    }
    if !Path::new(name).exists() {
        let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        anyhow::bail!("unknown rules `{name}`: neither a file nor one of {}", presets.join(", "));
    }
    std::fs::read_to_string(name).with_context(|| format!("{name}: cannot read"))
}

/// Parses a whole number in this range.
fn number<N: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Checks that an output folder does not exist yet or is empty.
fn check_is_free(folder: &Path) -> anyhow::Result<()> {
    let show = folder.display();
    if folder.to_string_lossy().contains("://") {
        anyhow::bail!("{show}: is a URL, which only `selfplay` writes to; choose a folder");
    }
    check_is_new(folder).map_err(|error| anyhow::anyhow!("{show}: {error}"))
}

/// Prints a text on stdout. The reader may close the pipe, as `head` does.
fn say(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot print"),
    }
}

/// Prints an object as one line of JSON.
fn say_json(value: &serde_json::Value) -> anyhow::Result<()> {
    say(&format!("{value}\n"))
}

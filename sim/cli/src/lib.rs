//! The program `jantaku`: parses the command line, calls the library and prints the result.
//!
//! [`run`] is all of it. The binary calls it, and so does the command that the Python package installs.
//!
//! - `selfplay`, `match`, `league`, `rebuild-manifest`, `merge`, `label`, `info`, `card`, `verify`,
//!   `stats`, `sweep`, `show`, `view`, `serve`, `ask`, `analyse`, `replay`, `convert`, `hand`, `rules`, `agents`,
//!   `actions`, `mjai`, `bench`, `perft`, `conform`, `completions`, `manual`: one file or folder for each command
//! - `players`: the output about resumed runs
//! - `figures`: the tables of `stats` and `sweep`; `precision`: how precisely they must be known
//! - `html`: results as pages for the browser
//! - `progress`: the progress bar and Ctrl-C
//! - `option_hints`: advice about arguments that a command does not have
//! - `problems`: differences and errors of single games
//! - `print`: numbers and tables as text
//! - `arguments`: what several commands take: threads, rules, games, new folders
//! - `output`: how commands print and end
//!
//! # Why
//!
//! **Why is the program a library, too?** A wheel with a program beside the compiled module has all code
//! twice. So the command of the Python package calls this library, which the module contains.
//!
//! **Why is the program a crate of its own?** Programs of others link the libraries below it. They need no
//! command line, progress bar or signals. Editing the program recompiles only the program and the Python
//! package. Rejected: a feature of `sim`, because lints and tests need a pass with it and one without.

mod actions;
mod agents;
mod analyse;
mod arguments;
mod ask;
mod bench;
mod card;
mod completions;
mod conform;
mod convert;
mod figures;
mod hand;
mod html;
mod info;
mod label;
mod league;
mod manual;
mod match_agents;
mod merge;
mod mjai;
mod option_hints;
mod output;
mod perft;
mod players;
mod precision;
mod print;
mod problems;
mod progress;
mod rebuild_manifest;
mod replay;
mod rules;
mod selfplay;
mod serve;
mod show;
mod stats;
mod sweep;
#[cfg(test)]
mod tests;
mod verify;
mod view;

use std::ffi::OsString;
use std::sync::{LazyLock, OnceLock};

use clap::{CommandFactory as _, Parser, Subcommand};
use jantaku_commit::COMMIT;
use jantaku_sim::VERSION;
use jantaku_sim::dataset::InUse;

use output::{Ended, Output, harmless, note};

/// The optional features of this build: `none`, or names joined by commas.
const FEATURES: &str = match (cfg!(feature = "cloud"), cfg!(feature = "torch")) {
    (false, false) => "none",
    (true, false) => "cloud",
    (false, true) => "torch",
    (true, true) => "cloud,torch",
};

/// Version, commit and optional features of the program.
static BUILD: LazyLock<String> =
    LazyLock::new(|| format!("{VERSION}, commit {COMMIT}, features: {FEATURES}"));

/// Play, record and measure games of riichi mahjong
#[derive(Parser)]
#[command(name = "jantaku", version = BUILD.as_str(), term_width = print::width())]
struct Words {
    #[command(subcommand)]
    command: Command,
    /// Print one JSON object on stdout instead of text
    #[arg(long, global = true)]
    json: bool,
    /// Print no progress, notes or summary; `stats`, `sweep`, `match` and `league` still print
    /// their figures
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Play games and write a run
    Selfplay(selfplay::Args),
    Stats(stats::Args),
    Sweep(sweep::Args),
    Match(match_agents::Args),
    League(league::Args),
    RebuildManifest(rebuild_manifest::Args),
    Merge(merge::Args),
    Label(label::Args),
    Info(info::Args),
    Card(card::Args),
    Verify(verify::Args),
    /// Show one game of a run, decision by decision
    ///
    /// Prints below each decision the value, probabilities and action values that its agent stored
    Show(show::Args),
    View(view::Args),
    Serve(serve::Args),
    Ask(ask::Args),
    Analyse(analyse::Args),
    Replay(replay::Args),
    Convert(convert::Args),
    /// Print shanten, waits, discards and value of a hand
    Hand(hand::Args),
    /// List, show, compare and check rule sets
    Rules(rules::Args),
    /// List the agents and their options
    Agents,
    /// List the numbers of all actions
    Actions,
    Mjai(mjai::Args),
    /// Measure speed over fixed games, and print the behaviour signature
    Bench(bench::Args),
    /// Count all lines of play from positions, as perft does in computer chess
    Perft(perft::Args),
    Conform(conform::Args),
    Completions(completions::Args),
    Manual(manual::Args),
}

/// The command line, for pages that say what made them.
static LINE: OnceLock<Vec<OsString>> = OnceLock::new();

/// Runs the program with a command line, whose first word is its name, and returns its exit status. Bad
/// input or output gives status 2 and a message on stderr, a folder that another program writes status 75.
/// Bad usage and `--help` end the process.
pub fn run(line: Vec<OsString>) -> u8 {
    jantaku_sim::set_commit(COMMIT);
    jantaku_agents::name_options();
    #[cfg(feature = "cloud")]
    jantaku_cloud::connect();
    let words = arguments_in_order(LINE.get_or_init(|| line).iter().cloned());
    let words = Words::try_parse_from(&words).unwrap_or_else(|error| refuse(error, &words));
    let output = Output { json: words.json, quiet: words.quiet };
    match call(&words.command, output).unwrap_or_else(|error| failed(&error)) {
        Ended::Done => 0,
        Ended::No => 1,
        Ended::Unreadable => 2,
        Ended::InUse => 75,
        Ended::Interrupted => 130,
    }
}

/// Prints an error with its causes.
fn failed(error: &anyhow::Error) -> Ended {
    let (in_use, causes): (Vec<_>, Vec<_>) = error.chain().partition(|cause| cause.is::<InUse>());
    let causes: Vec<String> = causes.iter().map(ToString::to_string).collect();
    note(&format!("error: {}", causes.join(": ")));
    if in_use.is_empty() { Ended::Unreadable } else { Ended::InUse }
}

/// The command line with places on stdin, such as `-:5`, moved to its end behind `--`: else the parser would
/// take them as options, because they begin with `-`.
fn arguments_in_order(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let (places, mut words): (Vec<OsString>, Vec<OsString>) =
        words.partition(|word| word.to_str().is_some_and(|word| word.starts_with("-:")));
    if !places.is_empty() && !words.iter().any(|word| word == "--") {
        words.push("--".into());
    }
    words.extend(places);
    words
}

/// Prints the error of the command line with advice, or the help, and exits.
fn refuse(error: clap::Error, words: &[OsString]) -> ! {
    // What the message repeats of the words must not control the terminal.
    let words: Vec<String> = words.iter().map(|word| harmless(&word.to_string_lossy())).collect();
    let error = Words::try_parse_from(&words).err().unwrap_or(error);
    option_hints::with_advice(error, &words).exit()
}

fn call(command: &Command, output: Output) -> anyhow::Result<Ended> {
    match command {
        Command::Selfplay(args) => selfplay::run(args, output),
        Command::Stats(args) => stats::run(args, output),
        Command::Sweep(args) => sweep::run(args, output),
        Command::Match(args) => match_agents::run(args, output),
        Command::League(args) => league::run(args, output),
        Command::RebuildManifest(args) => rebuild_manifest::run(args, output),
        Command::Merge(args) => merge::run(args, output),
        Command::Label(args) => label::run(args, output),
        Command::Info(args) => info::run(args, output),
        Command::Card(args) => card::run(args, output),
        Command::Verify(args) => verify::run(args, output),
        Command::Show(args) => show::run(args, output),
        Command::View(args) => view::run(args, output),
        Command::Serve(args) => serve::run(args, output),
        Command::Ask(args) => ask::run(args, output),
        Command::Analyse(args) => analyse::run(args, output),
        Command::Convert(args) => convert::run(args, output),
        Command::Replay(args) => replay::run(args, output),
        Command::Hand(args) => hand::run(args, output),
        Command::Rules(args) => rules::run(args, output),
        Command::Agents => agents::run(output),
        Command::Actions => actions::run(output),
        Command::Mjai(args) => mjai::run(args, output),
        Command::Bench(args) => bench::run(args, output),
        Command::Perft(args) => perft::run(args, output),
        Command::Conform(args) => conform::run(args, output),
        Command::Completions(args) => completions::run(args, Words::command(), output),
        Command::Manual(args) => manual::run(args, Words::command(), output),
    }
}

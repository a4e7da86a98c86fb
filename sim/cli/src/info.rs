//! `jantaku info`.

use std::path::{Path, PathBuf};

use jantaku_measure::reports::{LogRules, RunInfo};
use jantaku_sim::dataset::{ColumnSize, TableSize};
use jantaku_sim::play::FaultReport;
use jantaku_sim::run::RunConfig;
use jantaku_sim::store;

use super::output::{Ended, Output, say, say_json};
use super::players::fault_lines;
use super::print::{self, AgentNames};

/// Print the agents, rules, rows and column sizes of a run
#[derive(clap::Args)]
pub(super) struct Args {
    /// Read the run in this folder
    run: PathBuf,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let info = RunInfo::read(&args.run)?;
    if output.json {
        say_json(&info)?;
    } else {
        say(&text(args, &info))?;
    }
    Ok(Ended::Done)
}

fn text(args: &Args, info: &RunInfo) -> String {
    let (many, config, names) = (print::thousands, &info.config, AgentNames::of(&info.agents));
    let who = if info.from_logs {
        "from logs".to_owned()
    } else {
        format!("of {}", names.players(&info.agents, info.seatings))
    };
    let state = if info.complete { "complete" } else { "not complete" };
    let games = print::many(info.games, "game");
    let mut text = format!("{}: {games} {who}, {state}\n", args.run.display());
    let mut line = |name: &str, value: &str| text += &format!("  {name:<8} {value}\n");
    if !info.complete && info.from_logs {
        line("missing", "unknown; convert the logs again");
    } else if !info.complete {
        let range = config.range();
        let asked = range.end - range.start;
        let missing = print::many(asked - info.games, "game");
        let command = match command(&args.run, config) {
            "match" if info.shard.is_some() => "the command of the shard with --resume".to_owned(),
            command => format!("`{command} --resume`"),
        };
        line("missing", &format!("{missing} of {}; {command} plays the rest", many(asked)));
    }
    for rules in rules_of_logs(&info.rules_of_logs) {
        line("rules", &rules);
    }
    if !info.from_logs {
        line("rules", &format!("{}, {}", config.rules_in_words(), info.rules_hash));
        line("seed", &info.seed.to_string());
    }
    if let (Some(shard), Some(games)) = (info.shard, config.games()) {
        line("shard", &format!("{shard} of a run of {}", print::many(games, "game")));
    }
    if let Some(branch) = &config.branch {
        line("branch", &branch.to_string());
    }
    let parts = many(info.parts as u64);
    line("parts", &format!("{parts} of {}", print::many(info.games_per_part, "game")));
    let RunInfo { version, commit, schema, .. } = info;
    line("made by", &format!("version {version}, commit {commit}, tables of version {schema}"));
    let faults = fault_text(args, &info.faults, &names);
    let sizes = &info.tables;
    print::wrapped(&text, 11) + &print::legend(&names) + &tables(sizes) + &columns(sizes) + &faults
}

/// The faults of bots, and where their whole messages are. Empty without faults.
fn fault_text(args: &Args, faults: &FaultReport, names: &AgentNames) -> String {
    if faults.fault_shares.is_empty() {
        return String::new();
    }
    let all = args.run.join("faults.jsonl");
    let text = format!("{}whole messages: {}\n", fault_lines(&faults.shortened(), names), all.display());
    format!("\n{}", print::wrapped(&text, 2))
}

/// The rules of games from logs, each with its games; the last of many are only counted.
fn rules_of_logs(rules: &[LogRules]) -> Vec<String> {
    const SHOWN: usize = 8;
    let one = |rules: &LogRules| {
        let LogRules { hash, players, games, .. } = rules;
        format!("{}, {hash}, {players} players: {}", rules.in_words(), print::many(*games, "game"))
    };
    let mut lines: Vec<String> = rules.iter().take(SHOWN).map(one).collect();
    let others = rules.iter().skip(SHOWN);
    if others.len() > 0 {
        let games = print::many(others.clone().map(|rules| rules.games).sum(), "game");
        lines.push(format!("{} more: {games}", print::many(others.len() as u64, "rule set")));
    }
    lines
}

/// The command that played the run in a folder.
fn command(run: &Path, config: &RunConfig) -> &'static str {
    if store::exists(&run.join("../../league.toml")) {
        "league"
    } else if store::exists(&run.join("match.toml")) || !config.seatings().is_fixed() {
        "match"
    } else {
        "selfplay"
    }
}

/// Rows and bytes of each table.
fn tables(sizes: &[TableSize]) -> String {
    let mut rows = vec![["", "rows", "bytes", "a row"].map(str::to_owned).to_vec()];
    rows.extend(sizes.iter().map(|size| {
        vec![
            size.table.name().to_owned(),
            print::thousands(size.rows),
            print::bytes(size.bytes),
            a_row(size.bytes, size.rows),
        ]
    }));
    format!("\ntables\n{}", print::table(&rows))
}

/// Bytes of each column, the largest first.
fn columns(sizes: &[TableSize]) -> String {
    let mut text = String::new();
    for size in sizes {
        let mut columns = size.columns.clone();
        columns.sort_by_key(|column| std::cmp::Reverse(column.bytes));
        let rows = columns.iter().map(|ColumnSize { column, bytes }| {
            vec![(*column).to_owned(), a_row(*bytes, size.rows), print::percent(*bytes, size.bytes)]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        text += &format!("\n{}, bytes a row\n{}", size.table.name(), print::table(&rows));
    }
    text
}

fn a_row(bytes: u64, rows: u64) -> String {
    if rows == 0 { "–".to_owned() } else { print::decimal(bytes as f64 / rows as f64, 2) }
}

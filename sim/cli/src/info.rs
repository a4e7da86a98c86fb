//! `jantaku info`.

use std::path::{Path, PathBuf};

use jantaku_measure::reports::faults::fault_lines;
use jantaku_measure::reports::{LogRules, RunInfo};
use jantaku_pages::report::{Cell, Fact, Report, Table};
use jantaku_sim::dataset::{ColumnSize, TableSize};
use jantaku_sim::play::FaultReport;
use jantaku_sim::run::{RunConfig, stray_note};
use jantaku_sim::store;

use super::output::{Ended, Output};
use super::print::{self, AgentNames};

/// Print the agents, rules, rows and column sizes of a run
#[derive(clap::Args)]
pub(super) struct Args {
    /// Read the run in this folder
    run: PathBuf,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let info = RunInfo::read(&args.run)?;
    output.print(&info, || report(&args.run, &info).to_text(print::width()))?;
    Ok(Ended::Done)
}

fn report(run: &Path, info: &RunInfo) -> Report {
    let names = AgentNames::of(&info.agents);
    let who = if info.from_logs {
        "from logs".to_owned()
    } else {
        format!("of {}", names.players(&info.agents, info.seatings))
    };
    let state = if info.complete { "complete" } else { "not complete" };
    let games = print::many(info.games, "game");
    let tables = std::iter::once(tables(&info.tables)).chain(info.tables.iter().map(columns));
    Report {
        title: format!("{}: {games} {who}, {state}", run.display()),
        findings: faults(run, &info.faults, &names)
            .into_iter()
            .chain(stray_note(&info.stray_files))
            .collect(),
        facts: facts(run, info, &names),
        sections: tables.map(Into::into).collect(),
        ..Report::default()
    }
}

fn facts(run: &Path, info: &RunInfo, names: &AgentNames) -> Vec<Fact> {
    let config = &info.config;
    let mut facts = names.facts("agent");
    let mut add = |name: &str, text: String| facts.push(Fact::new(name, text));
    if !info.complete {
        add("missing", missing(run, info));
    }
    rules_of_logs(&info.rules_of_logs).into_iter().for_each(|rules| add("rules", rules));
    if !info.from_logs {
        add("rules", format!("{}, {}", config.rules_in_words(), info.rules_hash));
        add("seed", info.seed.to_string());
    }
    if let (Some(shard), Some(games)) = (info.shard, config.games) {
        add("shard", format!("{shard} of a run of {}", print::many(games, "game")));
    }
    if let Some(branch) = &config.branch {
        add("branch", branch.sentence().to_string());
    }
    let parts = print::thousands(info.parts as u64);
    add("parts", format!("{parts} of {}", print::many(info.games_per_part, "game")));
    let RunInfo { version, commit, schema, .. } = info;
    add("made by", format!("version {version}, commit {commit}, tables of version {schema}"));
    facts
}

/// The games that a run does not have yet, and what adds them.
fn missing(run: &Path, info: &RunInfo) -> String {
    let RunInfo { config, games, .. } = info;
    if info.from_logs {
        return "unknown; convert the logs again".to_owned();
    }
    let resume = match command(run, config) {
        "match" if info.shard.is_some() => "the command that played this shard, with --resume,".to_owned(),
        command => format!("`{command} --resume`"),
    };
    let Some(asked) = config.games_of_folder() else {
        return format!("unknown until the match's test decides; {resume} plays the rest");
    };
    let missing = print::many(asked - games, "game");
    format!("{missing} of {}; {resume} plays the rest", print::thousands(asked))
}

/// The faults of bots, and where their whole messages are. Empty without faults.
fn faults(run: &Path, found: &FaultReport, names: &AgentNames) -> Vec<String> {
    let mut lines = fault_lines(&found.shortened(), names);
    if !lines.is_empty() {
        lines.push(format!("whole messages: {}", run.join("faults.jsonl").display()));
    }
    lines
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
    } else if store::exists(&run.join("match.toml")) || !config.seatings.is_fixed() {
        "match"
    } else {
        "selfplay"
    }
}

/// Rows and bytes of each table.
fn tables(sizes: &[TableSize]) -> Table {
    let row = |size: &TableSize| {
        let bytes = Cell::Number(print::bytes(size.bytes), size.bytes as f64);
        [Cell::name(size.table.name()), Cell::count(size.rows), bytes, per_row(size.bytes, size.rows)]
    };
    Table::new("Tables", ["", "rows", "bytes", "bytes a row"]).rows(sizes.iter().map(row))
}

/// Bytes of each column, the largest first.
fn columns(size: &TableSize) -> Table {
    let mut columns = size.columns.clone();
    columns.sort_by_key(|column| std::cmp::Reverse(column.bytes));
    let row = |ColumnSize { column, bytes }: &ColumnSize| {
        let share = (size.bytes > 0).then(|| *bytes as f64 / size.bytes as f64);
        [Cell::name(column), per_row(*bytes, size.rows), Cell::percent(share)]
    };
    Table::new(format!("Columns of {}", size.table.name()), ["", "bytes a row", "share"])
        .rows(columns.iter().map(row))
}

fn per_row(bytes: u64, rows: u64) -> Cell {
    Cell::number((rows > 0).then(|| bytes as f64 / rows as f64), 2)
}

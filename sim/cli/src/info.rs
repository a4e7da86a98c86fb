//! `jantaku info`.

use std::path::{Path, PathBuf};

use jantaku_agents::Faults;
use jantaku_sim::dataset::{Copied, TableKind, TableSize};
use jantaku_sim::path_text;
use jantaku_sim::play::{fault_shares_as_json, faults_as_json};
use jantaku_sim::reports::LogRules;
use jantaku_sim::run::{self, Manifest, RunConfig};
use jantaku_sim::store;
use serde_json::json;

use super::output::{Ended, Output, say, say_json};
use super::players::{short_fault_lines, shown_faults};
use super::print::{self, AgentNames};

/// Print the agents, rules, rows and column sizes of a run
#[derive(clap::Args)]
pub(super) struct Args {
    /// Read the run in this folder
    run: PathBuf,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let (config, manifest) = run::read(&args.run)?;
    let sizes = manifest.table_sizes(&args.run)?;
    let rules = if config.is_of_logs() { LogRules::of_run(&args.run, &manifest)? } else { Vec::new() };
    let faults = run::stored_faults(&args.run, &manifest)?;
    if output.json {
        let mut info = as_json(args, &config, &manifest, (&sizes, &rules));
        info["faults"] = faults_as_json(&faults);
        info["fault_shares"] = fault_shares_as_json(&faults);
        say_json(&info)?;
    } else {
        say(&text(args, &config, &manifest, (&sizes, &rules), &faults))?;
    }
    Ok(Ended::Done)
}

/// Bytes of a row of the table of decisions.
fn bytes_per_decision(sizes: &[TableSize]) -> Option<f64> {
    let decisions = sizes.iter().find(|size| size.table == TableKind::Decisions)?;
    (decisions.rows > 0).then(|| decisions.bytes as f64 / decisions.rows as f64)
}

fn text(
    args: &Args,
    config: &RunConfig,
    manifest: &Manifest,
    (sizes, rules): (&[TableSize], &[LogRules]),
    faults: &[(String, Faults)],
) -> String {
    let (many, names) = (print::thousands, AgentNames::of(&config.agents));
    let who = if config.is_of_logs() {
        "from logs".to_owned()
    } else {
        format!("of {}", names.players(&config.agents, config.seatings()))
    };
    let state = if manifest.complete { "complete" } else { "not complete" };
    let games = print::many(manifest.games, "game");
    let mut text = format!("{}: {games} {who}, {state}\n", args.run.display());
    let mut line = |name: &str, value: &str| text += &format!("  {name:<8} {value}\n");
    if !manifest.complete && config.is_of_logs() {
        line("missing", "unknown; convert the logs again");
    } else if !manifest.complete {
        let range = config.range();
        let asked = range.end - range.start;
        let missing = print::many(asked - manifest.games, "game");
        let command = match command(&args.run, config) {
            "match" if config.shard().is_some() => "the command of the shard with --resume".to_owned(),
            command => format!("`{command} --resume`"),
        };
        line("missing", &format!("{missing} of {}; {command} plays the rest", many(asked)));
    }
    for rules in rules_of_logs(rules) {
        line("rules", &rules);
    }
    if !config.is_of_logs() {
        line("rules", &format!("{}, {}", config.rules_in_words(), config.rules_hash));
        line("seed", &config.seed.to_string());
    }
    if let (Some(shard), Some(games)) = (config.shard(), config.games()) {
        line("shard", &format!("{shard} of a run of {}", print::many(games, "game")));
    }
    if let Some(copied) = &config.copied {
        let hands = match copied.hands {
            0 => String::new(),
            hands => format!("; hands 0 to {} have copied decisions", hands - 1),
        };
        line("copied", &format!("{copied}{hands}"));
    }
    line(
        "parts",
        &format!("{} of {}", many(manifest.parts.len() as u64), print::many(config.games_per_part, "game")),
    );
    line(
        "made by",
        &format!("version {}, commit {}, tables of version {}", config.version, config.commit, config.schema),
    );
    let faults = fault_text(args, &shown_faults(faults, &names));
    print::wrapped(&text, 11) + &print::legend(&names) + &tables(sizes) + &columns(sizes) + &faults
}

/// The faults of bots, and where their whole messages are. Empty without faults.
fn fault_text(args: &Args, faults: &[(String, Faults)]) -> String {
    if faults.is_empty() {
        return String::new();
    }
    let all = args.run.join("faults.jsonl");
    let text = format!("{}whole messages: {}\n", short_fault_lines(faults), all.display());
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
        columns.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let rows = columns.iter().map(|(name, bytes)| {
            vec![(*name).to_owned(), a_row(*bytes, size.rows), print::percent(*bytes, size.bytes)]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        text += &format!("\n{}, bytes a row\n{}", size.table.name(), print::table(&rows));
    }
    text
}

fn a_row(bytes: u64, rows: u64) -> String {
    if rows == 0 { "–".to_owned() } else { print::decimal(bytes as f64 / rows as f64, 2) }
}

fn as_json(
    args: &Args,
    config: &RunConfig,
    manifest: &Manifest,
    (sizes, rules): (&[TableSize], &[LogRules]),
) -> serde_json::Value {
    let tables = sizes.iter().map(|size| {
        let columns = size.columns.iter().map(|(name, bytes)| json!({ "column": name, "bytes": bytes }));
        json!({
            "table": size.table.name(),
            "rows": size.rows,
            "bytes": size.bytes,
            "columns": columns.collect::<Vec<_>>(),
        })
    });
    json!({
        "run": path_text(&args.run),
        "complete": manifest.complete,
        "games": manifest.games,
        "games_asked": config.games().unwrap_or(0),
        "shard": config.shard(),
        "copied": config.copied.as_ref().map(Copied::numbers),
        "seed": config.seed,
        "agents": config.agents,
        "seatings": config.seatings().name(),
        "rules": config.rules_name,
        "rules_hash": config.rules_hash,
        "keep_draws": config.rules.keep_draws,
        "from_logs": config.is_of_logs(),
        "rules_of_logs": rules,
        "log": config.detail.name(),
        "parts": manifest.parts.len(),
        "games_per_part": config.games_per_part,
        "version": config.version,
        "commit": config.commit,
        "schema": config.schema,
        "tables": tables.collect::<Vec<_>>(),
        "bytes_per_decision": bytes_per_decision(sizes),
    })
}

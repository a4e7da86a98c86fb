//! What a run has in its folder.

use std::path::Path;

use serde::Serialize;

use super::log_rules::LogRules;
use jantaku_sim::dataset::{ReadError, TableKind, TableSize};
use jantaku_sim::path_text;
use jantaku_sim::play::{Detail, FaultReport, Seatings};
use jantaku_sim::run::{self, RunConfig, Shard};

/// The agents, rules, rows and column sizes of a run: what `jantaku info --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct RunInfo {
    /// The folder of the run.
    pub run: String,
    /// Whether all games of the run are in complete parts.
    pub complete: bool,
    /// Games in complete parts.
    pub games: u64,
    /// Games of the whole run, all shards together; null if the number is not known yet: a test
    /// ends the match, or not all logs were read.
    pub games_asked: Option<u64>,
    /// The share of the run in the folder, such as `2/4`; null for the whole run.
    pub shard: Option<Shard>,
    /// What the game has copied from another game, a log or a position; null if it is no branch.
    pub branch: Option<String>,
    /// The seed of the run.
    pub seed: u64,
    /// The agent of each seat, or the agents that change seats; empty if the games come from logs.
    pub agents: Vec<String>,
    /// Who sits where in a set.
    pub seatings: Seatings,
    /// The name of the rules as given.
    pub rules: String,
    /// The hash of the rules, 16 hexadecimal digits.
    pub rules_hash: String,
    /// Whether all seats keep their own draws after calls.
    pub keep_draws: bool,
    /// Whether the games come from logs, each with its own players and rules.
    pub from_logs: bool,
    /// The rules of games from logs; otherwise empty.
    pub rules_of_logs: Vec<LogRules>,
    /// The level of `--log`.
    pub log: Detail,
    /// The number of complete parts.
    pub parts: usize,
    /// Games in a part.
    pub games_per_part: u64,
    /// The version of the program that wrote the run.
    pub version: String,
    /// Its commit.
    pub commit: String,
    /// The version of the tables.
    pub schema: u32,
    /// The agents that had faults in the games of complete parts.
    #[serde(flatten)]
    pub faults: FaultReport,
    /// The Parquet files beside the parts that the manifest does not name; other tools would count their rows.
    pub stray_files: Vec<String>,
    /// The sizes of the tables.
    pub tables: Vec<TableSize>,
    /// Bytes of a row of `decisions`; null without that table.
    pub bytes_per_decision: Option<f64>,
    /// The configuration of the run.
    #[serde(skip)]
    pub config: RunConfig,
}

impl RunInfo {
    /// The run in a folder.
    ///
    /// # Errors
    ///
    /// If the run cannot be read.
    pub fn read(folder: &Path) -> Result<RunInfo, ReadError> {
        let (config, manifest) = run::read(folder)?;
        let tables = manifest.table_sizes(folder)?;
        let decisions = tables.iter().find(|size| size.table == TableKind::Decisions && size.rows > 0);
        Ok(RunInfo {
            run: path_text(folder).into_owned(),
            complete: manifest.complete,
            games: manifest.games,
            games_asked: config.games,
            shard: config.shard,
            branch: config.branch.as_ref().map(|branch| branch.sentence().to_string()),
            seed: config.seed,
            agents: config.agents.clone(),
            seatings: config.seatings,
            rules: config.rules_name.clone(),
            rules_hash: config.rules_hash.clone(),
            keep_draws: config.rules.keep_draws,
            from_logs: config.from_logs,
            rules_of_logs: if config.from_logs { LogRules::read(folder, &manifest)? } else { Vec::new() },
            log: config.detail,
            parts: manifest.parts.len(),
            games_per_part: config.games_per_part,
            version: config.version.clone(),
            commit: config.commit.clone(),
            schema: config.schema,
            faults: FaultReport::of(&run::stored_faults(folder, &manifest)?),
            stray_files: run::stray_files(folder, &manifest)?
                .iter()
                .map(|path| path_text(path).into_owned())
                .collect(),
            bytes_per_decision: decisions.map(|size| size.bytes as f64 / size.rows as f64),
            tables,
            config,
        })
    }
}

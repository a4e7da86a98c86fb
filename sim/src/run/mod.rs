//! The folder of a run.
//!
//! ```text
//! run.toml                       everything needed to repeat the run
//! games/part-000000.parquet      part k holds games k·P to (k + 1)·P − 1, P is in run.toml
//! hands/part-000000.parquet
//! decisions/part-000000.parquet
//! walls/part-000000.parquet      only where games came from logs
//! manifest.json                  the parts that are complete, with their rows
//! environment.json               time, machine, threads: the only file that differs between runs of the same games; not of logs, nor merged
//! ```

pub mod resume;
mod shard;
pub mod store;
mod writer;

pub use shard::{MergeError, Shard, merge};
pub use writer::ParquetSink;

use std::fmt::Display;
use std::io;
use std::ops::Range;
use std::path::Path;

use jantaku_engine::Rules;
use serde::{Deserialize, Serialize};

use crate::dataset::{
    ReadError, SCHEMA_VERSION, TableKind, TableSize, part_name, part_path, rows_of, table_size,
};
use crate::play::{Detail, SinkError};
use crate::run::store::{Folder, Store, write};

/// Everything needed to repeat a run: the contents of `run.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// The version of the tables.
    pub schema: u32,
    /// The version of the program.
    pub version: String,
    /// The commit that the program was built from, where it is known.
    pub commit: String,
    /// How many games were asked for; 0 where they come from logs of which it is not known yet how many there are.
    pub games: u64,
    /// The seed of the run.
    pub seed: u64,
    /// The agent of each seat.
    pub agents: Vec<String>,
    /// How much is kept: games, hands or decisions.
    pub log: String,
    /// How many games make a part.
    pub games_per_part: u64,
    /// Which share of the games this is; none for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Whether the same seed gives the same bytes: the agents are functions of what they see and of their random numbers.
    pub repeatable: bool,
    /// Whether the walls are kept in a table of their own: they do not follow from the seeds of games that came from logs.
    #[serde(default)]
    pub walls: bool,
    /// The name of the rule set as it was given.
    pub rules_name: String,
    /// [`Rules::hash`], 16 hexadecimal digits.
    pub rules_hash: String,
    /// The rules.
    pub rules: Rules,
}

impl RunConfig {
    /// The configuration of a run of this version of the program.
    #[must_use]
    pub fn new(
        rules_name: &str,
        rules: &Rules,
        agents: Vec<String>,
        games: u64,
        seed: u64,
        detail: Detail,
    ) -> RunConfig {
        RunConfig {
            schema: SCHEMA_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: env!("JANTAKU_COMMIT").to_owned(),
            games,
            seed,
            agents,
            log: detail.name().to_owned(),
            games_per_part: GAMES_PER_PART,
            shard: None,
            repeatable: true,
            walls: false,
            rules_name: rules_name.to_owned(),
            rules_hash: format!("{:016x}", rules.hash()),
            rules: *rules,
        }
    }

    /// The configuration of a run of games that come from logs, each with its own rules.
    #[must_use]
    pub fn of_logs() -> RunConfig {
        let config = RunConfig::new("of each log", &Rules::default(), Vec::new(), 0, 0, Detail::Decisions);
        RunConfig { repeatable: false, walls: true, ..config }
    }

    /// The numbers of its games.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        let of_shard = self.shard.and_then(|shard| shard.games(self.games, self.games_per_part));
        of_shard.unwrap_or(0..self.games)
    }

    /// Whether this table is kept.
    #[must_use]
    pub fn keeps(&self, table: TableKind) -> bool {
        table.is_kept(self.detail(), self.walls)
    }

    /// The tables that are kept.
    pub(crate) fn kept(&self) -> impl Iterator<Item = TableKind> {
        TableKind::ALL.into_iter().filter(|table| self.keeps(*table))
    }

    /// How much is kept of each game.
    #[must_use]
    pub fn detail(&self) -> Detail {
        Detail::named(&self.log).unwrap_or(Detail::None)
    }

    /// Whether its entries are those of a run, and agree with each other.
    ///
    /// # Errors
    ///
    /// Says which does not, what was found and what was expected.
    pub fn check(&self) -> Result<(), String> {
        self.rules.check().map_err(|wrong| format!("`rules`: {wrong}"))?;
        let wrong = |field: &str, expected: &str, found: &dyn Display| {
            Err(format!("`{field}`: expected {expected}, found {found}"))
        };
        let (hash, players) =
            (format!("{:016x}", self.rules.hash()), usize::from(self.rules.players.count()));
        if Detail::named(&self.log).is_none() {
            return wrong("log", &format!("one of {}", Detail::ALL.map(Detail::name).join(", ")), &self.log);
        }
        if self.games_per_part == 0 {
            return wrong("games_per_part", "at least 1", &0);
        }
        if let Some(shard) = self.shard.filter(|s| s.games(self.games, self.games_per_part).is_none()) {
            let parts = self.games.div_ceil(self.games_per_part);
            return wrong("shard", &format!("at most as many shards as parts, which are {parts}"), &shard);
        }
        if self.rules_hash != hash {
            return wrong("rules_hash", &format!("{hash}, that of `rules`"), &self.rules_hash);
        }
        // Games that come from logs name their players themselves.
        if !self.walls && self.agents.len() != players {
            return wrong("agents", &format!("{players}, one for each player"), &self.agents.len());
        }
        Ok(())
    }
}

/// Reads `run.toml` and `manifest.json` of a run.
///
/// # Errors
///
/// If a file is missing or cannot be understood, or what it says does not agree with itself.
pub fn read(folder: &Path) -> Result<(RunConfig, Manifest), ReadError> {
    if folder.to_string_lossy().contains("://") {
        return Err(ReadError::new(folder, &"is a URL: only `selfplay` writes to one, copy it to a folder"));
    }
    let (config, manifest) = read_started(folder)?;
    Ok((config, manifest.ok_or_else(|| missing(&folder.join("manifest.json"), &not_there()))?))
}

/// Reads `run.toml` of a run in a folder, and `manifest.json` if it has been written yet.
///
/// # Errors
///
/// If there is no `run.toml`, or a file cannot be understood, or what it says does not agree with itself.
pub fn read_started(folder: &Path) -> Result<(RunConfig, Option<Manifest>), ReadError> {
    if folder.metadata().is_ok_and(|found| !found.is_dir()) {
        return Err(ReadError::new(folder, &"expected the folder of a run, found a file"));
    }
    read_started_in(&Folder, folder)
}

/// The same of a run that lies anywhere.
///
/// # Errors
///
/// As [`read_started`].
pub fn read_started_in<S: Store>(
    store: &S,
    folder: &Path,
) -> Result<(RunConfig, Option<Manifest>), ReadError> {
    let path = folder.join("run.toml");
    let error = |what: &dyn ToString| ReadError::new(&path, what);
    let text = read_text(store, &path)?.ok_or_else(|| missing(&path, &not_there()))?;
    let config: RunConfig = toml::from_str(&text).map_err(|e| error(&e))?;
    if config.schema != SCHEMA_VERSION {
        let found = config.schema;
        return Err(error(&format!(
            "tables of version {found}, this program reads version {SCHEMA_VERSION}"
        )));
    }
    config.check().map_err(|what| error(&what))?;
    let path = folder.join("manifest.json");
    let Some(text) = read_text(store, &path)? else { return Ok((config, None)) };
    let manifest: Manifest = serde_json::from_str(&text).map_err(|e| ReadError::new(&path, &e))?;
    manifest.check(&config).map_err(|what| ReadError::new(&path, &what))?;
    Ok((config, Some(manifest)))
}

/// Whether the manifest names a file of each table that the run keeps, and no other, for every part.
pub(crate) fn check_tables(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    let kept: Vec<&str> = config.kept().map(TableKind::name).collect();
    for part in &manifest.parts {
        let tables: Vec<&str> = part.files.iter().map(|file| file.table.as_str()).collect();
        if tables != kept {
            let what = format!(
                "part {}: expected files of {}, found files of {}",
                part.part,
                kept.join(", "),
                tables.join(", ")
            );
            return Err(ReadError::new(&folder.join("manifest.json"), &what));
        }
    }
    Ok(())
}

/// Whether the parts have files of the tables that the run keeps, with the rows that the manifest says, as far as they tell themselves.
///
/// # Errors
///
/// If a file is missing or damaged, or is another than it should be.
pub fn check_files(folder: &Path, config: &RunConfig, manifest: &Manifest) -> Result<(), ReadError> {
    check_tables(folder, config, manifest)?;
    for file in manifest.parts.iter().flat_map(|part| &part.files) {
        let path = folder.join(&file.path);
        let found = rows_of(&path)?;
        if found != file.rows {
            let what = format!("expected {} rows, as the manifest says, found {found}", file.rows);
            return Err(ReadError::new(&path, &what));
        }
    }
    Ok(())
}

/// The text of a small file; none if it is not there.
fn read_text<S: Store>(store: &S, path: &Path) -> Result<Option<String>, ReadError> {
    match store.read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(missing(path, &io::Error::new(io::ErrorKind::InvalidData, error))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(ReadError::new(path, &error)),
        Err(error) => Err(missing(path, &error)),
    }
}

/// The error of a file that is not there, which has this number on Unix and on Windows.
fn not_there() -> io::Error {
    io::Error::from_raw_os_error(2)
}

fn missing(path: &Path, error: &io::Error) -> ReadError {
    ReadError::new(path, &format!("cannot read: {error}; is this the folder of a run?"))
}

/// How many games make a part: about 15 MB of decisions.
const GAMES_PER_PART: u64 = 1000;

/// The parts of a run that are complete: the contents of `manifest.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Whether all games of the run are there.
    pub complete: bool,
    /// Games in complete parts.
    pub games: u64,
    /// Rows of each table.
    pub rows: Rows,
    /// The parts in order.
    pub parts: Vec<PartEntry>,
}

/// Rows of the three tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    /// Rows of `games`.
    pub games: u64,
    /// Rows of `hands`.
    pub hands: u64,
    /// Rows of `decisions`.
    pub decisions: u64,
    /// Rows of `walls`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub walls: u64,
}

impl Rows {
    /// The numbers in the order of [`TableKind::ALL`].
    pub(crate) fn by_table(self) -> impl Iterator<Item = u64> {
        [self.games, self.hands, self.decisions, self.walls].into_iter()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(rows: &u64) -> bool {
    *rows == 0
}

/// A complete part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEntry {
    /// Its number.
    pub part: u64,
    /// Its first game.
    pub first_game: u64,
    /// How many games it holds.
    pub games: u64,
    /// Its files.
    pub files: Vec<PartRows>,
}

/// A file of a complete part, with its number of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRows {
    /// The name of the table.
    pub table: String,
    /// The path of the file, relative to the folder of the run.
    pub path: String,
    /// Its rows.
    pub rows: u64,
}

impl PartEntry {
    /// Whether its files are where those of the part lie, so that nothing else is read, copied or removed in their name.
    fn check_names(&self) -> Result<(), String> {
        for PartRows { table, path, .. } in &self.files {
            let Some(known) = TableKind::named(table) else {
                let tables = TableKind::ALL.map(TableKind::name).join(", ");
                return Err(format!("`table`: expected one of {tables}, found {table}"));
            };
            let expected = part_name(known, self.part);
            if *path != expected {
                return Err(format!("`path`: expected {expected}, found {path}"));
            }
        }
        Ok(())
    }
}

impl Manifest {
    /// Whether its parts are those of this run, from the first on without a gap. Says what was found and what was expected.
    fn check(&self, config: &RunConfig) -> Result<(), String> {
        let in_parts: u64 = self.parts.iter().map(|part| part.games).sum();
        if self.games != in_parts {
            return Err(format!("`games`: expected {in_parts}, those of the parts, found {}", self.games));
        }
        let Range { start: mut next, end } = config.range();
        // Of logs it is not known how many games there are until the last has come.
        let end = if config.games == 0 { u64::MAX } else { end };
        for found in &self.parts {
            let part = next / config.games_per_part;
            if (found.part, found.first_game) != (part, next) {
                let (number, first) = (found.part, found.first_game);
                return Err(format!(
                    "`parts`: expected part {part} from game {next} on, found part {number} from game {first} on"
                ));
            }
            let expected = config.games_per_part.min(end.saturating_sub(next));
            let may_be_short = config.games == 0 && self.parts.last() == Some(found);
            if found.games != expected && !(may_be_short && found.games < expected) || found.games == 0 {
                return Err(format!(
                    "`parts`: expected {expected} games in part {part}, found {}",
                    found.games
                ));
            }
            found.check_names()?;
            next += found.games;
        }
        if self.complete && next < end && config.games > 0 {
            return Err(format!("`complete`: expected false, the games from {next} to {end} are missing"));
        }
        Ok(())
    }

    /// The part that holds this game.
    #[must_use]
    pub fn part_of(&self, game: u64) -> Option<&PartEntry> {
        self.parts.iter().find(|part| (part.first_game..part.first_game + part.games).contains(&game))
    }

    /// The size of each table of a run in a folder.
    ///
    /// # Errors
    ///
    /// If a file is missing or not a Parquet file.
    pub fn table_sizes(&self, folder: &Path) -> Result<Vec<TableSize>, ReadError> {
        let has = |part: &&PartEntry, table: TableKind| part.files.iter().any(|f| f.table == table.name());
        let files = |table| {
            let parts = self.parts.iter().filter(move |part| has(part, table));
            parts.map(move |part| part_path(folder, table, part.part)).collect::<Vec<_>>()
        };
        let tables = TableKind::ALL.map(|table| (table, files(table))).into_iter();
        tables
            .filter(|(_, files)| !files.is_empty())
            .map(|(table, files)| table_size(table, &files))
            .collect()
    }

    pub(crate) fn add(&mut self, part: PartEntry) {
        self.games += part.games;
        for file in &part.files {
            match file.table.as_str() {
                "games" => self.rows.games += file.rows,
                "hands" => self.rows.hands += file.rows,
                "walls" => self.rows.walls += file.rows,
                _ => self.rows.decisions += file.rows,
            }
        }
        self.parts.push(part);
    }
}

pub(crate) fn write_config<S: Store>(
    store: &mut S,
    folder: &Path,
    config: &RunConfig,
) -> Result<(), SinkError> {
    let text = toml::to_string(config).expect("every field has a TOML form");
    write(store, &folder.join("run.toml"), text.as_bytes())
}

pub(crate) fn write_manifest<S: Store>(
    store: &mut S,
    folder: &Path,
    manifest: &Manifest,
) -> Result<(), SinkError> {
    let text = serde_json::to_string_pretty(manifest).expect("a manifest has a JSON form") + "\n";
    write(store, &folder.join("manifest.json"), text.as_bytes())
}

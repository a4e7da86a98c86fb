//! The contents of `manifest.json`: the complete parts of a run.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::dataset::{ReadError, TableKind, TableSize, part_name, part_path, table_size};
use crate::run::config::RunConfig;
use crate::store::Fingerprint;

/// The complete parts of a run: the contents of `manifest.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Whether the parts hold all games of the run.
    pub complete: bool,
    /// Games in complete parts.
    pub games: u64,
    /// Rows of each table in complete parts.
    pub rows: RowCounts,
    /// The parts in order.
    pub parts: Vec<PartEntry>,
    /// Parts that `rebuild-manifest` left out, as an older manifest has them. If their files come back,
    /// the hashes show whether the files are whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<PartEntry>,
}

/// Numbers of rows by table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// Rows of `games`.
    pub games: u64,
    /// Rows of `hands`.
    pub hands: u64,
    /// Rows of `decisions`.
    pub decisions: u64,
    /// Rows of `walls`.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub walls: u64,
    /// Rows of `oracle`.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub oracle: u64,
    /// Rows of `labels`.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub labels: u64,
}

impl RowCounts {
    /// The numbers in the order of [`TableKind::ALL`].
    pub(crate) fn by_table(self) -> impl Iterator<Item = u64> {
        [self.games, self.hands, self.decisions, self.walls, self.oracle, self.labels].into_iter()
    }

    /// The rows of the table with this name.
    fn of(&mut self, table: &str) -> &mut u64 {
        match table {
            "games" => &mut self.games,
            "hands" => &mut self.hands,
            "walls" => &mut self.walls,
            "oracle" => &mut self.oracle,
            "labels" => &mut self.labels,
            _ => &mut self.decisions,
        }
    }
}

/// A complete part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartEntry {
    /// Number of the part in the whole run.
    pub part: u64,
    /// Number of its first game.
    pub first_game: u64,
    /// How many games it holds.
    pub games: u64,
    /// Its files, one for each table of the run.
    pub files: Vec<PartFile>,
}

/// A file of a complete part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartFile {
    /// The name of the table.
    pub table: String,
    /// The path of the file, relative to the folder of the run.
    pub path: String,
    /// Its rows.
    pub rows: u64,
    /// Its size. Manifests of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Its SHA-256 in hexadecimal digits, as `sha256sum` prints it. Manifests of older versions
    /// have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl PartFile {
    /// A file of this size and hash.
    pub(crate) fn new(table: TableKind, path: String, rows: u64, found: Fingerprint) -> PartFile {
        let Fingerprint { bytes, sha256 } = found;
        PartFile { table: table.name().to_owned(), path, rows, bytes: Some(bytes), sha256: Some(sha256) }
    }
}

impl PartEntry {
    /// The numbers of its games.
    pub const fn range(&self) -> Range<u64> {
        self.first_game..self.first_game + self.games
    }

    /// Checks that each file has the path of its table and part.
    ///
    /// Files are read, copied and removed by these paths, so a path outside the run must not pass.
    pub(super) fn check_names(&self) -> Result<(), String> {
        for PartFile { table, path, .. } in &self.files {
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
    /// Checks that the parts are those of this run, in order and without a gap.
    pub(super) fn check(&self, config: &RunConfig) -> Result<(), String> {
        let in_parts: u64 = self.parts.iter().map(|part| part.games).sum();
        if self.games != in_parts {
            return Err(format!("`games`: expected {in_parts}, the sum of the parts, found {}", self.games));
        }
        let is_open_ended = config.games.is_none();
        let Range { start: mut next, end } = config.range();
        for found in &self.parts {
            let part = next / config.games_per_part;
            if (found.part, found.first_game) != (part, next) {
                let (number, first) = (found.part, found.first_game);
                return Err(format!(
                    "`parts`: expected part {part} from game {next} on, \
                    found part {number} from game {first} on"
                ));
            }
            let expected = config.games_per_part.min(end.saturating_sub(next));
            let may_be_short = (is_open_ended || !self.complete) && self.parts.last() == Some(found);
            if found.games != expected && !(may_be_short && found.games < expected) || found.games == 0 {
                return Err(format!(
                    "`parts`: expected {expected} games in part {part}, found {}",
                    found.games
                ));
            }
            found.check_names()?;
            next += found.games;
        }
        self.check_rows(self.rows_of_parts(), "the sum of the parts")?;
        if self.complete && next < end && !is_open_ended {
            return Err(format!("`complete`: expected false, the games from {next} on are missing"));
        }
        Ok(())
    }

    /// The rows of each table, added up over the parts.
    fn rows_of_parts(&self) -> RowCounts {
        let mut rows = RowCounts::default();
        self.files().for_each(|file| *rows.of(&file.table) += file.rows);
        rows
    }

    /// Checks that the tables have these rows. `what` says where the expected numbers come from.
    fn check_rows(&self, expected: RowCounts, what: &str) -> Result<(), String> {
        let both = TableKind::ALL.iter().zip(expected.by_table().zip(self.rows.by_table()));
        for (table, (expected, found)) in both {
            if found != expected {
                return Err(format!("`rows.{}`: expected {expected}, {what}, found {found}", table.name()));
            }
        }
        Ok(())
    }

    /// The size of each table of a run in a folder. The files must have the rows of the manifest.
    ///
    /// # Errors
    ///
    /// If a file is missing or not a Parquet file, or the rows are not those of the manifest.
    pub fn table_sizes(&self, folder: &Path) -> Result<Vec<TableSize>, ReadError> {
        let has = |part: &&PartEntry, table: TableKind| part.files.iter().any(|f| f.table == table.name());
        let files = |table| {
            let parts = self.parts.iter().filter(move |part| has(part, table));
            parts.map(move |part| part_path(folder, table, part.part)).collect::<Vec<_>>()
        };
        let tables = TableKind::ALL.map(|table| (table, files(table))).into_iter();
        let sizes: Vec<TableSize> = tables
            .filter(|(_, files)| !files.is_empty())
            .map(|(table, files)| table_size(table, &files))
            .collect::<Result<_, _>>()?;
        let mut found = RowCounts::default();
        sizes.iter().for_each(|size| *found.of(size.table.name()) = size.rows);
        let checked = self.check_rows(found, "the rows of the files");
        checked.map_err(|what| ReadError::new(&folder.join("manifest.json"), &what))?;
        Ok(sizes)
    }

    /// The part that holds this game.
    pub fn part_of(&self, game: u64) -> Option<&PartEntry> {
        self.parts.iter().find(|part| part.range().contains(&game))
    }

    /// The files of all parts.
    pub fn files(&self) -> impl Iterator<Item = &PartFile> {
        self.parts.iter().flat_map(|part| &part.files)
    }

    /// Whether the manifest states the size and hash of every file.
    pub fn has_hashes(&self) -> bool {
        self.files().all(|file| file.bytes.is_some() && file.sha256.is_some())
    }

    /// The last part, if the run now has more games for it: the run was extended or reopened.
    pub(crate) fn short_part(&self, config: &RunConfig) -> Option<&PartEntry> {
        let end = config.range().end;
        self.parts.last().filter(|part| part.games < config.games_per_part.min(end - part.first_game))
    }

    /// The games of the parts that stay as they are: all but a short one.
    pub(crate) fn settled_games(&self, config: &RunConfig) -> u64 {
        self.games - self.short_part(config).map_or(0, |part| part.games)
    }

    /// Adds a complete part after the last one.
    pub(crate) fn add(&mut self, part: PartEntry) {
        self.left_out.retain(|old| old.part != part.part);
        self.games += part.games;
        part.files.iter().for_each(|file| *self.rows.of(&file.table) += file.rows);
        self.parts.push(part);
    }

    /// Keeps only this many parts, from the first.
    pub(crate) fn keep(&mut self, parts: usize) {
        while self.parts.len() > parts {
            self.remove_last();
        }
    }

    /// Removes the last part.
    pub(crate) fn remove_last(&mut self) {
        if let Some(part) = self.parts.pop() {
            self.games -= part.games;
            part.files.iter().for_each(|file| {
                let rows = self.rows.of(&file.table);
                *rows = rows.saturating_sub(file.rows);
            });
        }
    }
}

/// The number of a part, from the name of its file. None for other names.
pub(super) fn part_number(name: &str) -> Option<u64> {
    let number = name.strip_prefix("part-").and_then(|rest| rest.strip_suffix(".parquet"))?;
    number.parse().ok().filter(|_| number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

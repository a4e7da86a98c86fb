//! Writes one part of each table.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;

use super::columns::{COLUMNS, Column, Kind, Table, schema};
use super::read::part_name;
use super::rows::Rows;
use crate::record::GameRecord;
use crate::run::RunConfig;
use crate::sink::SinkError;
use crate::store::Store;

/// Rows that are encoded at a time.
const BATCH: usize = 8192;
/// Rows of a row group: what a reader takes into memory at once.
const ROW_GROUP: usize = 1 << 17;

/// One part of each table, being written.
///
/// What is in the files depends on the games alone, not on when they come.
pub struct Part<'a, S: Store> {
    config: &'a RunConfig,
    rows: Rows,
    files: Vec<TableFile<S::File>>,
}

/// The rows and bytes that a part has of a table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PartRows {
    /// The table.
    pub table: String,
    /// The file, from the folder of the run.
    pub path: String,
    /// Its rows.
    pub rows: u64,
}

struct TableFile<F: Write + Send> {
    table: Table,
    /// From the folder of the run.
    name: String,
    path: PathBuf,
    writer: ArrowWriter<F>,
    rows: u64,
}

impl<F: Write + Send> TableFile<F> {
    fn start<S: Store<File = F>>(
        table: Table,
        part: u64,
        folder: &Path,
        store: &mut S,
    ) -> Result<TableFile<F>, SinkError> {
        let name = part_name(table, part);
        let path = folder.join(&name);
        let created = store.create(&path);
        let file = created.map_err(|cause| SinkError { path: path.clone(), what: "cannot create", cause })?;
        match ArrowWriter::try_new(file, schema(table), Some(properties(table))) {
            Ok(writer) => Ok(TableFile { table, name, path, writer, rows: 0 }),
            Err(error) => {
                store.discard(&path);
                Err(sink_error(&path, error))
            }
        }
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), SinkError> {
        self.rows += batch.num_rows() as u64;
        self.writer.write(batch).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: ParquetError) -> SinkError {
        sink_error(&self.path, error)
    }
}

impl<'a, S: Store> Part<'a, S> {
    /// Starts the files of a part, those of the tables that the run keeps.
    ///
    /// # Errors
    ///
    /// If a file cannot be created.
    pub fn start(
        number: u64,
        config: &'a RunConfig,
        folder: &Path,
        store: &mut S,
    ) -> Result<Part<'a, S>, SinkError> {
        let mut files = Vec::new();
        for table in config.kept() {
            match TableFile::start(table, number, folder, store) {
                Ok(file) => files.push(file),
                Err(error) => {
                    discard_all(files, store);
                    return Err(error);
                }
            }
        }
        Ok(Part { config, rows: Rows::default(), files })
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn push(&mut self, game: &GameRecord) -> Result<(), SinkError> {
        self.rows.push(game, self.config);
        self.encode(BATCH)
    }

    /// Encodes the rows of each table that has at least so many.
    fn encode(&mut self, least: usize) -> Result<(), SinkError> {
        for file in &mut self.files {
            if self.rows.len(file.table) >= least {
                file.write(&self.rows.take(file.table))?;
            }
        }
        Ok(())
    }

    /// Completes the files, which then appear under their names: all of them or none.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn finish(mut self, store: &mut S) -> Result<Vec<PartRows>, SinkError> {
        if let Err(error) = self.encode(1) {
            self.discard(store);
            return Err(error);
        }
        let paths: Vec<PathBuf> = self.files.iter().map(|file| file.path.clone()).collect();
        finish_all(self.files, store).inspect_err(|_| {
            for path in &paths {
                store.discard(path);
                store.withdraw(path);
            }
        })
    }

    /// Gives the part up.
    pub fn discard(self, store: &mut S) {
        discard_all(self.files, store);
    }
}

/// Writes all files to their ends before the first gets its name: what can fail has then mostly been done.
fn finish_all<S: Store>(files: Vec<TableFile<S::File>>, store: &mut S) -> Result<Vec<PartRows>, SinkError> {
    let failed = |path: &Path, cause| SinkError { path: path.to_owned(), what: "cannot finish", cause };
    let mut sealed = Vec::new();
    for TableFile { table, name, path, writer, rows } in files {
        let inner = writer.into_inner().map_err(|error| sink_error(&path, error))?;
        store.seal(inner).map_err(|cause| failed(&path, cause))?;
        sealed.push((path, PartRows { table: table.name().to_owned(), path: name, rows }));
    }
    let publish = |(path, rows): (PathBuf, PartRows)| {
        store.publish(&path).map_err(|cause| failed(&path, cause))?;
        Ok(rows)
    };
    sealed.into_iter().map(publish).collect()
}

fn discard_all<S: Store>(files: Vec<TableFile<S::File>>, store: &mut S) {
    for TableFile { path, writer, .. } in files {
        drop(writer);
        store.discard(&path);
    }
}

fn sink_error(path: &Path, error: ParquetError) -> SinkError {
    let cause = match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    };
    SinkError { path: path.to_owned(), what: "cannot write", cause }
}

/// How a table is encoded. The writer's name is fixed so that the same games make the same bytes.
fn properties(table: Table) -> WriterProperties {
    let sorted = (0..schema(table).fields().len().min(3) as i32)
        .take(match table {
            Table::Games => 1,
            Table::Hands | Table::Walls => 2,
            Table::Decisions => 3,
        })
        .map(|column_idx| SortingColumn { column_idx, descending: false, nulls_first: false });
    let mut properties = WriterProperties::builder()
        .set_created_by("jantaku".to_owned())
        .set_writer_version(WriterVersion::PARQUET_2_0)
        // Level 3 takes half as long again and saves one byte of a hundred.
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).expect("1 is a level")))
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .set_sorting_columns(Some(sorted.collect()));
    for column in COLUMNS.iter().filter(|column| column.table == table) {
        let path = ColumnPath::from(column.name);
        if table == Table::Decisions && matches!(column.kind, Kind::Word | Kind::Text) {
            // The first and last text in alphabetical order are those of every row group: no filter can leave one out.
            properties = properties.set_column_statistics_enabled(path.clone(), EnabledStatistics::None);
        }
        if let Some(encoding) = encoding(column) {
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, encoding);
        }
    }
    properties.build()
}

/// How the values of a column are stored before they are compressed; none for a dictionary, as long as that is small.
pub(super) fn encoding(column: &Column) -> Option<Encoding> {
    match (column.table, column.name) {
        // Each text begins like the one before it.
        (Table::Decisions, "history") => Some(Encoding::DELTA_BYTE_ARRAY),
        // Most values are new, but like one of the last: compression finds that, and in a dictionary there is nothing to find.
        (Table::Decisions, "legal_0" | "seen_m" | "seen_p" | "seen_s" | "seen_z") => Some(Encoding::PLAIN),
        // The same, with the lengths apart, most of which are equal.
        (Table::Decisions, "tiles") => Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        (Table::Games, "seed" | "signature") => Some(Encoding::PLAIN),
        (_, "game" | "hand") | (Table::Decisions, "live") => Some(Encoding::DELTA_BINARY_PACKED),
        _ => None,
    }
}

//! Writes one part of each table.

use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use rayon::prelude::*;

use super::columns::{COLUMNS, Column, Kind, Table, schema};
use super::read::part_name;
use super::rows::Rows;
use crate::play::{GameRecord, SinkError};
use crate::run::RunConfig;
use crate::run::store::Store;

/// Rows that are encoded at a time.
const BATCH: usize = 8192;
/// Rows with which a row group ends, after the last game: what a reader takes into memory at once.
const ROW_GROUP: usize = 1 << 17;

/// One part of each table, being written.
///
/// What is in the files depends on the games alone, not on when they come, nor on how many threads of the rayon pool encode their columns.
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
    writer: SerializedFileWriter<F>,
    factory: ArrowRowGroupWriterFactory,
    /// The columns of the row group that has begun, if one has.
    columns: Vec<ArrowColumnWriter>,
    /// Rows of that row group.
    begun: usize,
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
        let writer = ArrowWriter::try_new(file, schema(table), Some(properties(table)));
        match writer.and_then(ArrowWriter::into_serialized_writer) {
            Ok((writer, factory)) => {
                Ok(TableFile { table, name, path, writer, factory, columns: Vec::new(), begun: 0, rows: 0 })
            }
            Err(error) => {
                store.discard(&path);
                Err(sink_error(&path, error))
            }
        }
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), SinkError> {
        self.encode(batch).map_err(|error| sink_error(&self.path, error))
    }

    /// Adds rows to the row group, each column on its own.
    fn encode(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        if self.columns.is_empty() {
            self.columns = self.factory.create_column_writers(self.writer.flushed_row_groups().len())?;
        }
        let mut values = Vec::with_capacity(self.columns.len());
        for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            values.extend(compute_leaves(field, column)?);
        }
        let columns = self.columns.par_iter_mut().zip(&values).with_max_len(1);
        columns.try_for_each(|(column, values)| column.write(values))?;
        self.begun += batch.num_rows();
        self.rows += batch.num_rows() as u64;
        if self.begun >= ROW_GROUP { self.end_row_group() } else { Ok(()) }
    }

    /// Writes the row group that has begun, if one has.
    fn end_row_group(&mut self) -> Result<(), ParquetError> {
        if self.begun == 0 {
            return Ok(());
        }
        let columns = mem::take(&mut self.columns).into_par_iter().with_max_len(1);
        let chunks: Vec<ArrowColumnChunk> =
            columns.map(ArrowColumnWriter::close).collect::<Result<_, _>>()?;
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
        self.begun = 0;
        Ok(())
    }

    /// Writes what is left, and gives the file back with its path and rows.
    fn end(mut self) -> Result<(F, PathBuf, PartRows), SinkError> {
        let ended = self.end_row_group().and_then(|()| self.writer.into_inner());
        let file = ended.map_err(|error| sink_error(&self.path, error))?;
        Ok((
            file,
            self.path,
            PartRows { table: self.table.name().to_owned(), path: self.name, rows: self.rows },
        ))
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
    for table in files {
        let (file, path, rows) = table.end()?;
        store.seal(file).map_err(|cause| failed(&path, cause))?;
        sealed.push((path, rows));
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
        (Table::Decisions, "tiles") | (Table::Walls, "wall") => Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        (Table::Games, "seed" | "signature") => Some(Encoding::PLAIN),
        (_, "game" | "hand") | (Table::Decisions, "live") => Some(Encoding::DELTA_BINARY_PACKED),
        _ => None,
    }
}

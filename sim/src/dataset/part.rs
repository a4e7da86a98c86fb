//! Writes one part of each table.

use std::io::{self, Write};
use std::mem;

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;

use super::column::schema_of;
use super::contents::Contents;
use super::encoding::properties;
use super::rows::RowBuffers;
use super::table::TableKind;
use crate::play::GameRecord;

/// After a game, the rows of a table are encoded if there are at least this many.
const BATCH: usize = 8192;
/// A row group ends after the first batch with which it has at least this many rows. A reader holds one
/// row group in memory.
const ROW_GROUP: usize = 1 << 17;

/// Writes one part of each table, each table to its own file.
///
/// The bytes depend on the games only, not on when they arrive or on the number of threads. The
/// columns are encoded on the rayon pool of the calling thread.
pub struct PartWriter<W: Write + Send> {
    rows: RowBuffers,
    tables: Vec<TableWriter<W>>,
}

/// A table whose file has all its bytes.
#[derive(Debug)]
pub struct WrittenTable<W> {
    /// The table.
    pub table: TableKind,
    /// The file.
    pub file: W,
    /// Its rows.
    pub rows: u64,
}

/// The file of a table could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {cause}", table.name())]
pub struct WriteError {
    /// The table.
    pub table: TableKind,
    /// The reason. The message contains it, so it is not a source.
    pub cause: io::Error,
}

impl<W: Write + Send> PartWriter<W> {
    /// Starts a part with these tables, each in an empty file.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn new(contents: Contents, files: Vec<(TableKind, W)>) -> Result<PartWriter<W>, WriteError> {
        let tables = files.into_iter().map(|(table, file)| TableWriter::new(table, file));
        Ok(PartWriter { tables: tables.collect::<Result<_, _>>()?, rows: RowBuffers::new(contents) })
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn push(&mut self, game: &GameRecord) -> Result<(), WriteError> {
        self.rows.push(game);
        self.encode(BATCH)
    }

    /// Encodes the rows of each table that has at least `min_rows`.
    fn encode(&mut self, min_rows: usize) -> Result<(), WriteError> {
        for writer in &mut self.tables {
            if self.rows.len(writer.table) >= min_rows {
                writer.write(&self.rows.take(writer.table))?;
            }
        }
        Ok(())
    }

    /// Writes the remaining rows and the metadata, and returns the files.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<Vec<WrittenTable<W>>, WriteError> {
        self.encode(1)?;
        self.tables.into_iter().map(TableWriter::finish).collect()
    }
}

/// Writes one table to a file.
struct TableWriter<W: Write + Send> {
    table: TableKind,
    writer: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    /// The columns of the current row group; empty before its first rows.
    columns: Vec<ArrowColumnWriter>,
    /// Rows of the current row group.
    group_rows: usize,
    rows: u64,
}

impl<W: Write + Send> TableWriter<W> {
    fn new(table: TableKind, file: W) -> Result<TableWriter<W>, WriteError> {
        let writer = ArrowWriter::try_new(file, schema_of(table.columns()), Some(properties(table)));
        let (writer, factory) = writer
            .and_then(ArrowWriter::into_serialized_writer)
            .map_err(|error| write_error(table, error))?;
        Ok(TableWriter { table, writer, factory, columns: Vec::new(), group_rows: 0, rows: 0 })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        self.encode(batch).map_err(|error| write_error(self.table, error))
    }

    /// Encodes rows into the current row group, all columns in parallel, and ends the group if it is full.
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
        self.group_rows += batch.num_rows();
        self.rows += batch.num_rows() as u64;
        if self.group_rows >= ROW_GROUP { self.end_row_group() } else { Ok(()) }
    }

    /// Writes the current row group if it has rows.
    fn end_row_group(&mut self) -> Result<(), ParquetError> {
        if self.group_rows == 0 {
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
        self.group_rows = 0;
        Ok(())
    }

    fn finish(mut self) -> Result<WrittenTable<W>, WriteError> {
        let ended = self.end_row_group().and_then(|()| self.writer.into_inner());
        let file = ended.map_err(|error| write_error(self.table, error))?;
        Ok(WrittenTable { table: self.table, file, rows: self.rows })
    }
}

fn write_error(table: TableKind, error: ParquetError) -> WriteError {
    let cause = match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    };
    WriteError { table, cause }
}

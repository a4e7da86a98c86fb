//! The names of the files of parts, and how their rows are read.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::ArrowPrimitiveType;
use bytes::Bytes;

use super::columns::TableKind;
use super::error::ReadError;
use super::open::Batches;

/// The path of a part's file, relative to the folder of its dataset.
#[must_use]
pub fn part_name(table: TableKind, part: u64) -> String {
    format!("{}/part-{part:06}.parquet", table.name())
}

/// The path of a part's file in the folder of a dataset.
#[must_use]
pub fn part_path(folder: &Path, table: TableKind, part: u64) -> PathBuf {
    folder.join(part_name(table, part))
}

/// The file of one part of a table.
pub(crate) struct TableFile {
    table: TableKind,
    path: PathBuf,
    /// Its contents, if they were read.
    bytes: Option<Bytes>,
}

impl TableFile {
    pub(crate) fn new(folder: &Path, table: TableKind, part: u64) -> TableFile {
        TableFile { table, path: part_path(folder, table, part), bytes: None }
    }

    /// A file with these contents.
    pub(crate) fn of_bytes(folder: &Path, table: TableKind, part: u64, bytes: Bytes) -> TableFile {
        TableFile { table, path: part_path(folder, table, part), bytes: Some(bytes) }
    }

    pub(crate) fn error(&self, what: &dyn ToString) -> ReadError {
        ReadError::new(&self.path, what)
    }

    /// Reads some columns, in this order, batch by batch.
    pub(crate) fn batches(&self, columns: &[&str]) -> Result<Batches, ReadError> {
        match &self.bytes {
            Some(bytes) => Batches::of(&self.path, bytes.clone(), self.table, columns),
            None => Batches::open(&self.path, self.table, columns),
        }
    }

    /// Calls `each` with every batch of some columns, in this order.
    pub(crate) fn read(
        &self,
        columns: &[&str],
        mut each: impl FnMut(&RecordBatch) -> Result<(), String>,
    ) -> Result<(), ReadError> {
        for batch in self.batches(columns)? {
            each(&batch?).map_err(|e| self.error(&e))?;
        }
        Ok(())
    }
}

/// The values of a column of numbers without nulls, whose type was checked when the file was
/// opened.
pub(crate) fn column<T: ArrowPrimitiveType>(batch: &RecordBatch, index: usize) -> &[T::Native] {
    batch.column(index).as_primitive::<T>().values()
}

//! The names of the files of parts, and how their rows are read.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::error::ReadError;
use super::open::Batches;
use super::select::Selection;
use super::table::TableKind;

/// The path of a part's file, relative to the folder of its dataset.
pub fn part_name(table: TableKind, part: u64) -> String {
    format!("{}/part-{part:06}.parquet", table.name())
}

/// The path of a part's file in the folder of a dataset.
pub fn part_path(folder: &Path, table: TableKind, part: u64) -> PathBuf {
    folder.join(part_name(table, part))
}

/// The file of one part of a table.
pub struct TableFile {
    table: TableKind,
    path: PathBuf,
    /// The contents; None to read them from `path`.
    bytes: Option<Bytes>,
}

impl TableFile {
    /// The file of a part of a run.
    pub fn new(folder: &Path, table: TableKind, part: u64) -> TableFile {
        TableFile { table, path: part_path(folder, table, part), bytes: None }
    }

    /// A file with these contents. `path` appears in error messages only.
    pub(crate) const fn from_bytes(table: TableKind, path: PathBuf, bytes: Bytes) -> TableFile {
        TableFile { table, path, bytes: Some(bytes) }
    }

    /// An error of this file: `what` says what is wrong with it.
    pub fn error(&self, what: &dyn ToString) -> ReadError {
        ReadError::new(&self.path, what)
    }

    /// Reads some columns batch by batch.
    ///
    /// # Errors
    ///
    /// If the file is missing, is not a Parquet file, or lacks one of the columns.
    pub fn batches<S: Selection>(&self) -> Result<SelectedBatches<S>, ReadError> {
        assert_eq!(S::TABLE, self.table, "the columns are those of another table");
        let named = |name: &&str| self.table.columns().iter().find(|column| column.name == *name);
        let columns = S::NAMES.iter().map(|name| named(name).expect("a column of the table"));
        let batches = match &self.bytes {
            Some(bytes) => Batches::of(&self.path, bytes.clone(), columns)?,
            None => Batches::open(&self.path, columns)?,
        };
        Ok(SelectedBatches { batches, selection: PhantomData })
    }

    /// Calls `each` with every row: the columns of its batch, and its number in the batch.
    ///
    /// # Errors
    ///
    /// As [`TableFile::batches`], and any error of `each`.
    pub fn read<S: Selection>(
        &self,
        mut each: impl FnMut(&S, usize) -> Result<(), String>,
    ) -> Result<(), ReadError> {
        for batch in self.batches::<S>()? {
            let (columns, rows) = batch?;
            (0..rows).try_for_each(|row| each(&columns, row)).map_err(|e| self.error(&e))?;
        }
        Ok(())
    }
}

/// The selected columns of a file, batch by batch, each with its number of rows.
pub struct SelectedBatches<S> {
    batches: Batches,
    selection: PhantomData<S>,
}

impl<S: Selection> Iterator for SelectedBatches<S> {
    type Item = Result<(S, usize), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.batches.next()?.map(|batch| (S::of(&batch), batch.num_rows())))
    }
}

//! The rows and bytes of files, from their metadata.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;

use super::column::Column;
use super::error::ReadError;
use super::table::TableKind;
use serde::Serialize;

use crate::store;

/// The size of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TableSize {
    /// The table.
    pub table: TableKind,
    /// Rows.
    pub rows: u64,
    /// Bytes of its files, metadata included.
    pub bytes: u64,
    /// Each column with the compressed bytes of its values, in the order of the table.
    pub columns: Vec<ColumnSize>,
}

/// The size of a column.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ColumnSize {
    /// The name of the column.
    pub column: &'static str,
    /// Compressed bytes of its values.
    pub bytes: u64,
}

/// The size of a table in these files. Reads only the metadata at their ends, on all threads of the rayon
/// pool.
///
/// # Errors
///
/// If a file is missing or not a Parquet file.
pub fn table_size(table: TableKind, files: &[PathBuf]) -> Result<TableSize, ReadError> {
    let mut size = TableSize { table, rows: 0, bytes: 0, columns: Vec::new() };
    let mut columns = HashMap::new();
    let found: Vec<FileSize> = files.par_iter().map(|path| FileSize::of(path)).collect::<Result<_, _>>()?;
    for file in &found {
        size.rows += file.rows;
        size.bytes += file.bytes;
        file.columns.iter().for_each(|(name, bytes)| *columns.entry(name.as_str()).or_insert(0) += bytes);
    }
    let size_of = |column: &Column| {
        let bytes = columns.get(column.name).copied().unwrap_or(0);
        ColumnSize { column: column.name, bytes }
    };
    // Files of an older version lack the newer columns.
    let is_there = |column: &&Column| files.is_empty() || columns.contains_key(column.name);
    size.columns = table.columns().iter().filter(is_there).map(size_of).collect();
    Ok(size)
}

/// The size of a file.
struct FileSize {
    rows: u64,
    bytes: u64,
    /// The columns with their compressed bytes.
    columns: HashMap<String, u64>,
}

impl FileSize {
    fn of(path: &Path) -> Result<FileSize, ReadError> {
        let (found, bytes) = metadata(path)?;
        let mut columns = HashMap::new();
        for column in found.row_groups().iter().flat_map(RowGroupMetaData::columns) {
            // The path of a list column starts with its name.
            let name = column.column_path().parts().first().cloned().unwrap_or_default();
            *columns.entry(name).or_insert(0) += u64::try_from(column.compressed_size()).unwrap_or(0);
        }
        Ok(FileSize { rows: rows(&found), bytes, columns })
    }
}

/// The number of rows of a file, from its metadata.
///
/// # Errors
///
/// If the file is missing or not a Parquet file.
pub fn rows_of(path: &Path) -> Result<u64, ReadError> {
    metadata(path).map(|(found, _)| rows(&found))
}

fn rows(found: &ParquetMetaData) -> u64 {
    u64::try_from(found.file_metadata().num_rows()).unwrap_or(0)
}

/// As [`rows_of`], but downloads a file in an object store into the cache, unless the cache has it.
pub(crate) fn stored_rows(path: &Path) -> Result<u64, ReadError> {
    let file = store::open(path).map_err(|e| ReadError::new(path, &format!("cannot open: {e}")))?;
    rows_in(path, &file)
}

/// The number of rows of a file with these contents; `path` appears in error messages only.
pub(crate) fn rows_in(path: &Path, file: &impl ChunkReader) -> Result<u64, ReadError> {
    let found = ParquetMetaDataReader::new().parse_and_finish(file);
    found.map(|found| rows(&found)).map_err(|e| ReadError::new(path, &e))
}

/// Reads the metadata at the end of a file. Also returns the size of the file.
fn metadata(path: &Path) -> Result<(ParquetMetaData, u64), ReadError> {
    /// Bytes of the first read: enough for the metadata of most files.
    const FIRST_READ: usize = 1 << 16;
    let (mut reader, mut bytes) = (ParquetMetaDataReader::new(), FIRST_READ);
    loop {
        let end = store::end(path, bytes).map_err(|e| ReadError::new(path, &format!("cannot open: {e}")))?;
        match reader.try_parse_sized(&end.bytes, end.size) {
            Err(ParquetError::NeedMoreData(more)) if more > bytes && more as u64 <= end.size => bytes = more,
            parsed => {
                let found = parsed.and_then(|()| reader.finish());
                return found.map(|found| (found, end.size)).map_err(|e| ReadError::new(path, &e));
            }
        }
    }
}

//! The rows and bytes of files, from their metadata.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::ChunkReader;

use super::column::Column;
use super::error::ReadError;
use super::table::TableKind;

/// The size of a table.
#[derive(Clone, Debug)]
pub struct TableSize {
    /// The table.
    pub table: TableKind,
    /// Rows.
    pub rows: u64,
    /// Bytes of its files, metadata included.
    pub bytes: u64,
    /// Each column with the compressed bytes of its values, in the order of the table.
    pub columns: Vec<(&'static str, u64)>,
}

/// The size of a table in these files.
///
/// # Errors
///
/// If a file is missing or not a Parquet file.
pub fn table_size(table: TableKind, files: &[PathBuf]) -> Result<TableSize, ReadError> {
    let mut size = TableSize { table, rows: 0, bytes: 0, columns: Vec::new() };
    let mut columns = HashMap::new();
    for path in files {
        let found = metadata(path)?;
        size.rows += rows(&found);
        size.bytes += path.metadata().map_or(0, |file| file.len());
        for column in found.row_groups().iter().flat_map(RowGroupMetaData::columns) {
            // The path of a list column starts with its name.
            let name = column.column_path().parts().first().cloned().unwrap_or_default();
            *columns.entry(name).or_insert(0) += u64::try_from(column.compressed_size()).unwrap_or(0);
        }
    }
    let bytes = |name| columns.get(name).copied().unwrap_or(0);
    // Files of an older version lack the newer columns.
    let is_there = |column: &&Column| files.is_empty() || columns.contains_key(column.name);
    size.columns =
        table.columns().iter().filter(is_there).map(|column| (column.name, bytes(column.name))).collect();
    Ok(size)
}

/// The number of rows of a file, from its metadata.
///
/// # Errors
///
/// If the file is missing or not a Parquet file.
pub fn rows_of(path: &Path) -> Result<u64, ReadError> {
    metadata(path).map(|found| rows(&found))
}

fn rows(found: &ParquetMetaData) -> u64 {
    u64::try_from(found.file_metadata().num_rows()).unwrap_or(0)
}

/// The number of rows of a file with these contents; the path is that of messages.
pub(crate) fn rows_in<R: ChunkReader>(path: &Path, file: &R) -> Result<u64, ReadError> {
    metadata_in(path, file).map(|found| rows(&found))
}

/// Reads the metadata at the end of a file.
fn metadata(path: &Path) -> Result<ParquetMetaData, ReadError> {
    let file = File::open(path).map_err(|e| ReadError::new(path, &format!("cannot open: {e}")))?;
    metadata_in(path, &file)
}

fn metadata_in<R: ChunkReader>(path: &Path, file: &R) -> Result<ParquetMetaData, ReadError> {
    ParquetMetaDataReader::new().parse_and_finish(file).map_err(|e| ReadError::new(path, &e))
}

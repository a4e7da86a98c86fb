//! How large a run is, as its files tell without being read.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::columns::{COLUMNS, Table};
use super::read::ReadError;
use crate::run::Manifest;

/// The size of a table in a run.
#[derive(Clone, Debug)]
pub struct TableSize {
    /// The table.
    pub table: Table,
    /// Its rows.
    pub rows: u64,
    /// Its files, with what tells how to read them.
    pub bytes: u64,
    /// Each column with the bytes of its values, in the order of the table.
    pub columns: Vec<(&'static str, u64)>,
}

/// The sizes of the tables that a run has.
///
/// # Errors
///
/// If a file is missing or no Parquet file.
pub fn sizes(run: &Path, manifest: &Manifest) -> Result<Vec<TableSize>, ReadError> {
    let mut sizes = Vec::new();
    for table in Table::ALL {
        let mut size = TableSize { table, rows: 0, bytes: 0, columns: Vec::new() };
        let mut columns = HashMap::new();
        let files = manifest.parts.iter().flat_map(|part| &part.files);
        let mut files = files.filter(|file| file.table == table.name()).peekable();
        if files.peek().is_none() {
            continue;
        }
        for file in files {
            let path = run.join(&file.path);
            let found = metadata(&path)?;
            size.rows += rows(&found);
            size.bytes += path.metadata().map_or(0, |file| file.len());
            for column in
                found.row_groups().iter().flat_map(parquet::file::metadata::RowGroupMetaData::columns)
            {
                // The name of a list is the first of its path.
                let name = column.column_path().parts().first().cloned().unwrap_or_default();
                *columns.entry(name).or_insert(0) += u64::try_from(column.compressed_size()).unwrap_or(0);
            }
        }
        let names = COLUMNS.iter().filter(|column| column.table == table).map(|column| column.name);
        size.columns = names.map(|name| (name, columns.get(name).copied().unwrap_or(0))).collect();
        sizes.push(size);
    }
    Ok(sizes)
}

/// How many rows a file of a table says that it has.
///
/// # Errors
///
/// If it is missing or no Parquet file.
pub fn rows_of(path: &Path) -> Result<u64, ReadError> {
    metadata(path).map(|found| rows(&found))
}

fn rows(found: &ParquetMetaData) -> u64 {
    u64::try_from(found.file_metadata().num_rows()).unwrap_or(0)
}

/// What the end of a file tells of it.
fn metadata(path: &Path) -> Result<ParquetMetaData, ReadError> {
    let error = |what: &dyn ToString| ReadError::new(path, what);
    let file = File::open(path).map_err(|e| error(&format!("cannot open: {e}")))?;
    ParquetMetaDataReader::new().parse_and_finish(&file).map_err(|e| error(&e))
}

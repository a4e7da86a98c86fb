//! Rows as they should be beside rows as a run stores them.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int8Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

use super::columns::Table;
use super::open::Batches;
use super::read::{ReadError, part_path};

/// The rows of a part of a table, read in order.
pub(crate) struct StoredRows {
    batches: Batches,
    batch: RecordBatch,
    /// The next row of the batch.
    at: usize,
    /// The number of the next row in the file.
    row: u64,
}

/// A value that is not as it should be.
pub(crate) struct Cell {
    /// The row of the file.
    pub(crate) row: u64,
    /// The same row among those that were expected.
    pub(crate) of: usize,
    /// The column, or none where the whole row is missing.
    pub(crate) column: Option<usize>,
    pub(crate) expected: String,
    pub(crate) found: String,
}

impl StoredRows {
    /// The rows of this part.
    ///
    /// # Errors
    ///
    /// If the file is missing, is no Parquet file, or has other columns than its table.
    pub(crate) fn open(run: &Path, table: Table, part: u64) -> Result<StoredRows, ReadError> {
        let batches = Batches::open(&part_path(run, table, part), table, &[])?;
        Ok(StoredRows { batch: batches.none(), batches, at: 0, row: 0 })
    }

    /// The number of the next row.
    pub(crate) const fn row(&self) -> u64 {
        self.row
    }

    /// Whether there is another row; it is then in the batch.
    pub(crate) fn has_more(&mut self) -> Result<bool, ReadError> {
        while self.at == self.batch.num_rows() {
            match self.batches.next() {
                None => return Ok(false),
                Some(batch) => (self.batch, self.at) = (batch?, 0),
            }
        }
        Ok(true)
    }

    /// Leaves out rows until one of this game comes.
    pub(crate) fn skip_to_game(&mut self, game: u64) -> Result<(), ReadError> {
        while self.has_more()? && self.batch.column(0).as_primitive::<UInt64Type>().value(self.at) != game {
            self.at += 1;
            self.row += 1;
        }
        Ok(())
    }

    /// Compares as many rows as are expected with the next ones, and tells every value that differs, in order of columns.
    pub(crate) fn compare(&mut self, expected: &RecordBatch) -> Result<Vec<Cell>, ReadError> {
        let (mut cells, mut of) = (Vec::new(), 0);
        while of < expected.num_rows() {
            if !self.has_more()? {
                let (expected, found) = ("a row".to_owned(), "the end of the file".to_owned());
                cells.push(Cell { row: self.row, of, column: None, expected, found });
                break;
            }
            let rows = (expected.num_rows() - of).min(self.batch.num_rows() - self.at);
            for (column, field) in expected.schema_ref().fields().iter().enumerate() {
                let found = self.batch.column_by_name(field.name()).expect("the columns were looked at");
                let (wanted, found) = (expected.column(column).slice(of, rows), found.slice(self.at, rows));
                differing(&wanted, &found, |row| {
                    let (expected, found) = (cell(&wanted, row), cell(&found, row));
                    let (row, of) = (self.row + row as u64, of + row);
                    cells.push(Cell { row, of, column: Some(column), expected, found });
                });
            }
            (of, self.at, self.row) = (of + rows, self.at + rows, self.row + rows as u64);
        }
        Ok(cells)
    }
}

/// Names the rows in which two columns of equal length differ.
fn differing(one: &ArrayRef, other: &ArrayRef, mut tell: impl FnMut(usize)) {
    if one != other {
        (0..one.len()).filter(|row| one.slice(*row, 1) != other.slice(*row, 1)).for_each(&mut tell);
    }
}

/// A value as text.
fn cell(column: &dyn Array, row: usize) -> String {
    macro_rules! number {
        ($kind:ty) => {
            column.as_primitive::<$kind>().value(row).to_string()
        };
    }
    if column.is_null(row) {
        return "null".to_owned();
    }
    match column.data_type() {
        DataType::Boolean => column.as_boolean().value(row).to_string(),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Int8 => number!(Int8Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Float32 => number!(Float32Type),
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::Dictionary(..) => {
            let words = column.as_dictionary::<UInt32Type>();
            cell(words.values(), words.keys().value(row) as usize)
        }
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            let items = (0..items.len()).map(|item| cell(&items, item));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        other => unreachable!("no table has a column of type {other}"),
    }
}

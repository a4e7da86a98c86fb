//! Compares expected rows with the rows of a file.

use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int8Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

use super::column::{Column, Provenance};
use super::error::ReadError;
use super::file::part_path;
use super::open::Batches;
use super::search_info;
use super::table::TableKind;

/// The rows of one part of a table, read in order.
pub(crate) struct StoredRows {
    table: TableKind,
    /// The columns of the file's version.
    columns: Vec<&'static Column>,
    batches: Batches,
    batch: RecordBatch,
    /// The next row of the batch.
    at: usize,
    /// The number of the next row in the file.
    row: u64,
    by_key: Option<ByKey>,
}

/// How to find rows in a file with missing or extra rows. In other files, rows are compared in
/// order, whatever their keys.
struct ByKey {
    /// The first row of each game.
    first_rows: BTreeMap<u64, u64>,
    /// The number of columns that identify a row.
    keys: usize,
}

/// A value that is not as expected.
pub(crate) struct CellDifference {
    /// The row of the file.
    pub(crate) row: u64,
    /// The index of the expected row. For an extra row, the number of expected rows.
    pub(crate) index: usize,
    /// The column; None if the whole row is missing or extra.
    pub(crate) column: Option<usize>,
    pub(crate) expected: String,
    pub(crate) found: String,
}

impl StoredRows {
    /// Opens a part with the right number of rows, written with this version of the tables.
    ///
    /// # Errors
    ///
    /// If the file is missing, is not a Parquet file, or lacks columns.
    pub(crate) fn open(
        folder: &Path,
        table: TableKind,
        schema: u32,
        part: u64,
    ) -> Result<StoredRows, ReadError> {
        let columns: Vec<&Column> = table.columns_of(schema).collect();
        let batches = Batches::open(&part_path(folder, table, part), columns.iter().copied())?;
        Ok(StoredRows { table, columns, batch: batches.empty_batch(), batches, at: 0, row: 0, by_key: None })
    }

    /// Opens a part with missing or extra rows.
    ///
    /// # Errors
    ///
    /// As [`StoredRows::open`].
    pub(crate) fn open_by_key(
        folder: &Path,
        table: TableKind,
        schema: u32,
        part: u64,
    ) -> Result<StoredRows, ReadError> {
        let (mut first_rows, mut batch_start) = (BTreeMap::new(), 0);
        for batch in Batches::open(&part_path(folder, table, part), &table.columns()[..1])? {
            let batch = batch?;
            for (row, game) in (batch_start..).zip(games(&batch)) {
                first_rows.entry(*game).or_insert(row);
            }
            batch_start += batch.num_rows() as u64;
        }
        let by_key = Some(ByKey { first_rows, keys: table.keys() });
        Ok(StoredRows { by_key, ..StoredRows::open(folder, table, schema, part)? })
    }

    /// Whether rows are missing or extra.
    pub(crate) const fn is_by_key(&self) -> bool {
        self.by_key.is_some()
    }

    /// The number of the next row.
    pub(crate) const fn row(&self) -> u64 {
        self.row
    }

    /// Whether there is another row. Reads its batch.
    pub(crate) fn has_more(&mut self) -> Result<bool, ReadError> {
        while self.at == self.batch.num_rows() {
            match self.batches.next() {
                None => return Ok(false),
                Some(batch) => (self.batch, self.at) = (batch?, 0),
            }
        }
        Ok(true)
    }

    /// The games of the remaining rows of the batch.
    fn games(&self) -> &[u64] {
        &games(&self.batch)[self.at..]
    }

    /// Skips rows up to the next one of this game.
    pub(crate) fn skip_to_game(&mut self, game: u64) -> Result<(), ReadError> {
        let first = match &self.by_key {
            None => u64::MAX,
            // All rows of the game may be missing.
            Some(ByKey { first_rows, .. }) => first_rows.get(&game).copied().unwrap_or(0),
        };
        while self.row < first && self.has_more()? && self.games()[0] != game {
            self.skip_row();
        }
        Ok(())
    }

    /// Skips the next row, which is in the batch.
    const fn skip_row(&mut self) {
        self.at += 1;
        self.row += 1;
    }

    /// Compares the expected rows of a game with the next rows of the file. Returns every differing
    /// value, in order of columns.
    ///
    /// In a file with missing or extra rows, compares only rows of this game, up to the first with
    /// another key.
    pub(crate) fn compare(
        &mut self,
        game: u64,
        expected: &RecordBatch,
    ) -> Result<Vec<CellDifference>, ReadError> {
        if self.is_by_key() {
            self.skip_to_game(game)?;
        }
        let (mut cells, mut index) = (Vec::new(), 0);
        while index < expected.num_rows() {
            let rows = self.comparable(game)?.min(expected.num_rows() - index);
            if rows == 0 {
                cells.push(self.row_difference(index, format!("a row of game {game}"))?);
                break;
            }
            self.compare_columns(&expected.slice(index, rows), index, &mut cells);
            (index, self.at, self.row) = (index + rows, self.at + rows, self.row + rows as u64);
        }
        if let Some(ByKey { keys, .. }) = self.by_key {
            if index == expected.num_rows() && self.comparable(game)? > 0 {
                cells.push(self.row_difference(index, format!("the end of game {game}"))?);
            }
            while self.comparable(game)? > 0 {
                self.skip_row();
            }
            cut_at_other_key(&mut cells, keys);
        }
        Ok(cells)
    }

    /// The number of rows in the batch that can be compared with those of a game.
    fn comparable(&mut self, game: u64) -> Result<usize, ReadError> {
        self.has_more()?;
        let games = self.games();
        let of_game = || games.iter().take_while(|of| **of == game).count();
        Ok(if self.is_by_key() { of_game() } else { games.len() })
    }

    /// The difference of a row that is missing or extra.
    fn row_difference(&mut self, index: usize, expected: String) -> Result<CellDifference, ReadError> {
        let found = if self.has_more()? {
            format!("a row of game {}", self.games()[0])
        } else {
            "the end of the file".to_owned()
        };
        Ok(CellDifference { row: self.row, index, column: None, expected, found })
    }

    /// Compares expected rows from number `index` on with the next rows of the batch.
    fn compare_columns(&self, expected: &RecordBatch, index: usize, cells: &mut Vec<CellDifference>) {
        let stored = self.batch.slice(self.at, expected.num_rows());
        let mut differs = |row: usize, name: &str, expected_value: String| {
            let found = stored.column_by_name(name).map_or_else(String::new, |found| cell_text(found, row));
            cells.push(CellDifference {
                row: self.row + row as u64,
                index: index + row,
                column: expected.schema_ref().index_of(name).ok(),
                expected: expected_value,
                found,
            });
        };
        for (column, found) in self.columns.iter().zip(stored.columns()) {
            if column.provenance != Provenance::Agent {
                let wanted = expected.column_by_name(column.name).expect("rows have all columns");
                each_differing(wanted, found, |row| differs(row, column.name, cell_text(wanted, row)));
            }
        }
        if self.table == TableKind::Decisions {
            search_info::each_wrong(&stored, expected, |row, wrong| differs(row, wrong.part, wrong.expected));
        }
    }
}

/// The game of each row of a batch, its first column.
fn games(batch: &RecordBatch) -> &[u64] {
    batch.column(0).as_primitive::<UInt64Type>().values()
}

/// Keeps the differences before the first row with another key, and the first of that row.
fn cut_at_other_key(cells: &mut Vec<CellDifference>, keys: usize) {
    let has_other_key = |cell: &&CellDifference| cell.column.is_none_or(|column| column < keys);
    let first = cells.iter().filter(has_other_key).map(|cell| (cell.row, cell.column)).min();
    if let Some((row, column)) = first {
        cells.retain(|cell| cell.row < row || (cell.row, cell.column) == (row, column));
    }
}

/// Calls `each` with every row in which two columns of equal length differ.
fn each_differing(one: &ArrayRef, other: &ArrayRef, mut each: impl FnMut(usize)) {
    if one != other {
        (0..one.len()).filter(|row| one.slice(*row, 1) != other.slice(*row, 1)).for_each(&mut each);
    }
}

/// A value as text.
fn cell_text(column: &dyn Array, row: usize) -> String {
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
            cell_text(words.values(), words.keys().value(row) as usize)
        }
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            let items = (0..items.len()).map(|item| cell_text(&items, item));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        other => unreachable!("no table has a column of type {other}"),
    }
}

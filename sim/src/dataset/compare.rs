//! Rows as they should be beside rows as a run stores them.

use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int8Type, Int32Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch};
use arrow_schema::DataType;

use super::columns::{NOT_COMPARED, Table};
use super::open::Batches;
use super::read::{ReadError, TableFile, column, part_path};

/// The rows of a part of a table, read in order.
pub(crate) struct StoredRows {
    batches: Batches,
    batch: RecordBatch,
    /// The next row of the batch.
    at: usize,
    /// The number of the next row in the file.
    row: u64,
    by_key: Option<ByKey>,
}

/// How rows are found of which there are too few or too many; otherwise they are taken one after the other, whatever their keys say.
struct ByKey {
    /// The first row of each game.
    first_rows: BTreeMap<u64, u64>,
    /// How many columns tell rows from each other.
    keys: usize,
}

/// A value that is not as it should be.
pub(crate) struct Cell {
    /// The row of the file.
    pub(crate) row: u64,
    /// The same row among those that were expected; beyond the last for one that should not be there.
    pub(crate) of: usize,
    /// The column, or none where the whole row is missing or should not be there.
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
        Ok(StoredRows { batch: batches.none(), batches, at: 0, row: 0, by_key: None })
    }

    /// The same, where there are too few or too many rows.
    ///
    /// # Errors
    ///
    /// As [`StoredRows::open`].
    pub(crate) fn open_by_key(run: &Path, table: Table, part: u64) -> Result<StoredRows, ReadError> {
        let (mut first_rows, mut before) = (BTreeMap::new(), 0);
        TableFile::new(run, table, part).read(&["game"], |batch| {
            for (row, game) in (before..).zip(column::<UInt64Type>(batch, 0)) {
                first_rows.entry(*game).or_insert(row);
            }
            before += batch.num_rows() as u64;
            Ok(())
        })?;
        let by_key = Some(ByKey { first_rows, keys: table.keys() });
        Ok(StoredRows { by_key, ..StoredRows::open(run, table, part)? })
    }

    /// Whether there are too few or too many rows.
    pub(crate) const fn is_by_key(&self) -> bool {
        self.by_key.is_some()
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

    /// The games of the rows that are left of the batch.
    fn games(&self) -> &[u64] {
        &column::<UInt64Type>(&self.batch, 0)[self.at..]
    }

    /// Leaves out rows until one of this game comes.
    pub(crate) fn skip_to_game(&mut self, game: u64) -> Result<(), ReadError> {
        // Where rows are missing, it may be all those of the game.
        let first = self.by_key.as_ref().map(|by_key| by_key.first_rows.get(&game).copied().unwrap_or(0));
        while first.is_none_or(|first| self.row < first) && self.has_more()? && self.games()[0] != game {
            self.at += 1;
            self.row += 1;
        }
        Ok(())
    }

    /// Compares the rows that are expected of a game with as many next ones, and tells every value that differs, in order of columns.
    ///
    /// Where there are too few or too many rows, no others than those of the game are compared, up to the first with another key.
    pub(crate) fn compare(&mut self, game: u64, expected: &RecordBatch) -> Result<Vec<Cell>, ReadError> {
        if self.is_by_key() {
            self.skip_to_game(game)?;
        }
        let (mut cells, mut of) = (Vec::new(), 0);
        while of < expected.num_rows() {
            let rows = self.comparable(game)?.min(expected.num_rows() - of);
            if rows == 0 {
                let (expected, found) = (format!("a row of game {game}"), self.next_row()?);
                cells.push(Cell { row: self.row, of, column: None, expected, found });
                break;
            }
            self.compare_columns(expected, of, rows, &mut cells);
            (of, self.at, self.row) = (of + rows, self.at + rows, self.row + rows as u64);
        }
        if let Some(ByKey { keys, .. }) = self.by_key {
            if of == expected.num_rows() && self.comparable(game)? > 0 {
                let (expected, found) = (format!("the end of game {game}"), self.next_row()?);
                cells.push(Cell { row: self.row, of, column: None, expected, found });
            }
            while self.comparable(game)? > 0 {
                self.at += 1;
                self.row += 1;
            }
            cut_at_other_key(&mut cells, keys);
        }
        Ok(cells)
    }

    /// How many rows of the batch can be compared with those of a game.
    fn comparable(&mut self, game: u64) -> Result<usize, ReadError> {
        self.has_more()?;
        let games = self.games();
        let of_game = || games.iter().take_while(|of| **of == game).count();
        Ok(if self.is_by_key() { of_game() } else { games.len() })
    }

    /// What comes next, in words.
    fn next_row(&mut self) -> Result<String, ReadError> {
        let more = self.has_more()?;
        Ok(if more { format!("a row of game {}", self.games()[0]) } else { "the end of the file".to_owned() })
    }

    fn compare_columns(&self, expected: &RecordBatch, of: usize, rows: usize, cells: &mut Vec<Cell>) {
        let expected = expected.slice(of, rows);
        for (column, field) in expected.schema_ref().fields().iter().enumerate() {
            let found = self.batch.column_by_name(field.name()).expect("the columns were looked at");
            let (wanted, found) = (expected.column(column), found.slice(self.at, rows));
            let mut tell = |row: usize, expected: String| {
                let (found, column) = (cell(&found, row), Some(column));
                cells.push(Cell { row: self.row + row as u64, of: of + row, column, expected, found });
            };
            match field.name().as_str() {
                // What an agent thought is not known, but there is a probability for each legal action.
                "policy" => misshapen(found.as_list(), &expected, |row, legal| {
                    tell(row, format!("{legal} probabilities, as there are legal actions"));
                }),
                name if NOT_COMPARED.contains(&name) => {}
                _ => differing(wanted, &found, |row| tell(row, cell(wanted, row))),
            }
        }
    }
}

/// From the first row on that has another key, only that difference is left.
fn cut_at_other_key(cells: &mut Vec<Cell>, keys: usize) {
    let has_other_key = |cell: &&Cell| cell.column.is_none_or(|column| column < keys);
    let first = cells.iter().filter(has_other_key).map(|cell| (cell.row, cell.column)).min();
    if let Some((row, column)) = first {
        cells.retain(|cell| cell.row < row || (cell.row, cell.column) == (row, column));
    }
}

/// Names the decisions that have a policy, but not of as many entries as there are legal actions, with how many these are.
fn misshapen(policies: &ListArray, decisions: &RecordBatch, mut tell: impl FnMut(usize, u32)) {
    for row in (0..policies.len()).filter(|row| policies.is_valid(*row)) {
        let legal = legal_actions(decisions, row);
        if policies.value(row).len() != legal as usize {
            tell(row, legal);
        }
    }
}

/// How many actions are legal in a decision.
fn legal_actions(decisions: &RecordBatch, row: usize) -> u32 {
    let words = ["legal_0", "legal_1", "legal_2"].iter().filter_map(|name| decisions.column_by_name(name));
    words.map(|word| word.as_primitive::<UInt64Type>().value(row).count_ones()).sum()
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

//! The traits of the types of columns.

use arrow_array::ArrayRef;
use arrow_buffer::NullBuffer;

use crate::dataset::column::Kind;

/// A type of columns. A value of it collects the cells of rows.
#[allow(clippy::len_without_is_empty, reason = "nothing asks whether a column is empty")]
pub trait ColumnType: Default {
    /// The type in the documentation and in files.
    const KIND: Kind;
    /// Whether cells can be null.
    const NULLABLE: bool = false;
    /// A column of this type as it is read from a file.
    type Stored: StoredColumn;

    /// The number of cells that have not been taken.
    fn len(&self) -> usize;

    /// Adds placeholder cells for rows that are null.
    fn append_empty(&mut self, count: usize);

    /// Takes the cells as a column with these nulls. Keeps the capacity.
    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef;
}

/// A type of columns that makes its cells from values of type `V`.
pub trait Append<V> {
    /// Adds a cell.
    fn append(&mut self, value: V);
}

/// A column that was read from a file.
pub trait StoredColumn {
    /// A cell.
    type Cell<'a>
    where
        Self: 'a;

    /// The column of an array, whose type was checked when the file was opened.
    fn new(array: &ArrayRef) -> Self;

    /// The cell in a row.
    fn at(&self, row: usize) -> Self::Cell<'_>;
}

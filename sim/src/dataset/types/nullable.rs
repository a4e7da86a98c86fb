//! Columns whose cells can be null.

use arrow_array::{Array, ArrayRef};
use arrow_buffer::{NullBuffer, NullBufferBuilder};

use super::column_type::{Append, ColumnType, StoredColumn};
use crate::dataset::column::Kind;

/// Cells that can be null.
pub struct Nullable<C> {
    cells: C,
    nulls: NullBufferBuilder,
    /// Null cells at the end that have not been added. They are added together: many columns are
    /// null in all rows.
    missing: usize,
}

impl<C: Default> Default for Nullable<C> {
    fn default() -> Nullable<C> {
        Nullable { cells: C::default(), nulls: NullBufferBuilder::new(0), missing: 0 }
    }
}

impl<C: ColumnType> Nullable<C> {
    fn add_missing(&mut self) {
        if self.missing > 0 {
            self.cells.append_empty(self.missing);
            self.nulls.append_n_nulls(self.missing);
            self.missing = 0;
        }
    }
}

impl<V, C: ColumnType + Append<V>> Append<Option<V>> for Nullable<C> {
    #[inline]
    fn append(&mut self, value: Option<V>) {
        let Some(value) = value else {
            self.missing += 1;
            return;
        };
        self.add_missing();
        self.cells.append(value);
        self.nulls.append_non_null();
    }
}

impl<C: ColumnType> ColumnType for Nullable<C> {
    const KIND: Kind = C::KIND;
    const NULLABLE: bool = true;
    type Stored = Nullables<C::Stored>;

    fn len(&self) -> usize {
        self.cells.len() + self.missing
    }

    fn append_empty(&mut self, count: usize) {
        self.missing += count;
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        self.add_missing();
        let own = self.nulls.finish();
        self.cells.take(NullBuffer::union(own.as_ref(), nulls.as_ref()))
    }
}

/// Stored cells that can be null.
pub struct Nullables<S> {
    cells: S,
    nulls: Option<NullBuffer>,
}

impl<S> Nullables<S> {
    /// The cells, with any value where they are null.
    pub const fn cells(&self) -> &S {
        &self.cells
    }
}

impl<S: StoredColumn> StoredColumn for Nullables<S> {
    type Cell<'a>
        = Option<S::Cell<'a>>
    where
        Self: 'a;

    fn new(array: &ArrayRef) -> Nullables<S> {
        Nullables { cells: S::new(array), nulls: array.nulls().cloned() }
    }

    #[inline]
    fn at(&self, row: usize) -> Option<S::Cell<'_>> {
        let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        (!is_null).then(|| self.cells.at(row))
    }
}

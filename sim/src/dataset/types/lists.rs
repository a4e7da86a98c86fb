//! Columns of lists.

use std::mem;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, ListArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};

use super::column_type::{Append, ColumnType, StoredColumn};
use super::numbers::{NumberType, Numbers};
use crate::dataset::column::{Kind, item_field};

/// Lists of cells of another type.
pub struct List<C> {
    items: C,
    /// The list of row k is the items from `ends[k]` up to `ends[k + 1]`.
    ends: Vec<i32>,
}

impl<C: Default> Default for List<C> {
    fn default() -> List<C> {
        List { items: C::default(), ends: vec![0] }
    }
}

impl<I: IntoIterator, C: ColumnType + Append<I::Item>> Append<I> for List<C> {
    #[inline]
    fn append(&mut self, items: I) {
        items.into_iter().for_each(|item| self.items.append(item));
        self.ends.push(self.items.len() as i32);
    }
}

impl<C: ColumnType> ColumnType for List<C> {
    const KIND: Kind = Kind::List(&C::KIND);
    type Stored = Lists<C::Stored>;

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    fn append_empty(&mut self, count: usize) {
        self.ends.resize(self.ends.len() + count, self.items.len() as i32);
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        let mut empty = Vec::with_capacity(self.ends.len());
        empty.push(0);
        let ends = OffsetBuffer::new(mem::replace(&mut self.ends, empty).into());
        Arc::new(ListArray::new(Arc::new(item_field(C::KIND)), ends, self.items.take(None), nulls))
    }
}

/// Stored lists.
pub struct Lists<S> {
    items: S,
    ends: OffsetBuffer<i32>,
}

impl<S> Lists<S> {
    /// The items of all lists.
    pub const fn items(&self) -> &S {
        &self.items
    }
}

impl<S: StoredColumn> StoredColumn for Lists<S> {
    type Cell<'a>
        = Items<'a, S>
    where
        Self: 'a;

    fn new(array: &ArrayRef) -> Lists<S> {
        let lists = array.as_list::<i32>();
        Lists { items: S::new(lists.values()), ends: lists.offsets().clone() }
    }

    #[inline]
    fn at(&self, row: usize) -> Items<'_, S> {
        Items { all: &self.items, range: self.ends[row] as usize..self.ends[row + 1] as usize }
    }
}

/// The items of a stored list.
pub struct Items<'a, S> {
    /// The items of all lists of the column.
    all: &'a S,
    /// The indexes of this list's items in `all`.
    range: Range<usize>,
}

#[allow(clippy::len_without_is_empty, reason = "nothing asks whether a list is empty")]
impl<'a, S: StoredColumn> Items<'a, S> {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// The indexes of the items in `Lists::items`.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// An item by its index in the list.
    pub fn at(&self, index: usize) -> S::Cell<'a> {
        assert!(index < self.range.len(), "no item {index} in a list of {}", self.range.len());
        self.all.at(self.range.start + index)
    }

    /// The items in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = S::Cell<'a>> + use<'a, S> {
        let all = self.all;
        self.range.clone().map(|index| all.at(index))
    }
}

impl<'a, T: NumberType> Items<'a, Numbers<T>> {
    /// The numbers in order.
    pub fn as_slice(&self) -> &'a [T::Native] {
        &self.all.as_slice()[self.range.clone()]
    }
}

//! Columns of texts.

use std::mem;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::NullBuffer;

use super::column_type::{Append, ColumnType, StoredColumn};
use crate::dataset::column::Kind;

/// Texts, most of them different.
#[derive(Default)]
pub struct Text(StringBuilder);

impl<T: AsRef<str>> Append<T> for Text {
    #[inline]
    fn append(&mut self, value: T) {
        self.0.append_value(value);
    }
}

impl ColumnType for Text {
    const KIND: Kind = Kind::Text;
    type Stored = Texts;

    fn len(&self) -> usize {
        self.0.offsets_slice().len() - 1
    }

    fn append_empty(&mut self, count: usize) {
        (0..count).for_each(|_| self.0.append_value(""));
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        let Text(texts) = self;
        let empty = StringBuilder::with_capacity(texts.offsets_slice().len(), texts.values_slice().len());
        let texts = mem::replace(texts, empty).finish();
        if nulls.is_none() {
            return Arc::new(texts);
        }
        let (ends, bytes, _) = texts.into_parts();
        Arc::new(StringArray::new(ends, bytes, nulls))
    }
}

/// Stored texts.
pub struct Texts(StringArray);

impl StoredColumn for Texts {
    type Cell<'a> = &'a str;

    fn new(array: &ArrayRef) -> Texts {
        Texts(array.as_string::<i32>().clone())
    }

    fn at(&self, row: usize) -> &str {
        self.0.value(row)
    }
}

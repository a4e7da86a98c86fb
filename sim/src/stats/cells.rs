//! Columns of a batch as plain numbers and words, however wide their numbers are and however their lists are kept.

use std::ops::Range;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

/// The column of this name.
pub(super) fn column<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ArrayRef, String> {
    batch.column_by_name(name).ok_or_else(|| format!("no column `{name}`"))
}

/// Whole numbers or truth values; anything where they are null.
pub(super) fn numbers(array: &dyn Array) -> Result<Vec<i64>, String> {
    macro_rules! of {
        ($($kind:ident: $native:ty),+) => {
            match array.data_type() {
                $(DataType::$kind => array.as_primitive::<$native>().values().iter().copied().map(i64::from).collect(),)+
                DataType::Int64 => array.as_primitive::<Int64Type>().values().to_vec(),
                // Seeds, which are told apart all the same.
                DataType::UInt64 => array.as_primitive::<UInt64Type>().values().iter().map(|n| *n as i64).collect(),
                DataType::Boolean => array.as_boolean().values().iter().map(i64::from).collect(),
                other => return Err(format!("expected whole numbers, found {other}")),
            }
        };
    }
    Ok(
        of!(Int8: Int8Type, Int16: Int16Type, Int32: Int32Type, UInt8: UInt8Type, UInt16: UInt16Type, UInt32: UInt32Type),
    )
}

/// What words mean, each told once; the column has no nulls.
pub(super) fn words<T: Clone>(
    array: &dyn Array,
    meaning: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let text = |values: &dyn Array| match values.as_string_opt::<i32>() {
        Some(texts) => {
            texts.iter().map(|text| meaning(text.unwrap_or_default())).collect::<Result<Vec<T>, _>>()
        }
        None => Err(format!("expected words, found {}", values.data_type())),
    };
    let Some(dictionary) = array.as_any_dictionary_opt() else { return text(array) };
    let meanings = text(dictionary.values())?;
    if meanings.is_empty() {
        return Ok(Vec::new());
    }
    Ok(dictionary.normalized_keys().into_iter().map(|key| meanings[key].clone()).collect())
}

/// A column of lists: all their entries one after the other, and which of them are of a row.
pub(super) struct Lists<T> {
    entries: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Lists<T> {
    /// A column whose entries are read by `read`.
    pub(super) fn new(
        array: &dyn Array,
        read: impl FnOnce(&dyn Array) -> Result<Vec<T>, String>,
    ) -> Result<Lists<T>, String> {
        if let Some(lists) = array.as_list_opt::<i32>() {
            let ends = lists.value_offsets().iter().map(|end| *end as usize).collect();
            return Ok(Lists { entries: read(lists.values())?, ends });
        }
        if let Some(lists) = array.as_fixed_size_list_opt() {
            let length = lists.value_length() as usize;
            let ends = (0..=lists.len()).map(|row| row * length).collect();
            return Ok(Lists { entries: read(lists.values())?, ends });
        }
        Err(format!("expected lists, found {}", array.data_type()))
    }

    fn range(&self, row: usize) -> Range<usize> {
        self.ends[row]..self.ends[row + 1]
    }

    /// The entries of a row.
    pub(super) fn of(&self, row: usize) -> &[T] {
        &self.entries[self.range(row)]
    }
}

/// The lists of a column of lists of lists, of which those of row k are `outer.of(k)`.
pub(super) fn places(array: &dyn Array) -> Result<Lists<usize>, String> {
    Lists::new(array, |inner| Ok((0..inner.len()).collect()))
}

/// The lists inside a column of lists.
pub(super) fn inner(array: &dyn Array) -> Result<&ArrayRef, String> {
    let lists = array.as_list_opt::<i32>().map(arrow_array::ListArray::values);
    let lists = lists.or_else(|| array.as_fixed_size_list_opt().map(arrow_array::FixedSizeListArray::values));
    lists.ok_or_else(|| format!("expected lists, found {}", array.data_type()))
}

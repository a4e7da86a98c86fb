//! Columns of stored tables as plain numbers and words, for any integer width and kind of list.

use std::ops::Range;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;

/// The column with this name.
pub(super) fn column<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ArrayRef, String> {
    batch.column_by_name(name).ok_or_else(|| format!("no column `{name}`"))
}

/// A column of integers or booleans. The value of a null entry is unspecified.
pub(super) fn numbers(array: &dyn Array) -> Result<Vec<i64>, String> {
    macro_rules! of {
        ($($kind:ident: $native:ty),+) => {
            match array.data_type() {
                $(DataType::$kind => array.as_primitive::<$native>().values().iter().copied().map(i64::from).collect(),)+
                DataType::Int64 => array.as_primitive::<Int64Type>().values().to_vec(),
                // Signatures: different ones stay different.
                DataType::UInt64 => array.as_primitive::<UInt64Type>().values().iter().map(|n| *n as i64).collect(),
                DataType::Boolean => array.as_boolean().values().iter().map(i64::from).collect(),
                other => return Err(format!("expected integers or booleans, found {other}")),
            }
        };
    }
    Ok(
        of!(Int8: Int8Type, Int16: Int16Type, Int32: Int32Type, UInt8: UInt8Type, UInt16: UInt16Type, UInt32: UInt32Type),
    )
}

/// A column of text without nulls, with each text parsed. Parses a dictionary's texts only once.
pub(super) fn words<T: Clone>(
    array: &dyn Array,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let parse_all = |values: &dyn Array| match values.as_string_opt::<i32>() {
        Some(texts) => {
            texts.iter().map(|text| parse(text.unwrap_or_default())).collect::<Result<Vec<T>, _>>()
        }
        None => Err(format!("expected text, found {}", values.data_type())),
    };
    let Some(dictionary) = array.as_any_dictionary_opt() else { return parse_all(array) };
    let parsed = parse_all(dictionary.values())?;
    if parsed.is_empty() {
        return Ok(Vec::new());
    }
    Ok(dictionary.normalized_keys().into_iter().map(|key| parsed[key].clone()).collect())
}

/// A column of lists.
pub(super) struct ListColumn<T> {
    /// The entries of all lists, one list after the other.
    entries: Vec<T>,
    /// The list of row k is `entries[ends[k]..ends[k + 1]]`.
    ends: Vec<usize>,
}

impl<T> ListColumn<T> {
    /// The lists of a column. `read` converts the entries of all lists at once.
    pub(super) fn new(
        array: &dyn Array,
        read: impl FnOnce(&dyn Array) -> Result<Vec<T>, String>,
    ) -> Result<ListColumn<T>, String> {
        if let Some(lists) = array.as_list_opt::<i32>() {
            let ends = lists.value_offsets().iter().map(|end| *end as usize).collect();
            return Ok(ListColumn { entries: read(lists.values())?, ends });
        }
        if let Some(lists) = array.as_fixed_size_list_opt() {
            let length = lists.value_length() as usize;
            let ends = (0..=lists.len()).map(|row| row * length).collect();
            return Ok(ListColumn { entries: read(lists.values())?, ends });
        }
        Err(format!("expected lists, found {}", array.data_type()))
    }

    fn range(&self, row: usize) -> Range<usize> {
        self.ends[row]..self.ends[row + 1]
    }

    /// The list in a row.
    pub(super) fn of(&self, row: usize) -> &[T] {
        &self.entries[self.range(row)]
    }
}

/// For a column of lists of lists: for each row, the indexes of its inner lists in [`inner`].
pub(super) fn inner_indexes(array: &dyn Array) -> Result<ListColumn<usize>, String> {
    ListColumn::new(array, |inner| Ok((0..inner.len()).collect()))
}

/// The inner lists of a column of lists of lists, as a column of their own.
pub(super) fn inner(array: &dyn Array) -> Result<&ArrayRef, String> {
    let lists = array.as_list_opt::<i32>().map(arrow_array::ListArray::values);
    let lists = lists.or_else(|| array.as_fixed_size_list_opt().map(arrow_array::FixedSizeListArray::values));
    lists.ok_or_else(|| format!("expected lists, found {}", array.data_type()))
}

//! Columns with a small number of different texts.
//!
//! The types differ in how they find out that two rows have the same text.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray, UInt32Array};
use arrow_buffer::NullBuffer;
use jantaku_engine::Seat;

use super::column_type::{Append, ColumnType, StoredColumn};
use crate::dataset::column::Kind;

/// Words that are given as texts. Each text is looked up.
#[derive(Default)]
pub struct Word {
    /// For each row, the index of its text.
    rows: Vec<u32>,
    texts: KnownTexts,
}

impl<T: AsRef<str>> Append<T> for Word {
    fn append(&mut self, text: T) {
        self.rows.push(self.texts.index(text.as_ref()));
    }
}

impl ColumnType for Word {
    const KIND: Kind = Kind::Word;
    type Stored = Words;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn append_empty(&mut self, count: usize) {
        append_empty(&mut self.rows, count);
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        dictionary(&mut self.rows, &mem::take(&mut self.texts).in_order, nulls)
    }
}

/// Words that are chosen by small numbers.
///
/// A text is made only for a new number, and no text is looked up. Both would take most of the
/// time.
#[derive(Default)]
pub struct NumberedWord {
    rows: Vec<u32>,
    /// For each number, the index of its text.
    known: Vec<Option<u32>>,
    texts: Vec<String>,
}

impl NumberedWord {
    fn learn(&mut self, number: usize, text: String) -> u32 {
        if self.known.len() <= number {
            self.known.resize(number + 1, None);
        }
        let index = self.texts.len() as u32;
        self.texts.push(text);
        self.known[number] = Some(index);
        index
    }
}

/// A number and what makes its text. A number must always have the same text.
impl<F: FnOnce() -> String> Append<(usize, F)> for NumberedWord {
    #[inline]
    fn append(&mut self, (number, text): (usize, F)) {
        let index = match self.known.get(number) {
            Some(Some(index)) => *index,
            _ => self.learn(number, text()),
        };
        self.rows.push(index);
    }
}

impl ColumnType for NumberedWord {
    const KIND: Kind = Kind::Word;
    type Stored = Words;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn append_empty(&mut self, count: usize) {
        append_empty(&mut self.rows, count);
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        dictionary(&mut self.rows, &self.texts, nulls)
    }
}

/// Words that rarely change between two rows of a seat. `T` is the meaning of a word.
///
/// A text is made and looked up only when its meaning changes.
pub struct LastingWord<T> {
    rows: Vec<u32>,
    /// For each seat, the meaning of its last row and the index of its text.
    last: [Option<(T, u32)>; 4],
    texts: KnownTexts,
}

impl<T> Default for LastingWord<T> {
    fn default() -> LastingWord<T> {
        LastingWord { rows: Vec::new(), last: [const { None }; 4], texts: KnownTexts::default() }
    }
}

/// The seat of a row, the meaning, and what makes its text.
impl<T: PartialEq, F: FnOnce() -> String> Append<(Seat, T, F)> for LastingWord<T> {
    #[inline]
    fn append(&mut self, (seat, meaning, text): (Seat, T, F)) {
        let index = match &self.last[seat.index()] {
            Some((last, index)) if *last == meaning => *index,
            _ => {
                let index = self.texts.index(&text());
                self.last[seat.index()] = Some((meaning, index));
                index
            }
        };
        self.rows.push(index);
    }
}

impl<T> ColumnType for LastingWord<T> {
    const KIND: Kind = Kind::Word;
    type Stored = Words;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn append_empty(&mut self, count: usize) {
        append_empty(&mut self.rows, count);
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        self.last.fill_with(|| None);
        dictionary(&mut self.rows, &mem::take(&mut self.texts).in_order, nulls)
    }
}

/// Different texts, each with an index.
#[derive(Default)]
struct KnownTexts {
    indices: HashMap<String, u32>,
    in_order: Vec<String>,
}

impl KnownTexts {
    fn index(&mut self, text: &str) -> u32 {
        if let Some(index) = self.indices.get(text) {
            return *index;
        }
        let index = self.in_order.len() as u32;
        self.indices.insert(text.to_owned(), index);
        self.in_order.push(text.to_owned());
        index
    }
}

/// Adds rows that are null.
fn append_empty(rows: &mut Vec<u32>, count: usize) {
    rows.resize(rows.len() + count, 0);
}

/// Takes the rows, which are indices of texts, as a column and leaves an empty vector of the same
/// capacity.
fn dictionary(rows: &mut Vec<u32>, texts: &[String], nulls: Option<NullBuffer>) -> ArrayRef {
    let empty = Vec::with_capacity(rows.len());
    let rows = UInt32Array::new(mem::replace(rows, empty).into(), nulls);
    let texts = StringArray::from_iter_values(texts);
    Arc::new(DictionaryArray::<UInt32Type>::new(rows, Arc::new(texts)))
}

/// Stored words.
pub struct Words {
    rows: UInt32Array,
    texts: StringArray,
}

impl Words {
    /// The parsed word of each row. Parses each different text once.
    ///
    /// # Errors
    ///
    /// That of the first text with an error.
    pub fn parse<T: Clone>(&self, parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
        let texts = self.texts.iter().map(|text| parse(text.unwrap_or_default()));
        let parsed = texts.collect::<Result<Vec<T>, String>>()?;
        let of_row = |index: Option<u32>| match index {
            Some(index) => Ok(parsed[index as usize].clone()),
            None => parse(""),
        };
        self.rows.iter().map(of_row).collect()
    }
}

impl StoredColumn for Words {
    type Cell<'a> = &'a str;

    fn new(array: &ArrayRef) -> Words {
        let words = array.as_dictionary::<UInt32Type>();
        Words { rows: words.keys().clone(), texts: words.values().as_string::<i32>().clone() }
    }

    /// The text of a row, empty for a null item of a list.
    fn at(&self, row: usize) -> &str {
        if self.rows.is_valid(row) { self.texts.value(self.rows.value(row) as usize) } else { "" }
    }
}

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

/// The words of rows, as indices of their texts. `K` knows the texts.
#[derive(Default)]
pub struct IndexedWord<K> {
    /// For each row, the index of its text.
    rows: Vec<u32>,
    known: K,
}

/// Texts with their indices.
pub trait Vocabulary: Default {
    /// Called when rows are taken. Returns the texts in order of their indices.
    fn take(&mut self) -> StringArray;
}

impl<K: Vocabulary> ColumnType for IndexedWord<K> {
    const KIND: Kind = Kind::Word;
    type Stored = Words;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn append_empty(&mut self, count: usize) {
        self.rows.resize(self.rows.len() + count, 0);
    }

    fn take(&mut self, nulls: Option<NullBuffer>) -> ArrayRef {
        let empty = Vec::with_capacity(self.rows.len());
        let rows = UInt32Array::new(mem::replace(&mut self.rows, empty).into(), nulls);
        Arc::new(DictionaryArray::<UInt32Type>::new(rows, Arc::new(self.known.take())))
    }
}

/// Words that are given as texts. Each text is looked up.
pub type Word = IndexedWord<KnownTexts>;

impl<T: AsRef<str>> Append<T> for Word {
    fn append(&mut self, text: T) {
        self.rows.push(self.known.index(text.as_ref()));
    }
}

/// Words that are chosen by small numbers.
///
/// A text is made only for a new number, and no text is looked up: to do so for each row would take most
/// of the time.
pub type NumberedWord = IndexedWord<NumberedTexts>;

/// Texts by small numbers. They are kept when rows are taken.
#[derive(Default)]
pub struct NumberedTexts {
    /// For each number, the index of its text.
    indices: Vec<Option<u32>>,
    in_order: Vec<String>,
}

impl NumberedTexts {
    fn learn(&mut self, number: usize, text: String) -> u32 {
        if self.indices.len() <= number {
            self.indices.resize(number + 1, None);
        }
        let index = self.in_order.len() as u32;
        self.in_order.push(text);
        self.indices[number] = Some(index);
        index
    }
}

impl Vocabulary for NumberedTexts {
    fn take(&mut self) -> StringArray {
        StringArray::from_iter_values(&self.in_order)
    }
}

/// Appends the text of a number. The function makes the text, which must always be the same for a number.
impl<F: FnOnce() -> String> Append<(usize, F)> for NumberedWord {
    #[inline]
    fn append(&mut self, (number, text): (usize, F)) {
        let index = match self.known.indices.get(number) {
            Some(Some(index)) => *index,
            _ => self.known.learn(number, text()),
        };
        self.rows.push(index);
    }
}

/// Words that rarely change between two rows of a seat. `T` is the meaning of a word.
///
/// A text is made and looked up only when its meaning changes.
pub type LastingWord<T> = IndexedWord<LastingTexts<T>>;

/// Texts, and the latest one of each seat.
pub struct LastingTexts<T> {
    /// For each seat, the meaning of its last row and the index of its text.
    last: [Option<(T, u32)>; 4],
    texts: KnownTexts,
}

impl<T> Default for LastingTexts<T> {
    fn default() -> LastingTexts<T> {
        LastingTexts { last: [const { None }; 4], texts: KnownTexts::default() }
    }
}

impl<T> Vocabulary for LastingTexts<T> {
    fn take(&mut self) -> StringArray {
        mem::take(self).texts.take()
    }
}

/// Appends the text of a meaning to the rows of a seat. The function makes the text.
impl<T: PartialEq, F: FnOnce() -> String> Append<(Seat, T, F)> for LastingWord<T> {
    #[inline]
    fn append(&mut self, (seat, meaning, text): (Seat, T, F)) {
        let LastingTexts { last, texts } = &mut self.known;
        let index = match &last[seat.index()] {
            Some((last, index)) if *last == meaning => *index,
            _ => {
                let index = texts.index(&text());
                last[seat.index()] = Some((meaning, index));
                index
            }
        };
        self.rows.push(index);
    }
}

/// Different texts, each with an index.
#[derive(Default)]
pub struct KnownTexts {
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

impl Vocabulary for KnownTexts {
    fn take(&mut self) -> StringArray {
        StringArray::from_iter_values(mem::take(self).in_order)
    }
}

/// Stored words.
pub struct Words {
    rows: UInt32Array,
    texts: StringArray,
}

impl Words {
    /// The parsed word of each row. Parses each different text once, and a null as the empty text.
    ///
    /// # Errors
    ///
    /// The error of the first text that has one.
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

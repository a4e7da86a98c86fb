//! Builders of columns with a small number of different texts.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use arrow_array::builder::UInt32Builder;
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, DictionaryArray, StringArray};
use jantaku_engine::Seat;

/// Builds a column whose words are chosen by small numbers.
///
/// A text is made only for a new number, and no text is looked up. Both would take most of the
/// time.
#[derive(Default)]
pub(super) struct Words {
    rows: UInt32Builder,
    /// For each number, the index of its text.
    known: Vec<Option<u32>>,
    texts: Vec<String>,
}

impl Words {
    /// Adds a row with the word of this number. A number must always have the same text.
    #[inline]
    pub(super) fn append(&mut self, number: usize, text: impl FnOnce() -> String) {
        let index = match self.known.get(number) {
            Some(Some(index)) => *index,
            _ => self.learn(number, text()),
        };
        self.rows.append_value(index);
    }

    fn learn(&mut self, number: usize, text: String) -> u32 {
        if self.known.len() <= number {
            self.known.resize(number + 1, None);
        }
        let index = self.texts.len() as u32;
        self.texts.push(text);
        self.known[number] = Some(index);
        index
    }

    /// Adds a row without a word.
    #[inline]
    pub(super) fn append_null(&mut self) {
        self.rows.append_null();
    }

    /// Takes the rows so far.
    pub(super) fn finish(&mut self) -> ArrayRef {
        dictionary(&mut self.rows, &self.texts)
    }
}

/// Builds a column whose word seldom changes between two rows of a seat.
///
/// A text is made and looked up only when its meaning changes.
pub(super) struct LastingWords<T> {
    rows: UInt32Builder,
    /// For each seat, the meaning of its last row and the index of its text.
    last: [Option<(T, u32)>; 4],
    indices: HashMap<String, u32>,
    texts: Vec<String>,
}

impl<T> Default for LastingWords<T> {
    fn default() -> LastingWords<T> {
        LastingWords {
            rows: UInt32Builder::default(),
            last: [const { None }; 4],
            indices: HashMap::new(),
            texts: Vec::new(),
        }
    }
}

impl<T: PartialEq> LastingWords<T> {
    /// Adds a row of a seat. `text` makes the word for this meaning.
    #[inline]
    pub(super) fn append(&mut self, seat: Seat, meaning: T, text: impl FnOnce() -> String) {
        let index = match &self.last[seat.index()] {
            Some((last, index)) if *last == meaning => *index,
            _ => self.learn(seat, meaning, text()),
        };
        self.rows.append_value(index);
    }

    fn learn(&mut self, seat: Seat, meaning: T, text: String) -> u32 {
        let texts = &mut self.texts;
        let index = *self.indices.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            texts.len() as u32 - 1
        });
        self.last[seat.index()] = Some((meaning, index));
        index
    }

    /// Takes the rows so far.
    pub(super) fn finish(&mut self) -> ArrayRef {
        self.last.fill_with(|| None);
        self.indices.clear();
        dictionary(&mut self.rows, &mem::take(&mut self.texts))
    }
}

/// Takes the rows, which are indices of texts, as a column and leaves an empty builder of the same
/// capacity.
fn dictionary(rows: &mut UInt32Builder, texts: &[String]) -> ArrayRef {
    let texts = StringArray::from_iter_values(texts);
    let empty = UInt32Builder::with_capacity(rows.values_slice().len());
    Arc::new(DictionaryArray::<UInt32Type>::new(mem::replace(rows, empty).finish(), Arc::new(texts)))
}

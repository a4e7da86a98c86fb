//! Columns of words.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use arrow_array::builder::UInt32Builder;
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, DictionaryArray, StringArray};
use jantaku_engine::Seat;

/// A column of words that are being gathered, where a small number tells which word it is.
///
/// A text is made only for a number that is new, and no text is looked up: that is what most of the time would go to.
#[derive(Default)]
pub(super) struct Words {
    rows: UInt32Builder,
    /// The place of each number's text among the texts, and one more; 0 for a number that has not come.
    known: Vec<u32>,
    texts: Vec<String>,
}

impl Words {
    /// Adds a row: the word with this number, which always stands for the same text.
    #[inline]
    pub(super) fn append(&mut self, number: usize, text: impl FnOnce() -> String) {
        if self.known.get(number).is_none_or(|place| *place == 0) {
            self.learn(number, text());
        }
        self.rows.append_value(self.known[number] - 1);
    }

    fn learn(&mut self, number: usize, text: String) {
        if self.known.len() <= number {
            self.known.resize(number + 1, 0);
        }
        self.texts.push(text);
        self.known[number] = self.texts.len() as u32;
    }

    /// Adds a row without a word.
    #[inline]
    pub(super) fn append_null(&mut self) {
        self.rows.append_null();
    }

    /// The rows so far; gathering starts anew.
    pub(super) fn finish(&mut self) -> ArrayRef {
        dictionary(&mut self.rows, &self.texts)
    }
}

/// A column of words that are being gathered, which stand for what seldom changes from one row of a seat to its next.
///
/// A text is made and looked up only where it changes.
pub(super) struct LastingWords<T> {
    rows: UInt32Builder,
    /// What each seat's last row stands for, and the place of its text.
    last: [Option<(T, u32)>; 4],
    places: HashMap<String, u32>,
    texts: Vec<String>,
}

impl<T> Default for LastingWords<T> {
    fn default() -> LastingWords<T> {
        LastingWords {
            rows: UInt32Builder::default(),
            last: [const { None }; 4],
            places: HashMap::new(),
            texts: Vec::new(),
        }
    }
}

impl<T: PartialEq> LastingWords<T> {
    /// Adds a row of a seat: the word that stands for this.
    #[inline]
    pub(super) fn append(&mut self, seat: Seat, meaning: T, text: impl FnOnce() -> String) {
        let place = match &self.last[seat.index()] {
            Some((last, place)) if *last == meaning => *place,
            _ => self.learn(seat, meaning, text()),
        };
        self.rows.append_value(place);
    }

    fn learn(&mut self, seat: Seat, meaning: T, text: String) -> u32 {
        let texts = &mut self.texts;
        let place = *self.places.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            texts.len() as u32 - 1
        });
        self.last[seat.index()] = Some((meaning, place));
        place
    }

    /// The rows so far; gathering starts anew.
    pub(super) fn finish(&mut self) -> ArrayRef {
        self.last.fill_with(|| None);
        self.places.clear();
        dictionary(&mut self.rows, &mem::take(&mut self.texts))
    }
}

/// A column of words of its rows, which name the places of their texts; then there are no rows, but room for as many.
fn dictionary(rows: &mut UInt32Builder, texts: &[String]) -> ArrayRef {
    let texts = StringArray::from_iter_values(texts);
    let room = UInt32Builder::with_capacity(rows.values_slice().len());
    Arc::new(DictionaryArray::<UInt32Type>::new(mem::replace(rows, room).finish(), Arc::new(texts)))
}

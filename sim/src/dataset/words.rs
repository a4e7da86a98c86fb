//! Columns of words.

use std::sync::Arc;

use arrow_array::builder::UInt32Builder;
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, DictionaryArray, StringArray};

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
    pub(super) fn append(&mut self, number: usize, text: impl FnOnce() -> String) {
        if self.known.len() <= number {
            self.known.resize(number + 1, 0);
        }
        if self.known[number] == 0 {
            self.texts.push(text());
            self.known[number] = self.texts.len() as u32;
        }
        self.rows.append_value(self.known[number] - 1);
    }

    /// Adds a row without a word.
    pub(super) fn append_null(&mut self) {
        self.rows.append_null();
    }

    /// The rows so far; gathering starts anew.
    pub(super) fn finish(&mut self) -> ArrayRef {
        let texts = StringArray::from_iter_values(&self.texts);
        Arc::new(DictionaryArray::<UInt32Type>::new(self.rows.finish(), Arc::new(texts)))
    }
}

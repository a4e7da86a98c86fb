//! Files of earlier versions: which columns they have, and how columns and words were called.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, StringArray};

use super::columns::{Column, SCHEMA_VERSION, TableKind};

/// Words with another name in version 1: the table, the column, the word then, and the word now.
const WORDS_BEFORE: [(TableKind, &str, &str, &str); 2] = [
    (TableKind::Hands, "outcome", "nine-terminals", "kyuushu-kyuuhai"),
    (TableKind::Decisions, "action_text", "nine terminals", "kyuushu kyuuhai"),
];

/// The version of a file of this table; `has` says whether it has a column with this name.
///
/// Other tools may drop a file's metadata, so the names of the columns decide.
pub(super) fn version_of(table: TableKind, has: impl Fn(&str) -> bool) -> u32 {
    let has_old_name = |column: &Column| column.before.is_some_and(|before| has(before) && !has(column.name));
    if table.columns().any(has_old_name) { 1 } else { SCHEMA_VERSION }
}

impl Column {
    /// Whether the tables of this version have the column.
    pub(super) const fn is_in(&self, version: u32) -> bool {
        self.since <= version
    }

    /// The name of the column in this version.
    pub(super) fn name_in(&self, version: u32) -> &'static str {
        self.before.filter(|_| version == 1).unwrap_or(self.name)
    }

    /// The values of the column in a file of this version, with the present words.
    pub(super) fn present_words(&self, version: u32, found: &ArrayRef) -> ArrayRef {
        let of_column = |(table, column, ..): &&(TableKind, &str, _, _)| {
            version == 1 && (*table, *column) == (self.table, self.name)
        };
        let renamed: Vec<_> = WORDS_BEFORE.iter().filter(of_column).collect();
        let Some(words) = found.as_any_dictionary_opt().filter(|_| !renamed.is_empty()) else {
            return Arc::clone(found);
        };
        let present = |word| {
            let renamed = renamed.iter().find(|(.., before, _)| Some(*before) == word);
            renamed.map_or(word, |(.., now)| Some(*now))
        };
        let texts = words.values().as_string::<i32>().iter().map(present);
        words.with_values(Arc::new(texts.collect::<StringArray>()))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::DictionaryArray;
    use arrow_array::types::UInt32Type;

    use super::*;

    #[test]
    fn words_of_version_1_are_renamed() {
        let column = TableKind::Hands.columns().find(|column| column.name == "outcome").expect("a column");
        let stored: DictionaryArray<UInt32Type> =
            [Some("ron"), None, Some("nine-terminals"), Some("ron")].into_iter().collect();
        let stored: ArrayRef = Arc::new(stored);
        let texts = |version| {
            let read = column.present_words(version, &stored);
            let words = read.as_dictionary::<UInt32Type>().downcast_dict::<StringArray>().expect("texts");
            words.into_iter().map(|word| word.map(str::to_owned)).collect::<Vec<_>>()
        };
        let present = [Some("ron"), None, Some("kyuushu-kyuuhai"), Some("ron")];
        assert_eq!(texts(1), present.map(|word| word.map(str::to_owned)));
        assert_eq!(texts(2)[2].as_deref(), Some("nine-terminals"), "a present file is read as it is");
    }
}

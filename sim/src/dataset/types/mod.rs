//! The types of columns: how cells are collected, and how they are read.
//!
//! A column of a table is stated with one of these types, such as `Nullable<List<U8>>`. The type has
//! a name in the documentation and a type in Arrow ([`Kind`](super::Kind)), collects the cells of
//! rows, and says how a stored column is read.
//!
//! - `column_type`: the traits of the types
//! - `numbers`: numbers and booleans
//! - `texts`: texts
//! - `words`: a small number of different texts
//! - `lists`: lists of another type
//! - `nullable`: cells that can be null

mod column_type;
mod lists;
mod nullable;
mod numbers;
mod texts;
mod words;

pub use column_type::{Append, ColumnType, StoredColumn};
pub use lists::{Items, List};
pub use nullable::{Nullable, Nullables};
pub use numbers::{Bool, F32, I8, I32, Numbers, U8, U16, U32, U64};
pub use texts::Text;
pub use words::{LastingWord, NumberedWord, Word};

#[cfg(test)]
mod tests {
    use jantaku_engine::Players;

    use super::*;

    /// Takes the cells as a column and reads it.
    fn read<C: ColumnType>(mut cells: C) -> C::Stored {
        let column = cells.take(None);
        assert_eq!((cells.len(), column.data_type()), (0, &C::KIND.data_type()));
        C::Stored::new(&column)
    }

    #[test]
    fn nulls_are_read_where_they_were_added() {
        let mut cells = Nullable::<List<Nullable<F32>>>::default();
        let rows =
            [None, Some(vec![Some(1.5), None, None]), None, None, Some(vec![]), Some(vec![None]), None];
        rows.iter().cloned().for_each(|row| cells.append(row));
        assert_eq!(cells.len(), rows.len());
        let column = read(cells);
        let found: Vec<_> =
            (0..rows.len()).map(|row| column.at(row).map(|list| list.iter().collect())).collect();
        assert_eq!(found, rows);
    }

    #[test]
    fn every_type_of_words_keeps_its_texts() {
        let texts = ["1m", "2p", "1m", "1m", "3s", "2p"];
        let (mut words, mut numbered, mut lasting) =
            (Word::default(), NumberedWord::default(), LastingWord::default());
        let seats = || Players::Three.seats();
        for (text, seat) in texts.iter().zip(seats().chain(seats())) {
            let number = usize::from(text.as_bytes()[0]);
            words.append(text);
            numbered.append((number, || (*text).to_owned()));
            lasting.append((seat, number, || (*text).to_owned()));
        }
        for column in [read(words), read(numbered), read(lasting)] {
            assert_eq!(column.parse(|text| Ok(text.to_owned())), Ok(texts.map(str::to_owned).to_vec()));
        }
    }

    #[test]
    fn lists_have_their_items_and_lengths() {
        let mut cells = List::<List<Word>>::default();
        let rows = [vec![vec!["a", "b"], vec![]], vec![], vec![vec!["b"]]];
        rows.iter().cloned().for_each(|row| cells.append(row));
        let column = read(cells);
        let found: Vec<Vec<Vec<&str>>> = (0..rows.len())
            .map(|row| column.at(row).iter().map(|list| list.iter().collect()).collect())
            .collect();
        assert_eq!(found, rows);
        assert_eq!((column.at(2).range(), column.at(2).len()), (2..3, 1));
    }

    #[test]
    fn numbers_of_a_list_are_a_slice() {
        let mut cells = List::<U8>::default();
        cells.append([1, 2, 3]);
        cells.append([]);
        cells.append([4]);
        let column = read(cells);
        assert_eq!([0, 1, 2].map(|row| column.at(row).as_slice().to_vec()), [vec![1, 2, 3], vec![], vec![4]]);
    }
}

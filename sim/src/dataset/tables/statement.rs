//! The macro that states the columns of a table.
//!
//! # Why
//!
//! **How is a column defined?** Once, in the file of its table below `sim/src/dataset/tables/`:
//! name, type, the expression that makes its cell, meaning. `table!` derives the order, the
//! collected rows, the schema, the documentation and the type for readers. `select!` names the
//! columns that a reader wants, as fields of a struct. So the dataset and the statistics read files
//! by the same code, and a wrong name or type does not compile. Rejected: a struct of rows with a
//! derive macro, because it needs its own crate and builds each row before its columns. Also
//! rejected: columns looked up by name and converted by the reader, because each place would repeat
//! the name and the type.

use arrow_array::RecordBatch;
use jantaku_engine::Rules;

use crate::dataset::Column;
use crate::play::GameRecord;

/// What the file of a table states.
pub(in crate::dataset) struct Statement {
    /// The columns in order.
    pub columns: &'static [Column],
    /// What a row is, and who sees it: lines of text.
    pub about: &'static [&'static str],
    /// Makes an empty buffer.
    pub rows: fn() -> Box<dyn TableRows>,
}

/// The rows of a table that have not been taken.
pub(in crate::dataset) trait TableRows: Send {
    /// Adds the rows of a game.
    fn push_game(&mut self, game: &PlayedGame<'_>);

    /// The number of rows.
    fn len(&self) -> usize;

    /// Takes the rows so far.
    fn take(&mut self) -> RecordBatch;
}

/// A game whose rows are written.
#[derive(Clone, Copy)]
pub(in crate::dataset) struct PlayedGame<'a> {
    pub record: &'a GameRecord,
    pub rules: &'a Rules,
    /// [`Rules::hash`], 16 hexadecimal digits.
    pub rules_hash: &'a str,
    /// The agent of each seat, or the players' names in the log.
    pub agents: &'a [String],
}

/// States the columns of a table.
///
/// The first column is `game`. `table! { Hands, from Row { … }, column: Type [field: value] = cell =>
/// "Meaning."; … }` defines in its module:
/// - `TABLE`: the table;
/// - `STATEMENT`: the columns in this order, where `[field: value]` sets fields of
///   [`Column`](crate::dataset::Column); the documentation of the table; and the rows. The module
///   defines `rows_of`, which makes the rows of a [`PlayedGame`]. `cell` is an expression over the
///   names that the pattern binds in a reference to such a row. Its value is one that the type of the
///   column accepts ([`Append`](crate::dataset::types::Append));
/// - the type of each column, in the module `cells`.
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        $table:ident, from $row:pat,
        $(
            $name:ident: $cells:ty $([$($field:ident: $value:expr),+])? = $cell:expr
                => $meaning:literal;
        )+
    ) => {
        /// The table.
        pub const TABLE: $crate::dataset::TableKind = $crate::dataset::TableKind::$table;

        pub(super) static STATEMENT: super::statement::Statement = super::statement::Statement {
            columns: COLUMNS,
            about: &[$($about),+],
            rows: || Box::new(Rows::default()),
        };

        static COLUMNS: &[$crate::dataset::Column] = &[$(
            $crate::dataset::Column {
                kind: <$cells as $crate::dataset::types::ColumnType>::KIND,
                nullable: <$cells as $crate::dataset::types::ColumnType>::NULLABLE,
                $($($field: $value,)+)?
                ..$crate::dataset::Column::new(TABLE, stringify!($name), $meaning)
            },
        )+];

        #[derive(Default)]
        struct Rows {
            $($name: cells::$name,)+
        }

        impl super::statement::TableRows for Rows {
            fn push_game(&mut self, game: &super::statement::PlayedGame<'_>) {
                for row in rows_of(game) {
                    let $row = &row;
                    $($crate::dataset::types::Append::append(&mut self.$name, $cell);)+
                }
            }

            fn len(&self) -> usize {
                $crate::dataset::types::ColumnType::len(&self.game)
            }

            fn take(&mut self) -> ::arrow_array::RecordBatch {
                let columns = vec![$($crate::dataset::types::ColumnType::take(&mut self.$name, None),)+];
                let schema = $crate::dataset::column::schema_of(COLUMNS);
                let rows = ::arrow_array::RecordBatch::try_new(schema, columns);
                rows.expect("rows have the columns of their table")
            }
        }

        /// The type of each column, by its name.
        #[expect(non_camel_case_types, reason = "columns have such names")]
        pub mod cells {
            use super::*;

            $(#[doc = concat!("The type of the column `", stringify!($name), "`.")] pub type $name = $cells;)+
        }
    };
}
pub(super) use table;

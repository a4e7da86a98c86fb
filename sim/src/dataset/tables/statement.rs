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

/// States the columns of a table.
///
/// `table! { Hands, from Row { … }, column: Type [field: value] = cell => "Meaning."; … }` defines in
/// its module:
/// - `COLUMNS`, in the order of the statements. `[field: value]` sets fields of
///   [`Column`](crate::dataset::Column);
/// - `ABOUT`, the documentation of the table;
/// - `Rows`, which collects rows. The module defines the struct `Row`; `cell` is an expression over
///   the names that the pattern binds in a `&Row`. Its value is one that the type of the column
///   accepts ([`Append`](crate::dataset::types::Append));
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

        /// What a row is, and who sees it.
        pub(in crate::dataset) const ABOUT: &[&str] = &[$($about),+];

        /// The columns in order.
        pub(in crate::dataset) static COLUMNS: &[$crate::dataset::Column] = &[$(
            $crate::dataset::Column {
                kind: <$cells as $crate::dataset::types::ColumnType>::KIND,
                nullable: <$cells as $crate::dataset::types::ColumnType>::NULLABLE,
                $($($field: $value,)+)?
                ..$crate::dataset::Column::new(TABLE, stringify!($name), $meaning)
            },
        )+];

        /// The rows that have not been taken.
        #[derive(Default)]
        pub(in crate::dataset) struct Rows {
            $($name: cells::$name,)+
        }

        impl Rows {
            /// Adds a row.
            fn push(&mut self, row: &Row<'_>) {
                let $row = row;
                $($crate::dataset::types::Append::append(&mut self.$name, $cell);)+
            }

            pub fn len(&self) -> usize {
                $crate::dataset::types::ColumnType::len(&self.game)
            }

            /// Takes the rows so far.
            pub(in crate::dataset) fn take(&mut self) -> ::arrow_array::RecordBatch {
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

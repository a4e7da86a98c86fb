//! Columns of a table that are read together.

use arrow_array::RecordBatch;

use super::table::TableKind;

/// Columns of one table, as they are in a batch of its rows. [`select!`] defines such structs.
pub trait Selection: Sized {
    /// The table.
    const TABLE: TableKind;
    /// The names of the columns.
    const NAMES: &'static [&'static str];

    /// The columns of a batch that has at least these.
    fn of(batch: &RecordBatch) -> Self;
}

/// Defines a struct of columns of a table, to read them from files.
///
/// `select! { struct Seeds from games { game, seed } }` has the fields `game` and `seed`, of the
/// types that the table states for these columns ([`super::tables`]).
#[macro_export]
macro_rules! select {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident from $table:ident { $($column:ident),+ $(,)? }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($column: <
                $crate::dataset::tables::$table::cells::$column as $crate::dataset::types::ColumnType
            >::Stored,)+
        }

        impl $crate::dataset::Selection for $name {
            const TABLE: $crate::dataset::TableKind = $crate::dataset::tables::$table::TABLE;
            const NAMES: &'static [&'static str] = &[$(stringify!($column)),+];

            fn of(batch: &::arrow_array::RecordBatch) -> $name {
                let column = |name| batch.column_by_name(name).expect("the batch has the column");
                $name { $($column: $crate::dataset::StoredColumn::new(column(stringify!($column))),)+ }
            }
        }
    };
}
pub use select;

//! The tables, each in a file that states its columns.
//!
//! A column is stated once: its name, its type ([`super::types`]), other properties ([`Column`]), the
//! expression that makes its cell, and its meaning. The macro in `statement` derives the order of the
//! columns, the rows that are written, the schema, the documentation, and the types with which
//! columns are read ([`super::select`]).

pub mod decisions;
pub mod games;
pub mod hands;
pub mod labels;
pub mod oracle;
mod statement;
pub mod walls;

use super::column::Column;
use super::table::TableKind;

impl TableKind {
    /// The columns of the table.
    #[must_use]
    pub fn columns(self) -> &'static [Column] {
        match self {
            TableKind::Games => games::COLUMNS,
            TableKind::Hands => hands::COLUMNS,
            TableKind::Decisions => decisions::COLUMNS,
            TableKind::Walls => walls::COLUMNS,
            TableKind::Oracle => oracle::COLUMNS,
            TableKind::Labels => labels::COLUMNS,
        }
    }

    /// The columns that files of this version of the tables have.
    pub fn columns_of(self, schema: u32) -> impl Iterator<Item = &'static Column> {
        self.columns().iter().filter(move |column| column.since <= schema)
    }

    /// What a row is, and who sees it: lines of text.
    pub(crate) const fn about(self) -> &'static [&'static str] {
        match self {
            TableKind::Games => games::ABOUT,
            TableKind::Hands => hands::ABOUT,
            TableKind::Decisions => decisions::ABOUT,
            TableKind::Walls => walls::ABOUT,
            TableKind::Oracle => oracle::ABOUT,
            TableKind::Labels => labels::ABOUT,
        }
    }
}

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
use statement::Statement;
pub(super) use statement::{PlayedGame, TableRows};

impl TableKind {
    pub(super) fn statement(self) -> &'static Statement {
        match self {
            TableKind::Games => &games::STATEMENT,
            TableKind::Hands => &hands::STATEMENT,
            TableKind::Decisions => &decisions::STATEMENT,
            TableKind::Walls => &walls::STATEMENT,
            TableKind::Oracle => &oracle::STATEMENT,
            TableKind::Labels => &labels::STATEMENT,
        }
    }

    /// The columns of the table.
    pub fn columns(self) -> &'static [Column] {
        self.statement().columns
    }

    /// The columns that files of this version of the tables have.
    pub fn columns_of(self, schema: u32) -> impl Iterator<Item = &'static Column> {
        self.columns().iter().filter(move |column| column.since <= schema)
    }

    /// What a row is, and who sees it: lines of text.
    pub(crate) fn about(self) -> &'static [&'static str] {
        self.statement().about
    }
}

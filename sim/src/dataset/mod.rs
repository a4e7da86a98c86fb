//! The tables of a dataset as Parquet files, one file per table and part.
//!
//! - `columns`: every column with its type and meaning
//! - `versions`: the columns and words of earlier versions
//! - `contents`: what all games of a dataset share
//! - `words`: builders of columns with a small number of different texts
//! - `games`, `hands`, `decisions`, `walls`, `oracle`: builders of the rows of one table
//! - `thoughts`: the columns of what agents report
//! - `rows`: the builders of all tables
//! - `encoding`: how each column is stored
//! - `reference`: the documentation of all columns
//! - `part`: writes one part of each table
//! - `error`: the error of a file that cannot be read
//! - `open`: opens a file, also one written by another tool
//! - `file`: names and reads the files of parts
//! - `read`: reads games
//! - `compare`: compares expected rows with stored rows
//! - `size`: rows and bytes of files
//! - `summary`: what the table of games says about its part

mod columns;
mod compare;
mod contents;
mod decisions;
mod encoding;
mod error;
mod file;
mod games;
mod hands;
mod open;
mod oracle;
mod part;
mod read;
mod reference;
mod rows;
mod size;
mod summary;
mod thoughts;
mod versions;
mod walls;
mod words;

pub use columns::{
    COLUMNS, Column, Kind, NOT_COMPARED, NOT_COMPARED_OF_LOGS, SCHEMA_VERSION, TableKind, schema,
};
pub(crate) use compare::{CellDifference, StoredRows};
pub use contents::Contents;
pub use error::ReadError;
pub(crate) use file::{TableFile, column};
pub use file::{part_name, part_path};
pub(crate) use open::Batches;
pub use part::{PartWriter, WriteError, WrittenTable};
pub use read::{StoredDecision, StoredGame, StoredHand, read_games};
pub(crate) use read::{read_games_of, read_origins};
pub use reference::reference;
pub(crate) use rows::RowBuffers;
pub(crate) use size::rows_in;
pub use size::{TableSize, rows_of, table_size};
pub(crate) use summary::PartSummary;
pub use thoughts::read_thoughts;

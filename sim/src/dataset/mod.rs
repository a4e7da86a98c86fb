//! The tables of a dataset as Parquet files, one file per table and part.
//!
//! In the order in which the files build on each other:
//!
//! - `table`: the tables
//! - `column`: the properties of a column; the schema of columns
//! - `types`: the types of columns: how cells are collected, and how they are read
//! - `tables`: the columns of each table, each stated once
//! - `encoding`: how each column is stored
//! - `reference`: the documentation of all columns
//! - `branch`: a game that branches from another one
//! - `contents`: what all games of a dataset share
//! - `rows`: collects the rows of all tables
//! - `part`: writes one part of each table
//! - `error`: the error of a file that cannot be read
//! - `open`: opens a file, also one written by another tool
//! - `select`: columns that are read together
//! - `file`: names and reads the files of parts
//! - `read`: reads games
//! - `search_info`: reads and checks what agents reported; `labels`: reads labels by rollouts
//! - `compare`: compares expected rows with stored rows
//! - `size`: rows and bytes of files
//! - `summary`: what the table of games says about its part
//!
//! # Why
//!
//! **Why store seeds and actions besides what was seen?** They rebuild the game exactly, so any
//! other encoding can be computed later.

mod branch;
mod column;
mod compare;
mod contents;
mod encoding;
mod error;
mod file;
mod labels;
mod open;
mod part;
mod read;
mod reference;
mod rows;
mod search_info;
mod select;
mod size;
mod summary;
mod table;
pub mod tables;
pub mod types;

pub use branch::{BranchPoint, FirstHand};
pub use column::{Column, Kind, OLDEST_SCHEMA, Provenance, SCHEMA_VERSION, Storage};
pub(crate) use compare::{CellDifference, StoredRows};
pub use contents::Contents;
pub use error::{InUse, ReadError};
pub use file::{SelectedBatches, TableFile};
pub use file::{part_name, part_path};
pub(crate) use labels::read_labels_of;
pub use part::{PartWriter, WriteError, WrittenTable};
pub use read::{StoredDecision, StoredGame, StoredHand, read_games};
pub(crate) use read::{read_games_of, read_origins};
pub(crate) use reference::columns_as_markdown;
pub use reference::reference;
pub(crate) use rows::RowBuffers;
pub use search_info::read_search_info;
pub(crate) use search_info::read_search_info_of;
pub use select::{Selection, select};
pub use size::{ColumnSize, TableSize, rows_of, table_size};
pub(crate) use size::{rows_in, stored_rows};
pub(crate) use summary::PartSummary;
pub use table::TableKind;
pub use types::StoredColumn;

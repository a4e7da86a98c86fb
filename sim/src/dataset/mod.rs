//! The tables of a run: three, and one of walls where games came from logs.
//!
//! - `columns`: every column with its type and meaning
//! - `words`: columns of words
//! - `games`, `hands`, `decisions`, `walls`: rows from records
//! - `reference`: the columns as a document
//! - `rows`: those of all tables
//! - `part`: writes one part of each table
//! - `open`: opens a file, whoever wrote it
//! - `read`: reads games back
//! - `compare`: rows as they should be beside rows as they are stored
//! - `size`: how large a run is

mod columns;
mod compare;
mod decisions;
mod games;
mod hands;
mod open;
mod part;
mod read;
mod reference;
mod rows;
mod size;
mod walls;
mod words;

pub use columns::{COLUMNS, Column, NOT_COMPARED, NOT_COMPARED_OF_LOGS, SCHEMA_VERSION, Table, schema};
pub(crate) use compare::{Cell, StoredRows};
pub(crate) use open::Batches;
pub use part::{Part, PartRows};
pub use read::{ReadError, StoredDecision, StoredGame, StoredHand, read_games};
pub(crate) use read::{TableFile, column, part_name, part_path, read_origins};
pub use reference::reference;
pub(crate) use rows::Rows;
pub use size::{TableSize, rows_of, sizes};

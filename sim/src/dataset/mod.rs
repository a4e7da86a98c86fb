//! The tables of a run: three, and one of walls where games came from logs.
//!
//! - `columns`: every column with its type and meaning
//! - `games`, `hands`, `decisions`, `walls`: rows from records
//! - `part`: writes one part of each table
//! - `read`: reads games back
//! - `size`: how large a run is

mod columns;
mod decisions;
mod games;
mod hands;
mod part;
mod read;
mod size;
mod walls;

pub use columns::{COLUMNS, Column, SCHEMA_VERSION, Table, schema};
pub use part::{Part, PartRows};
pub(crate) use read::TableFile;
pub use read::{ReadError, StoredDecision, StoredGame, StoredHand, read_games};
pub use size::{TableSize, rows_of, sizes};

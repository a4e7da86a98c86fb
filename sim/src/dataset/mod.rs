//! The three tables of a run.
//!
//! - `columns`: every column with its type and meaning
//! - `games`, `hands`, `decisions`: rows from records
//! - `part`: writes one part of each table
//! - `read`: reads a game back

mod columns;
mod decisions;
mod games;
mod hands;
mod part;
mod read;

pub use columns::{COLUMNS, Column, SCHEMA_VERSION, Table, schema};
pub use part::{Part, PartRows};
pub use read::{ReadError, RecordedDecision, RecordedGame, read_game};

//! Many games of riichi mahjong: plays, stores and replays them.
//!
//! In the order in which the modules build on each other:
//!
//! - [`logs`]: recorded games of other programs
//! - [`store`]: folders and object stores, where the files of runs are
//! - [`play`]: games in memory: schedules, players, records
//! - [`dataset`]: the tables of a run as Parquet, every column documented
//! - [`run`]: the folder of a run: start, resume, shard, merge
//! - [`replay`]: replays, verifies and converts recorded and stored games
//! - [`loader`]: decisions of stored and recorded games in batches, for programs that train
//! - [`mod@env`]: thousands of tables in one object, for programs that learn
//!
//! More crates are in this folder: `show` shows hands and tables to people and needs the engine alone;
//! `measure` has statistics, matches, leagues and reviews; `serve` has pages for the browser; `cli` is the
//! program `jantaku` on top of everything; `cloud` connects object stores; `commit` has the commit that
//! a program is built from.
//!
//! # Features
//!
//! - `torch`: networks in `TorchScript` files. Needs libtorch.
//! - `clap`: requests implement `clap::Args`, so that their fields are options of a program.

pub mod dataset;
pub mod env;
pub mod loader;
pub mod logs;
pub mod path_text;
pub mod play;
pub mod replay;
pub mod run;
pub mod store;

use std::sync::OnceLock;

#[cfg(feature = "clap")]
pub use jantaku_show::options;
pub use path_text::path_text;

/// The version of this library and of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

static COMMIT: OnceLock<&str> = OnceLock::new();

/// Sets the commit that the program is built from. Runs store it, and only the same commit continues
/// them.
///
/// The program and the Python package call this first, with `jantaku_commit::COMMIT`. It has no effect
/// after a call of [`commit`] or an earlier call of this function.
pub fn set_commit(commit: &'static str) {
    COMMIT.get_or_init(|| commit);
}

/// Whether a value is the default of its type. Files leave out such fields (`skip_serializing_if`).
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The commit that [`set_commit`] set, or `unknown`. Ends with `-dirty` if a source differed from the
/// commit.
pub fn commit() -> &'static str {
    COMMIT.get_or_init(|| "unknown")
}

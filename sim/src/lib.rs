//! Many games of riichi mahjong: plays, stores, replays and counts them.
//!
//! In the order in which the modules build on each other:
//!
//! - [`logs`]: recorded games of other programs
//! - [`store`]: folders and object stores, where the files of runs are
//! - [`play`]: games in memory: schedules, players, records
//! - [`dataset`]: the tables of a run as Parquet, every column documented
//! - [`run`]: the folder of a run: start, resume, shard, merge
//! - [`replay`]: replays, verifies and converts recorded and stored games
//! - [`explain`]: what agents choose in a single decision, and why
//! - [`review`]: reviews of a player's decisions by search
//! - [`loader`]: decisions of stored and recorded games in batches, for programs that train
//! - [`stats`]: figures over many games, each with an interval
//! - [`arena`]: matches and leagues of agents
//! - [`reports`]: what games show, for programs that print it
//! - [`serve`]: pages for the browser on this machine: games, and tables to sit down at
//! - [`mod@env`]: thousands of tables in one object, for programs that learn
//!
//! More crates are in this folder: `hands`, which shows hands and tables to people and needs the
//! engine alone; `cloud`, which connects object stores; `cli`, the program `jantaku` on top of everything;
//! `commit`, the commit of a program.
//!
//! # Features
//!
//! - `torch`: networks in `TorchScript` files. Needs libtorch.
//! - `clap`: requests as options of a program.

pub mod arena;
pub mod dataset;
pub mod env;
pub mod explain;
pub mod loader;
pub mod logs;
#[cfg(feature = "clap")]
pub mod options;
mod path_text;
pub mod play;
pub mod replay;
pub mod reports;
pub mod review;
pub mod run;
pub mod serve;
pub mod stats;
pub mod store;

use std::sync::OnceLock;

pub use path_text::path_text;

/// The version of this library and of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

static COMMIT: OnceLock<&str> = OnceLock::new();

/// Sets the commit that the program is built from. Runs store it, and only the same commit continues
/// them.
///
/// The program and the Python package call this first, with `jantaku_commit::COMMIT`. It has no effect
/// after [`commit`] or a call of its own.
pub fn set_commit(commit: &'static str) {
    COMMIT.get_or_init(|| commit);
}

/// The commit that [`set_commit`] set, or `unknown`. Ends with `-dirty` if a source differed from the
/// commit.
#[must_use]
pub fn commit() -> &'static str {
    COMMIT.get_or_init(|| "unknown")
}

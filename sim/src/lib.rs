//! Many games of riichi mahjong: plays, stores, replays and counts them.
//!
//! In the order in which the modules build on each other:
//!
//! - [`text`]: observations, hands and results as text
//! - [`draw`]: hands and tables as pictures
//! - [`logs`]: recorded games of other programs
//! - [`analysis`]: analysis of a single hand
//! - [`play`]: games in memory: schedules, players, records
//! - [`dataset`]: the tables of a run as Parquet, every column documented
//! - [`run`]: the folder of a run: start, resume, shard, merge
//! - [`replay`]: replays, verifies and converts recorded and stored games
//! - [`loader`]: decisions of stored and recorded games in batches, for programs that train
//! - [`stats`]: figures over many games, each with an interval
//! - [`arena`]: matches and leagues of agents
//! - [`reports`]: what games show, for programs that print it
//! - [`encoded`]: rows of encoded decisions in slices that callers own
//! - [`mod@env`]: thousands of tables in one object, for programs that learn
//!
//! The program `jantaku` is the folder `cli`, on top of all modules.
//!
//! # Features
//!
//! - `program`, on by default: the program. Without it the library does not depend on clap and
//!   indicatif.
//! - `cloud`: runs in object stores. Adds an HTTP client and TLS.

pub mod analysis;
pub mod arena;
pub mod dataset;
pub mod draw;
pub mod encoded;
pub mod env;
pub mod loader;
pub mod logs;
pub mod play;
pub mod replay;
pub mod reports;
pub mod run;
pub mod stats;
pub mod text;

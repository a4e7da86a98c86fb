//! Many games of riichi mahjong: what is played, who plays it, and what is kept of it.
//!
//! In the order in which they build on each other:
//!
//! - [`schedule`]: which games are played, with which seeds
//! - [`formats`]: recorded games of other programs
//! - [`hand`]: what can be said of a single hand
//! - [`record`]: what is remembered of a game while it is played
//! - [`tally`]: counts over many games
//! - [`text`]: observations, hands and results for a person to read
//! - [`runner`]: plays games on all threads and hands them on in order
//! - [`store`]: files that appear only when they are complete
//! - [`place`]: where a run lies, a folder or, with the feature `cloud`, a store of objects
//! - [`dataset`]: the three tables of a run as Parquet, every column documented
//! - [`run`]: the folder of a run
//! - [`writer`]: writes it while its games are played
//! - [`resume`]: goes on with a run that was not finished
//! - [`shard`]: a run played in several places, and put together again
//! - [`sink`]: where finished games go
//! - [`verify`]: plays a run again and compares every value
//! - [`inputs`]: recorded games from logs and runs
//! - [`stats`]: figures over many games, each with an interval
//! - [`convert`]: recorded games from one format into another
//!
//! The program `jantaku` is the folder `cli`, on top of all of them.

#[cfg(feature = "cloud")]
pub mod cloud;
pub mod convert;
pub mod dataset;
pub mod formats;
pub mod hand;
pub mod inputs;
pub mod place;
pub mod record;
pub mod resume;
pub mod run;
pub mod runner;
pub mod schedule;
pub mod shard;
pub mod sink;
pub mod stats;
pub mod store;
pub mod tally;
pub mod text;
pub mod verify;
pub mod writer;

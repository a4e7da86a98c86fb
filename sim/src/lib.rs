//! Many games of riichi mahjong: how they are played, kept, replayed and counted.
//!
//! In the order in which the rooms build on each other:
//!
//! - [`text`]: observations, hands and results for a person to read
//! - [`logs`]: recorded games of other programs
//! - [`analysis`]: what can be said of a single hand
//! - [`play`]: games in memory: schedules, runners, records
//! - [`dataset`]: the tables of a run as Parquet, every column documented
//! - [`run`]: the folder of a run: start, resume, shard, merge
//! - [`replay`]: recorded and stored games, replayed, verified and converted
//! - [`stats`]: figures over many games, each with an interval
//!
//! The program `jantaku` is the folder `cli`, on top of all of them.

pub mod analysis;
pub mod dataset;
pub mod logs;
pub mod play;
pub mod replay;
pub mod run;
pub mod stats;
pub mod text;

//! The folder of a run: started, resumed, read, split into shards and merged.
//!
//! ```text
//! run.toml                       everything needed to repeat the run
//! games/part-000000.parquet      part k holds games k·P to (k + 1)·P − 1, P is in run.toml
//! hands/part-000000.parquet
//! decisions/part-000000.parquet
//! walls/part-000000.parquet      only if the games come from logs, or with hidden hands
//! oracle/part-000000.parquet     only with hidden hands
//! labels/part-000000.parquet     only with labels
//! manifest.json                  the complete parts, with their rows
//! match.toml                     only in a match: what it plays
//! faults.jsonl                   only with external engines: their faults and moves
//! agents.log                     only with external engines: what they wrote to stderr
//! environment.json               the calls that wrote the games: time, machine, threads
//! README.md, croissant.json      only on request: what the tables are, for other tools
//! ```
//!
//! `environment.json` is the only file that differs between runs of the same games. Runs from logs
//! have none.
//!
//! In the order in which the files build on each other:
//!
//! - `shard`: a share of a run
//! - `parameters`: the hashes of the files that agents read
//! - `config`: the contents of `run.toml`
//! - `manifest`: the contents of `manifest.json`
//! - `faults`: the faults of a stored run
//! - `check_files`: compares the files of the parts with the manifest
//! - `files`: reads and writes `run.toml` and `manifest.json`
//! - `find_parts`: finds the complete parts by their files
//! - `writer`: writes games as they are played
//! - `resume`: checks and cleans a run that was interrupted
//! - `environment`: the contents of `environment.json`
//! - `in_use`: another program that writes a run
//! - `new_folder`: takes a new folder
//! - `merge`: joins shards
//! - [`unchanged`]: checks that a run, match or league is resumed as it is
//! - `start`: creates or resumes a run
//! - `rebuild`: rebuilds a lost manifest
//! - `play`: plays a run
//! - `reproduce`: plays parts of a run again and compares their bytes
//! - `summary`: what was played and written
//! - `card`: describes a run for other tools
//! - `request_error`: why a request is not valid
//! - `choice`: the agents and rules of a request, by name or ready
//! - `request`: what a caller asks to play, resolved
//!
//! # Examples
//!
//! ```
//! use jantaku_engine::Rules;
//! use jantaku_sim::play::Detail;
//! use jantaku_sim::run::{Run, RunConfig};
//!
//! let folder = tempfile::tempdir()?;
//! let agents = vec!["tsumogiri".to_owned(); 4];
//! let new = RunConfig::new("tenhou", &Rules::default());
//! let config = RunConfig { agents, games: Some(3), seed: 1, detail: Detail::Games, ..new };
//! let mut players = config.players()?;
//! let mut run = Run::create(&folder.path().join("first"), config)?;
//! let played = run.play(&mut players, &mut ())?;
//! assert_eq!((played.tally.games, run.manifest().complete), (3, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Why
//!
//! **Why do parts hold a fixed number of games?** Part k always holds the same games with the same
//! bytes. So a run can be interrupted, continued and split without a trace.

mod card;
mod check_files;
mod choice;
mod config;
mod environment;
mod faults;
mod files;
mod find_parts;
mod in_use;
mod manifest;
mod merge;
mod new_folder;
mod parameters;
mod play;
mod rebuild;
mod reproduce;
mod request;
mod request_error;
mod resume;
mod shard;
mod start;
mod summary;
pub mod unchanged;
mod writer;

pub use card::write_card;
pub use check_files::{check_files, check_part, prefetch_part, stray_files, stray_note};
pub(crate) use check_files::{check_tables, stray_problem};
pub use choice::{AgentChoice, NamedRules, RulesChoice, agents_of, check_names, hand_over};
pub use config::{ConfigError, RunConfig, check_rules};
pub use environment::Environment;
pub use faults::stored_faults;
pub use files::{find_started, read, read_started, read_started_in, read_unchecked};
pub(crate) use files::{write_config, write_manifest};
pub use find_parts::PartsAfterGap;
pub use in_use::{located, lock_folder};
pub use manifest::{Manifest, PartEntry, PartFile, RowCounts};
pub use merge::{Merged, merge};
pub use new_folder::{NotNew, check_is_new, claim};
pub use parameters::AgentParameters;
pub use play::{PlayError, Played, count};
pub use rebuild::{Rebuilt, rebuild_manifest};
pub use reproduce::{ReplayError, ReplayRequest, Replayed, Sample, WrongFile, WrongPart};
pub use request::{
    MAX_NUMBER, Selfplay, SelfplayError, SelfplayRequest, check_effect, check_number, label_options,
    one_or_more, open_rules, parsed,
};
pub use request_error::{OpenRulesError, RequestError};
pub use shard::Shard;
pub use start::{Run, StartError, StoppedRun};
pub use summary::Summary;
pub use writer::ParquetSink;

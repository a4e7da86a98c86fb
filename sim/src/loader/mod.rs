//! A data loader: encoded batches of decisions from stored and recorded games.
//!
//! A loader replays the games of runs and logs, encodes their decisions, and returns them in
//! batches. Its threads prefetch batches.
//!
//! The files, each after those it uses:
//!
//! - `config`: the options of a loader; `filter`: which decisions to load
//! - `error`: errors
//! - `position`: a checkpoint of a loader
//! - `sources`: the parts of runs and the files of logs; `stream`: their games in order
//! - `compatibility`: checks that games belong together
//! - `sample`: the decisions of one game; `side_columns`: what agents reported, and concealed tiles
//! - `labelled`: labels by rollouts
//! - `shuffle`: the shuffle buffer
//! - `batch`: a batch of encoded decisions
//! - `worker`: the thread that makes batches, and [`Loader`], which receives them
//!
//! # Order
//!
//! Without a shuffle, decisions keep the order of the paths, and of the parts, games and decisions
//! in them.
//!
//! A shuffle has three steps. It reads the parts of all runs in random order. It collects a
//! [window](LoaderConfig::window) of games from several parts and permutes them. It sends their
//! decisions through a shuffle [buffer](LoaderConfig::buffer): once the buffer is full, each new
//! decision takes the place of a random one, which goes into the next batch. A batch then mixes
//! decisions of about `buffer / 550` games of four players.
//!
//! The order depends on the seed and the epoch, not on the number of threads or the batch size.

mod batch;
mod compatibility;
mod config;
mod error;
mod filter;
mod labelled;
mod position;
mod sample;
mod shuffle;
mod side_columns;
mod sources;
mod stream;
mod worker;

pub use batch::LoadedBatch;
pub use config::LoaderConfig;
pub use error::LoadError;
pub use filter::Filter;
pub use labelled::Labelled;
pub use position::Position;
pub use side_columns::{ByAction, ConcealedTiles, OraclePlanes, Reported};
pub use sources::find_sources;
pub use worker::{Loader, Polled};

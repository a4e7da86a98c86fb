//! Decisions of stored and recorded games, encoded batch by batch, for programs that train networks.
//!
//! A loader replays the games of runs and logs, encodes their decisions, and hands out batches. Its
//! threads work ahead of the caller.
//!
//! In the order in which the files build on each other:
//!
//! - `config`: what is loaded and how; `filter`: which decisions
//! - `error`: why games cannot be loaded
//! - `position`: where a loader stands, to continue later
//! - `sources`: the parts of runs and the files of logs; `stream`: their games in order
//! - `sample`: the decisions of a game
//! - `shuffle`: the buffer that shuffles decisions
//! - `augment`: suits at random
//! - `batch`: the batches
//! - `worker`: the thread that makes them; [`Loader`] receives them
//!
//! # Order
//!
//! Without a shuffle, decisions come in the order of the paths, the parts, the games and the game.
//!
//! With a shuffle, the parts of all runs come in random order. As many games as a
//! [window](LoaderConfig::window) holds, from several parts, are put in random order. Their
//! decisions go through a [buffer](LoaderConfig::buffer): each one that enters a full buffer
//! replaces a random one, which leaves. So a batch has decisions of about `buffer / 550` games of
//! four players at the same time.
//!
//! The order depends on the seed and the epoch, not on the number of threads or the size of
//! batches.

mod augment;
mod batch;
mod config;
mod error;
mod filter;
mod position;
mod sample;
mod shuffle;
mod sources;
mod stream;
mod worker;

pub use batch::LoadedBatch;
pub use config::LoaderConfig;
pub use error::LoadError;
pub use filter::Filter;
pub use position::Position;
pub use worker::{Loader, Polled};

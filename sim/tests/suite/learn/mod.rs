//! Tests of environments and loaders, which training programs use.
//!
//! - `env`: the tables of an environment, against the engine
//! - `answers`: parts of answers, little room, and wrong answers
//! - `opponents`: agents that play against the learner
//! - `loader`: decisions in order, against the tables of their run
//! - `networks`: games of networks at many tables
//! - `order`: shuffles, ranks, and loaders that continue
//! - `sources`: recorded games, and damaged runs
//! - `states`: states, line-ups and ends of hands
//! - `beside`: columns beside encodings and labels, and games that do not belong together

mod answers;
mod beside;
mod env;
mod loader;
pub mod networks;
mod opponents;
mod order;
mod sources;
mod states;

//! What games of riichi mahjong show: figures with intervals, matches, leagues, opinions, reviews.
//!
//! In the order in which the modules build on each other:
//!
//! - [`stats`]: figures over many games, each with an interval
//! - [`arena`]: matches and leagues of agents
//! - [`explain`]: what agents choose in a single decision, and why
//! - [`review`]: reviews of a player's decisions by search
//! - [`conform`]: whether another engine plays by the same rules
//! - [`reports`]: results that programs print: of games, sweeps and runs, and the page of each result

pub mod arena;
pub mod conform;
pub mod explain;
pub mod reports;
pub mod review;
pub mod stats;

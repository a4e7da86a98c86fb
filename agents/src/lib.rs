//! Who plays.
//!
//! - [`Policy`], [`Agent`]: the two doors of a player, one decision or a batch at a time
//! - [`Random`], [`Tsumogiri`], [`Greedy`]: players that need nothing but the observation
//! - [`Player`]: one of these by its name and options, as command lines and files give them
//! - [`mjai`]: the format in which players of other programs speak

mod agent;
mod greedy;
pub mod mjai;
mod player;
mod simple;

pub use agent::{Agent, AgentError, Batched, Policy, Reply, Request};
pub use greedy::Greedy;
pub use player::{AgentInfo, KNOWN, OptionInfo, ParseAgentError, Player, parse_players};
pub use simple::{Random, Tsumogiri};

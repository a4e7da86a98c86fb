//! Agents: the programs that play.
//!
//! - [`Policy`], [`Agent`]: the two doors of an agent, one decision or a batch of decisions
//! - [`Reply`], [`Thoughts`]: what an agent answers
//! - [`Random`], [`Tsumogiri`], [`Greedy`]: agents that need nothing but the observation
//! - [`Player`]: one of these by its name and options, as command lines and files give them
//! - [`mjai`]: the format that agents of other programs speak

mod agent;
mod greedy;
pub mod mjai;
mod player;
mod policy;
mod random;
mod reply;
mod tsumogiri;

pub use agent::{Agent, AgentError, Batched, News, Request, TableId, Update};
pub use greedy::Greedy;
pub use player::{AgentInfo, KNOWN, OptionInfo, ParseAgentError, Player, parse_players};
pub use policy::Policy;
pub use random::Random;
pub use reply::{Estimate, Reply, Thoughts};
pub use tsumogiri::Tsumogiri;

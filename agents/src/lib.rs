//! Agents: the programs that play.
//!
//! - [`Policy`], [`Agent`]: the two interfaces of an agent, for one decision or for a batch
//! - [`Reply`], [`SearchInfo`]: the answers of an agent
//! - [`Random`], [`Tsumogiri`], [`Greedy`]: agents that need nothing but the observation
//! - [`Heuristic`]: a classical player; [`Candidate`], [`WinMode`], [`Verdict`]: its reasons
//! - [`PlacementModel`], [`PlacementParams`]: the probability of each placement, from the scores
//! - [`MonteCarlo`]: a search that plays another agent's candidates to the end of the hand;
//!   [`inference`]: samples the hidden tiles for it
//! - [`Sampler`]: samples whole games with other hidden tiles, for searches outside this crate
//! - [`Noisy`]: another agent with some random moves
//! - [`Catalog`]: agents by name and options, as given on command lines and in files
//! - [`NamedAgent`], [`NamedPolicy`]: an agent of the catalog, through both interfaces
//! - [`ParameterFile`]: a file that an agent's parameters come from, and its hash
//! - [`Setup`], [`Faults`]: how an agent is started, and its faults
//! - [`AgentSpeed`]: how fast an agent plays
//! - [`field_name`], [`argument`]: how messages name the arguments of a front end
//! - [`encode`]: decisions as numbers for networks
//! - [`neural`]: networks, and the batches that they evaluate
//! - [`candidates`]: the actions of a decision that are worth a comparison
//! - [`labels`]: decisions with the values of their actions, for training
//! - [`oracle`]: the value of a hand in play with all hands open, for labels
//! - [`residual`]: a network that corrects the estimates of `heuristic`
//! - [`mjai`]: the format that agents of other programs speak
//!
//! # A new agent
//!
//! A built-in agent is one file and two lines here. The file, such as `tsumogiri.rs`, has the agent,
//! which implements [`Policy`], and its [`Entry`]. The lines declare the module and add the entry to
//! `BUILT_IN`. The program then lists the agent and accepts it wherever it takes agents.
//!
//! Other crates extend the catalog with [`Catalog::with`]; `sim/measure/examples/my_agent.rs` shows how.

mod agent;
mod agent_speed;
mod argument;
mod by_players;
mod catalog;
pub mod encode;
mod entry;
mod error;
mod fault;
mod fault_log;
mod fill_hidden;
mod graded;
mod greedy;
mod heuristic;
pub mod inference;
pub mod labels;
mod mc;
pub mod mjai;
mod named;
pub mod neural;
mod noisy;
mod option;
pub mod oracle;
mod parameters;
mod placements;
mod policy;
mod random;
mod reply;
pub mod residual;
mod sample;
mod setup;
mod text;
mod tsumogiri;
mod view;

pub use agent::{Agent, AgentError, Batched, News, Request, TableId, Update};
pub use agent_speed::AgentSpeed;
pub use argument::{argument, call, field_name, field_value, name_options};
pub use catalog::Catalog;
pub use entry::{Build, Built, Entry, LookUp};
pub use error::{BuildError, ParseAgentError};
pub use fault::{FaultKind, Faults, Moves};
pub use fault_log::FaultLog;
pub use greedy::Greedy;
pub use heuristic::{Candidate, Heuristic, Params, ParamsError, Utility, Verdict, WinMode, candidates};
pub use mc::{Arm, HandEnds, MonteCarlo, PairedMean, PairedRollouts, SearchResult};
pub use named::NamedAgent;
pub use noisy::Noisy;
pub use option::{AgentOption, OptionDefault, OptionKind, Options};
pub use parameters::ParameterFile;
pub use placements::{PlacementModel, PlacementParams};
pub use policy::{NamedPolicy, Policy};
pub use random::Random;
pub use reply::{Estimate, Reply, SearchInfo, WrongSearchInfo};
pub use sample::{MAX_SAMPLES, SampleError, Sampler, Sampling};
pub use setup::{Messages, OnFault, Setup, StartAgent};
pub use text::{label_of, quoted, without_label};
pub use tsumogiri::Tsumogiri;
pub use view::leave_same_hand;

/// The entries of the built-in agents, in the order in which the program lists them.
const BUILT_IN: &[Entry] = &[
    random::ENTRY,
    tsumogiri::ENTRY,
    greedy::ENTRY,
    heuristic::ENTRY,
    mc::ENTRY,
    noisy::ENTRY,
    graded::ENTRY,
    neural::ENTRY,
    residual::ENTRY,
    mjai::ENTRY,
];

/// Tests the example in the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

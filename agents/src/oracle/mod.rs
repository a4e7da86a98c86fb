//! The value of a hand in play with all hands open, but not the order of the wall.
//!
//! Rollouts that stop a few turns after a decision use it instead of playing on. The draws after that cause
//! most of the noise of a rollout, and take most of its time. A network gives the chance of each end of
//! the hand, and the rules and the placement model say what each end is worth.
//!
//! - `encoding`: what the network reads
//! - `payoffs`: the value of each end of a hand for one player
//! - `value`: the network, and the expected value

mod encoding;
mod payoffs;
mod value;

pub use encoding::{Encoded, has_drawn};
pub(crate) use payoffs::Payoffs;
pub(crate) use value::OracleValue;

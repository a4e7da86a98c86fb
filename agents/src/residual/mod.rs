//! The agent `residual`: `heuristic` with a network that corrects its estimates.
//!
//! The network reads each candidate of a decision, with the estimates of `heuristic` for it, and
//! returns a value. The difference of two values corrects the difference of the two estimates. So a
//! network that returns zeros plays like `heuristic`. [Labels](crate::labels) teach it.
//!
//! - `encoder`: a candidate as the network reads it
//! - `model`: a network and its manifest
//! - `file`: the files of networks, some of them part of the program
//! - `agent`: the agent
//!
//! `docs/residual.md` describes the inputs and the file, `docs/residual-2.md` the released network.

mod agent;
mod encoder;
mod file;
mod model;

pub(crate) use agent::ENTRY;
pub use agent::{Corrected, Residual};
pub use encoder::{CandidateEncoder, EncodedCandidate};
pub use model::{ResidualManifest, ResidualModel};

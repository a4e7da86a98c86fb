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
//! `docs/residual.md` describes the inputs and the file, `docs/residual-2.md` and
//! `docs/residual-3.md` the released networks.
//!
//! # Why
//!
//! **Why does the network of `residual` only correct `heuristic`?** A network in place of `heuristic`
//! must first learn everything that `heuristic` knows, and is weaker until then. A correction starts at
//! zero and learns what rollouts show. Each candidate is read on its own, as a row of features that the
//! existing kernels evaluate, so the same few weights serve every tile. Rejected: a trunk over the
//! whole decision with a head for each action. Most corrections are between two discards (measured
//! in `experiments/2026-11-26-residual`), and such a head sees each tile too rarely.

mod agent;
mod encoder;
mod file;
mod model;

pub(crate) use agent::ENTRY;
pub use agent::{Corrected, Residual};
pub use encoder::{CandidateEncoder, EncodedCandidate};
pub use model::{ResidualManifest, ResidualModel};

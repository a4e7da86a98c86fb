//! Networks: evaluators, models and the agent `neural`.
//!
//! - [`Evaluator`], [`Outputs`], [`OutputsMut`]: a network, and its outputs for a batch of
//!   [`Rows`](crate::encode::Rows)
//! - [`EvaluatorError`], [`ModelError`]: errors of a network in play, and of a model's files
//! - [`Manifest`]: the encoder, the rules and the outputs of a model
//! - [`Device`]: where a network runs
//! - `torch`: networks in `TorchScript`, with the feature `torch`
//! - [`Uniform`]: the evaluator that gives all actions the same logit
//! - [`CpuModel`]: small networks on the processor, without another library
//! - [`Shared`]: one evaluator for several owners
//! - [`SuitAverage`]: answers averaged over permutations of the suits
//! - [`Sampling`]: how an action is chosen from the logits
//! - `open`, `executor`, `agent`, `policy`: models by name, the inline and the threaded executor, the
//!   agent `neural`, and that agent as a policy
//!
//! `docs/networks.md` describes model files and how to play them.
//!
//! # Why
//!
//! **Why are there two evaluators?** libtorch runs every model and uses a GPU, but takes 4.6 GB and
//! rounds differently on each machine. The kernels in `agents/src/neural/cpu` run only small
//! networks, but are part of every build and give the same bits everywhere. So such a network can
//! be shipped, and its games can be replayed from their seeds. Both implement `Evaluator`, and a
//! test compares their outputs.

mod agent;
mod average;
pub(crate) mod cpu;
mod device;
mod error;
mod evaluator;
mod executor;
mod manifest;
mod open;
mod policy;
mod sampling;
mod shared;
#[cfg(feature = "torch")]
pub mod torch;
mod uniform;

pub(crate) use agent::ENTRY;
pub use average::SuitAverage;
pub use cpu::{CpuModel, Precision};
pub use device::Device;
pub use error::{EvaluatorError, ModelError};
pub use evaluator::{Evaluator, OpenNetwork, Outputs, OutputsMut};
pub use manifest::{Actions, EncoderName, Heads, Manifest, TrainedRules, ValueHead};
pub(crate) use open::read_model;
pub use open::{ModelSettings, Numbers, OpenedModel, open_model};
pub use sampling::{Probabilities, Sampling};
pub use shared::Shared;
pub use uniform::Uniform;

//! Networks: what lies between games and the programs that evaluate them.
//!
//! - [`Encoder`], [`Encoded`]: the encoders that networks read, and the inputs of a batch
//! - [`Evaluator`], [`Inputs`], [`Outputs`], [`OutputsMut`]: a network, and its batches
//! - [`EvaluatorError`], [`ModelError`]: why a network gave no answer, or cannot be opened
//! - [`Manifest`]: what a model was trained for, and what it returns
//! - [`Device`]: where a network runs
//! - `torch`: networks in `TorchScript`, with the feature `torch`
//! - [`Uniform`]: the evaluator that gives all actions the same logit
//! - [`CpuModel`]: small networks on the processor, without another library
//! - [`Check`], [`Split`], [`Shared`]: two evaluators compared, large batches in pieces, one
//!   evaluator for several owners
//! - [`SuitAverage`]: answers averaged over permutations of the suits
//! - [`Sampling`]: how an action is chosen from the logits
//! - `open`, `worker`, `agent`: models by name, networks at work, and the agent `neural`
//!
//! `docs/networks.md` describes model files and how to play them.

mod agent;
mod average;
mod check;
mod cpu;
mod device;
mod encoded;
mod encoder;
mod error;
mod evaluator;
mod manifest;
mod open;
mod sampling;
mod shared;
mod split;
#[cfg(feature = "torch")]
pub mod torch;
mod uniform;
mod worker;

pub(crate) use agent::ENTRY;
pub use average::SuitAverage;
pub use check::Check;
pub use cpu::{CpuModel, Precision};
pub use device::{Device, ParseDeviceError};
pub use encoded::{Encoded, EncodedMut};
pub use encoder::Encoder;
pub use error::{EvaluatorError, ModelError};
pub use evaluator::{Evaluator, Inputs, Outputs, OutputsMut};
pub use manifest::{Actions, EncoderName, Heads, Manifest, TrainedRules, ValueHead};
pub use open::{ModelSettings, Numbers, OpenedModel, open_model};
pub use sampling::{Probabilities, Sampling};
pub use shared::Shared;
pub use split::Split;
pub use uniform::Uniform;

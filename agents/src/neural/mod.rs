//! Networks: what lies between games and the programs that evaluate them.
//!
//! - [`Encoder`], [`Encoded`]: the encoders that networks read, and the inputs of a batch
//! - [`Evaluator`], [`Inputs`], [`Outputs`], [`OutputsMut`]: a network, and its batches
//! - [`EvaluatorError`], [`ModelError`]: why a network gave no answer, or cannot be opened
//! - [`Manifest`]: what a model was trained for, and what it returns
//! - [`Uniform`]: the evaluator that knows nothing
//! - [`CpuModel`]: small networks on the processor, without another library
//!
//! `docs/networks.md` describes model files and how to play them.

mod cpu;
mod encoded;
mod encoder;
mod error;
mod evaluator;
mod manifest;
mod uniform;

pub use cpu::{CpuModel, Precision};
pub use encoded::{Encoded, EncodedMut};
pub use encoder::Encoder;
pub use error::{EvaluatorError, ModelError};
pub use evaluator::{Evaluator, Inputs, Outputs, OutputsMut};
pub use manifest::{Actions, EncoderName, Heads, Manifest, TrainedRules, ValueHead};
pub use uniform::Uniform;

//! Networks on the processor, without another library.
//!
//! - `block`, `tier`: how batches lie in memory, and the instructions of the processor
//! - `embedding`: the first layer, of the active features
//! - `float`, `byte`: dense layers in f32 and in bytes
//! - `network`: the layers of a network, and a block of decisions through them
//! - `lists`: the shape of the inputs
//! - `tensors`: the tensors of a `.safetensors` file; `file`: the model that they make
//! - [`CpuModel`]: the evaluator
//!
//! All tiers compute the same bits, and no decision depends on the others of its batch. So a network
//! plays the same game everywhere, in both precisions.

#![expect(clippy::inline_always, reason = "inlined code gets the instructions of its caller")]

mod block;
mod byte;
mod embedding;
mod file;
mod float;
mod lists;
mod model;
mod network;
mod tensors;
mod tier;

pub(crate) use embedding::SparseRow;
pub(crate) use lists::Lists;
pub use model::CpuModel;
pub use network::Precision;
pub(crate) use network::{Network, Scratch};
pub(crate) use tensors::{Tensors, layer_names};
pub(crate) use tier::Tier;

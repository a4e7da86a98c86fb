//! A small network: an embedding, dense layers, and the heads.

use super::block::{Aligned, BLOCK, LANES, Lanes, padded};
use super::byte::{BYTES, ByteLanes, ByteLayer, quantize};
use super::embedding::{Embedding, EmbeddingWeights, SparseRow};
use super::float::FloatLayer;
use super::tier::Tier;

/// The numbers that the dense layers compute with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// 32-bit floats.
    F32,
    /// Bytes, added up in i32; the embedding in i16.
    Int8,
}

/// A dense layer as a model has it: weights with a row for each output.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Row-major, a row for each output.
    pub weights: Vec<f32>,
    /// One for each output.
    pub biases: Vec<f32>,
}

/// A network ready to evaluate. The last layer has the heads: their outputs one after the other.
#[derive(Clone, Debug)]
pub struct Network {
    tier: Tier,
    embedding: Embedding,
    layers: Layers,
    /// The number of outputs of the widest layer, in whole panels.
    widest: usize,
}

/// The dense layers in order, the heads last.
#[derive(Clone, Debug)]
enum Layers {
    F32(Vec<FloatLayer>),
    Int8(Vec<ByteLayer>),
}

/// What a thread needs to evaluate a block of rows.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The inputs and outputs of a layer, in turn.
    values: [Vec<Lanes>; 2],
    bytes: Vec<ByteLanes>,
    steps: Vec<Lanes>,
}

impl Network {
    /// Prepares a network for this tier. Each layer has as many inputs as the one before has
    /// outputs.
    pub fn new(
        tier: Tier,
        precision: Precision,
        embedding: EmbeddingWeights<'_>,
        layers: &[Weights],
    ) -> Network {
        let widths = layers.iter().map(|layer| padded(layer.biases.len()));
        let widest = widths.fold(padded(embedding.biases.len()), usize::max);
        let (embedding, layers) = match precision {
            Precision::F32 => {
                let layer = |layer: &Weights| FloatLayer::new(&layer.weights, &layer.biases);
                (Embedding::floats(embedding), Layers::F32(layers.iter().map(layer).collect()))
            }
            Precision::Int8 => {
                let layer = |layer: &Weights| ByteLayer::new(tier, &layer.weights, &layer.biases);
                (Embedding::steps(embedding), Layers::Int8(layers.iter().map(layer).collect()))
            }
        };
        Network { tier, embedding, layers, widest }
    }

    /// The instructions of its kernels.
    pub const fn tier(&self) -> Tier {
        self.tier
    }

    /// Room for a block of rows.
    pub fn scratch(&self) -> Scratch {
        let mut scratch = Scratch::default();
        self.make_room(BLOCK, &mut scratch);
        scratch
    }

    /// Makes room for this many rows, at most [`BLOCK`]. Buffers that are large enough stay as they
    /// are.
    pub fn make_room(&self, rows: usize, scratch: &mut Scratch) {
        let groups = rows.div_ceil(LANES);
        let values = self.widest * groups;
        let Scratch { values: [inputs, outputs], bytes, steps } = scratch;
        if inputs.len() < values {
            inputs.resize(values, Aligned([0.0; LANES]));
            outputs.resize(values, Aligned([0.0; LANES]));
            bytes.resize(values / BYTES, Aligned([0; LANES]));
        }
        if steps.len() < groups {
            steps.resize(groups, Aligned([0.0; LANES]));
        }
    }

    /// Evaluates at most [`BLOCK`] decisions. `write` receives each decision's number, the outputs
    /// of its group (a vector for each output of the heads), and the decision's lane in them.
    pub fn run<'d>(
        &self,
        decisions: impl ExactSizeIterator<Item = SparseRow<'d>>,
        scratch: &mut Scratch,
        mut write: impl FnMut(usize, &[Lanes], usize),
    ) {
        let rows = decisions.len();
        let groups = rows.div_ceil(LANES);
        let Scratch { values: [inputs, outputs], bytes, steps } = scratch;
        let (mut inputs, mut outputs) = (&mut inputs[..], &mut outputs[..]);
        let mut width = self.embedding.padded_outputs();
        for (row, decision) in decisions.enumerate() {
            let group = &mut inputs[row / LANES * width..][..width];
            self.embedding.run(self.tier, decision, row % LANES, group);
        }
        match &self.layers {
            Layers::F32(layers) => {
                for (at, layer) in layers.iter().enumerate() {
                    let next = layer.padded_outputs();
                    layer.run(self.tier, rows, &inputs[..groups * width], &mut outputs[..groups * next]);
                    if at + 1 < layers.len() {
                        rectify(&mut outputs[..groups * next]);
                    }
                    (inputs, outputs, width) = (outputs, inputs, next);
                }
            }
            Layers::Int8(layers) => {
                let steps = &mut steps[..groups];
                for layer in layers {
                    let (next, bytes) = (layer.padded_outputs(), &mut bytes[..groups * width / BYTES]);
                    quantize(self.tier, &inputs[..groups * width], bytes, steps);
                    layer.run(self.tier, bytes, steps, &mut outputs[..groups * next]);
                    (inputs, outputs, width) = (outputs, inputs, next);
                }
            }
        }
        for row in 0..rows {
            write(row, &inputs[row / LANES * width..][..width], row % LANES);
        }
    }
}

/// Sets negative values to 0. NaN stays, so that the logits show it.
fn rectify(values: &mut [Lanes]) {
    for value in values.iter_mut().flat_map(|lanes| &mut lanes.0) {
        *value = if *value < 0.0 { 0.0 } else { *value };
    }
}

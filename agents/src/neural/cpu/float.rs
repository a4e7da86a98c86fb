//! Dense layers in f32.

#[cfg(target_arch = "x86_64")]
use archmage::{X64V3Token, X64V4xToken, arcane};

use super::block::{LANES, Lanes, PANEL, padded};
use super::tier::Tier;

/// A dense layer in f32: `output = weight · input + bias`.
///
/// Each output is a chain of fused multiply-adds over the inputs in order, which starts with the
/// bias. A fused multiply-add rounds once on every machine, so the bits depend neither on the batch
/// nor on the processor.
#[derive(Clone, Debug)]
pub struct FloatLayer {
    /// The number of inputs in whole panels.
    inputs: usize,
    /// For each panel of outputs and each input: the weights of the panel's outputs.
    weights: Vec<[f32; PANEL]>,
    /// For each panel of outputs: their biases.
    biases: Vec<[f32; PANEL]>,
}

impl FloatLayer {
    /// A layer from weights with a row for each output, and biases.
    pub fn new(weights: &[f32], biases: &[f32]) -> FloatLayer {
        let (outputs, inputs) = (biases.len(), weights.len() / biases.len());
        let (panels, stride) = (outputs.div_ceil(PANEL), padded(inputs));
        let (mut packed, mut packed_biases) =
            (vec![[0.0; PANEL]; panels * stride], vec![[0.0; PANEL]; panels]);
        for (output, (row, bias)) in weights.chunks_exact(inputs).zip(biases).enumerate() {
            let (panel, column) = (output / PANEL, output % PANEL);
            packed_biases[panel][column] = *bias;
            for (packed, weight) in packed[panel * stride..].iter_mut().zip(row) {
                packed[column] = *weight;
            }
        }
        FloatLayer { inputs: stride, weights: packed, biases: packed_biases }
    }

    /// The number of outputs in whole panels.
    pub const fn padded_outputs(&self) -> usize {
        PANEL * self.biases.len()
    }

    /// Evaluates this many rows, in groups of [`LANES`]. `inputs` has the inputs of the first group, then
    /// those of the next one; `outputs` has the same layout. Both are padded to whole panels. Lanes without
    /// a row receive any numbers.
    pub fn run(&self, tier: Tier, rows: usize, inputs: &[Lanes], outputs: &mut [Lanes]) {
        let padded = self.padded_outputs();
        for (panel, biases) in self.biases.iter().enumerate() {
            let weights = &self.weights[panel * self.inputs..][..self.inputs];
            let groups = inputs.chunks_exact(self.inputs).zip(outputs.chunks_exact_mut(padded));
            for (group, (inputs, outputs)) in groups.enumerate() {
                let outputs = &mut outputs[panel * PANEL..][..PANEL];
                let outputs = outputs.as_mut_array().expect("a panel of outputs");
                let (panel, rows) = (Panel { weights, biases, inputs }, rows - group * LANES);
                if rows <= LANES / 2 {
                    (0..rows.div_ceil(FEW)).for_each(|few| run_few(tier, panel, few, outputs));
                } else {
                    run_all(tier, panel, outputs);
                }
            }
        }
    }
}

/// The number of rows that are evaluated at once in a group with at most half of its lanes in use.
const FEW: usize = 4;

/// The inputs, weights and biases of a panel, for a group of rows.
#[derive(Clone, Copy)]
struct Panel<'a> {
    /// For each input: the weights of the panel's outputs.
    weights: &'a [[f32; PANEL]],
    biases: &'a [f32; PANEL],
    inputs: &'a [Lanes],
}

/// The outputs of a panel for all rows of a group.
fn run_all(tier: Tier, panel: Panel<'_>, outputs: &mut [Lanes; PANEL]) {
    match tier {
        #[cfg(target_arch = "x86_64")]
        Tier::V4(token) => panel_v4(token, panel, outputs),
        #[cfg(target_arch = "x86_64")]
        Tier::V3(token) => panel_v3(token, panel, outputs),
        Tier::Portable => panel_portable(panel, outputs),
    }
}

/// The outputs of a panel for the [`FEW`] rows with this number in a group.
fn run_few(tier: Tier, panel: Panel<'_>, few: usize, outputs: &mut [Lanes; PANEL]) {
    let found = match tier {
        #[cfg(target_arch = "x86_64")]
        Tier::V4(token) => few_v4(token, panel, few),
        #[cfg(target_arch = "x86_64")]
        Tier::V3(token) => few_v3(token, panel, few),
        Tier::Portable => few_portable(panel, few),
    };
    for (row, found) in found.iter().enumerate() {
        for (output, found) in outputs.iter_mut().zip(found) {
            output.0[FEW * few + row] = *found;
        }
    }
}

/// The outputs of a panel: an accumulator for each, the rows of a group in its lanes.
#[cfg(target_arch = "x86_64")]
#[arcane(import_intrinsics)]
fn panel_v4(_: X64V4xToken, panel: Panel<'_>, outputs: &mut [Lanes; PANEL]) {
    let mut sums = panel.biases.map(|bias| _mm512_set1_ps(bias));
    for (weights, input) in panel.weights.iter().zip(panel.inputs) {
        let input = _mm512_loadu_ps(&input.0);
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum = _mm512_fmadd_ps(_mm512_set1_ps(*weight), input, *sum);
        }
    }
    for (output, sum) in outputs.iter_mut().zip(sums) {
        _mm512_storeu_ps(&mut output.0, sum);
    }
}

/// As [`panel_v4`], four outputs at a time: AVX2 has 16 registers of eight lanes.
#[cfg(target_arch = "x86_64")]
#[arcane(import_intrinsics)]
fn panel_v3(_: X64V3Token, panel: Panel<'_>, outputs: &mut [Lanes; PANEL]) {
    for quarter in 0..PANEL / 4 {
        let of = |values: &[f32; PANEL]| -> [f32; 4] { values.as_chunks().0[quarter] };
        let mut sums = of(panel.biases).map(|bias| [_mm256_set1_ps(bias); 2]);
        for (weights, input) in panel.weights.iter().zip(panel.inputs) {
            let [low, high]: &[[f32; 8]; 2] = input.0.as_chunks().0.as_array().expect("two halves");
            let (low, high) = (_mm256_loadu_ps(low), _mm256_loadu_ps(high));
            for ([sum_low, sum_high], weight) in sums.iter_mut().zip(of(weights)) {
                let weight = _mm256_set1_ps(weight);
                *sum_low = _mm256_fmadd_ps(weight, low, *sum_low);
                *sum_high = _mm256_fmadd_ps(weight, high, *sum_high);
            }
        }
        for (output, sums) in outputs[4 * quarter..].iter_mut().zip(sums) {
            for (half, sum) in output.0.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
                _mm256_storeu_ps(half, sum);
            }
        }
    }
}

/// As [`panel_v4`], in plain loops.
fn panel_portable(panel: Panel<'_>, outputs: &mut [Lanes; PANEL]) {
    for (output, bias) in outputs.iter_mut().zip(panel.biases) {
        output.0 = [*bias; LANES];
    }
    for (weights, input) in panel.weights.iter().zip(panel.inputs) {
        for (output, weight) in outputs.iter_mut().zip(weights) {
            for (sum, input) in output.0.iter_mut().zip(&input.0) {
                *sum = weight.mul_add(*input, *sum);
            }
        }
    }
}

/// The outputs of a panel for a few rows: an accumulator for each row, the outputs in its lanes.
#[cfg(target_arch = "x86_64")]
#[arcane(import_intrinsics)]
fn few_v4(_: X64V4xToken, panel: Panel<'_>, few: usize) -> [[f32; PANEL]; FEW] {
    let mut sums = [_mm512_loadu_ps(panel.biases); FEW];
    for (weights, input) in panel.weights.iter().zip(panel.inputs) {
        let weights = _mm512_loadu_ps(weights);
        for (sum, input) in sums.iter_mut().zip(&input.0.as_chunks::<FEW>().0[few]) {
            *sum = _mm512_fmadd_ps(weights, _mm512_set1_ps(*input), *sum);
        }
    }
    let mut found = [[0.0; PANEL]; FEW];
    for (found, sum) in found.iter_mut().zip(sums) {
        _mm512_storeu_ps(found, sum);
    }
    found
}

/// As [`few_v4`], with two vectors for the outputs.
#[cfg(target_arch = "x86_64")]
#[arcane(import_intrinsics)]
fn few_v3(_: X64V3Token, panel: Panel<'_>, few: usize) -> [[f32; PANEL]; FEW] {
    let halves =
        |values: &[f32; PANEL]| -> [[f32; 8]; 2] { *values.as_chunks().0.as_array().expect("two halves") };
    let [low, high] = halves(panel.biases);
    let mut sums = [[_mm256_loadu_ps(&low), _mm256_loadu_ps(&high)]; FEW];
    for (weights, input) in panel.weights.iter().zip(panel.inputs) {
        let [low, high] = halves(weights);
        let (low, high) = (_mm256_loadu_ps(&low), _mm256_loadu_ps(&high));
        for ([sum_low, sum_high], input) in sums.iter_mut().zip(&input.0.as_chunks::<FEW>().0[few]) {
            let input = _mm256_set1_ps(*input);
            *sum_low = _mm256_fmadd_ps(low, input, *sum_low);
            *sum_high = _mm256_fmadd_ps(high, input, *sum_high);
        }
    }
    let mut found = [[0.0; PANEL]; FEW];
    for (found, sums) in found.iter_mut().zip(sums) {
        for (half, sum) in found.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
            _mm256_storeu_ps(half, sum);
        }
    }
    found
}

/// As [`few_v4`], in plain loops.
fn few_portable(panel: Panel<'_>, few: usize) -> [[f32; PANEL]; FEW] {
    let mut sums = [*panel.biases; FEW];
    for (weights, input) in panel.weights.iter().zip(panel.inputs) {
        for (sums, input) in sums.iter_mut().zip(&input.0.as_chunks::<FEW>().0[few]) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = weight.mul_add(*input, *sum);
            }
        }
    }
    sums
}

//! Dense layers in bytes: int8 weights, and activations that are quantized for each row.
//!
//! The formula, for a row with the non-negative inputs `x[i]` and an output with the weights `w[i]`
//! and the bias `b`:
//!
//! ```text
//! s    = max |w[i]| / 127                     when the model is opened, for each output
//! W[i] = round(w[i] / s)                      -127 to 127, halves away from zero
//! t    = max x[i] / 255                       for each row
//! X[i] = round(x[i] · (255 / max x[i]))       0 to 255, halves to even; all 0 if the maximum is 0
//! y    = f32(Σ W[i] · X[i]) · (s · t) + b     the sum in i32
//! ```
//!
//! Each operation on f32 rounds on its own, in this order. The sum is exact. So the bits depend
//! neither on the batch nor on the processor.

#[cfg(target_arch = "x86_64")]
use archmage::{X64V3Token, X64V4xToken, arcane};

use super::block::{Aligned, LANES, Lanes, PANEL, padded};
use super::tier::Tier;

/// Four consecutive inputs of each row of a group, as the bytes of an i32.
pub type ByteLanes = Aligned<[i32; LANES]>;

/// The number of inputs in an i32.
pub const BYTES: usize = 4;

/// A dense layer in bytes.
#[derive(Clone, Debug)]
pub struct ByteLayer {
    /// The number of groups of four inputs.
    fours: usize,
    weights: Weights,
    /// For each panel of outputs: their scales.
    scales: Vec<[f32; PANEL]>,
    /// For each panel of outputs: their biases.
    biases: Vec<[f32; PANEL]>,
}

/// For each panel of outputs and each four inputs: the weights of the panel's outputs.
#[derive(Clone, Debug)]
enum Weights {
    /// Four bytes in an i32.
    Bytes(Vec<[i32; PANEL]>),
    /// The first and third weight as the halves of an i32, then the second and fourth. AVX2 has
    /// products of halves only.
    #[cfg(target_arch = "x86_64")]
    Halves(Vec<[[i32; PANEL]; 2]>),
}

impl ByteLayer {
    /// Quantizes a layer of weights with a row for each output, and biases, for this tier.
    pub fn new(tier: Tier, weights: &[f32], biases: &[f32]) -> ByteLayer {
        let (outputs, inputs) = (biases.len(), weights.len() / biases.len());
        let (panels, fours) = (outputs.div_ceil(PANEL), padded(inputs) / BYTES);
        let mut bytes = vec![[[0; BYTES]; PANEL]; panels * fours];
        let (mut scales, mut packed_biases) = (vec![[0.0; PANEL]; panels], vec![[0.0; PANEL]; panels]);
        for (output, (row, bias)) in weights.chunks_exact(inputs).zip(biases).enumerate() {
            let (panel, column) = (output / PANEL, output % PANEL);
            packed_biases[panel][column] = *bias;
            let scale = row.iter().fold(0.0, |most: f32, weight| most.max(weight.abs())) / 127.0;
            scales[panel][column] = scale;
            for (bytes, row) in bytes[panel * fours..].iter_mut().zip(row.chunks(BYTES)) {
                for (byte, weight) in bytes[column].iter_mut().zip(row) {
                    *byte = quantized(*weight, scale);
                }
            }
        }
        let weights = match tier {
            #[cfg(target_arch = "x86_64")]
            Tier::V3(_) => Weights::Halves(bytes.iter().map(halves).collect()),
            _ => Weights::Bytes(
                bytes
                    .iter()
                    .map(|panel| panel.map(|four| i32::from_le_bytes(four.map(i8::cast_unsigned))))
                    .collect(),
            ),
        };
        ByteLayer { fours, weights, scales, biases: packed_biases }
    }

    /// The number of outputs in whole panels.
    pub const fn padded_outputs(&self) -> usize {
        PANEL * self.biases.len()
    }

    /// Evaluates groups of [`LANES`] rows. `inputs` has the bytes of the first group, then those of
    /// the next one, and `steps` the scale of a byte in each row. `outputs` has outputs
    /// padded to whole panels.
    pub fn run(&self, tier: Tier, inputs: &[ByteLanes], steps: &[Lanes], outputs: &mut [Lanes]) {
        let padded = self.padded_outputs();
        for (panel, (scales, biases)) in self.scales.iter().zip(&self.biases).enumerate() {
            let range = panel * self.fours..(panel + 1) * self.fours;
            let groups = inputs.chunks_exact(self.fours).zip(outputs.chunks_exact_mut(padded));
            for ((inputs, outputs), step) in groups.zip(steps) {
                let outputs = &mut outputs[panel * PANEL..][..PANEL];
                let outputs = outputs.as_mut_array().expect("a panel of outputs");
                let (range, unit) = (range.clone(), Unit { inputs, scales, biases, step });
                match (tier, &self.weights) {
                    #[cfg(target_arch = "x86_64")]
                    (Tier::V4(token), Weights::Bytes(weights)) => {
                        panel_v4(token, &weights[range], &unit, outputs);
                    }
                    #[cfg(target_arch = "x86_64")]
                    (Tier::V3(token), Weights::Halves(weights)) => {
                        panel_v3(token, &weights[range], &unit, outputs);
                    }
                    (_, Weights::Bytes(weights)) => panel_portable(&weights[range], &unit, outputs),
                    #[cfg(target_arch = "x86_64")]
                    (_, Weights::Halves(_)) => unreachable!("only AVX2 has weights in halves"),
                }
            }
        }
    }
}

/// The byte of a weight.
fn quantized(weight: f32, scale: f32) -> i8 {
    if scale == 0.0 { 0 } else { (weight / scale).round().clamp(-127.0, 127.0) as i8 }
}

/// The weights of a panel and four inputs for products of halves.
#[cfg(target_arch = "x86_64")]
fn halves(panel: &[[i8; BYTES]; PANEL]) -> [[i32; PANEL]; 2] {
    let pair = |low: i8, high: i8| i32::from(low) & 0xFFFF | i32::from(high) << 16;
    [panel.map(|four| pair(four[0], four[2])), panel.map(|four| pair(four[1], four[3]))]
}

/// The inputs of a group, and what turns the sums of a panel into outputs.
struct Unit<'a> {
    inputs: &'a [ByteLanes],
    scales: &'a [f32; PANEL],
    biases: &'a [f32; PANEL],
    step: &'a Lanes,
}

impl Unit<'_> {
    /// The outputs of a group.
    #[inline(always)]
    fn write(&self, sums: &[[i32; LANES]; PANEL], outputs: &mut [Lanes; PANEL]) {
        let scales_and_biases = self.scales.iter().zip(self.biases);
        for ((output, sums), (scale, bias)) in outputs.iter_mut().zip(sums).zip(scales_and_biases) {
            for ((output, sum), step) in output.0.iter_mut().zip(sums).zip(&self.step.0) {
                *output = *sum as f32 * (scale * step) + bias;
            }
        }
    }
}

/// The outputs of a panel: a sum for each, the rows of a group in its lanes.
#[cfg(target_arch = "x86_64")]
#[arcane(import_intrinsics)]
fn panel_v4(_: X64V4xToken, weights: &[[i32; PANEL]], unit: &Unit<'_>, outputs: &mut [Lanes; PANEL]) {
    let mut sums = [_mm512_setzero_si512(); PANEL];
    for (weights, input) in weights.iter().zip(unit.inputs) {
        let input = _mm512_loadu_si512(&input.0);
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum = _mm512_dpbusd_epi32(*sum, input, _mm512_set1_epi32(*weight));
        }
    }
    let mut totals = [[0; LANES]; PANEL];
    for (total, sum) in totals.iter_mut().zip(sums) {
        _mm512_storeu_si512(total, sum);
    }
    unit.write(&totals, outputs);
}

/// As [`panel_v4`], four outputs at a time, with products of halves.
#[cfg(target_arch = "x86_64")]
#[arcane(import_intrinsics)]
fn panel_v3(_: X64V3Token, weights: &[[[i32; PANEL]; 2]], unit: &Unit<'_>, outputs: &mut [Lanes; PANEL]) {
    let mut totals = [[0; LANES]; PANEL];
    let low_bytes = _mm256_set1_epi16(0xFF);
    for (quarter, totals) in totals.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let of = |values: &[i32; PANEL]| -> [i32; 4] { values.as_chunks().0[quarter] };
        let mut sums = [[_mm256_setzero_si256(); 2]; 4];
        for ([even, odd], input) in weights.iter().zip(unit.inputs) {
            let halves: &[[i32; 8]; 2] = input.0.as_chunks().0.as_array().expect("two halves");
            let inputs = [_mm256_loadu_si256(&halves[0]), _mm256_loadu_si256(&halves[1])];
            let evens = inputs.map(|input| _mm256_and_si256(input, low_bytes));
            let odds = inputs.map(|input| _mm256_srli_epi16::<8>(input));
            for (sums, (even, odd)) in sums.iter_mut().zip(of(even).into_iter().zip(of(odd))) {
                let (even, odd) = (_mm256_set1_epi32(even), _mm256_set1_epi32(odd));
                for (sum, (evens, odds)) in sums.iter_mut().zip(evens.into_iter().zip(odds)) {
                    let products =
                        _mm256_add_epi32(_mm256_madd_epi16(evens, even), _mm256_madd_epi16(odds, odd));
                    *sum = _mm256_add_epi32(*sum, products);
                }
            }
        }
        for (total, sums) in totals.iter_mut().zip(sums) {
            for (half, sum) in total.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
                _mm256_storeu_si256(half, sum);
            }
        }
    }
    unit.write(&totals, outputs);
}

/// As [`panel_v4`], in plain loops.
fn panel_portable(weights: &[[i32; PANEL]], unit: &Unit<'_>, outputs: &mut [Lanes; PANEL]) {
    let mut sums = [[0; LANES]; PANEL];
    for (weights, input) in weights.iter().zip(unit.inputs) {
        let mut bytes = [[0; LANES]; BYTES];
        for (place, bytes) in bytes.iter_mut().enumerate() {
            *bytes = input.0.map(|input| input >> (8 * place) & 0xFF);
        }
        for (sums, weight) in sums.iter_mut().zip(weights) {
            for (bytes, weight) in bytes.iter().zip(weight.to_le_bytes()) {
                let weight = i32::from(weight.cast_signed());
                for (sum, byte) in sums.iter_mut().zip(bytes) {
                    *sum += byte * weight;
                }
            }
        }
    }
    unit.write(&sums, outputs);
}

/// Quantizes the values of groups of rows. Negative values become 0. `values` has a whole number of
/// panels for each group, and `bytes` a quarter of their number. `steps` receives, for
/// each row, the value that a byte of 1 stands for.
pub fn quantize(tier: Tier, values: &[Lanes], bytes: &mut [ByteLanes], steps: &mut [Lanes]) {
    let stride = values.len() / steps.len();
    let groups = values.chunks_exact(stride).zip(bytes.chunks_exact_mut(stride / BYTES));
    for ((values, bytes), step) in groups.zip(steps) {
        let values = values.as_chunks().0;
        match tier {
            #[cfg(target_arch = "x86_64")]
            Tier::V4(token) => quantize_v4(token, values, bytes, step),
            #[cfg(target_arch = "x86_64")]
            Tier::V3(token) => quantize_v3(token, values, bytes, step),
            Tier::Portable => quantize_group(values, bytes, step),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn quantize_v4(_: X64V4xToken, values: &[[Lanes; BYTES]], bytes: &mut [ByteLanes], step: &mut Lanes) {
    quantize_group(values, bytes, step);
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn quantize_v3(_: X64V3Token, values: &[[Lanes; BYTES]], bytes: &mut [ByteLanes], step: &mut Lanes) {
    quantize_group(values, bytes, step);
}

/// 1.5 · 2²³. Added to a number of at most 22 bits, it gives a sum whose lowest bits are the nearest integer.
const ROUND: f32 = 12_582_912.0;

/// Quantizes the values of a group.
#[inline(always)]
fn quantize_group(values: &[[Lanes; BYTES]], bytes: &mut [ByteLanes], step: &mut Lanes) {
    let mut most = [0.0; LANES];
    for values in values {
        for value in values {
            for (most, value) in most.iter_mut().zip(&value.0) {
                // A NaN stays the maximum, and becomes the step and all outputs.
                *most = if *value > *most || value.is_nan() { *value } else { *most };
            }
        }
    }
    let mut inverse = [0.0; LANES];
    for ((inverse, step), most) in inverse.iter_mut().zip(&mut step.0).zip(most) {
        *step = most / 255.0;
        *inverse = if most > 0.0 { 255.0 / most } else { 0.0 };
    }
    for (bytes, values) in bytes.iter_mut().zip(values) {
        let mut packed = [0; LANES];
        for (place, values) in values.iter().enumerate() {
            for ((packed, value), inverse) in packed.iter_mut().zip(&values.0).zip(inverse) {
                let positive = if *value > 0.0 { *value } else { 0.0 };
                let rounded = (positive * inverse + ROUND).to_bits().cast_signed() & 0xFF;
                *packed |= rounded << (8 * place);
            }
        }
        *bytes = Aligned(packed);
    }
}

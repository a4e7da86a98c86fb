//! The first layer: an embedding bag of the active features, and the scalars.
//!
//! A row of the table is read for each active feature, so the columns of a row lie side by side.
//! The sums of a decision go to its lane of a group, where the dense layers read them.

#[cfg(target_arch = "x86_64")]
use archmage::{X64V3Token, X64V4xToken, arcane, rite};

use super::block::{Aligned, Lanes, PANEL, padded};
use super::tier::Tier;

/// The columns that are added up at once.
const COLUMNS: usize = 128;

/// The features of a decision, as the first layer reads them.
#[derive(Clone, Copy, Debug)]
pub struct SparseRow<'a> {
    /// Numbers of active features.
    pub active: &'a [u16],
    /// The scalars.
    pub scalars: &'a [f32],
}

/// The first layer: for each column, the sum of the bias, the weighted scalars and the weights of
/// the active features. Negative sums become 0.
#[derive(Clone, Debug)]
pub struct Embedding {
    /// The number of columns in whole panels, which the next layer reads.
    outputs: usize,
    table: Table,
    /// The biases, as the only row.
    biases: Chunks<f32>,
    /// The weights of each scalar.
    scalars: Chunks<f32>,
}

/// For each chunk of columns: the part of each row in it.
type Chunks<T> = Vec<Vec<Aligned<[T; COLUMNS]>>>;

/// The weights of each feature.
#[derive(Clone, Debug)]
enum Table {
    /// As the model has them. They are added in the order of the active features.
    Floats(Chunks<f32>),
    /// In whole steps. The step size of each column is so large that no sum overflows an i16. So sums are
    /// exact.
    Steps {
        /// The number of steps.
        steps: Chunks<i16>,
        /// The step size of each column, as the only row.
        sizes: Chunks<f32>,
    },
}

/// The weights of a feature in a chunk of columns, in steps.
type Steps = Aligned<[i16; COLUMNS]>;

/// The weights of the first layer as a model has them.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddingWeights<'a> {
    /// A row for each feature.
    pub table: &'a [f32],
    /// A bias for each column.
    pub biases: &'a [f32],
    /// A row for each column, with a weight for each scalar.
    pub scalars: &'a [f32],
    /// The maximum number of features that are active.
    pub most_active: usize,
}

impl Embedding {
    /// The layer in f32.
    pub fn floats(weights: EmbeddingWeights<'_>) -> Embedding {
        let table = chunked(weights.table, weights.biases.len(), |weight, _| weight);
        Embedding::new(weights, Table::Floats(table))
    }

    /// The layer with its table in steps.
    ///
    /// A step is so large that a column's largest weights, as many as features can be active and each rounded
    /// up, have a sum that fits an i16.
    pub fn steps(weights: EmbeddingWeights<'_>) -> Embedding {
        let (columns, most_active) = (weights.biases.len(), weights.most_active);
        let size = |column: usize| {
            let of_column = weights.table.iter().skip(column).step_by(columns);
            let mut largest: Vec<f32> = of_column.map(|weight| weight.abs()).collect();
            largest.sort_unstable_by(|a, b| b.total_cmp(a));
            let most: f64 = largest.iter().take(most_active).map(|weight| f64::from(*weight)).sum();
            (most / (f64::from(i16::MAX) - most_active as f64)) as f32
        };
        let sizes: Vec<f32> = (0..columns).map(size).collect();
        let step = |weight: f32, column: usize| {
            if sizes[column] == 0.0 { 0 } else { (weight / sizes[column]).round() as i16 }
        };
        let steps = chunked(weights.table, columns, step);
        let sizes = chunked(&sizes, columns, |size, _| size);
        Embedding::new(weights, Table::Steps { steps, sizes })
    }

    fn new(weights: EmbeddingWeights<'_>, table: Table) -> Embedding {
        let columns = weights.biases.len();
        let biases = chunked(weights.biases, columns, |bias, _| bias);
        let count = weights.scalars.len() / columns;
        let of_scalar = |scalar: usize| weights.scalars.iter().copied().skip(scalar).step_by(count);
        let rows: Vec<f32> = (0..count).flat_map(of_scalar).collect();
        let scalars = chunked(&rows, columns, |weight, _| weight);
        Embedding { outputs: padded(columns), table, biases, scalars }
    }

    /// The number of columns in whole panels.
    pub const fn padded_outputs(&self) -> usize {
        self.outputs
    }

    /// Evaluates a decision into a lane of a group, which has a vector for each padded column.
    pub fn run(&self, tier: Tier, row: SparseRow<'_>, lane: usize, outputs: &mut [Lanes]) {
        match tier {
            #[cfg(target_arch = "x86_64")]
            Tier::V4(token) => run_v4(token, self, row, lane, outputs),
            #[cfg(target_arch = "x86_64")]
            Tier::V3(token) => run_v3(token, self, row, lane, outputs),
            Tier::Portable => self.run_inline(row, lane, outputs, total_portable),
        }
    }

    /// The sums of bias and weighted scalars for each column of a chunk.
    #[inline(always)]
    fn scalar_sums(&self, chunk: usize, scalars: &[f32]) -> [f32; COLUMNS] {
        let mut sums = self.biases[chunk][0].0;
        for (weights, scalar) in self.scalars[chunk].iter().zip(scalars) {
            for (sum, weight) in sums.iter_mut().zip(&weights.0) {
                *sum += weight * scalar;
            }
        }
        sums
    }

    /// Evaluates a decision. `total` adds up steps.
    #[inline(always)]
    fn run_inline(
        &self,
        row: SparseRow<'_>,
        lane: usize,
        outputs: &mut [Lanes],
        total: impl Fn(&[Steps], &[u16]) -> [i16; COLUMNS],
    ) {
        for (chunk, outputs) in outputs.chunks_mut(COLUMNS).enumerate() {
            let start = self.scalar_sums(chunk, row.scalars);
            let sums = match &self.table {
                Table::Floats(table) => row.active.iter().fold(start, |mut sums, feature| {
                    let weights = &table[chunk][usize::from(*feature)];
                    for (sum, weight) in sums.iter_mut().zip(&weights.0) {
                        *sum += weight;
                    }
                    sums
                }),
                Table::Steps { steps, sizes } => {
                    let total = total(&steps[chunk], row.active);
                    let mut sums = start;
                    for ((sum, total), size) in sums.iter_mut().zip(total).zip(&sizes[chunk][0].0) {
                        *sum += f32::from(total) * size;
                    }
                    sums
                }
            };
            let panels = outputs.as_chunks_mut::<PANEL>().0.iter_mut().zip(sums.as_chunks::<PANEL>().0);
            for (outputs, sums) in panels {
                for (output, sum) in outputs.iter_mut().zip(sums) {
                    // NaN stays, so that the logits show it.
                    output.0[lane] = if *sum < 0.0 { 0.0 } else { *sum };
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn run_v4(_: X64V4xToken, layer: &Embedding, row: SparseRow<'_>, lane: usize, outputs: &mut [Lanes]) {
    layer.run_inline(row, lane, outputs, |steps, active| total_v4(steps, active));
}

#[cfg(target_arch = "x86_64")]
#[arcane]
fn run_v3(_: X64V3Token, layer: &Embedding, row: SparseRow<'_>, lane: usize, outputs: &mut [Lanes]) {
    layer.run_inline(row, lane, outputs, |steps, active| total_v3(steps, active));
}

/// The sum of the steps of all active features, for each column of a chunk.
#[cfg(target_arch = "x86_64")]
#[rite(v4x, import_intrinsics)]
fn total_v4(steps: &[Steps], active: &[u16]) -> [i16; COLUMNS] {
    let mut sums = [_mm512_setzero_si512(); COLUMNS / 32];
    for feature in active {
        for (sum, steps) in sums.iter_mut().zip(steps[usize::from(*feature)].0.as_chunks::<32>().0) {
            *sum = _mm512_add_epi16(*sum, _mm512_loadu_si512(steps));
        }
    }
    let mut total = [0; COLUMNS];
    for (total, sum) in total.as_chunks_mut::<32>().0.iter_mut().zip(sums) {
        _mm512_storeu_si512(total, sum);
    }
    total
}

/// As [`total_v4`].
#[cfg(target_arch = "x86_64")]
#[rite(v3, import_intrinsics)]
fn total_v3(steps: &[Steps], active: &[u16]) -> [i16; COLUMNS] {
    let mut sums = [_mm256_setzero_si256(); COLUMNS / 16];
    for feature in active {
        for (sum, steps) in sums.iter_mut().zip(steps[usize::from(*feature)].0.as_chunks::<16>().0) {
            *sum = _mm256_add_epi16(*sum, _mm256_loadu_si256(steps));
        }
    }
    let mut total = [0; COLUMNS];
    for (total, sum) in total.as_chunks_mut::<16>().0.iter_mut().zip(sums) {
        _mm256_storeu_si256(total, sum);
    }
    total
}

/// As [`total_v4`], in plain loops.
fn total_portable(steps: &[Steps], active: &[u16]) -> [i16; COLUMNS] {
    let mut total = [0_i16; COLUMNS];
    for feature in active {
        for (total, steps) in total.iter_mut().zip(&steps[usize::from(*feature)].0) {
            *total = total.wrapping_add(*steps);
        }
    }
    total
}

/// Rows of columns in chunks, the last one padded with zeros. `value` converts a number, given its column.
fn chunked<T: Copy + Default>(rows: &[f32], columns: usize, value: impl Fn(f32, usize) -> T) -> Chunks<T> {
    let part = |row: &[f32], first: usize| {
        let mut part = [T::default(); COLUMNS];
        for ((column, part), weight) in (first..).zip(&mut part).zip(&row[first..]) {
            *part = value(*weight, column);
        }
        Aligned(part)
    };
    let chunk = |first| rows.chunks_exact(columns).map(|row| part(row, first)).collect();
    (0..columns).step_by(COLUMNS).map(chunk).collect()
}

//! The evaluator.

use std::path::Path;
use std::sync::Arc;

use jantaku_engine::ActionId;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use super::block::BLOCK;
use super::embedding::SparseRow;
use super::file;
use super::lists::Lists;
use super::network::{Network, Precision, Scratch};
use super::tier::Tier;
use crate::encode::{Encoder, Inputs};
use crate::neural::{Evaluator, EvaluatorError, Manifest, ModelError, OutputsMut};

/// A small network for an encoder of features, such as `sparse-v1`, that runs on the processor.
///
/// The outputs of a decision are the same bits in every batch, on any number of threads and on every
/// machine. `docs/networks.md` describes the file and the arithmetic.
pub struct CpuModel {
    network: Arc<Network>,
    encoder: Encoder,
    lists: Lists,
    /// Room for a block for each thread.
    scratches: Vec<Scratch>,
}

impl CpuModel {
    /// Reads a `.safetensors` file with these contents. `path` is its name, for messages.
    ///
    /// # Errors
    ///
    /// If the file is truncated, this program cannot play its manifest, or a tensor is missing, not
    /// expected, not finite, or of the wrong type or shape.
    pub fn parse(
        path: &Path,
        contents: &[u8],
        precision: Precision,
    ) -> Result<(CpuModel, Manifest), ModelError> {
        CpuModel::parse_for(Tier::best(), path, contents, precision)
    }

    /// Reads a file as [`CpuModel::parse`] does, once for each kind of instructions that the
    /// processor has and the kernels are written for. All of them answer the same bits.
    ///
    /// # Errors
    ///
    /// As [`CpuModel::parse`].
    pub fn parse_for_all_instructions(
        path: &Path,
        contents: &[u8],
        precision: Precision,
    ) -> Result<Vec<CpuModel>, ModelError> {
        let parse = |tier| CpuModel::parse_for(tier, path, contents, precision).map(|(model, _)| model);
        Tier::available().map(parse).collect()
    }

    fn parse_for(
        tier: Tier,
        path: &Path,
        contents: &[u8],
        precision: Precision,
    ) -> Result<(CpuModel, Manifest), ModelError> {
        let (network, manifest, lists) = file::read(tier, path, contents, precision)?;
        let scratches = vec![network.scratch(); rayon::current_num_threads()];
        let (network, encoder) = (Arc::new(network), manifest.encoder());
        Ok((CpuModel { network, encoder, lists, scratches }, manifest))
    }

    /// The instructions that its kernels use: `avx512`, `avx2` or `portable`.
    pub fn instructions(&self) -> &'static str {
        self.network.tier().name()
    }
}

impl Evaluator for CpuModel {
    fn encoder(&self) -> Option<Encoder> {
        Some(self.encoder)
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        inputs.expect(self.encoder(), &out)?;
        let blocks = inputs.rows().div_ceil(BLOCK);
        let CpuModel { network, lists, scratches, .. } = self;
        let pieces = scratches.len().min(blocks);
        if pieces <= 1 {
            piece(network, *lists, &mut scratches[0], inputs, out);
            return Ok(());
        }
        let (mut work, mut start, mut rest) = (Vec::with_capacity(pieces), 0, out);
        for number in 1..=pieces {
            let end = (blocks * number / pieces * BLOCK).min(inputs.rows());
            let (out, other) = rest.split_at(end - start);
            work.push((inputs.slice(start..end), out));
            (start, rest) = (end, other);
        }
        let work = work.into_par_iter().zip(&mut scratches[..pieces]).with_max_len(1);
        work.for_each(|((inputs, out), scratch)| piece(network, *lists, scratch, inputs, out));
        Ok(())
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        true
    }

    /// It evaluates on the caller's thread alone.
    fn share(&self) -> Option<Box<dyn Evaluator>> {
        let (network, scratches) = (Arc::clone(&self.network), vec![self.network.scratch()]);
        Some(Box::new(CpuModel { network, encoder: self.encoder, lists: self.lists, scratches }))
    }
}

/// Evaluates rows on this thread, a block at a time.
fn piece(network: &Network, lists: Lists, scratch: &mut Scratch, inputs: Inputs<'_>, out: OutputsMut<'_>) {
    let OutputsMut { mut policy, mut value } = out;
    let mut arrays = inputs.arrays().map(|(_, array)| array);
    let mut next = || arrays.next().expect("three arrays");
    let (active, counts, scalars): (&[u16], &[u16], &[f32]) = (next().of(), next().of(), next().of());
    let rows = inputs.rows();
    for first in (0..rows).step_by(BLOCK) {
        let decisions = (first..rows.min(first + BLOCK)).map(|row| SparseRow {
            active: &active[row * lists.most_active..][..usize::from(counts[row])],
            scalars: &scalars[row * lists.scalars..][..lists.scalars],
        });
        network.run(decisions, scratch, |row, outputs, lane| {
            let row = first + row;
            let (logits, rest) = outputs.split_at(ActionId::COUNT);
            for (logit, lanes) in policy.row_mut(row).iter_mut().zip(logits) {
                *logit = lanes.0[lane];
            }
            // Without a value, the heads end in padding, which is 0.
            value[row] = rest.first().map_or(0.0, |lanes| lanes.0[lane]);
        });
    }
}

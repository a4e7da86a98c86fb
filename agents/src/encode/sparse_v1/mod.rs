//! `sparse-v1`: a decision as a list of active features and a few numbers, for small networks.
//!
//! - `blocks`: the features, block by block
//! - `scalars`: the numbers

mod blocks;
pub(super) mod scalars;

use std::sync::LazyLock;

use jantaku_engine::Observation;

use super::active::Active;
use super::array::{ArrayKind, ArraySpec, SliceMut};
use super::encoder::{Description, Encoder, EncoderTable};
use super::facts::Facts;

pub use scalars::Scalar;

/// The encoder `sparse-v1`: the numbers of the active features of a decision, and a few scalars.
///
/// The features feed an embedding bag: each active feature adds its row. No number occurs twice in
/// a decision. The order of the list means nothing, and versions of this crate may differ in it. A
/// program that adds floats in this order then rounds differently.
#[derive(Clone, Copy, Debug)]
pub struct SparseV1;

static DESCRIPTION: LazyLock<Description> = LazyLock::new(|| {
    let table =
        EncoderTable { channels: &[], features: blocks::features().leak(), scalars: &scalars::SCALARS };
    Description::new("sparse-v1", 1, table, &ARRAYS)
});

impl SparseV1 {
    /// The encoder, as networks know it.
    pub const ENCODER: Encoder = Encoder { description: || &DESCRIPTION, encode: SparseV1::encode_row };
    /// The number of features. Also the number that pads lists in a batch: no feature has it.
    pub const FEATURES: u16 = blocks::END;
    /// The most active features of a decision.
    pub const MAX_ACTIVE: usize = 640;
    /// The number of scalars.
    pub const SCALARS: usize = scalars::SCALARS.len();

    /// Writes one decision and returns the number of active features, which are the first of
    /// `active`. The numbers after them mean nothing.
    #[inline]
    pub fn encode(
        o: &Observation<'_>,
        active: &mut [u16; SparseV1::MAX_ACTIVE],
        numbers: &mut [f32; SparseV1::SCALARS],
    ) -> usize {
        Facts::with_best_discards(o, |facts| {
            scalars::write(facts, numbers);
            blocks::write(facts, Active::new(active)).len()
        })
    }

    fn encode_row(o: &Observation<'_>, arrays: &mut [SliceMut<'_>], row: usize) {
        let [active, counts, scalars, ..] = arrays else { unreachable!("three arrays") };
        counts.of()[row] = SparseV1::encode(o, active.row(row), scalars.row(row)) as u16;
    }
}

/// The arrays in order.
static ARRAYS: [ArraySpec; 3] = [
    ArraySpec::new("active", ArrayKind::Features(SparseV1::FEATURES), &[SparseV1::MAX_ACTIVE]),
    ArraySpec::new("counts", ArrayKind::Counts, &[]),
    ArraySpec::new("scalars", ArrayKind::Scalars, &[SparseV1::SCALARS]),
];

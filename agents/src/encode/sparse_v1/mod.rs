//! `sparse-v1`: a decision as a list of active features and a few numbers, for small networks.
//!
//! - `blocks`: the features, block by block
//! - `scalars`: the numbers

mod blocks;
pub(super) mod scalars;

use std::sync::LazyLock;

use jantaku_engine::Observation;

use super::active::{Active, Features};
use super::array::{ArrayKind, ArraySpec, SliceMut};
use super::channel::EncoderId;
use super::encoder::{Encode, Encoder, EncoderTable};
use super::facts::Facts;
use super::suits::SuitOrder;

pub use scalars::Scalar;

/// The encoder `sparse-v1`: the numbers of the active features of a decision, and a few scalars.
///
/// The features feed an embedding bag: each active feature adds its row. No number occurs twice in
/// a decision. The order of the list means nothing. A program that
/// adds floats in this order rounds differently in versions of this crate with another order.
#[derive(Clone, Copy, Debug)]
pub struct SparseV1;

static FEATURES: LazyLock<Vec<Features>> = LazyLock::new(blocks::features);
static ID: LazyLock<EncoderId> = LazyLock::new(|| {
    let features = FEATURES.iter().map(|row| format!("{row:?}"));
    let scalars = scalars::SCALARS.iter().map(|scalar| format!("{scalar:?}"));
    EncoderId::new("sparse-v1", 1, usize::from(SparseV1::FEATURES), features.chain(scalars))
});

impl SparseV1 {
    /// The encoder, as networks know it.
    pub const ENCODER: Encoder = Encoder::new(&SparseV1);
    /// The number of features. Also the number that pads lists in a batch: no feature has it.
    pub const FEATURES: u16 = blocks::END;
    /// The most active features of a decision.
    pub const MAX_ACTIVE: usize = 640;
    /// The number of scalars.
    pub const SCALARS: usize = scalars::SCALARS.len();

    /// The rows of features in order.
    #[must_use]
    pub fn features() -> &'static [Features] {
        &FEATURES
    }

    /// The scalars in order.
    #[must_use]
    pub const fn scalars() -> &'static [Scalar] {
        &scalars::SCALARS
    }

    /// The identity of the encoder.
    #[must_use]
    pub fn id() -> &'static EncoderId {
        &ID
    }

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

    /// Pads a list after its active features with [`SparseV1::FEATURES`].
    #[inline]
    pub fn pad(active: &mut [u16; SparseV1::MAX_ACTIVE], count: usize) {
        /// To copy is faster than to fill, because the copy uses the widest instructions.
        static PADDING: [u16; SparseV1::MAX_ACTIVE] = [SparseV1::FEATURES; SparseV1::MAX_ACTIVE];
        active[count..].copy_from_slice(&PADDING[count..]);
    }

    /// The feature that each feature becomes.
    fn permuted(order: SuitOrder) -> &'static [u16] {
        static TABLES: LazyLock<Vec<Vec<u16>>> =
            LazyLock::new(|| SuitOrder::feature_tables(&FEATURES, SparseV1::FEATURES));
        &TABLES[order.number()]
    }
}

/// The arrays in order.
static ARRAYS: [ArraySpec; 3] = [
    ArraySpec::new("active", ArrayKind::Features(SparseV1::FEATURES), &[SparseV1::MAX_ACTIVE]),
    ArraySpec::new("counts", ArrayKind::Counts, &[]),
    ArraySpec::new("scalars", ArrayKind::Scalars, &[SparseV1::SCALARS]),
];

/// The list of a row and its length.
#[inline]
fn list<'a>(arrays: &'a mut [SliceMut<'_>], row: usize) -> (&'a mut [u16; SparseV1::MAX_ACTIVE], usize) {
    let [active, counts, ..] = arrays else { unreachable!("three arrays") };
    (active.row(row), usize::from(counts.of::<u16>()[row]))
}

impl Encode for SparseV1 {
    fn id(&self) -> &'static EncoderId {
        &ID
    }

    fn arrays(&self) -> &'static [ArraySpec] {
        &ARRAYS
    }

    fn table(&self) -> EncoderTable {
        EncoderTable { features: &FEATURES, scalars: &scalars::SCALARS, ..EncoderTable::default() }
    }

    fn encode(&self, o: &Observation<'_>, arrays: &mut [SliceMut<'_>], row: usize) {
        let [active, counts, scalars, ..] = arrays else { unreachable!("three arrays") };
        counts.of()[row] = SparseV1::encode(o, active.row(row), scalars.row(row)) as u16;
    }

    fn pad(&self, arrays: &mut [SliceMut<'_>], row: usize) {
        let (active, count) = list(arrays, row);
        SparseV1::pad(active, count);
    }

    fn permute(&self, order: SuitOrder, arrays: &mut [SliceMut<'_>], row: usize) {
        let ((active, count), permuted) = (list(arrays, row), SparseV1::permuted(order));
        for feature in &mut active[..count] {
            *feature = permuted[usize::from(*feature)];
        }
    }
}

//! `sparse-v1`: a decision as a list of active features and a few numbers, for small networks.
//!
//! - `blocks`: the features, block by block
//! - `scalars`: the numbers

mod blocks;
mod scalars;

use std::sync::LazyLock;

use jantaku_engine::{DiscardOptions, Observation};
use ndarray::{ArrayViewMut1, ArrayViewMut2};

use super::active::{Active, Features};
use super::channel::EncoderId;
use super::facts::{Facts, must_discard};
use super::shape::{WrongShape, expect_shape, rows};

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
    /// The number of features. Also the number that pads lists in a batch: no feature has it.
    pub const FEATURES: u16 = blocks::END;
    /// The most active features of a decision.
    pub const MOST_ACTIVE: usize = 640;
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
        active: &mut [u16; SparseV1::MOST_ACTIVE],
        numbers: &mut [f32; SparseV1::SCALARS],
    ) -> usize {
        let hand = o.hand_with_draw();
        let mut discards = DiscardOptions::NONE;
        if must_discard(&hand) {
            hand.find_best_discards(o.melds().len(), &mut discards);
        }
        let facts = Facts::new(o, &hand, &discards);
        scalars::write(&facts, numbers);
        blocks::write(&facts, Active::new(active)).len()
    }

    /// Writes one decision as [`encode`](SparseV1::encode) does, and pads the rest of `active` with
    /// [`SparseV1::FEATURES`].
    #[inline]
    pub fn encode_padded(
        o: &Observation<'_>,
        active: &mut [u16; SparseV1::MOST_ACTIVE],
        numbers: &mut [f32; SparseV1::SCALARS],
    ) -> usize {
        /// To copy is faster than to fill, because the copy uses the widest instructions.
        static PADDING: [u16; SparseV1::MOST_ACTIVE] = [SparseV1::FEATURES; SparseV1::MOST_ACTIVE];
        let len = SparseV1::encode(o, active, numbers);
        active[len..].copy_from_slice(&PADDING[len..]);
        len
    }

    /// Writes a batch of decisions: `active` has the shape decisions × [`SparseV1::MOST_ACTIVE`],
    /// `counts` has the number of active features of each decision, and `numbers` the shape
    /// decisions × [`SparseV1::SCALARS`]. The rest of each row of `active` is padded with
    /// [`SparseV1::FEATURES`].
    ///
    /// # Errors
    ///
    /// If an array has another shape, or is not contiguous in the order of its axes.
    pub fn encode_batch<'a, O>(
        observations: O,
        active: ArrayViewMut2<'_, u16>,
        counts: ArrayViewMut1<'_, u16>,
        numbers: ArrayViewMut2<'_, f32>,
    ) -> Result<(), WrongShape>
    where
        O: IntoIterator<Item = &'a Observation<'a>, IntoIter: ExactSizeIterator>,
    {
        each_row(observations, active, counts, numbers, SparseV1::encode_padded)
    }

    /// Writes a batch of decisions as [`encode_batch`](SparseV1::encode_batch) does, but does not pad:
    /// after its active features, a row has any numbers.
    ///
    /// # Errors
    ///
    /// As [`encode_batch`](SparseV1::encode_batch).
    pub fn encode_lists<'a, O>(
        observations: O,
        active: ArrayViewMut2<'_, u16>,
        counts: ArrayViewMut1<'_, u16>,
        numbers: ArrayViewMut2<'_, f32>,
    ) -> Result<(), WrongShape>
    where
        O: IntoIterator<Item = &'a Observation<'a>, IntoIter: ExactSizeIterator>,
    {
        each_row(observations, active, counts, numbers, SparseV1::encode)
    }
}

/// Writes each decision to its row with `encode`.
#[inline]
fn each_row<'a, O>(
    observations: O,
    mut active: ArrayViewMut2<'_, u16>,
    mut counts: ArrayViewMut1<'_, u16>,
    mut numbers: ArrayViewMut2<'_, f32>,
    encode: impl Fn(&Observation<'_>, &mut [u16; SparseV1::MOST_ACTIVE], &mut [f32; SparseV1::SCALARS]) -> usize,
) -> Result<(), WrongShape>
where
    O: IntoIterator<Item = &'a Observation<'a>, IntoIter: ExactSizeIterator>,
{
    const WHAT: &str = "sparse-v1";
    let observations = observations.into_iter();
    let batch = observations.len();
    expect_shape(WHAT, active.shape(), &[batch, SparseV1::MOST_ACTIVE])?;
    expect_shape(WHAT, counts.shape(), &[batch])?;
    expect_shape(WHAT, numbers.shape(), &[batch, SparseV1::SCALARS])?;
    let rows = rows(WHAT, &mut active)?.iter_mut().zip(rows(WHAT, &mut numbers)?);
    for ((o, (active, numbers)), count) in observations.zip(rows).zip(&mut counts) {
        *count = encode(o, active, numbers) as u16;
    }
    Ok(())
}

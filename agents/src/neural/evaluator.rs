//! The seam between games and networks: batches of inputs and outputs.

use std::ops::Range;

use jantaku_engine::{ActionId, TileKind};
use ndarray::{
    Array1, Array2, ArrayView, ArrayView1, ArrayView2, ArrayView3, ArrayViewMut1, ArrayViewMut2, Axis,
    Dimension, Slice,
};

use super::{Encoder, EvaluatorError};
use crate::encode::{PlanesV1, SparseV1, expect_shape};

/// A network that evaluates batches of decisions.
///
/// An agent encodes the decisions of many games and calls [`evaluate`](Evaluator::evaluate) once for
/// all of them. Wrappers of the same trait split batches, compare two evaluators or share one.
///
/// An evaluator may block while a device works, so nobody calls it inside a rayon closure. It may
/// use rayon itself.
pub trait Evaluator: Send {
    /// The encoder whose inputs it reads.
    fn encoder(&self) -> Encoder;

    /// Evaluates a batch: fills all rows of `out`, which has as many rows as `inputs`.
    ///
    /// The numbers of a row depend on no other row. Backends round differently, and so may one
    /// backend for batches of different sizes; [`is_repeatable`](Evaluator::is_repeatable) tells.
    ///
    /// # Errors
    ///
    /// If the inputs are those of another encoder, the shapes do not fit, or the device fails. The
    /// contents of `out` then mean nothing.
    fn evaluate(&mut self, inputs: Inputs<'_>, out: OutputsMut<'_>) -> Result<(), EvaluatorError>;

    /// Whether the outputs of a row are the same bits for every size of the batch, on every number
    /// of threads and on every machine. The default answers `false`.
    fn is_repeatable(&self) -> bool {
        false
    }

    /// Whether it computes on the caller's thread and those of rayon, and evaluates a small batch as
    /// fast as a part of a large one. The default answers `false`, as for a device.
    ///
    /// An agent gives it no thread of its own. It encodes, evaluates and answers a few decisions at a
    /// time, which stay in the processor's caches.
    fn is_local(&self) -> bool {
        false
    }
}

impl<E: Evaluator + ?Sized> Evaluator for Box<E> {
    fn encoder(&self) -> Encoder {
        (**self).encoder()
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        (**self).evaluate(inputs, out)
    }

    fn is_repeatable(&self) -> bool {
        (**self).is_repeatable()
    }

    fn is_local(&self) -> bool {
        (**self).is_local()
    }
}

/// The inputs of a batch, one row for each decision: views of arrays that the caller owns.
#[derive(Clone, Copy, Debug)]
pub enum Inputs<'a> {
    /// The bytes of `planes-v1`: decisions × 216 channels × 34 kinds.
    Planes(ArrayView3<'a, u8>),
    /// The lists of `sparse-v1`.
    Sparse {
        /// Numbers of active features: decisions × 640.
        active: ArrayView2<'a, u16>,
        /// How many features are active in each decision. They come first in its row, and the rest of
        /// the row means nothing.
        counts: ArrayView1<'a, u16>,
        /// The scalars: decisions × 10.
        scalars: ArrayView2<'a, f32>,
    },
}

impl<'a> Inputs<'a> {
    /// The number of decisions.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Inputs::Planes(planes) => planes.len_of(Axis(0)),
            Inputs::Sparse { counts, .. } => counts.len(),
        }
    }

    /// The encoder that wrote them.
    #[must_use]
    pub const fn encoder(&self) -> Encoder {
        match self {
            Inputs::Planes(_) => Encoder::PlanesV1,
            Inputs::Sparse { .. } => Encoder::SparseV1,
        }
    }

    /// The inputs of these decisions.
    ///
    /// # Panics
    ///
    /// If the range goes past the last row.
    #[must_use]
    pub fn slice(self, rows: Range<usize>) -> Inputs<'a> {
        match self {
            Inputs::Planes(planes) => Inputs::Planes(some_rows(planes, &rows)),
            Inputs::Sparse { active, counts, scalars } => Inputs::Sparse {
                active: some_rows(active, &rows),
                counts: some_rows(counts, &rows),
                scalars: some_rows(scalars, &rows),
            },
        }
    }

    /// Checks what every evaluator needs: its own encoder, and arrays with as many rows and columns
    /// as the encoder and the actions have.
    ///
    /// # Errors
    ///
    /// If the encoder is another, or an array has another shape.
    pub fn expect(&self, encoder: Encoder, out: &OutputsMut<'_>) -> Result<(), EvaluatorError> {
        if self.encoder() != encoder {
            return Err(EvaluatorError::Encoder { expected: encoder, found: self.encoder() });
        }
        let rows = self.rows();
        match self {
            Inputs::Planes(planes) => {
                expect_shape("planes", planes.shape(), &[rows, PlanesV1::CHANNELS, TileKind::COUNT])?;
            }
            Inputs::Sparse { active, scalars, .. } => {
                expect_shape("active features", active.shape(), &[rows, SparseV1::MOST_ACTIVE])?;
                expect_shape("scalars", scalars.shape(), &[rows, SparseV1::SCALARS])?;
            }
        }
        expect_shape("policy", out.policy.shape(), &[rows, ActionId::COUNT])?;
        expect_shape("value", out.value.shape(), &[rows])?;
        Ok(())
    }
}

/// These rows of an array.
fn some_rows<'a, T, D: Dimension>(array: ArrayView<'a, T, D>, rows: &Range<usize>) -> ArrayView<'a, T, D> {
    let (array, _) = array.split_at(Axis(0), rows.end);
    array.split_at(Axis(0), rows.start).1
}

/// The outputs of a batch.
///
/// The arrays keep their memory when they shrink, so a batch of the usual size allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    policy: Array2<f32>,
    value: Array1<f32>,
    rows: usize,
}

impl Outputs {
    /// Outputs without rows.
    #[must_use]
    pub fn new() -> Outputs {
        Outputs::default()
    }

    /// Makes room for this many rows. Their contents mean nothing until an evaluator fills them.
    pub fn reset(&mut self, rows: usize) {
        if rows > self.value.len() {
            self.policy = Array2::zeros((rows, ActionId::COUNT));
            self.value = Array1::zeros(rows);
        }
        self.rows = rows;
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The logits of all 165 actions: rows × 165. Illegal actions are not masked.
    #[must_use]
    pub fn policy(&self) -> ArrayView2<'_, f32> {
        self.policy.slice_axis(Axis(0), Slice::from(..self.rows))
    }

    /// The value of each row, in the unit that the model's manifest names. 0 if it has no value.
    #[must_use]
    pub fn value(&self) -> ArrayView1<'_, f32> {
        self.value.slice_axis(Axis(0), Slice::from(..self.rows))
    }

    /// The rows for an evaluator to fill.
    pub fn view_mut(&mut self) -> OutputsMut<'_> {
        let rows = Slice::from(..self.rows);
        OutputsMut {
            policy: self.policy.slice_axis_mut(Axis(0), rows),
            value: self.value.slice_axis_mut(Axis(0), rows),
        }
    }
}

/// Rows of outputs for an evaluator to fill.
#[derive(Debug)]
pub struct OutputsMut<'a> {
    /// The logits of all 165 actions: rows × 165, not masked.
    pub policy: ArrayViewMut2<'a, f32>,
    /// The value of each row, in the unit that the model's manifest names. An evaluator without
    /// values writes 0.
    pub value: ArrayViewMut1<'a, f32>,
}

impl<'a> OutputsMut<'a> {
    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.value.len()
    }

    /// Splits off the first rows.
    ///
    /// # Panics
    ///
    /// If there are fewer rows.
    #[must_use]
    pub fn split_at(self, rows: usize) -> (OutputsMut<'a>, OutputsMut<'a>) {
        let (policy, other_policy) = self.policy.split_at(Axis(0), rows);
        let (value, other_value) = self.value.split_at(Axis(0), rows);
        (OutputsMut { policy, value }, OutputsMut { policy: other_policy, value: other_value })
    }

    /// The same rows for a shorter time.
    pub fn reborrow(&mut self) -> OutputsMut<'_> {
        OutputsMut { policy: self.policy.view_mut(), value: self.value.view_mut() }
    }
}

//! The seam between games and networks: batches of inputs and outputs.
//!
//! # Why
//!
//! **Why do local networks get small pieces of a batch?** A separate thread would not be
//! faster, and a whole batch is evicted from the caches before it is read again. So the agent
//! encodes, evaluates and answers a piece at a time (`Evaluator::is_local`). Rows do not depend on
//! each other, so the answers are the same. Networks on devices get the whole batch in a thread of
//! their own.

use jantaku_engine::ActionId;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis, Slice};

use super::EvaluatorError;
use crate::encode::{Encoder, Inputs, expect_shape};

/// A network that evaluates batches of decisions.
///
/// An agent encodes the decisions of many games and calls [`evaluate`](Evaluator::evaluate) once for
/// all of them. [`Shared`](super::Shared) wraps an evaluator for several owners and is one itself.
///
/// An evaluator may block while a device works, so it must not be called from a rayon closure. It
/// may use rayon itself.
pub trait Evaluator: Send {
    /// The encoder whose inputs it reads. None if it reads none.
    fn encoder(&self) -> Option<Encoder>;

    /// Evaluates a batch: fills all rows of `out`, which has as many rows as `inputs`.
    ///
    /// The outputs of a row depend on no other row, except for rounding. Backends round differently,
    /// and one backend may round differently in batches of different sizes: see
    /// [`is_deterministic`](Evaluator::is_deterministic).
    ///
    /// # Errors
    ///
    /// If the inputs are those of a different encoder, the shapes do not fit, or the device fails. The
    /// contents of `out` are then unspecified.
    fn evaluate(&mut self, inputs: Inputs<'_>, out: OutputsMut<'_>) -> Result<(), EvaluatorError>;

    /// Whether the outputs of a row are the same bits for every size of the batch, on every number
    /// of threads and on every machine. The default answers `false`.
    fn is_deterministic(&self) -> bool {
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

    /// Another evaluator with the same network, for another thread. The default gives none, because
    /// a device evaluates one batch at a time.
    fn share(&self) -> Option<Box<dyn Evaluator>> {
        None
    }
}

impl Inputs<'_> {
    /// Checks what every evaluator needs: inputs of its own encoder, and as many rows of outputs.
    ///
    /// # Errors
    ///
    /// If the encoder is a different one, or an array has a different shape.
    pub fn expect(&self, encoder: Option<Encoder>, out: &OutputsMut<'_>) -> Result<(), EvaluatorError> {
        if self.encoder() != encoder {
            return Err(EvaluatorError::Encoder { expected: encoder, found: self.encoder() });
        }
        expect_shape("policy", out.policy.shape(), &[self.rows(), ActionId::COUNT])?;
        expect_shape("value", out.value.shape(), &[self.rows()])?;
        Ok(())
    }
}

/// The network of an agent.
pub struct OpenNetwork {
    /// The evaluator.
    pub evaluator: Box<dyn Evaluator>,
    /// Whether it has a value.
    pub has_value: bool,
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

    /// The logits of all 165 actions: rows × 165. Illegal actions are not masked.
    pub fn policy(&self) -> ArrayView2<'_, f32> {
        self.policy.slice_axis(Axis(0), Slice::from(..self.rows))
    }

    /// The value of each row, in the unit that the model's manifest names. 0 if it has no value.
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
    /// Splits off the first rows.
    ///
    /// # Panics
    ///
    /// If there are fewer rows.
    pub fn split_at(self, rows: usize) -> (OutputsMut<'a>, OutputsMut<'a>) {
        let (policy, other_policy) = self.policy.split_at(Axis(0), rows);
        let (value, other_value) = self.value.split_at(Axis(0), rows);
        (OutputsMut { policy, value }, OutputsMut { policy: other_policy, value: other_value })
    }
}

//! Large batches in pieces.

use std::num::NonZeroUsize;

use super::{Encoder, Evaluator, EvaluatorError, Inputs, OutputsMut};

/// Evaluates large batches in pieces, for a device with too little memory for whole ones.
#[derive(Clone, Debug)]
pub struct Split<E> {
    evaluator: E,
    most: NonZeroUsize,
}

impl<E: Evaluator> Split<E> {
    /// Gives the evaluator batches of at most this many decisions.
    #[must_use]
    pub const fn new(evaluator: E, most: NonZeroUsize) -> Split<E> {
        Split { evaluator, most }
    }
}

impl<E: Evaluator> Evaluator for Split<E> {
    fn encoder(&self) -> Encoder {
        self.evaluator.encoder()
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        inputs.expect(self.encoder(), &out)?;
        let (mut start, mut rest) = (0, out);
        while start < inputs.rows() {
            let end = (start + self.most.get()).min(inputs.rows());
            let (out, others) = rest.split_at(end - start);
            self.evaluator.evaluate(inputs.slice(start..end), out)?;
            (start, rest) = (end, others);
        }
        Ok(())
    }

    fn is_repeatable(&self) -> bool {
        self.evaluator.is_repeatable()
    }

    fn is_local(&self) -> bool {
        self.evaluator.is_local()
    }
}

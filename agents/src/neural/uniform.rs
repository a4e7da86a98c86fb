//! The evaluator that gives all actions the same logit.

use super::{Evaluator, EvaluatorError, OutputsMut};
use crate::encode::{Encoder, Inputs};

/// Gives every action the logit 0 and every decision the value 0.
///
/// Sampled at temperature 1, it plays each legal action with the same probability. It measures the
/// cost of games and encoding without a network.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    encoder: Option<Encoder>,
}

impl Uniform {
    /// The evaluator for inputs of this encoder, or without inputs.
    pub fn new(encoder: impl Into<Option<Encoder>>) -> Uniform {
        Uniform { encoder: encoder.into() }
    }
}

impl Evaluator for Uniform {
    fn encoder(&self) -> Option<Encoder> {
        self.encoder
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, mut out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        inputs.expect(self.encoder, &out)?;
        out.policy.fill(0.0);
        out.value.fill(0.0);
        Ok(())
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        true
    }

    fn share(&self) -> Option<Box<dyn Evaluator>> {
        Some(Box::new(*self))
    }
}

//! The evaluator that gives all actions the same logit.

use super::{Encoder, Evaluator, EvaluatorError, Inputs, OutputsMut};

/// Gives every action the logit 0 and every decision the value 0.
///
/// Sampled at temperature 1, it plays each legal action with the same probability. It measures what
/// games and encoding cost without a network.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    encoder: Encoder,
}

impl Uniform {
    /// The evaluator for inputs of this encoder.
    #[must_use]
    pub const fn new(encoder: Encoder) -> Uniform {
        Uniform { encoder }
    }
}

impl Evaluator for Uniform {
    fn encoder(&self) -> Encoder {
        self.encoder
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, mut out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        inputs.expect(self.encoder, &out)?;
        out.policy.fill(0.0);
        out.value.fill(0.0);
        Ok(())
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        true
    }
}

//! Compares two evaluators.

use jantaku_engine::ActionId;

use super::{Encoder, Evaluator, EvaluatorError, Inputs, Outputs, OutputsMut};

/// Evaluates each batch with two evaluators and compares their answers.
///
/// It answers what the first one does.
#[derive(Debug)]
pub struct Check<A, B> {
    first: A,
    second: B,
    tolerance: f32,
    outputs: Outputs,
    largest: f32,
}

/// Two answers for one output of one row. The output after the last action is the value.
struct Difference {
    row: usize,
    output: usize,
    first: f32,
    second: f32,
    by: f32,
}

impl<A: Evaluator, B: Evaluator> Check<A, B> {
    /// Compares two evaluators of the same encoder. They may differ by at most `tolerance` in each
    /// logit and value.
    #[must_use]
    pub fn new(first: A, second: B, tolerance: f32) -> Check<A, B> {
        Check { first, second, tolerance, outputs: Outputs::new(), largest: 0.0 }
    }

    /// The largest difference so far.
    #[must_use]
    pub const fn largest(&self) -> f32 {
        self.largest
    }
}

impl<A: Evaluator, B: Evaluator> Evaluator for Check<A, B> {
    fn encoder(&self) -> Encoder {
        self.first.encoder()
    }

    /// Evaluates a batch with both evaluators.
    ///
    /// # Errors
    ///
    /// As those of the evaluators, and [`EvaluatorError::Differ`] if they differ by more than the
    /// tolerance. A number that is not finite differs from every other one.
    fn evaluate(&mut self, inputs: Inputs<'_>, mut out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        self.first.evaluate(inputs, out.reborrow())?;
        self.outputs.reset(inputs.rows());
        self.second.evaluate(inputs, self.outputs.view_mut())?;
        let second = (self.outputs.policy(), self.outputs.value());
        let mut worst: Option<Difference> = None;
        for row in 0..inputs.rows() {
            let actions = (0..ActionId::COUNT).map(|action| (action, out.policy[[row, action]]));
            let answers = actions.chain([(ActionId::COUNT, out.value[row])]);
            for (output, first) in answers {
                let second = if output < ActionId::COUNT { second.0[[row, output]] } else { second.1[row] };
                let by = (first - second).abs();
                let by = if by.is_finite() { by } else { f32::INFINITY };
                if worst.as_ref().is_none_or(|worst| by > worst.by) {
                    worst = Some(Difference { row, output, first, second, by });
                }
            }
        }
        let Some(Difference { row, output, first, second, by }) = worst else { return Ok(()) };
        self.largest = self.largest.max(by);
        if by <= self.tolerance {
            return Ok(());
        }
        let output = if output < ActionId::COUNT { format!("action {output}") } else { "value".to_owned() };
        Err(EvaluatorError::Differ { row, output, first, second, difference: by, tolerance: self.tolerance })
    }

    fn is_repeatable(&self) -> bool {
        self.first.is_repeatable()
    }

    fn is_local(&self) -> bool {
        self.first.is_local() && self.second.is_local()
    }
}

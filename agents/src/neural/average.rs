//! Answers averaged over permutations of the suits.

use jantaku_engine::ActionId;

use super::{Evaluator, EvaluatorError, Outputs, OutputsMut};
use crate::encode::{Encoder, Inputs, Rows, SuitOrder};

/// Evaluates each decision with its suits permuted in several ways, and averages the answers.
///
/// Averaged logits give the geometric mean of the probabilities, scaled to add up to 1. If the orders
/// are all that the rules [allow](SuitOrder::allowed), a decision with permuted suits gets the same
/// answer with its actions permuted, up to rounding.
#[derive(Debug)]
pub struct SuitAverage {
    orders: Vec<Order>,
    permuted: Rows,
    outputs: Outputs,
}

/// A permutation, and the action that each action becomes.
#[derive(Debug)]
struct Order {
    suits: SuitOrder,
    actions: [u8; ActionId::COUNT],
}

impl Order {
    fn new(suits: SuitOrder) -> Order {
        let action = |number: usize| {
            let id = ActionId::new(number as u8).expect("there are 165 actions");
            suits.action(id).number()
        };
        Order { suits, actions: std::array::from_fn(action) }
    }
}

impl SuitAverage {
    /// Averages over these permutations, for inputs of an encoder.
    pub fn new(
        encoder: impl Into<Option<Encoder>>,
        orders: impl IntoIterator<Item = SuitOrder>,
    ) -> SuitAverage {
        SuitAverage {
            orders: orders.into_iter().map(Order::new).collect(),
            permuted: Rows::new(encoder),
            outputs: Outputs::new(),
        }
    }

    /// Evaluates a batch once for each permutation.
    ///
    /// # Errors
    ///
    /// As [`Evaluator::evaluate`].
    pub fn evaluate(
        &mut self,
        evaluator: &mut (impl Evaluator + ?Sized),
        inputs: Inputs<'_>,
        mut out: OutputsMut<'_>,
    ) -> Result<(), EvaluatorError> {
        let share = 1.0 / self.orders.len() as f32;
        out.policy.fill(0.0);
        out.value.fill(0.0);
        self.outputs.reset(inputs.rows());
        for order in &self.orders {
            self.permuted.copy_permuted(inputs, order.suits);
            evaluator.evaluate(self.permuted.inputs(), self.outputs.view_mut())?;
            out.value.scaled_add(share, &self.outputs.value());
            for (mut averaged, logits) in out.policy.rows_mut().into_iter().zip(self.outputs.policy().rows())
            {
                for (averaged, action) in averaged.iter_mut().zip(order.actions) {
                    *averaged += share * logits[usize::from(action)];
                }
            }
        }
        Ok(())
    }
}

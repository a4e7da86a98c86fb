//! Answers averaged over permutations of the suits.

use jantaku_engine::ActionId;

use super::{Encoded, Evaluator, EvaluatorError, Inputs, Outputs, OutputsMut};
use crate::encode::{SparseV1, SuitOrder};

/// Evaluates each decision with its suits permuted in several ways, and averages the answers.
///
/// The logits are averaged, which multiplies the probabilities and takes their root. If the orders
/// are all that the rules [allow](SuitOrder::allowed), a decision with permuted suits gets the same
/// answer with its actions permuted, up to rounding.
#[derive(Debug)]
pub struct SuitAverage {
    orders: Vec<Order>,
    permuted: Encoded,
    outputs: Outputs,
}

/// A permutation, and what it does to features and actions.
#[derive(Debug)]
struct Order {
    suits: SuitOrder,
    /// The feature that each feature becomes.
    features: Vec<u16>,
    /// The action that each action becomes.
    actions: [u8; ActionId::COUNT],
}

impl Order {
    fn new(order: SuitOrder) -> Order {
        let features = (0..SparseV1::FEATURES).map(|feature| order.feature(feature));
        let action = |number: usize| {
            let id = ActionId::new(number as u8).expect("there are 165 actions");
            order.action(id).number()
        };
        Order { suits: order, features: features.collect(), actions: std::array::from_fn(action) }
    }
}

impl SuitAverage {
    /// Averages over these permutations, for inputs of an encoder.
    #[must_use]
    pub fn new(encoder: super::Encoder, orders: impl IntoIterator<Item = SuitOrder>) -> SuitAverage {
        SuitAverage {
            orders: orders.into_iter().map(Order::new).collect(),
            permuted: Encoded::new(encoder),
            outputs: Outputs::new(),
        }
    }

    /// Evaluates a batch once for each permutation.
    ///
    /// # Errors
    ///
    /// As those of the evaluator.
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
            self.permuted.permute(inputs, order.suits, &order.features);
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

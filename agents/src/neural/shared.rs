//! One evaluator for several owners.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Evaluator, EvaluatorError, OutputsMut};
use crate::encode::{Encoder, Inputs};

/// One evaluator that several owners use in turn, such as the agents of several runs that share a
/// device. A clone is one more owner.
///
/// An owner waits while another one evaluates, so it must not be called from a rayon closure.
#[derive(Clone)]
pub struct Shared {
    encoder: Option<Encoder>,
    is_deterministic: bool,
    is_local: bool,
    evaluator: Arc<Mutex<Box<dyn Evaluator>>>,
}

impl Shared {
    /// The first owner of an evaluator.
    pub fn new(evaluator: Box<dyn Evaluator>) -> Shared {
        Shared {
            encoder: evaluator.encoder(),
            is_deterministic: evaluator.is_deterministic(),
            is_local: evaluator.is_local(),
            evaluator: Arc::new(Mutex::new(evaluator)),
        }
    }
}

impl Evaluator for Shared {
    fn encoder(&self) -> Option<Encoder> {
        self.encoder
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        // An evaluator keeps no state between batches, so one that panicked can be used again.
        let mut evaluator = self.evaluator.lock().unwrap_or_else(PoisonError::into_inner);
        evaluator.evaluate(inputs, out)
    }

    fn is_deterministic(&self) -> bool {
        self.is_deterministic
    }

    fn is_local(&self) -> bool {
        self.is_local
    }

    fn share(&self) -> Option<Box<dyn Evaluator>> {
        self.evaluator.lock().unwrap_or_else(PoisonError::into_inner).share()
    }
}

//! A review as advice for the page of its game.

use std::collections::HashMap;

use jantaku_engine::{Action, Observation};
use jantaku_show::view::{Advice, Advisor, AllAdvice, OptionAdvice};

use super::result::{Review, ReviewedDecision};

/// Advises as a review found.
#[derive(Clone, Debug)]
pub struct ReviewAdvisor<'a> {
    /// The decisions of the review by their number in the game.
    decisions: HashMap<usize, &'a ReviewedDecision>,
}

impl<'a> ReviewAdvisor<'a> {
    /// Advises by this review.
    #[must_use]
    pub fn new(review: &'a Review) -> ReviewAdvisor<'a> {
        let decisions = review.decisions.iter().map(|decision| (decision.step, decision)).collect();
        ReviewAdvisor { decisions }
    }
}

impl Advisor for ReviewAdvisor<'_> {
    fn advice(&mut self, _: &Observation<'_>, _: Action, number: usize, _: usize) -> AllAdvice {
        vec![self.decisions.get(&number).map(|decision| advice_of(decision))]
    }
}

fn advice_of(decision: &ReviewedDecision) -> Advice {
    let option = |action: &String, value| OptionAdvice {
        action: action.clone(),
        value: Some(value),
        probability: None,
        risk: None,
    };
    let played = option(&decision.played, decision.value);
    let others = decision.alternatives.iter();
    let others = others.map(|other| option(&other.action, decision.value + other.posterior));
    let mut options: Vec<OptionAdvice> = std::iter::once(played).chain(others).collect();
    options.sort_by(OptionAdvice::best_first);
    Advice {
        best: decision.better.clone().unwrap_or_default(),
        kind: decision.kind.name(),
        why: decision.sentence.clone().unwrap_or_default(),
        options,
        cost: decision.loss,
        cost_error: decision.loss_error,
        is_mistake: decision.is_mistake,
    }
}

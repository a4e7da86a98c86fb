//! A review as advice for the page of its game.

use std::collections::HashMap;

use jantaku_engine::{Action, Observation};
use jantaku_pages::page;
use jantaku_show::transcript::TranscriptScope;
use jantaku_show::view::{Advisor, AllAdvice, Opening, ShownAdvisor};
use jantaku_show::{Opinion, OptionOpinion};

use super::error::ReviewError;
use super::request::ReviewRequest;
use super::result::{Review, ReviewedDecision};

/// Repeats the verdicts of a review as the advice of its agent.
#[derive(Clone, Debug)]
pub struct ReviewAdvisor<'a> {
    /// The decisions of the review by their number in the game.
    decisions: HashMap<usize, &'a ReviewedDecision>,
}

impl<'a> ReviewAdvisor<'a> {
    /// Advises by this review.
    pub fn new(review: &'a Review) -> ReviewAdvisor<'a> {
        let decisions = review.decisions.iter().map(|decision| (decision.step, decision)).collect();
        ReviewAdvisor { decisions }
    }
}

impl Advisor for ReviewAdvisor<'_> {
    fn advice(&mut self, _: &Observation<'_>, _: Action, number: usize, _: usize) -> AllAdvice {
        vec![self.decisions.get(&number).map(|decision| opinion_of(decision))]
    }
}

impl Review {
    /// The page of the request's game, with this review as advice.
    ///
    /// # Errors
    ///
    /// If the game cannot be read or replayed.
    pub fn game_page(&self, request: &ReviewRequest) -> Result<String, ReviewError> {
        let source = request.open()?;
        let scope = TranscriptScope { hand: request.hand, ..TranscriptScope::default() };
        let (mut view, opening) = source.view(scope, ReviewAdvisor::new(self))?;
        view.advisors = vec![ShownAdvisor { name: self.agent.clone(), text: self.agent_text.clone() }];
        Ok(page(&view, Opening { seat: self.seat, ..opening }))
    }
}

/// The opinion of the review on a decision.
fn opinion_of(decision: &ReviewedDecision) -> Opinion {
    let option = |action: &String, value| OptionOpinion {
        action: action.clone(),
        value: Some(value),
        ..OptionOpinion::default()
    };
    let played = option(&decision.played, decision.value);
    let others = decision.alternatives.iter();
    let others = others.map(|other| option(&other.action, decision.value + other.posterior));
    let mut options: Vec<OptionOpinion> = std::iter::once(played).chain(others).collect();
    options.sort_by(OptionOpinion::best_first);
    Opinion {
        action: decision.better.clone().unwrap_or_default(),
        reason: decision.sentence.clone(),
        options,
        judgement: Some(decision.judgement()),
        ..Opinion::default()
    }
}

//! The simplest players.

use jantaku_engine::{Action, Declare, Observation, Rng};

use crate::Policy;

/// Chooses any legal action, each as likely as the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random;

impl Policy for Random {
    #[inline]
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        let legal = o.legal();
        let choice = legal.nth(rng.below(legal.len() as usize) as u32);
        choice.expect("a number below the size of the set has an action").action()
    }
}

/// Discards every tile that it draws, and never wins or calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tsumogiri;

impl Policy for Tsumogiri {
    #[inline]
    fn choose(&self, o: &Observation<'_>, _: &mut Rng) -> Action {
        let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
        if o.legal().contains(tsumogiri.id()) { tsumogiri } else { Action::Pass }
    }
}

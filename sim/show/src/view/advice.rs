//! Who adds the opinions of agents to the decisions of a view.

use jantaku_engine::{Action, Event, Observation};
use serde::Serialize;

use crate::Opinion;

/// Adds the advice of agents to the decisions of a [`Viewer`](super::Viewer).
pub trait Advisor {
    /// Called with each event of the game, before the decisions that follow it.
    fn event(&mut self, _: &Event) {}

    /// The advice on a decision in which the player chose `action`. `number` is its number in the
    /// game, from 0. `hand` is the number of its hand, from 1.
    ///
    /// The list has one entry for each agent, in the same order at all decisions: None where the
    /// agent leaves the decision out.
    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> AllAdvice;
}

/// The opinion of each agent on a decision: None where an agent has none.
pub type AllAdvice = Vec<Option<Opinion>>;

/// No agent.
impl Advisor for () {
    fn advice(&mut self, _: &Observation<'_>, _: Action, _: usize, _: usize) -> AllAdvice {
        Vec::new()
    }
}

/// The agents of several advisors, one after another.
impl<T: Advisor> Advisor for Vec<T> {
    fn event(&mut self, event: &Event) {
        self.iter_mut().for_each(|advisor| advisor.event(event));
    }

    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> AllAdvice {
        self.iter_mut().flat_map(|advisor| advisor.advice(o, action, number, hand)).collect()
    }
}

impl<A: Advisor + ?Sized> Advisor for &mut A {
    fn event(&mut self, event: &Event) {
        (**self).event(event);
    }

    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> AllAdvice {
        (**self).advice(o, action, number, hand)
    }
}

/// An agent whose advice a view has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownAdvisor {
    /// The name by which the page calls it.
    pub name: String,
    /// The agent with its options.
    pub text: String,
}

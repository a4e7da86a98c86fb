//! What an agent thinks of a decision.

use std::cmp::Ordering;

use jantaku_engine::{Action, ActionId, Event, Observation};
use serde::Serialize;

/// Adds advice to the decisions of a [`Viewer`](super::Viewer).
pub trait Advisor {
    /// Called with each event of the game, before the decisions that follow it.
    fn event(&mut self, _: &Event) {}

    /// The advice on a decision with this number in the game, from 0, and this choice. `hand` is
    /// the number of its hand, from 1. None for a decision that is left out.
    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> Option<Advice>;
}

impl Advisor for () {
    fn advice(&mut self, _: &Observation<'_>, _: Action, _: usize, _: usize) -> Option<Advice> {
        None
    }
}

impl<A: Advisor + ?Sized> Advisor for &mut A {
    fn event(&mut self, event: &Event) {
        (**self).event(event);
    }

    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> Option<Advice> {
        (**self).advice(o, action, number, hand)
    }
}

/// What an agent thinks of a decision.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Advice {
    /// The action that the agent chooses, or that is better than the one played. Empty if the agent
    /// found nothing better.
    pub best: String,
    /// The reason for `best` in words. Empty if the agent states none.
    pub why: String,
    /// What it thinks of the actions, best first.
    pub options: Vec<OptionAdvice>,
    /// The points that the choice loses. None if the agent does not know them.
    pub cost: Option<f32>,
    /// The standard error of the cost. None if the cost is exact by the agent's own values.
    pub cost_error: Option<f32>,
    /// Whether the choice is a mistake.
    pub is_mistake: bool,
}

/// What an agent thinks of an action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OptionAdvice {
    /// The action.
    pub action: String,
    /// The tile that it discards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile: Option<String>,
    /// Its value, mostly in points of the result of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// Its probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f32>,
}

impl OptionAdvice {
    /// The order of two options: more value first, then more probability.
    #[must_use]
    pub fn best_first(&self, other: &OptionAdvice) -> Ordering {
        let or_least = |number: Option<f32>| number.unwrap_or(f32::NEG_INFINITY);
        let by = |own: Option<f32>, other: Option<f32>| or_least(other).total_cmp(&or_least(own));
        by(self.value, other.value).then(by(self.probability, other.probability))
    }
}

impl Advice {
    /// Most options that a page shows, besides the one that was chosen.
    const MOST: usize = 8;

    /// Makes the advice on this choice ready for a page.
    pub fn finish(&mut self, o: &Observation<'_>, chosen: Action) {
        self.shorten(&o.describe(chosen));
        self.name_tiles(o);
    }

    /// Leaves out what a page does not show: options far from the best, and parts of points.
    fn shorten(&mut self, chosen: &str) {
        let mut rank = 0..;
        self.options.retain(|option| rank.next() < Some(Advice::MOST) || option.action == chosen);
        let values = self.options.iter_mut().filter_map(|option| option.value.as_mut());
        values.filter(|value| value.abs() >= 100.0).for_each(|value| *value = value.round());
    }

    /// Fills in the tiles that the options discard, which only the observation has.
    fn name_tiles(&mut self, o: &Observation<'_>) {
        for option in &mut self.options {
            let is_named = |action: &Action| o.describe(*action) == option.action;
            let action = o.legal().iter().map(ActionId::action).find(is_named);
            option.tile = action.and_then(|action| match action {
                Action::Discard { tile, .. } => Some(tile.to_string()),
                Action::Tsumogiri { .. } => o.drawn().map(|tile| tile.to_string()),
                _ => None,
            });
        }
    }
}

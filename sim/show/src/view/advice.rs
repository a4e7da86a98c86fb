//! What agents think of a decision.

use std::cmp::Ordering;

use jantaku_engine::{Action, Event, Observation};
use serde::{Serialize, Serializer};

/// Adds the advice of agents to the decisions of a [`Viewer`](super::Viewer).
pub trait Advisor {
    /// Called with each event of the game, before the decisions that follow it.
    fn event(&mut self, _: &Event) {}

    /// The advice on a decision with this number in the game, from 0, and this choice. `hand` is
    /// the number of its hand, from 1.
    ///
    /// The list has one entry for each agent, in the same order at all decisions: None where the
    /// agent leaves the decision out.
    fn advice(&mut self, o: &Observation<'_>, action: Action, number: usize, hand: usize) -> AllAdvice;
}

/// The advice of each agent on a decision: None where an agent has none.
pub type AllAdvice = Vec<Option<Advice>>;

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

/// What an agent thinks of a decision.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Advice {
    /// The agent's choice, or an action better than the one played. Empty if the agent found
    /// nothing better.
    pub best: String,
    /// The kind of the decision, such as `discards`.
    pub kind: &'static str,
    /// The reason for `best` in words. Empty if the agent states none.
    pub why: String,
    /// What it thinks of the actions, best first.
    pub options: Vec<OptionAdvice>,
    /// The points that the choice loses. None if the agent does not know them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f32>,
    /// The standard error of the cost. None if the agent does not know that of its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_error: Option<f32>,
    /// Whether the choice is a mistake.
    pub is_mistake: bool,
}

/// What an agent thinks of an action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OptionAdvice {
    /// The action.
    pub action: String,
    /// Its value, mostly in points of the result of the game.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "briefly")]
    pub value: Option<f32>,
    /// Its probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f32>,
    /// The points that its discard risks by dealing in. The value includes them.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "briefly")]
    pub risk: Option<f32>,
}

/// Writes a whole number without decimals: a page has thousands of them.
#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference to the field"
)]
fn briefly<S: Serializer>(number: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(whole) if whole.fract() == 0.0 && whole.abs() < 1e9 => serializer.serialize_i64(*whole as i64),
        number => number.serialize(serializer),
    }
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
    /// The maximum number of options on a page, besides the chosen one.
    const MAX: usize = 8;

    /// Makes the advice on this choice ready for a page.
    pub fn finish(&mut self, o: &Observation<'_>, chosen: Action) {
        self.shorten(&o.describe(chosen));
    }

    /// Leaves out what a page does not show: options far from the best, and parts of points.
    fn shorten(&mut self, chosen: &str) {
        let mut rank = 0..;
        self.options.retain(|option| rank.next() < Some(Advice::MAX) || option.action == chosen);
        let values = self.options.iter_mut().filter_map(|option| option.value.as_mut());
        values.filter(|value| value.abs() >= 100.0).for_each(|value| *value = value.round());
        let risks = self.options.iter_mut().filter_map(|option| option.risk.as_mut());
        risks.for_each(|risk| *risk = risk.round());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_whole_points() {
        let option = |action: &str, value, risk| OptionAdvice {
            action: action.to_owned(),
            value: Some(value),
            probability: Some(0.25),
            risk: Some(risk),
        };
        let options = vec![option("pass", 2529.4, -0.2), option("pon", 0.5, 99.6)];
        let mut advice = Advice { options, ..Advice::default() };
        advice.shorten("pass");
        let shown = advice.options.iter().map(|option| serde_json::to_string(option).expect("an object"));
        let expected = [
            r#"{"action":"pass","value":2529,"probability":0.25,"risk":0}"#,
            r#"{"action":"pon","value":0.5,"probability":0.25,"risk":100}"#,
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }
}

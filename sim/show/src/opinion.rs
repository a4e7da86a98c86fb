//! What an agent thinks of a decision.

use std::cmp::Ordering;

use jantaku_engine::TileKind;
use serde::{Serialize, Serializer};

use crate::{Danger, Judgement, Sentence};

/// What an agent thinks of a decision: its choice, its estimates and its reasons. Actions are texts, such as
/// `chi 34s`.
///
/// Commands print it as JSON, and pages show it. A value that the agent does not state is left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Opinion {
    /// The agent: the name that the user gives it, or its text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// The agent with its options.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Its choice. In a review, the action that is better than the one played; empty if there is none.
    pub action: String,
    /// Why it chose that, in English. Empty on a page, which shows `reason` instead.
    pub why: String,
    /// `why` as a key with its values, for each language. None if nothing explains the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Sentence>,
    /// The unit of all values: `points` of the result of the game. None if only the agent knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// The result that it expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// The probability with which it made this choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f32>,
    /// What it thinks of the actions, best first. Actions on which it says nothing are left out.
    pub options: Vec<OptionOpinion>,
    /// The chances of each place after the hand. None if the agent does not know them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<Places>,
    /// What the choice of the player was worth. None if no choice is judged.
    #[serde(flatten)]
    pub judgement: Option<Judgement>,
}

/// What an agent thinks of an action.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct OptionOpinion {
    /// The action.
    pub action: String,
    /// Its value. None if the agent did not examine it, or the hand cannot win after it. Where the network
    /// of `residual` has no correction, this is the estimate of `heuristic`, on the same scale.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "briefly")]
    pub value: Option<f32>,
    /// The standard error of the value, if the agent knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f32>,
    /// Its probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f32>,
    /// The points that the discard itself risks by dealing in. The value includes them.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "briefly")]
    pub risk: Option<f32>,
    /// The parts of the risk against each opponent who is likely tenpai.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dangers: Vec<Danger>,
    /// The waits after a discard. Empty if the hand is not tenpai then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitCount>,
    /// How `heuristic` would continue.
    #[serde(flatten)]
    pub plan: Option<Plan>,
    /// What the network of `residual` adds to the value of `heuristic`.
    #[serde(flatten)]
    pub correction: Option<Correction>,
    /// What `heuristic` decides on the action before it compares values.
    #[serde(flatten)]
    pub verdict: Option<RuleVerdict>,
}

/// A wait, and the tiles of it that the player does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct WaitCount {
    /// The kind.
    pub tile: TileKind,
    /// The unseen tiles.
    pub left: u32,
}

/// The chances of each place of the game after a hand, from 0 to 1, first place first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Places {
    /// After the player wins the hand as planned.
    pub win: Vec<f32>,
    /// After a draw that changes no points.
    pub draw: Vec<f32>,
}

/// How a hand continues after an action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plan {
    /// The chance to win the hand, from 0 to 1.
    pub win: f32,
    /// Points of a win.
    pub points: f32,
    /// The shanten of the best plan. The hand may be nearer to a win that is worth less.
    pub plan_shanten: i8,
    /// Unseen tiles that lower `plan_shanten`.
    pub plan_ukeire: f32,
    /// How the plan wins: `riichi`, `damaten`, `open` or `tsumo`; `draw` for tenpai at an exhaustive
    /// draw.
    pub mode: String,
}

/// The parts of a value, in points of the result of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Correction {
    /// The value by the estimate of `heuristic`. None if it decides on the action by rule, or the hand
    /// cannot win.
    pub base: Option<f32>,
    /// What the network adds, compared with the choice of `heuristic`: 0 for that choice.
    pub correction: f32,
}

/// A kan, kita or kyuushu kyuuhai, which an agent decides before it compares values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RuleVerdict {
    /// Whether the agent takes it. Of several, it takes the first: kita come before kyuushu kyuuhai and kans.
    pub taken: bool,
    /// Its reason in English.
    pub why: String,
    /// `why` as a key with its values, for each language.
    pub reason: Sentence,
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

impl Opinion {
    /// The option with this action.
    pub fn option(&self, action: &str) -> Option<&OptionOpinion> {
        self.options.iter().find(|option| option.action == action)
    }

    /// Leaves out what a page does not show: options without a measure, details of options, fractions of
    /// points, and the reason in English. `chosen` is the choice of the player.
    pub(crate) fn shorten(&mut self, chosen: &str) {
        self.options.retain(OptionOpinion::is_measured);
        self.why.clear();
        let places = self.places.iter_mut().flat_map(|places| places.win.iter_mut().chain(&mut places.draw));
        places.for_each(|chance| *chance = (1000.0 * *chance).round() / 1000.0);
        for option in &mut self.options {
            if option.action != chosen && option.action != self.action {
                option.dangers.clear();
                option.waits.clear();
            }
            option.dangers.iter_mut().for_each(|danger| danger.risk = danger.risk.round());
            let large = option.value.as_mut().filter(|value| value.abs() >= 100.0);
            large.into_iter().chain(&mut option.risk).for_each(|points| *points = points.round());
            (option.standard_error, option.plan, option.correction, option.verdict) =
                (None, None, None, None);
        }
    }
}

impl OptionOpinion {
    /// Whether the agent states a value or a probability.
    pub const fn is_measured(&self) -> bool {
        self.value.is_some() || self.probability.is_some()
    }

    /// Orders two options: the higher value first, then the higher probability.
    pub fn best_first(&self, other: &OptionOpinion) -> Ordering {
        let or_lowest = |number: Option<f32>| number.unwrap_or(f32::NEG_INFINITY);
        let by = |own: Option<f32>, other: Option<f32>| or_lowest(other).total_cmp(&or_lowest(own));
        by(self.value, other.value).then(by(self.probability, other.probability))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_whole_points() {
        let option = |action: &str, value, risk| OptionOpinion {
            action: action.to_owned(),
            value: Some(value),
            probability: Some(0.25),
            risk: Some(risk),
            correction: Some(Correction { base: None, correction: 1.0 }),
            ..OptionOpinion::default()
        };
        let options = vec![option("pass", 2529.4, -0.2), option("pon", 0.5, 99.6)];
        let mut opinion = Opinion { options, ..Opinion::default() };
        opinion.shorten("pass");
        let shown = opinion.options.iter().map(|option| serde_json::to_string(option).expect("an object"));
        let expected = [
            r#"{"action":"pass","value":2529,"probability":0.25,"risk":0}"#,
            r#"{"action":"pon","value":0.5,"probability":0.25,"risk":100}"#,
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }
}

//! What an agent answers: an action, and optionally the search info behind it.
//!
//! # Why
//!
//! **Who asks agents for their evaluations?** The runner, by `reply` instead of `choose`, if the
//! run keeps decisions. A policy without evaluations answers both in the same way and allocates
//! nothing. A decision holds a pointer to its search info, so a run without any pays one word a
//! decision.

use std::time::Duration;

use jantaku_engine::{Action, ActionSet};
use serde::{Deserialize, Serialize};

/// The answer to a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// The action, one of the legal ones.
    pub action: Action,
    /// What the agent reports about the decision. Agents without search info allocate nothing.
    pub search_info: Option<Box<SearchInfo>>,
    /// How long the agent took for this answer, if it knows. An agent may time only some of its
    /// answers. Where it timed none of a batch, a runner that times agents takes the time of the
    /// whole batch for each, unless the agent
    /// [times all answers](crate::Agent::times_all_answers).
    pub took: Option<Duration>,
}

impl From<Action> for Reply {
    #[inline]
    fn from(action: Action) -> Reply {
        Reply { action, search_info: None, took: None }
    }
}

/// What an agent reports about a decision besides the action.
///
/// Every part is optional. The lists have one entry for each legal action, in the order of
/// [`ActionSet::iter`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SearchInfo {
    /// The result that the agent expects for its seat. The agent documents the unit.
    pub value: Option<f32>,
    /// The agent's probabilities of the legal actions, which add up to 1.
    pub policy: Option<Vec<f32>>,
    /// The probability with which the agent chose its action, after temperature and other
    /// exploration. Off-policy training needs it.
    pub probability: Option<f32>,
    /// The agent's estimates of the legal actions, in the unit of `value`. An action that the agent
    /// did not examine has none.
    pub action_values: Option<Vec<Option<Estimate>>>,
}

/// An estimated value.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f32,
    /// The standard error of the mean, if the agent knows it.
    pub standard_error: Option<f32>,
}

/// The error for search info that does not fit the decision or cannot be true.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{part}`: expected {expected}, found {found}")]
pub struct WrongSearchInfo {
    /// The part that is wrong, such as `policy`. Standard errors are the part `action_errors`.
    pub part: &'static str,
    /// What the part must be.
    pub expected: String,
    /// What it is.
    pub found: String,
}

/// How far the probabilities of a policy may add up to less or more than 1.
const TOLERANCE: f32 = 0.001;

impl SearchInfo {
    /// Checks the search info behind a decision with these legal actions.
    ///
    /// # Errors
    ///
    /// The first wrong part: a list without an entry for each legal action, an infinite number or
    /// NaN, a probability outside 0 to 1, a policy with a sum other than 1, or a negative standard
    /// error.
    pub fn check(&self, legal: ActionSet) -> Result<(), WrongSearchInfo> {
        let is_probability = |number: &f32| (0.0..=1.0).contains(number);
        if let Some(value) = self.value.filter(|value| !value.is_finite()) {
            return wrong("value", "a finite number", &value);
        }
        if let Some(policy) = &self.policy {
            check_len("policy", policy.len(), legal)?;
            if let Some(wrong_one) = policy.iter().find(|probability| !is_probability(probability)) {
                return wrong("policy", "probabilities from 0 to 1", wrong_one);
            }
            let sum: f32 = policy.iter().sum();
            if (sum - 1.0).abs() > TOLERANCE {
                return wrong("policy", "probabilities that add up to 1", &format!("a sum of {sum}"));
            }
        }
        if let Some(probability) = self.probability.filter(|probability| !is_probability(probability)) {
            return wrong("probability", "a number from 0 to 1", &probability);
        }
        let Some(estimates) = &self.action_values else { return Ok(()) };
        check_len("action_values", estimates.len(), legal)?;
        for Estimate { mean, standard_error } in estimates.iter().flatten() {
            if !mean.is_finite() {
                return wrong("action_values", "finite numbers", mean);
            }
            if let Some(error) = standard_error.filter(|error| !(0.0..f32::INFINITY).contains(error)) {
                return wrong("action_errors", "finite numbers from 0 on", &error);
            }
        }
        Ok(())
    }
}

/// Checks that a list has an entry for each legal action.
fn check_len(part: &'static str, found: usize, legal: ActionSet) -> Result<(), WrongSearchInfo> {
    if found == legal.len() as usize {
        return Ok(());
    }
    wrong(part, &format!("{} entries, one for each legal action", legal.len()), &found)
}

fn wrong(part: &'static str, expected: &str, found: &dyn ToString) -> Result<(), WrongSearchInfo> {
    Err(WrongSearchInfo { part, expected: expected.to_owned(), found: found.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEGAL: [Action; 2] = [Action::Ron, Action::Pass];

    /// The message of the error; empty for search info that is right.
    fn said(search_info: &SearchInfo) -> String {
        let legal = LEGAL.into_iter().collect();
        search_info.check(legal).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn wrong_parts_are_named() {
        assert_eq!(said(&SearchInfo::default()), "");
        let policy =
            |policy: &[f32]| said(&SearchInfo { policy: Some(policy.to_vec()), ..SearchInfo::default() });
        assert_eq!(policy(&[0.25, 0.7501]), "");
        assert_eq!(policy(&[1.0]), "`policy`: expected 2 entries, one for each legal action, found 1");
        assert_eq!(policy(&[1.5, -0.5]), "`policy`: expected probabilities from 0 to 1, found 1.5");
        assert_eq!(
            policy(&[0.5, 0.25]),
            "`policy`: expected probabilities that add up to 1, found a sum of 0.75"
        );
        assert_eq!(policy(&[f32::NAN, 1.0]), "`policy`: expected probabilities from 0 to 1, found NaN");
        let probability = |p| said(&SearchInfo { probability: Some(p), ..SearchInfo::default() });
        assert_eq!(probability(1.0), "");
        assert_eq!(probability(1.01), "`probability`: expected a number from 0 to 1, found 1.01");
        let value = |value| said(&SearchInfo { value: Some(value), ..SearchInfo::default() });
        assert_eq!(value(-12.5), "");
        assert_eq!(value(f32::INFINITY), "`value`: expected a finite number, found inf");
        let estimates = |mean, standard_error, len| {
            let action_values = Some(vec![Some(Estimate { mean, standard_error }); len]);
            said(&SearchInfo { action_values, ..SearchInfo::default() })
        };
        assert_eq!(estimates(-1.0, Some(0.0), 2), "");
        assert_eq!(
            estimates(1.0, None, 3),
            "`action_values`: expected 2 entries, one for each legal action, found 3"
        );
        assert_eq!(estimates(f32::NAN, None, 2), "`action_values`: expected finite numbers, found NaN");
        assert_eq!(
            estimates(1.0, Some(-0.1), 2),
            "`action_errors`: expected finite numbers from 0 on, found -0.1"
        );
    }
}

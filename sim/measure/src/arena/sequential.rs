//! Stops a match as soon as its outcome is clear: Wald's sequential probability ratio test.
//!
//! # Why
//!
//! **What stops a sequential test?** The sums after each set, in order, on any number of threads.
//! Games of a wave after the deciding set are thrown away; waves of slow agents are small.
//! Rejected: testing between waves, because the result would depend on the speed of the machine.

use jantaku_agents::field_name;
use serde::{Deserialize, Serialize};

use super::sums::SetSums;

/// A sequential test of the challenger's placement difference: the mean placement of a fair field
/// minus that of the challenger.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The placement difference of the hypothesis that the test may reject.
    pub low: f64,
    /// The placement difference of the hypothesis that the test may accept; above `low`.
    pub high: f64,
    /// The chance to accept `high` if the placement difference is `low`.
    pub alpha: f64,
    /// The chance to accept `low` if the placement difference is `high`.
    pub beta: f64,
}

/// The outcome of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtOutcome {
    /// The higher placement difference is accepted: the challenger is that much stronger.
    Accept,
    /// The higher placement difference is rejected: the true one is the lower one, or less.
    Reject,
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtState {
    /// The test.
    pub test: Sprt,
    /// The logarithm of the likelihood ratio of the higher placement difference to the lower one.
    /// None before two different sets.
    pub llr: Option<f64>,
    /// The test accepts the lower placement difference if `llr` is at most this.
    pub lower: f64,
    /// The test accepts the higher placement difference if `llr` is at least this.
    pub upper: f64,
    /// `accept` or `reject`: the outcome. None while the test is open.
    pub decision: Option<SprtOutcome>,
}

/// All sets of a match have the same mean placement, so that its test would play on without end.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error(
    "{}: all {sets} sets have the same mean placement: no number of sets shows a placement difference; give the \
     number of sets to play them anyway",
    field_name("sprt")
)]
pub struct Undecidable {
    /// The number of sets that were played.
    pub(super) sets: u64,
}

/// The placement difference of an agent that is always first of four: 2.5 minus 1.
const MAX_DIFFERENCE: f64 = 1.5;

impl Sprt {
    /// The test does not decide before this number of sets, because it estimates the variance from them.
    pub const FIRST_LOOK: u64 = 100;

    /// Checks that a match of at most this many sets is long enough for the test to decide.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn check_sets(&self, sets: Option<u64>) -> Result<(), String> {
        match sets.filter(|sets| *sets < Sprt::FIRST_LOOK) {
            Some(sets) => Err(format!(
                "expected at least {}, because a sequential test does not decide before, or no number; found {sets}",
                Sprt::FIRST_LOOK
            )),
            None => Ok(()),
        }
    }

    /// Checks that the hypotheses differ and are possible, and that the chances of errors are between 0 and ½.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        let Sprt { low, high, alpha, beta } = self;
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(format!(
                "expected the second difference to be above the first, found {low} and {high}"
            ));
        }
        if low.abs().max(high.abs()) > MAX_DIFFERENCE {
            return Err(format!(
                "expected placement differences from -{MAX_DIFFERENCE} to {MAX_DIFFERENCE}, found {low} \
                 and {high}"
            ));
        }
        for risk in [alpha, beta] {
            if !(*risk > 0.0 && *risk < 0.5) {
                return Err(format!("expected a chance of error between 0 and 0.5, found {risk}"));
            }
        }
        Ok(())
    }

    /// The log-likelihood ratios at which the test decides: ln(β / (1 − α)) and ln((1 − β) / α).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The test after these sets. `fair` is the mean placement of a fair field; `per_set` is that of
    /// [`SetSums`].
    ///
    /// The means of sets are taken as normal, with their sample variance. A variance of 0 never
    /// decides.
    pub(crate) fn state(&self, placements: &SetSums, per_set: u64, fair: f64) -> SprtState {
        let difference = fair - placements.mean(per_set);
        let variance = placements.variance(per_set).filter(|variance| *variance > 0.0);
        let llr = variance.map(|variance| {
            placements.sets() as f64 * (self.high - self.low) * (2.0 * difference - self.low - self.high)
                / (2.0 * variance)
        });
        let (lower, upper) = self.bounds();
        let decision = llr.filter(|_| placements.sets() >= Sprt::FIRST_LOOK).and_then(|llr| match llr {
            llr if llr >= upper => Some(SprtOutcome::Accept),
            llr if llr <= lower => Some(SprtOutcome::Reject),
            _ => None,
        });
        SprtState { test: *self, llr, lower, upper, decision }
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::Rng;

    use super::*;
    use crate::arena::sums::SetTotal;

    const TEST: Sprt = Sprt { low: 0.0, high: 0.05, alpha: 0.05, beta: 0.05 };

    /// The outcome and the number of sets of a test whose sets have this placement difference: each
    /// has four placements with the mean 2.5 − placement difference.
    fn outcome(difference: f64, rng: &mut Rng) -> (SprtOutcome, u64) {
        let (mut sums, fair) = (SetSums::default(), 2.5);
        loop {
            let mut set = SetTotal::default();
            for _ in 0..4 {
                // Placements 1 to 4 equally often, one better with the chance that gives the placement difference.
                let better = (rng.below(3_000_000) as f64) < difference * 4e6;
                let placement = 1 + rng.below(4) as i64;
                set.add_game(if better { (placement - 1).max(1) } else { placement });
            }
            sums.add(set);
            if let Some(decision) = TEST.state(&sums, 4, fair).decision {
                return (decision, sums.sets());
            }
        }
    }

    /// α and β hold up to two standard errors and the steps over the bounds.
    #[test]
    fn errors_are_as_rare_as_stated() {
        let mut rng = Rng::new(5);
        for (difference, wrong) in [(0.0, SprtOutcome::Accept), (0.05, SprtOutcome::Reject)] {
            let tests = 400;
            let errors = (0..tests).filter(|_| outcome(difference, &mut rng).0 == wrong).count();
            let most = 0.05 * f64::from(tests) + 2.0 * (0.05 * 0.95 * f64::from(tests)).sqrt();
            assert!((errors as f64) <= most, "difference {difference}: {errors} of {tests}");
            assert!(errors > 0, "the test would be more careful than it says");
        }
    }

    #[test]
    fn no_decision_before_the_first_look_or_without_variance() {
        let mut same = SetSums::default();
        let mut clear = SetSums::default();
        for set in 0..200 {
            let mut total = SetTotal::default();
            total.add_game(1);
            same.add(total);
            assert_eq!(TEST.state(&same, 1, 2.5).decision, None, "no variance");
            total.add_game(i64::from(set % 2 == 0));
            clear.add(total);
            let decision = TEST.state(&clear, 2, 2.5).decision;
            assert_eq!(decision.is_some(), clear.sets() >= Sprt::FIRST_LOOK, "after {} sets", clear.sets());
        }
    }
}

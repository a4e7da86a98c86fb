//! Trials: the loss by an action, estimated in fresh worlds until its size is certain.
//!
//! # Why
//!
//! **Why does `analyse` test actions again after a search has compared them?** A search compares
//! dozens of alternatives in a game, and picks the ones that look best. In the worlds of the search
//! they look better than they are, and a different seed picks different ones. So a trial in fresh
//! worlds estimates the loss. It continues until the loss is clearly above or below the smallest
//! mistake, or until it needs more rollouts than are left. All open trials share the rollouts. The
//! bound for a mistake is corrected for multiple testing, over all trials and interim checks. The
//! bound for a small loss is not, because an error there only misses a mistake. Rejected: a larger
//! search of every decision, which spends most rollouts on clear ones. Also rejected: the cheapest
//! trials first. Their cost depends on the sampled worlds, so each seed would settle different
//! ones. Also rejected: shrinking towards the prior, which hides the prior's own mistakes.

use jantaku_agents::{Estimate, MonteCarlo, PairedRollouts};
use jantaku_engine::{Action, Observation};
use jantaku_show::HALF_WIDTH_95;

use super::threshold::Threshold;

/// The number of worlds of a trial before its first verdict. It doubles before each further verdict.
pub(super) const FIRST: u64 = 512;
/// The highest probability that a review wrongly calls any loss a mistake.
const ERROR: f64 = 0.05;

/// A trial of an action against the one that was played.
pub(super) struct Trial {
    /// The action that may be better.
    pub better: Action,
    seed: u64,
    pub pairs: PairedRollouts,
    /// Whether the loss is above the threshold. None while that is open.
    pub is_mistake: Option<bool>,
}

impl Trial {
    pub(super) fn new(better: Action, seed: u64) -> Trial {
        Trial { better, seed, pairs: PairedRollouts::default(), is_mistake: None }
    }

    /// The loss with its standard error. None for fewer than two worlds, which have no error.
    pub(super) fn loss(&self) -> Option<Estimate> {
        (self.pairs.worlds > 1).then(|| self.pairs.value.estimate())
    }

    /// Plays both actions in this many more worlds.
    pub(super) fn play(&mut self, search: &MonteCarlo, o: &Observation<'_>, played: Action, worlds: u64) {
        let first = self.pairs.worlds;
        self.pairs += search.paired(o, [played, self.better], self.seed, first..first + worlds);
    }
}

/// Decides trials. The probability that a review wrongly calls any loss a mistake is below 5 %.
#[derive(Clone, Copy)]
pub(super) struct Judge {
    threshold: Threshold,
    /// A loss is a mistake if it exceeds the threshold by this many standard errors.
    errors: f32,
}

impl Judge {
    /// A judge for this many trials, each with verdicts after `FIRST`, 2 · `FIRST`, … worlds, up to
    /// `rollouts` rollouts in all.
    pub(super) fn new(threshold: Threshold, trials: usize, rollouts: u64) -> Judge {
        // The last verdict of a trial may come at any number of worlds.
        let verdicts = 2 + (rollouts / (2 * FIRST)).max(1).ilog2();
        let comparisons = trials.max(1) as f64 * f64::from(verdicts);
        Judge { threshold, errors: errors_of(ERROR / comparisons) as f32 }
    }

    /// Judges a trial. A loss is small if its own 95 % interval is below the threshold: a wrong
    /// verdict of this kind only leaves out a mistake.
    pub(super) fn judge(self, trial: &mut Trial) {
        trial.is_mistake = self.threshold.is_exceeded(&trial.pairs, self.errors, HALF_WIDTH_95);
    }

    /// The estimated minimum number of further worlds that a trial needs until it is decided.
    pub(super) fn need(self, trial: &Trial) -> u64 {
        let needed = self.threshold.needed_worlds(&trial.pairs, self.errors, HALF_WIDTH_95);
        (needed as u64).saturating_sub(trial.pairs.worlds)
    }
}

/// The number of standard errors that a normal variable exceeds with at most this probability, which
/// must be below 0.1. Solves P(Z > z) < exp(−z² / 2) / (z √(2π)), a bound within 10 % of the probability.
fn errors_of(probability: f64) -> f64 {
    let of = |z: f64| (-2.0 * (probability * z * std::f64::consts::TAU.sqrt()).ln()).sqrt();
    (0..40).fold(2.0, |z, _| of(z))
}

#[cfg(test)]
mod tests {
    use jantaku_agents::PairedMean;

    use super::*;

    /// Quantiles of the normal distribution from printed tables.
    #[test]
    fn errors_are_those_of_tables() {
        for (probability, errors) in [(0.025, 1.960), (0.001, 3.090), (1e-4, 3.719), (1e-5, 4.265)] {
            let found = errors_of(probability);
            assert!((errors..1.04 * errors).contains(&found), "{probability}: {found}");
        }
    }

    /// A loss far from the threshold needs few worlds, and one close to it many: about the square of
    /// the errors over the distance.
    #[test]
    fn a_close_loss_needs_more_worlds() {
        // Results of `worlds` worlds with this mean and a standard deviation of 8,000 points.
        let of = |mean: f64, worlds: u64| {
            let mut trial = Trial::new(Action::Pass, 0);
            let halves = [mean - 8000.0, mean + 8000.0].map(PairedMean::of);
            trial.pairs.worlds = worlds;
            (0..worlds / 2).for_each(|_| halves.iter().for_each(|half| trial.pairs.value += *half));
            trial
        };
        let judge = Judge { threshold: Threshold::new(Some(2000.0), None), errors: 3.5 };
        // 1,000 worlds have a standard error of 253 points.
        for (mean, expected) in [(2500.0, 383), (3000.0, 0), (2000.0, 2841), (1500.0, 0)] {
            let mut trial = of(mean, 1000);
            let need = judge.need(&trial);
            assert!(need.abs_diff(expected) <= expected / 50, "{mean}: {need}");
            judge.judge(&mut trial);
            assert!(trial.is_mistake.is_none() || need == 0, "{mean}: {need}");
        }
        assert!(judge.need(&of(2000.0, 100_000)) > 280_000);
    }

    /// An action against itself loses nothing, so it is no mistake however low the threshold.
    #[test]
    fn equal_actions_are_no_mistake() {
        let judge = Judge::new(Threshold::new(Some(0.0), None), 1, 1000);
        let mut trial = Trial::new(Action::Pass, 0);
        judge.judge(&mut trial);
        assert_eq!(trial.is_mistake, Some(false));
    }

    /// More trials and more verdicts need larger losses.
    #[test]
    fn more_comparisons_need_more_errors() {
        let errors = |trials, rollouts| Judge::new(Threshold::default(), trials, rollouts).errors;
        assert!(errors(1, 1000) > 1.9 && errors(20, 1000) > errors(1, 1000));
        assert!(errors(20, 1_000_000) > errors(20, 1000) && errors(20, 1_000_000) < 4.0);
    }
}

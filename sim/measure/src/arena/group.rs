//! Agents with finite differences in strength, and the fit of their games.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF as _, StudentsT};

use super::matrix::Matrix;
use super::plackett_luce::{add_score, fit};
use super::ranked::{Order, RankedGames, weighted};

/// Agents that have finite differences, with their fit.
///
/// A game of a group has at least two of its members; only their order among themselves counts. If some
/// agents always finish ahead of the others, the likelihood of all games tends to the product of the
/// groups' likelihoods as the difference between them grows. So each group is fitted alone.
pub(super) struct Group {
    /// The agents in ascending order. All other fields give an agent as its position in this list.
    pub members: Vec<usize>,
    /// The orders of each set with their numbers of games.
    pub sets: Vec<Vec<(Order, f64)>>,
    /// The fitted strengths.
    pub strengths: Vec<f64>,
    /// By set: how far it moves each strength. The sum over sets is 0.
    pub influences: Vec<Vec<f64>>,
    /// The covariance of the strengths, clustered by set.
    covariance: Matrix,
}

/// The difference of two strengths.
pub(super) struct Difference {
    pub value: f64,
    /// Its standard error. None if there is only one set, or all sets agree.
    pub error: Option<f64>,
}

impl Group {
    pub(super) fn new(games: &RankedGames, members: Vec<usize>) -> Group {
        let mut position = vec![None; games.agents()];
        members.iter().enumerate().for_each(|(index, agent)| position[*agent] = Some(index));
        let mut sets: BTreeMap<u64, BTreeMap<Order, i64>> = BTreeMap::new();
        let mut orders: BTreeMap<Order, i64> = BTreeMap::new();
        for (set, order, parts) in games.orders() {
            let own = order.agents().filter_map(|agent| position[agent]);
            let own = Order::new(own).expect("no more agents than before");
            if own.len() > 1 {
                *orders.entry(own).or_default() += parts;
                *sets.entry(set).or_default().entry(own).or_default() += parts;
            }
        }
        let sets: Vec<Vec<(Order, f64)>> = sets.into_values().map(weighted).collect();
        let fitted = fit(members.len(), &weighted(orders));
        let influence = |set: &Vec<(Order, f64)>| {
            let mut score = vec![0.0; members.len()];
            for (order, games) in set {
                add_score(&fitted.strengths, order, *games, &mut score);
            }
            fitted.inverse.times(&score)
        };
        let influences: Vec<Vec<f64>> = sets.iter().map(influence).collect();
        let mut covariance = Matrix::zero(members.len());
        for influence in &influences {
            covariance.add_square(influence, small_sample(sets.len()));
        }
        Group { members, sets, strengths: fitted.strengths, influences, covariance }
    }

    /// Degrees of freedom of the covariance.
    pub(super) fn degrees(&self) -> u64 {
        self.sets.len().saturating_sub(1) as u64
    }

    /// The strength of an agent minus that of another one.
    pub(super) fn difference(&self, agent: usize, other: usize) -> Difference {
        /// Smaller variances are rounding errors.
        const MIN: f64 = 1e-20;
        let position = |agent| self.members.iter().position(|member| *member == agent);
        let [a, b] = [agent, other].map(|agent| position(agent).expect("a member"));
        let variance = self.covariance[(a, a)] + self.covariance[(b, b)] - 2.0 * self.covariance[(a, b)];
        let error = (self.degrees() > 0 && variance > MIN).then(|| variance.sqrt());
        Difference { value: self.strengths[a] - self.strengths[b], error }
    }

    /// The likelihood that an agent is stronger than another one. None without a standard error.
    pub(super) fn los(&self, agent: usize, other: usize) -> Option<f64> {
        let Difference { value, error } = self.difference(agent, other);
        let t = StudentsT::new(0.0, 1.0, self.degrees() as f64);
        Some(t.ok()?.cdf(value / error?))
    }
}

/// The factor that corrects a variance estimated from this many sets. If all sets have the same tables,
/// the corrected variance is unbiased to first order.
pub(super) fn small_sample(sets: usize) -> f64 {
    sets as f64 / sets.saturating_sub(1).max(1) as f64
}

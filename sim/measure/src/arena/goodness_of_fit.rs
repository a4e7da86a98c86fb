//! How well ratings explain the results: observed and expected counts of pairs.
//!
//! # Why
//!
//! **When does a league warn about its model?** If the p-value of the goodness-of-fit test is below
//! 0.05. With enough games every model is rejected, because no agents follow a model exactly. So
//! the warning also states the excess in percentage points, to show whether it matters. Rejected:
//! no warning below an excess of one percentage point, because it hides misfits of 7 points of Elo.

use statrs::distribution::{ContinuousCDF as _, FisherSnedecor};

use super::group::{Group, small_sample};
use super::matrix::Matrix;
use super::plackett_luce::sigma;

/// Goodness of fit: the results compared with those that the ratings expect.
///
/// For each pair of agents, the ratings expect a share of games in which the first finishes ahead.
/// [`GoodnessOfFit::p_value`] is the p-value of a test that all shares agree, and
/// [`GoodnessOfFit::excess_rms`] is the size of the differences.
#[derive(Clone, PartialEq, Debug)]
pub struct GoodnessOfFit {
    /// The chance of differences at least this large if the ratings explain all results.
    pub p_value: f64,
    /// The root mean square of the differences between observed and expected shares, minus the part
    /// that chance explains. 0.01 is one percentage point.
    pub excess_rms: f64,
    /// The pairs with their shares, those least explained by luck first.
    pub pairs: Vec<PairShare>,
}

/// The share of games in which an agent finished ahead of another one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairShare {
    /// The agent.
    pub agent: usize,
    /// The other agent.
    pub other: usize,
    /// The share in the games.
    pub observed: f64,
    /// The share that the ratings expect.
    pub expected: f64,
    /// The difference over its standard error.
    pub deviation: f64,
}

impl GoodnessOfFit {
    /// The fit is poor below this p-value.
    pub const MIN_P_VALUE: f64 = 0.05;

    /// Whether the ratings do not explain the results: the differences are more than luck. With many
    /// games they may still be small, which [`GoodnessOfFit::excess_rms`] says.
    pub fn is_poor(&self) -> bool {
        self.p_value < GoodnessOfFit::MIN_P_VALUE
    }
}

/// Two agents of a group that play against each other.
struct Pair {
    agent: usize,
    other: usize,
    games: f64,
    /// The chance that the first finishes ahead.
    expected: f64,
    /// By set: the number of games in which the first finished ahead minus the expected number,
    /// minus the expected effect of the set itself on the ratings.
    residuals: Vec<f64>,
}

impl Pair {
    fn sum(&self) -> f64 {
        self.residuals.iter().sum()
    }

    /// The variance of a game whose outcome has the expected chance, times the games.
    fn scale(&self) -> f64 {
        self.games * self.expected * (1.0 - self.expected)
    }

    fn variance(&self) -> f64 {
        small_sample(self.residuals.len()) * self.residuals.iter().map(|r| r * r).sum::<f64>()
    }
}

/// Compares the games of a group with its ratings. None for fewer than three sets, or if the ratings
/// explain every set exactly, as those of two agents always do.
pub(super) fn goodness_of_fit(group: &Group) -> Option<GoodnessOfFit> {
    /// A trace smaller than this is a rounding error.
    const MIN: f64 = 1e-9;
    let sets = group.sets.len();
    if sets < 3 {
        return None;
    }
    let pairs = pairs(group);
    let mut covariance = Matrix::zero(pairs.len());
    let scales: Vec<f64> = pairs.iter().map(|pair| pair.scale().sqrt()).collect();
    for set in 0..sets {
        let scaled: Vec<f64> =
            pairs.iter().zip(&scales).map(|(pair, scale)| pair.residuals[set] / scale).collect();
        covariance.add_square(&scaled, small_sample(sets));
    }
    let (mean, degrees) = (covariance.trace(), (sets - 1) as f64);
    if mean < MIN {
        return None;
    }
    let statistic: f64 = pairs.iter().map(|pair| pair.sum().powi(2) / pair.scale()).sum();
    let effective = effective_degrees(&covariance, degrees, pairs.len());
    let distribution = FisherSnedecor::new(effective, effective * degrees).ok()?;
    let squares = pairs.iter().map(|pair| (pair.sum().powi(2) - pair.variance()) / pair.games.powi(2));
    let excess_rms = (squares.sum::<f64>() / pairs.len() as f64).max(0.0).sqrt();
    let mut shares: Vec<PairShare> = pairs.iter().map(|pair| share(group, pair)).collect();
    shares.sort_by(|a, b| b.deviation.abs().total_cmp(&a.deviation.abs()));
    Some(GoodnessOfFit { p_value: distribution.sf(statistic / mean), excess_rms, pairs: shares })
}

/// The pairs of a group with their residuals.
fn pairs(group: &Group) -> Vec<Pair> {
    let agents = group.members.len();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut index = vec![vec![0; agents]; agents];
    for (agent, row) in index.iter_mut().enumerate() {
        for (other, index) in row.iter_mut().enumerate().skip(agent + 1) {
            *index = pairs.len();
            let expected = sigma(group.strengths[agent] - group.strengths[other]);
            pairs.push(Pair { agent, other, games: 0.0, expected, residuals: vec![0.0; group.sets.len()] });
        }
    }
    for (set, orders) in group.sets.iter().enumerate() {
        for (order, games) in orders {
            for (ahead, behind) in order.pairs() {
                let pair = &mut pairs[index[ahead.min(behind)][ahead.max(behind)]];
                let outcome = f64::from(u8::from(ahead < behind));
                pair.games += games;
                pair.residuals[set] += games * (outcome - pair.expected);
            }
        }
    }
    pairs.retain(|pair| pair.games > 0.0);
    for pair in &mut pairs {
        let scale = pair.scale();
        for (residual, influence) in pair.residuals.iter_mut().zip(&group.influences) {
            *residual -= scale * (influence[pair.agent] - influence[pair.other]);
        }
    }
    pairs
}

/// The effective degrees of freedom of the sum of squares: those of the χ² distribution with the
/// same ratio of variance and mean.
///
/// They are (Σ λ)² / Σ λ², where λ are the eigenvalues of the true covariance, and at most their
/// number. Σ λ² is estimated without bias, because the squares of an estimated covariance
/// overestimate it.
fn effective_degrees(covariance: &Matrix, degrees: f64, most: usize) -> f64 {
    let (sum, squares) = (covariance.trace(), covariance.sum_of_squares());
    let unbiased = degrees.powi(2) / ((degrees - 1.0) * (degrees + 2.0)) * (squares - sum.powi(2) / degrees);
    (sum.powi(2) / unbiased.max(f64::MIN_POSITIVE)).clamp(1.0, most as f64)
}

fn share(group: &Group, pair: &Pair) -> PairShare {
    let difference = pair.sum() / pair.games;
    let error = pair.variance().sqrt() / pair.games;
    PairShare {
        agent: group.members[pair.agent],
        other: group.members[pair.other],
        observed: pair.expected + difference,
        expected: pair.expected,
        deviation: if error > 0.0 { difference / error } else { 0.0 },
    }
}

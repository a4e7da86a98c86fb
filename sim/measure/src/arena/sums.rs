//! Sums of an agent's placements, results and points over sets.

use serde::{Deserialize, Serialize};

use crate::stats::t_quantile;

/// A mean over the games of a match, with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// The lower end of the interval. None if the sets do not determine the variance: there is only
    /// one, or different agents have the same mean in all of them.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The standard deviation of the means of sets, over the square root of their number.
    pub standard_error: Option<f64>,
}

impl Mean {
    /// The mean of values that are in this many units.
    pub(crate) fn per_unit(self, units: i64) -> Mean {
        let scaled = |value: f64| value / units as f64;
        Mean {
            value: scaled(self.value),
            low: self.low.map(scaled),
            high: self.high.map(scaled),
            standard_error: self.standard_error.map(scaled),
        }
    }
}

/// The values of an agent in one set: the sum, and the sum of the squares of its games' values. The
/// value of a game is the sum over the agent's seats.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct SetTotal {
    sum: i64,
    squares: i128,
}

impl SetTotal {
    /// Adds the value of a game.
    pub(crate) fn add_game(&mut self, value: i64) {
        self.sum += value;
        self.squares += i128::from(value).pow(2);
    }
}

/// Sums of one quantity of one agent over sets.
///
/// They are whole numbers, so they do not depend on the order of the sets. In the methods, the sum of a
/// set divided by `per_set` is its mean: `per_set` is the number of values, times the parts in which a
/// unit is counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct SetSums {
    sets: u64,
    /// The sum of all values.
    sum: i64,
    /// The sum of the squares of the totals of sets.
    set_squares: i128,
    /// The sum of the squares of the values of games.
    game_squares: i128,
}

impl SetSums {
    /// Adds a set.
    pub(crate) fn add(&mut self, set: SetTotal) {
        self.sets += 1;
        self.sum += set.sum;
        self.set_squares += i128::from(set.sum).pow(2);
        self.game_squares += set.squares;
    }

    /// The number of sets.
    pub(crate) const fn sets(&self) -> u64 {
        self.sets
    }

    /// The mean. NaN without sets.
    pub(crate) fn mean(&self, per_set: u64) -> f64 {
        self.sum as f64 / (self.sets * per_set) as f64
    }

    /// The variance of the means of sets; exactly 0 if they are equal. None for fewer than two
    /// sets.
    pub(crate) fn variance(&self, per_set: u64) -> Option<f64> {
        let of_totals = variance(self.sets, self.sum, self.set_squares)?;
        Some(of_totals / (per_set as f64).powi(2))
    }

    /// The mean with its interval: Student's t over the means of sets.
    ///
    /// `is_certain` says that the agents are equal. Then equal means of all sets are no accident, and
    /// the interval has length 0.
    pub(crate) fn interval(&self, per_set: u64, is_certain: bool) -> Mean {
        let value = self.mean(per_set);
        let variance = self.variance(per_set).filter(|variance| *variance > 0.0 || is_certain);
        let standard_error = variance.map(|variance| (variance / self.sets as f64).sqrt());
        let half = standard_error.map(|error| t_quantile(self.sets - 1) * error);
        Mean {
            value,
            low: half.map(|half| value - half),
            high: half.map(|half| value + half),
            standard_error,
        }
    }

    /// The variance of the means of sets of this many games, divided by that of the same number of
    /// games on separate walls. None if there are fewer than two sets or all games have the same value.
    pub(crate) fn variance_ratio(&self, games_per_set: u64) -> Option<f64> {
        let of_games = variance(self.sets * games_per_set, self.sum, self.game_squares)?;
        let of_sets = variance(self.sets, self.sum, self.set_squares)?;
        (of_games > 0.0).then(|| of_sets / (games_per_set as f64 * of_games))
    }
}

/// The sample variance of this many values. None for fewer than two.
fn variance(count: u64, sum: i64, squares: i128) -> Option<f64> {
    let count = i128::from(count);
    // A whole number: it is 0 if and only if all values are equal.
    let residuals = count * squares - i128::from(sum).pow(2);
    (count > 1).then(|| residuals as f64 / (count as f64 * (count - 1) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(sets: &[&[i64]]) -> SetSums {
        let mut sums = SetSums::default();
        for games in sets {
            let mut total = SetTotal::default();
            games.iter().for_each(|value| total.add_game(*value));
            sums.add(total);
        }
        sums
    }

    #[test]
    fn the_mean_has_the_interval_of_its_sets() {
        // Means of sets 2.5, 2.0 and 3.0: variance 0.25, standard error 0.5 / √3.
        let sums = sums(&[&[1, 4], &[2, 2], &[4, 2]]);
        let mean = sums.interval(2, false);
        let error = 0.5 / 3_f64.sqrt();
        assert!((mean.value - 2.5).abs() < 1e-12);
        assert!((mean.standard_error.expect("three sets") - error).abs() < 1e-12);
        // 4.3027 is the 97.5 % quantile of Student's t with two degrees of freedom.
        assert!((mean.high.expect("three sets") - 2.5 - 4.302_653 * error).abs() < 1e-5);
    }

    #[test]
    fn equal_sets_have_no_interval_unless_the_agents_are_equal() {
        let sums = sums(&[&[1, 4], &[4, 1], &[2, 3]]);
        assert_eq!(sums.interval(2, false), Mean { value: 2.5, low: None, high: None, standard_error: None });
        let certain = sums.interval(2, true);
        assert_eq!((certain.low, certain.high, certain.standard_error), (Some(2.5), Some(2.5), Some(0.0)));
        assert_eq!(sums.variance_ratio(2), Some(0.0));
    }

    #[test]
    fn games_that_tell_nothing_about_each_other_have_ratio_one() {
        // All four pairs of two independent values.
        let ratio = sums(&[&[0, 0], &[0, 2], &[2, 0], &[2, 2]]).variance_ratio(2);
        let bessel = (8.0 / 7.0) / (4.0 / 3.0);
        assert!((ratio.expect("values differ") * bessel - 1.0).abs() < 1e-12);
    }
}

//! How often each number occurs, with its standard deviation and quantiles.
//!
//! # Why
//!
//! **How are quantiles exact without a list of all amounts?** Points are multiples of 100 and turns
//! are small, so a few thousand counters hold every possible amount. Counters of threads, parts and
//! seats add up. Rejected: sketches, which are approximate and depend on the order of the games.

use super::figures::FigureKind;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How often each number occurs.
///
/// Exact, and independent of the order of the numbers. Points are multiples of 100 and turns are
/// small, so a histogram has at most a few thousand entries.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Histogram(BTreeMap<i32, u64>);

impl Histogram {
    /// Counts a number.
    pub(super) fn add(&mut self, number: i32) {
        *self.0.entry(number).or_default() += 1;
    }

    /// Counts the numbers of another histogram.
    pub(super) fn merge(&mut self, other: &Histogram) {
        for (number, count) in &other.0 {
            *self.0.entry(*number).or_default() += count;
        }
    }

    /// The square root of the mean squared distance from the mean. None without numbers.
    pub(super) fn standard_deviation(&self) -> Option<f64> {
        let sum = |term: fn(i128) -> i128| -> i128 {
            self.0.iter().map(|(number, count)| i128::from(*count) * term((*number).into())).sum()
        };
        let (count, total, squares) = (sum(|_| 1), sum(|number| number), sum(|number| number * number));
        (count > 0).then(|| ((count * squares - total * total) as f64).sqrt() / count as f64)
    }

    /// The smallest number that at least this percentage of the numbers does not exceed. None
    /// without numbers.
    pub(super) fn quantile(&self, percent: u8) -> Option<i32> {
        let total: u128 = self.0.values().map(|count| u128::from(*count)).sum();
        let mut up_to = 0;
        let is_reached = |(_, count): &(&i32, &u64)| {
            up_to += u128::from(**count);
            100 * up_to >= u128::from(percent) * total
        };
        self.0.iter().find(is_reached).map(|(number, _)| *number)
    }
}

/// A measure of a histogram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    /// [`Histogram::standard_deviation`].
    Deviation,
    /// [`Histogram::quantile`] of a percentage.
    Quantile(u8),
}

impl Measure {
    /// All measures in order.
    pub(super) const ALL: [Measure; 6] = [
        Measure::Deviation,
        Measure::Quantile(5),
        Measure::Quantile(25),
        Measure::Quantile(50),
        Measure::Quantile(75),
        Measure::Quantile(95),
    ];

    /// The kind of figure.
    pub(super) const fn kind(self) -> FigureKind {
        match self {
            Measure::Deviation => FigureKind::Sd,
            Measure::Quantile(_) => FigureKind::Quantile,
        }
    }

    /// The end of a figure's name: `sd`, or `q05` for the quantile of 5 %.
    pub(super) fn name(self) -> String {
        match self {
            Measure::Deviation => "sd".to_owned(),
            Measure::Quantile(percent) => format!("q{percent:02}"),
        }
    }

    /// The measure of a histogram. None without numbers.
    pub(super) fn of(self, histogram: &Histogram) -> Option<f64> {
        match self {
            Measure::Deviation => histogram.standard_deviation(),
            Measure::Quantile(percent) => histogram.quantile(percent).map(f64::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(numbers: impl IntoIterator<Item = i32>) -> Histogram {
        let mut histogram = Histogram::default();
        numbers.into_iter().for_each(|number| histogram.add(number));
        histogram
    }

    #[test]
    fn quantiles_are_numbers_that_occur() {
        let quantiles = |numbers: &Histogram| [5, 25, 50, 75, 95].map(|percent| numbers.quantile(percent));
        assert_eq!(quantiles(&histogram(1..=100)), [5, 25, 50, 75, 95].map(Some));
        assert_eq!(quantiles(&histogram([-3, 10])), [-3, -3, -3, 10, 10].map(Some));
        assert_eq!(quantiles(&histogram([7])), [Some(7); 5]);
        assert_eq!(quantiles(&histogram([])), [None; 5]);
    }

    /// Large points do not lose the digits of small distances.
    #[test]
    fn deviations_are_exact() {
        let near = |numbers: &[i32], expected: f64| {
            let found = histogram(numbers.iter().copied()).standard_deviation().expect("numbers");
            assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
        };
        near(&[2, 4, 4, 4, 5, 5, 7, 9], 2.0);
        near(&[2_000_000_001, 2_000_000_003], 1.0);
        near(&[-500; 3], 0.0);
        assert_eq!(histogram([]).standard_deviation(), None);
    }

    #[test]
    fn merged_histograms_have_all_numbers() {
        let mut all = histogram([1, 2, 2]);
        all.merge(&histogram([2, -7]));
        assert_eq!(all, histogram([-7, 1, 2, 2, 2]));
    }
}

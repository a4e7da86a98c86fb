//! How many sets show a placement difference.

/// The number of sets of the pilot, which finds out how many sets are needed.
pub const PILOT_SETS: u64 = 400;

/// The 97.5 % and 80 % quantiles of the normal distribution: an interval of 95 % lies above 0 with
/// a chance of 80 %.
const QUANTILES: f64 = 1.959_963_984_540_054 + 0.841_621_233_572_914_4;

/// The number of sets with which 80 of 100 matches show this placement difference: (2.80 σ /
/// placement difference)², where σ² is the variance of the means of sets. At least two, because one
/// set has no interval.
pub fn sets_for(difference: f64, variance: f64) -> u64 {
    (QUANTILES.powi(2) * variance / difference.powi(2)).ceil().max(2.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Independent hanchan with a standard deviation of 1.118 placements need 10,900 games for a
    /// difference of 0.03.
    #[test]
    fn numbers_of_sets_are_those_of_the_formula() {
        assert!((10_800..11_000).contains(&sets_for(0.03, 1.25)), "{}", sets_for(0.03, 1.25));
        assert_eq!(sets_for(1.0, 0.1), 2);
    }
}

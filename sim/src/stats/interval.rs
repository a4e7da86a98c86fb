//! 95 % confidence intervals for ratios of totals.
//!
//! Every figure is a ratio of two totals, such as hands won by tsumo over hands. Hands of one game
//! are not independent, so variances come from the totals of units. A unit is a game, or all games
//! on the same wall. `docs/statistics.md` has the formulas and their sources.

/// Sums over units. In each unit `y` is the numerator of a figure and `x` its denominator.
///
/// The sums are integers, so they do not depend on the order of the units.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Sums {
    /// The number of units with x ≠ 0.
    pub units: u64,
    /// Σ y.
    pub y: i64,
    /// Σ x.
    pub x: i64,
    /// Σ y².
    pub yy: i128,
    /// Σ x y.
    pub xy: i128,
    /// Σ x².
    pub xx: i128,
}

/// The value of a figure with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The ratio of the totals.
    pub value: f64,
    /// The ends of the interval. None if the units say nothing about the variance: there is only
    /// one, or a mean is the same in all.
    pub interval: Option<(f64, f64)>,
    /// Whether the interval is a bound that covers the truth more often than 95 %.
    ///
    /// This is so for a rate that is the same in all units, such as 0. For a difference of rates it
    /// is so if every unit has the same events under both variants, or if the difference is the
    /// same in all units.
    pub conservative: bool,
}

impl Sums {
    /// Adds a unit.
    pub fn add(&mut self, y: i64, x: i64) {
        if x == 0 && y == 0 {
            return;
        }
        let (wide_y, wide_x) = (i128::from(y), i128::from(x));
        self.units += u64::from(x != 0);
        self.y += y;
        self.x += x;
        self.yy += wide_y * wide_y;
        self.xy += wide_x * wide_y;
        self.xx += wide_x * wide_x;
    }

    /// Adds the units of other sums.
    pub fn merge(&mut self, other: &Sums) {
        self.units += other.units;
        self.y += other.y;
        self.x += other.x;
        self.yy += other.yy;
        self.xy += other.xy;
        self.xx += other.xx;
    }

    fn ratio(&self) -> f64 {
        self.y as f64 / self.x as f64
    }

    /// The size of the terms that cancel in the variance of equal units: the scale of its rounding
    /// errors.
    fn mean_square(&self) -> f64 {
        let ratio = self.ratio();
        (self.yy as f64 + ratio * ratio * self.xx as f64) / (self.x as f64).powi(2)
    }

    /// The products of the units with themselves.
    const fn own_products(&self) -> Products {
        Products { yy: self.yy, xy: self.xy, yx: self.xy, xx: self.xx }
    }

    /// The variance of the ratio by linearization; none for fewer than two units.
    fn variance(&self) -> Option<f64> {
        (self.units > 1)
            .then(|| bessel(self.units) * self.own_products().sum_of_residuals(self, self).max(0.0))
    }

    /// Whether all units have the same ratio. Exact: the Cauchy–Schwarz inequality holds with
    /// equality.
    const fn has_equal_units(&self) -> bool {
        self.xy * self.xy == self.xx * self.yy
    }

    /// The figure as a rate, a share of cases. None if there are no cases.
    ///
    /// The interval is Wilson's, for the number of independent cases that has the same variance. If
    /// all units have the same rate, the rule of three bounds the share of units with another rate.
    #[must_use]
    pub fn rate(&self) -> Option<Estimate> {
        if self.x == 0 {
            return None;
        }
        let value = self.ratio();
        let conservative = self.has_equal_units() && (self.units > 1 || self.y == 0 || self.y == self.x);
        let interval = if conservative {
            let others = rule_of_three(self.units);
            Some((value * (1.0 - others), value + (1.0 - value) * others))
        } else {
            self.variance().map(|variance| wilson(value, variance, self.units))
        };
        Some(Estimate { value, interval, conservative })
    }

    /// The figure as a mean. None if there is nothing to average.
    ///
    /// The interval is Student's t. If all units have the same mean there is no interval: nothing
    /// shows how far another unit could be.
    #[must_use]
    pub fn mean(&self) -> Option<Estimate> {
        let value = (self.x != 0).then(|| self.ratio())?;
        let variance = self.variance().filter(|_| !self.has_equal_units());
        let interval = variance.map(|variance| student(value, variance, self.units));
        Some(Estimate { value, interval, conservative: false })
    }
}

/// Sums of products over units that two variants have both played; a prime marks the second
/// variant.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Products {
    /// Σ y y′.
    pub yy: i128,
    /// Σ x y′.
    pub xy: i128,
    /// Σ y x′.
    pub yx: i128,
    /// Σ x x′.
    pub xx: i128,
}

impl Products {
    /// Adds a unit: (y, x) of both variants.
    pub fn add(&mut self, (y, x): (i64, i64), (other_y, other_x): (i64, i64)) {
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        self.yy += product(y, other_y);
        self.xy += product(x, other_y);
        self.yx += product(y, other_x);
        self.xx += product(x, other_x);
    }

    /// Adds the units of other products.
    pub fn merge(&mut self, other: &Products) {
        self.yy += other.yy;
        self.xy += other.xy;
        self.yx += other.yx;
        self.xx += other.xx;
    }

    /// Σ e e′ / (X X′), where e = y − r x is a unit's residual and r the ratio of the totals.
    fn sum_of_residuals(&self, own: &Sums, other: &Sums) -> f64 {
        let (r, s) = (own.ratio(), other.ratio());
        let sum = self.yy as f64 - s * self.yx as f64 - r * self.xy as f64 + r * s * self.xx as f64;
        sum / (own.x as f64 * other.x as f64)
    }
}

/// The difference of a figure between two variants that played the same units: second minus first.
///
/// None if one of them has no cases. Two cases need care:
///
/// - Every unit has the same events under both variants. Then the difference comes only from the
///   numbers of cases.
/// - All units differ by the same amount. Then nothing shows how far another unit could be.
///
/// A rate gets the rule of three on both sides of its interval in both cases. A mean has no
/// interval in the second case.
#[must_use]
pub fn difference(first: &Sums, second: &Sums, products: &Products, is_rate: bool) -> Option<Estimate> {
    /// The largest rounding error of a sum whose terms cancel, relative to the terms.
    const ROUNDING: f64 = 1e-13;
    if first.x == 0 || second.x == 0 {
        return None;
    }
    let (value, units) = (second.ratio() - first.ratio(), first.units.min(second.units));
    let variance = second.own_products().sum_of_residuals(second, second)
        + first.own_products().sum_of_residuals(first, first)
        - 2.0 * products.sum_of_residuals(first, second);
    let is_constant = variance <= ROUNDING * (first.mean_square() + second.mean_square());
    if units < 2 || is_constant && !is_rate {
        return Some(Estimate { value, interval: None, conservative: false });
    }
    // Half an event more in each variant, or few events seem too certain (Agresti and Min 2005).
    let of_an_event = if is_rate { 1.0 / (first.x as f64 * second.x as f64) } else { 0.0 };
    let (low, high) = student(value, bessel(units) * (variance.max(0.0) + of_an_event), units);
    let conservative = is_rate && (is_constant || first.yy + second.yy == 2 * products.yy);
    let margin = if conservative { rule_of_three(units) } else { 0.0 };
    let limit = if is_rate { 1.0 } else { f64::INFINITY };
    let interval = ((low - margin).max(-limit), (high + margin).min(limit));
    Some(Estimate { value, interval: Some(interval), conservative })
}

/// The rule of three: the upper 95 % bound for the rate of an event that none of these units had.
fn rule_of_three(units: u64) -> f64 {
    (3.0 / units as f64).min(1.0)
}

/// Bessel's correction, which makes a mean of squared residuals an unbiased variance.
fn bessel(units: u64) -> f64 {
    units as f64 / (units - 1) as f64
}

/// Student's t interval around a value with this variance.
fn student(value: f64, variance: f64, units: u64) -> (f64, f64) {
    let half = t_quantile(units - 1) * variance.sqrt();
    (value - half, value + half)
}

/// Wilson's interval for a rate with this variance.
fn wilson(rate: f64, variance: f64, units: u64) -> (f64, f64) {
    // t² / m, where m is the effective number of independent cases.
    let spread = t_quantile(units - 1).powi(2) * variance / (rate * (1.0 - rate));
    let centre = (rate + spread / 2.0) / (1.0 + spread);
    let half = (spread * (rate * (1.0 - rate) + spread / 4.0)).sqrt() / (1.0 + spread);
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// The 97.5 % quantile of Student's t, for the 95 % interval.
///
/// Up to 4 degrees of freedom come from printed tables, more from expansion 26.7.5 of Abramowitz
/// and Stegun, *Handbook of Mathematical Functions*, with an error below 0.001.
fn t_quantile(degrees: u64) -> f64 {
    const NORMAL: f64 = 1.959_963_984_540_054;
    const FEW: [f64; 5] = [f64::INFINITY, 12.706_205, 4.302_653, 3.182_446, 2.776_445];
    if let Some(exact) = FEW.get(degrees as usize) {
        return *exact;
    }
    let z = |power| NORMAL.powi(power);
    let n = degrees as f64;
    NORMAL
        + (z(3) + z(1)) / (4.0 * n)
        + (5.0 * z(5) + 16.0 * z(3) + 3.0 * z(1)) / (96.0 * n.powi(2))
        + (3.0 * z(7) + 19.0 * z(5) + 17.0 * z(3) - 15.0 * z(1)) / (384.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(units: &[(i64, i64)]) -> Sums {
        let mut sums = Sums::default();
        units.iter().for_each(|(y, x)| sums.add(*y, *x));
        sums
    }

    fn products(first: &[(i64, i64)], second: &[(i64, i64)]) -> Products {
        let mut products = Products::default();
        first.iter().zip(second).for_each(|(a, b)| products.add(*a, *b));
        products
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{found}, expected {expected}");
    }

    /// Quantiles from printed tables.
    #[test]
    fn t_quantiles_match_printed_tables() {
        let table = [
            (1, 12.7062),
            (4, 2.7764),
            (5, 2.5706),
            (9, 2.2622),
            (30, 2.0423),
            (120, 1.9799),
            (u64::MAX, 1.96),
        ];
        for (degrees, quantile) in table {
            assert!((t_quantile(degrees) - quantile).abs() < 3e-3, "{degrees}: {}", t_quantile(degrees));
        }
    }

    /// Units of one case each are independent cases: Wilson's interval, apart from n / (n − 1) and
    /// t.
    #[test]
    fn units_of_one_case_have_wilsons_interval() {
        let units: Vec<(i64, i64)> = (0..10_000).map(|case| (i64::from(case % 10 == 0), 1)).collect();
        let found = sums(&units).rate().expect("cases");
        let (low, high) = found.interval.expect("an interval");
        near(found.value, 0.1);
        assert!((low - 0.094_27).abs() < 1e-5 && (high - 0.106_04).abs() < 1e-5, "{low} {high}");
    }

    /// Four units, with the variance computed by hand.
    #[test]
    fn variance_comes_from_unit_totals() {
        let found = sums(&[(1, 10), (3, 10), (1, 10), (3, 10)]);
        // Residuals of 0.2: −1, 1, −1, 1.
        near(found.variance().expect("four units"), 4.0 / 3.0 * 4.0 / 1600.0);
        let mean = found.mean().expect("a mean");
        near(mean.interval.expect("an interval").1, 0.2 + 3.182_446 * (1.0_f64 / 300.0).sqrt());
    }

    #[test]
    fn no_events_are_bounded_by_the_rule_of_three() {
        let none = sums(&[(0, 10); 600]).rate().expect("cases");
        assert_eq!(none, Estimate { value: 0.0, interval: Some((0.0, 0.005)), conservative: true });
        let all = sums(&[(10, 10); 600]).rate().expect("cases");
        assert_eq!(all, Estimate { value: 1.0, interval: Some((0.995, 1.0)), conservative: true });
        // A unit without cases does not count.
        let few = sums(&[(0, 10), (0, 0), (0, 0), (0, 1)]).rate().expect("cases");
        assert_eq!(few.interval, Some((0.0, 1.0)));
        assert_eq!(sums(&[(0, 0); 5]).rate(), None);
        assert_eq!(sums(&[(5, 10)]).rate().expect("cases").interval, None);
    }

    /// Equal units do not show that every unit is equal. A rate gets the rule of three, a mean no
    /// interval.
    #[test]
    fn equal_units_do_not_give_certainty() {
        for units in [vec![(1, 4); 600], (1..=600).map(|size| (size, 4 * size)).collect()] {
            let rate = sums(&units).rate().expect("cases");
            let (low, high) = rate.interval.expect("an interval");
            near(low, 0.25 - 0.25 * 0.005);
            near(high, 0.25 + 0.75 * 0.005);
            near(rate.value, 0.25);
            assert!(rate.conservative);
        }
        let two = sums(&[(1, 3), (1, 3)]).rate().expect("cases");
        assert_eq!(two.interval, Some((0.0, 1.0)));
        // One third has no exact binary form: a sum of floating residuals would not be 0.
        for units in [vec![(8000, 1); 2], vec![(1, 3), (2, 6), (7, 21)], vec![(0, 5); 9]] {
            let mean = sums(&units).mean().expect("cases");
            assert!(mean.interval.is_none() && !mean.conservative, "{mean:?}");
        }
        assert!(sums(&[(8000, 1), (8001, 1)]).mean().expect("cases").interval.is_some());
    }

    /// A constant difference has no variance in pairs, but has one if the pairs are shuffled.
    #[test]
    fn pairing_removes_common_variance() {
        let first = [(1, 10), (3, 10), (1, 10), (3, 10)];
        let second = first.map(|(y, x)| (y + 1, x));
        let (a, b) = (sums(&first), sums(&second));
        let paired = difference(&a, &b, &products(&first, &second), false).expect("cases");
        near(paired.value, 0.1);
        assert_eq!(paired.interval, None);
        let as_rates = difference(&a, &b, &products(&first, &second), true).expect("cases");
        let (low, high) = as_rates.interval.expect("an interval");
        assert!(as_rates.conservative && low < 0.1 - 0.75 && high > 0.1 + 0.75, "{low} {high}");
        let nearly = [(2, 10), (4, 10), (2, 10), (5, 10)];
        let (low, high) = difference(&a, &sums(&nearly), &products(&first, &nearly), false)
            .expect("cases")
            .interval
            .expect("an interval");
        assert!(low > 0.0 && high < 0.25, "{low} {high}");
        let turned = [second[1], second[0], second[3], second[2]];
        let (low, high) = difference(&a, &b, &products(&first, &turned), true)
            .expect("cases")
            .interval
            .expect("an interval");
        assert!(high - low > 0.1, "{low} {high}");
    }

    #[test]
    fn differences_of_rates_end_at_one() {
        for second in [[(10, 10), (8, 10)], [(9, 10), (9, 10)]] {
            let first = [(0, 10), (1, 10)];
            let found =
                difference(&sums(&first), &sums(&second), &products(&first, &second), true).expect("cases");
            near(found.interval.expect("an interval").1, 1.0);
            let found =
                difference(&sums(&second), &sums(&first), &products(&second, &first), true).expect("cases");
            near(found.interval.expect("an interval").0, -1.0);
        }
        let (first, second) = ([(0, 1), (10, 1)], [(30, 1), (90, 1)]);
        let mean =
            difference(&sums(&first), &sums(&second), &products(&first, &second), false).expect("cases");
        assert!(mean.interval.expect("an interval").1 > 1.0);
    }

    #[test]
    fn equal_units_have_no_difference() {
        let units = [(1, 7), (3, 11), (0, 9), (2, 10)];
        let own = sums(&units);
        let same = difference(&own, &own, &products(&units, &units), true).expect("cases");
        let (low, high) = same.interval.expect("an interval");
        near(low, -high);
        assert!(same.value == 0.0 && same.conservative && high > 0.75, "{low} {high}");
        assert_eq!(difference(&own, &own, &own.own_products(), false).expect("cases").interval, None);
        // The numbers of cases differ, the events do not.
        let (first, second) = ([(1, 10); 600], [(1, 11); 600]);
        let cases =
            difference(&sums(&first), &sums(&second), &products(&first, &second), true).expect("cases");
        let (low, high) = cases.interval.expect("an interval");
        near(f64::midpoint(low, high), 1.0 / 11.0 - 0.1);
        assert!(cases.conservative && high - low > 0.01 && high - low < 0.011, "{low} {high}");
    }
}

//! Intervals of 95 % for ratios of totals.
//!
//! A rate of hands is the ratio of two totals over games: hands in which a thing happened, and hands. Hands of a game are not
//! independent of each other; games are, or sets of games where several share their walls. So the variance comes from the totals
//! of games. `docs/statistics.md` has the formulas and where they are from.

/// Totals over units, a unit being a game or the games that share their walls: `y` is what a figure counts, `x` what it is divided by.
///
/// Sums of whole numbers, so that nothing depends on the order of the units.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Sums {
    /// Units that have something to divide by.
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

/// A figure with its interval of 95 %.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The ratio of the totals.
    pub value: f64,
    /// The interval; none where the units tell nothing of the variance: there is only one, or a mean is the same in all.
    pub interval: Option<(f64, f64)>,
    /// Whether the interval is a bound that holds more often than 95 %: all units have the same rate, as where there were no events; for a
    /// difference, no unit has other events, or it is the same in all.
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

    /// Adds other units.
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

    /// The squares that cancel in the variance of a ratio, where units are alike, in its unit.
    fn mean_square(&self) -> f64 {
        let ratio = self.ratio();
        (self.yy as f64 + ratio * ratio * self.xx as f64) / (self.x as f64).powi(2)
    }

    /// The products with itself.
    const fn square(&self) -> Products {
        Products { yy: self.yy, xy: self.xy, yx: self.xy, xx: self.xx }
    }

    /// The variance of the ratio, by its linearization; none for a single unit.
    fn variance(&self) -> Option<f64> {
        (self.units > 1).then(|| scale(self.units) * self.square().of_residuals(self, self).max(0.0))
    }

    /// Whether all units have the same ratio, told without rounding: then Cauchy's inequality is an equation.
    const fn are_alike(&self) -> bool {
        self.xy * self.xy == self.xx * self.yy
    }

    /// A share of cases with its interval; none if there were no cases.
    ///
    /// Wilson's interval for as many independent cases as would have the same variance. Where all units are alike three units' worth of
    /// other cases: what so many units do not show is not more than that.
    #[must_use]
    pub fn rate(&self) -> Option<Estimate> {
        if self.x == 0 {
            return None;
        }
        let value = self.ratio();
        let conservative = self.are_alike() && (self.units > 1 || self.y == 0 || self.y == self.x);
        let interval = if conservative {
            let others = three_units(self.units);
            Some((value * (1.0 - others), value + (1.0 - value) * others))
        } else {
            self.variance().map(|variance| wilson(value, variance, self.units))
        };
        Some(Estimate { value, interval, conservative })
    }

    /// A mean with its interval, from Student's t; none if there was nothing to average.
    ///
    /// Units that are all alike have no interval: nothing says how far another unit could be.
    #[must_use]
    pub fn mean(&self) -> Option<Estimate> {
        let value = (self.x != 0).then(|| self.ratio())?;
        let variance = self.variance().filter(|_| !self.are_alike());
        let interval = variance.map(|variance| around(value, variance, self.units));
        Some(Estimate { value, interval, conservative: false })
    }
}

/// Sums of products over units that two variants have both played.
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
    /// Adds a unit: y and x of both variants.
    pub fn add(&mut self, (y, x): (i64, i64), (other_y, other_x): (i64, i64)) {
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        self.yy += product(y, other_y);
        self.xy += product(x, other_y);
        self.yx += product(y, other_x);
        self.xx += product(x, other_x);
    }

    /// Adds other units.
    pub fn merge(&mut self, other: &Products) {
        self.yy += other.yy;
        self.xy += other.xy;
        self.yx += other.yx;
        self.xx += other.xx;
    }

    /// Σ e e′ / (X X′), where e = y − r x is what a unit adds to the error of the ratio r.
    fn of_residuals(&self, own: &Sums, other: &Sums) -> f64 {
        let (r, s) = (own.ratio(), other.ratio());
        let sum = self.yy as f64 - s * self.yx as f64 - r * self.xy as f64 + r * s * self.xx as f64;
        sum / (own.x as f64 * other.x as f64)
    }
}

/// The difference of a figure between two variants that played the same units, the second less the first.
///
/// None if one of them has no cases. `is_rate` tells a share from a mean. If the events of no unit differ, what is seen comes from the numbers
/// of cases alone; if all units differ by as much, nothing tells how far another could. Then three units' worth of events are added on both
/// sides of the interval of a rate, and a mean has none in the second case.
#[must_use]
pub fn difference(first: &Sums, second: &Sums, products: &Products, is_rate: bool) -> Option<Estimate> {
    /// What rounding may leave of a sum whose terms cancel.
    const ROUNDING: f64 = 1e-13;
    if first.x == 0 || second.x == 0 {
        return None;
    }
    let (value, units) = (second.ratio() - first.ratio(), first.units.min(second.units));
    let variance = second.square().of_residuals(second, second) + first.square().of_residuals(first, first)
        - 2.0 * products.of_residuals(first, second);
    let are_alike = variance <= ROUNDING * (first.mean_square() + second.mean_square());
    if units < 2 || are_alike && !is_rate {
        return Some(Estimate { value, interval: None, conservative: false });
    }
    // Half an event more in each of them, so that few events do not seem more certain than they are (Agresti and Min 2005).
    let of_an_event = if is_rate { 1.0 / (first.x as f64 * second.x as f64) } else { 0.0 };
    let (low, high) = around(value, scale(units) * (variance.max(0.0) + of_an_event), units);
    let conservative = is_rate && (are_alike || first.yy + second.yy == 2 * products.yy);
    let more = if conservative { three_units(units) } else { 0.0 };
    let most = if is_rate { 1.0 } else { f64::INFINITY };
    let interval = ((low - more).max(-most), (high + more).min(most));
    Some(Estimate { value, interval: Some(interval), conservative })
}

/// The rate that is not exceeded in 95 % of cases where so many units had no event: the rule of three.
fn three_units(units: u64) -> f64 {
    (3.0 / units as f64).min(1.0)
}

/// What makes the mean square of so many residuals an estimate without bias.
fn scale(units: u64) -> f64 {
    units as f64 / (units - 1) as f64
}

fn around(value: f64, variance: f64, units: u64) -> (f64, f64) {
    let half = t_quantile(units - 1) * variance.sqrt();
    (value - half, value + half)
}

/// Wilson's interval for a share with this variance.
fn wilson(share: f64, variance: f64, units: u64) -> (f64, f64) {
    // t²/n, n being the effective number of cases.
    let spread = t_quantile(units - 1).powi(2) * variance / (share * (1.0 - share));
    let centre = (share + spread / 2.0) / (1.0 + spread);
    let half = (spread * (share * (1.0 - share) + spread / 4.0)).sqrt() / (1.0 + spread);
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// The number below which Student's t with so many degrees of freedom is in 97.5 % of cases.
///
/// From tables for few, else by the expansion 26.7.5 of Abramowitz and Stegun, *Handbook of Mathematical Functions*, which is right to a
/// thousandth.
fn t_quantile(freedom: u64) -> f64 {
    const NORMAL: f64 = 1.959_963_984_540_054;
    const FEW: [f64; 5] = [f64::INFINITY, 12.706_205, 4.302_653, 3.182_446, 2.776_445];
    if let Some(exact) = FEW.get(freedom as usize) {
        return *exact;
    }
    let z = |power| NORMAL.powi(power);
    let n = freedom as f64;
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

    /// The quantiles of printed tables.
    #[test]
    fn quantiles_of_t() {
        let table = [
            (1, 12.7062),
            (4, 2.7764),
            (5, 2.5706),
            (9, 2.2622),
            (30, 2.0423),
            (120, 1.9799),
            (u64::MAX, 1.96),
        ];
        for (freedom, quantile) in table {
            assert!((t_quantile(freedom) - quantile).abs() < 3e-3, "{freedom}: {}", t_quantile(freedom));
        }
    }

    /// Units of one case each: the interval is Wilson's of independent cases but for n / (n − 1) and t.
    #[test]
    fn cases_that_are_units_have_wilsons_interval() {
        let units: Vec<(i64, i64)> = (0..10_000).map(|case| (i64::from(case % 10 == 0), 1)).collect();
        let found = sums(&units).rate().expect("cases");
        let (low, high) = found.interval.expect("an interval");
        near(found.value, 0.1);
        assert!((low - 0.094_27).abs() < 1e-5 && (high - 0.106_04).abs() < 1e-5, "{low} {high}");
    }

    /// Units that come in equal halves: the variance by hand.
    #[test]
    fn the_variance_is_that_of_unit_totals() {
        let found = sums(&[(1, 10), (3, 10), (1, 10), (3, 10)]);
        // Residuals of 0.2: −1, 1, −1, 1.
        near(found.variance().expect("four units"), 4.0 / 3.0 * 4.0 / 1600.0);
        let mean = found.mean().expect("a mean");
        near(mean.interval.expect("an interval").1, 0.2 + 3.182_446 * (1.0_f64 / 300.0).sqrt());
    }

    #[test]
    fn without_events_three_units_are_the_bound() {
        let none = sums(&[(0, 10); 600]).rate().expect("cases");
        assert_eq!(none, Estimate { value: 0.0, interval: Some((0.0, 0.005)), conservative: true });
        let all = sums(&[(10, 10); 600]).rate().expect("cases");
        assert_eq!(all, Estimate { value: 1.0, interval: Some((0.995, 1.0)), conservative: true });
        // A unit without cases is no evidence.
        let few = sums(&[(0, 10), (0, 0), (0, 0), (0, 1)]).rate().expect("cases");
        assert_eq!(few.interval, Some((0.0, 1.0)));
        assert_eq!(sums(&[(0, 0); 5]).rate(), None);
        assert_eq!(sums(&[(5, 10)]).rate().expect("cases").interval, None);
    }

    /// Units that are alike do not say that all are: three of them might have been others, and of a mean nobody knows how far.
    #[test]
    fn units_that_are_alike_claim_no_certainty() {
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
        // A third is no number that a computer has: a sum of residuals would not be 0.
        for units in [vec![(8000, 1); 2], vec![(1, 3), (2, 6), (7, 21)], vec![(0, 5); 9]] {
            let mean = sums(&units).mean().expect("cases");
            assert!(mean.interval.is_none() && !mean.conservative, "{mean:?}");
        }
        assert!(sums(&[(8000, 1), (8001, 1)]).mean().expect("cases").interval.is_some());
    }

    /// Two variants that always differ by as much have a difference without variance, which tells nothing; without pairing it has one.
    #[test]
    fn pairs_take_the_luck_of_the_walls_out() {
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

    /// Of few units little is known, but a share is never above all.
    #[test]
    fn differences_of_rates_are_at_most_all() {
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
    fn what_never_differs_has_no_difference() {
        let units = [(1, 7), (3, 11), (0, 9), (2, 10)];
        let own = sums(&units);
        let same = difference(&own, &own, &products(&units, &units), true).expect("cases");
        let (low, high) = same.interval.expect("an interval");
        near(low, -high);
        assert!(same.value == 0.0 && same.conservative && high > 0.75, "{low} {high}");
        assert_eq!(difference(&own, &own, &own.square(), false).expect("cases").interval, None);
        // Other numbers of cases are no other events.
        let (first, second) = ([(1, 10); 600], [(1, 11); 600]);
        let cases =
            difference(&sums(&first), &sums(&second), &products(&first, &second), true).expect("cases");
        let (low, high) = cases.interval.expect("an interval");
        near(f64::midpoint(low, high), 1.0 / 11.0 - 0.1);
        assert!(cases.conservative && high - low > 0.01 && high - low < 0.011, "{low} {high}");
    }
}

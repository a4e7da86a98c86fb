//! 95 % confidence intervals for ratios of totals.
//!
//! Every figure is a ratio of two totals, such as hands won by tsumo over hands. Hands of one game
//! are not independent, so variances come from the totals of units. A unit is a game, or all games
//! on the same wall. `sim/docs/statistics.md` has the formulas and their sources.
//!
//! # Why
//!
//! **Why do rates have Wilson's interval with continuity correction?** It must be sound for rare
//! events that cluster in games, and a first event must not make a bound narrower. Korn and
//! Graubard use the exact interval of Clopper and Pearson with an effective number of cases.
//! Rejected: their interval as it is. It needs quantiles of the beta distribution for up to 10⁹
//! cases and covers the truth no more often, because the design effect is the larger uncertainty.
//! Also rejected: the rule of three over games, because it is several times too wide for events of
//! hands. So is the plain design effect, because it is 1 whenever there is only one event.
//!
//! **Why is the quantile of Student's t not from a library?** Only the 95 % level is needed. Eight
//! numbers from a table and an expansion of three terms give it with an error below 0.001. `statrs`
//! gives the distribution functions that ratings need. Its quantile is wrong from 10⁵ degrees of
//! freedom on, and its search for that of 10⁸ does not end (version 0.19.1).

use serde::{Deserialize, Serialize};

/// Sums over units. In each unit `y` is the numerator of a figure and `x` its denominator.
///
/// The sums are integers, so they do not depend on the order of the units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sums {
    /// How much one event adds to `y`: more than 1 if players can share an event. Not in a tally: the figure
    /// determines it.
    #[serde(skip, default = "whole")]
    pub parts: i64,
    /// The number of units with x ≠ 0.
    pub units: u64,
    /// The number of games in these units: more if several games are on the same wall.
    pub games: u64,
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

const fn whole() -> i64 {
    1
}

impl Default for Sums {
    fn default() -> Sums {
        Sums { parts: whole(), units: 0, games: 0, y: 0, x: 0, yy: 0, xy: 0, xx: 0 }
    }
}

/// The value of a figure with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The ratio of the totals.
    pub value: f64,
    /// The ends of the interval. None if the units say nothing about the variance: there is only
    /// one, or a mean is the same in all.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// Exactly 0.
    pub(super) const ZERO: Estimate = Estimate { value: 0.0, interval: Some((0.0, 0.0)) };

    /// Zero minus this.
    pub(super) fn negated(self) -> Estimate {
        // Subtracts, because the negation of 0 is −0.
        let interval = self.interval.map(|(low, high)| (0.0 - high, 0.0 - low));
        Estimate { value: 0.0 - self.value, interval }
    }

    /// The distance from the value to the farther end of the interval. None without an interval.
    pub fn distance(&self) -> Option<f64> {
        self.interval.map(|(low, high)| (high - self.value).max(self.value - low))
    }
}

/// The limits of a mean placement among this many players.
pub fn placement_limits(players: u8) -> (f64, f64) {
    (1.0, f64::from(players))
}

/// The part of a mean's interval between two limits. If the value itself is beyond a limit, as a
/// variance-reduced mean may be, the interval ends at the value instead.
///
/// ```
/// use jantaku_measure::stats::{cut_interval, placement_limits};
///
/// assert_eq!(cut_interval(3.6, (-1.1, 8.4), placement_limits(4)), (1.0, 4.0));
/// ```
pub fn cut_interval(value: f64, (low, high): (f64, f64), (lowest, highest): (f64, f64)) -> (f64, f64) {
    (low.max(lowest.min(value)), high.min(highest.max(value)))
}

impl Sums {
    /// Adds a unit of one game.
    pub fn add(&mut self, y: i64, x: i64) {
        self.add_unit(y, x, 1);
    }

    /// Adds a unit of this many games.
    pub fn add_unit(&mut self, y: i64, x: i64, games: u64) {
        if x == 0 && y == 0 {
            return;
        }
        let (wide_y, wide_x) = (i128::from(y), i128::from(x));
        if x != 0 {
            self.units += 1;
            self.games += games;
        }
        self.y += y;
        self.x += x;
        self.yy += wide_y * wide_y;
        self.xy += wide_x * wide_y;
        self.xx += wide_x * wide_x;
    }

    /// Adds the units of other sums.
    pub fn merge(&mut self, other: &Sums) {
        self.units += other.units;
        self.games += other.games;
        self.y += other.y;
        self.x += other.x;
        self.yy += other.yy;
        self.xy += other.xy;
        self.xx += other.xx;
    }

    /// These sums of `of` games, scaled to `many` games like them.
    pub(super) fn scaled(&self, many: u64, of: u64) -> Sums {
        let scale = |sum| scaled(sum, many, of);
        Sums {
            parts: self.parts,
            units: scale(self.units.into()) as u64,
            games: scale(self.games.into()) as u64,
            y: scale(self.y.into()) as i64,
            x: scale(self.x.into()) as i64,
            yy: scale(self.yy),
            xy: scale(self.xy),
            xx: scale(self.xx),
        }
    }

    fn ratio(&self) -> f64 {
        self.y as f64 / (self.parts * self.x) as f64
    }

    /// The size of the terms that cancel in the variance of equal units: the scale of its rounding
    /// errors.
    fn mean_square(&self) -> f64 {
        let ratio = self.ratio();
        let of_events = self.yy as f64 / (self.parts as f64).powi(2);
        (of_events + ratio * ratio * self.xx as f64) / (self.x as f64).powi(2)
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
    pub(super) const fn has_equal_units(&self) -> bool {
        self.xy * self.xy == self.xx * self.yy
    }

    /// The design effect of a rate: how many cases have as much information as one independent
    /// case.
    ///
    /// It is the variance of the units' events divided by that of independent cases. A few events cannot
    /// show whether they cluster, so both variances also count one more unit, in which each game has two
    /// events. A unit with a single case cannot have two events, so such units show no clustering.
    /// For few units, Student's t makes up for the uncertain variance. None for fewer than two
    /// units.
    fn design_effect(&self) -> Option<f64> {
        let (cases, rate) = (self.x as f64, self.ratio());
        // A game may have no case.
        let games = (self.games as f64).min(cases) / self.units as f64;
        let uncertain = (t_quantile(self.units - 1) / NORMAL).powi(2);
        let clustered = self.variance()? * uncertain * cases * cases;
        let independent = cases * cases / (cases - games) * rate * (1.0 - rate);
        let unseen = (UNSEEN_EVENTS * games).min(self.xx as f64 / cases);
        Some((clustered + unseen * unseen) / (independent + unseen))
    }

    /// The figure as a rate, a share of cases. None if there are no cases.
    ///
    /// The interval is Wilson's with continuity correction, for the effective number of cases: the
    /// number of independent cases with as much information.
    pub fn rate(&self) -> Option<Estimate> {
        let value = (self.x != 0).then(|| self.ratio())?;
        let interval = self.design_effect().map(|effect| wilson(value, self.x as f64 / effect));
        Some(Estimate { value, interval })
    }

    /// The figure as a mean. None if there is nothing to average.
    ///
    /// The interval is Student's t. If all units have the same mean there is no interval: nothing
    /// shows how far another unit could be.
    pub fn mean(&self) -> Option<Estimate> {
        let value = (self.x != 0).then(|| self.ratio())?;
        let variance = self.variance().filter(|_| !self.has_equal_units());
        let half = variance.map(|variance| t_quantile(self.units - 1) * variance.sqrt());
        Some(Estimate { value, interval: half.map(|half| (value - half, value + half)) })
    }
}

/// The 97.5 % quantile of the normal distribution, for the 95 % interval.
pub(crate) const NORMAL: f64 = 1.959_963_984_540_054;

/// The number of events per game in the unit that [`Sums::design_effect`] adds. With two, the
/// interval covers the truth even if every event brings another one.
const UNSEEN_EVENTS: f64 = 2.0;

/// Sums of products over units that two variants have both played; a prime marks the second
/// variant.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

    /// As [`Sums::scaled`].
    pub(super) fn scaled(&self, many: u64, of: u64) -> Products {
        let scale = |sum| scaled(sum, many, of);
        Products { yy: scale(self.yy), xy: scale(self.xy), yx: scale(self.yx), xx: scale(self.xx) }
    }

    /// Σ e e′ / (X X′), where e = y − r x is a unit's residual and r the ratio of the totals.
    fn sum_of_residuals(&self, own: &Sums, other: &Sums) -> f64 {
        let (r, s) = (own.ratio(), other.ratio());
        let (p, q) = (own.parts as f64, other.parts as f64);
        let (yy, yx, xy) = (self.yy as f64 / (p * q), self.yx as f64 / p, self.xy as f64 / q);
        let sum = yy - s * yx - r * xy + r * s * self.xx as f64;
        sum / (own.x as f64 * other.x as f64)
    }
}

/// The difference of a figure between two variants that played the same units: second minus first.
///
/// None if one of them has no cases. A rate's interval never has length 0: it allows for events
/// that these units do not show. A mean that differs by the same amount in all units has no
/// interval.
pub fn difference(first: &Sums, second: &Sums, products: &Products, is_rate: bool) -> Option<Estimate> {
    /// The largest rounding error of a sum whose terms cancel, relative to the terms.
    const ROUNDING: f64 = 1e-13;
    if first.x == 0 || second.x == 0 {
        return None;
    }
    let (value, units) = (second.ratio() - first.ratio(), first.units.min(second.units));
    let residuals = second.own_products().sum_of_residuals(second, second)
        + first.own_products().sum_of_residuals(first, first)
        - 2.0 * products.sum_of_residuals(first, second);
    let is_constant = residuals <= ROUNDING * (first.mean_square() + second.mean_square());
    if units < 2 || is_constant && !is_rate {
        return Some(Estimate { value, interval: None });
    }
    let variance = t_quantile(units - 1).powi(2) * bessel(units) * residuals.max(0.0);
    let (half, limit) = if is_rate {
        ((variance + unseen_differences(first, second)).sqrt(), 1.0)
    } else {
        (variance.sqrt(), f64::INFINITY)
    };
    Some(Estimate { value, interval: Some(((value - half).max(-limit), (value + half).min(limit))) })
}

/// What rare differences that no unit shows add to the squared half-width of the interval for a
/// difference of rates: as much as units without any difference allow, as in Wilson's interval for
/// a rate of 0.
fn unseen_differences(first: &Sums, second: &Sums) -> f64 {
    let effect = [first, second].iter().filter_map(|sums| sums.design_effect()).fold(1.0, f64::max);
    (NORMAL.powi(2) * effect).powi(2) / (first.x as f64 * second.x as f64)
}

/// A sum over `of` games, scaled to `many` games like them and rounded.
const fn scaled(sum: i128, many: u64, of: u64) -> i128 {
    (sum * many as i128 + of as i128 / 2).div_euclid(of as i128)
}

/// Bessel's correction, which makes a mean of squared residuals an unbiased variance.
fn bessel(units: u64) -> f64 {
    units as f64 / (units - 1) as f64
}

/// Wilson's interval with continuity correction for a rate of this many independent cases.
fn wilson(rate: f64, cases: f64) -> (f64, f64) {
    let spread = NORMAL.powi(2) / cases;
    let end = |rate: f64, side: f64| {
        let half = (spread * (rate * (1.0 - rate) + spread / 4.0)).sqrt();
        (rate + spread / 2.0 + side * half) / (1.0 + spread)
    };
    // The correction: the ends are those of half a case fewer and half a case more.
    let (low, high) = (rate - 0.5 / cases, rate + 0.5 / cases);
    (if low > 0.0 { end(low, -1.0) } else { 0.0 }, if high < 1.0 { end(high, 1.0) } else { 1.0 })
}

/// The 97.5 % quantile of Student's t, for the 95 % interval.
///
/// Up to 8 degrees of freedom come from printed tables, more from expansion 26.7.5 of Abramowitz
/// and Stegun, *Handbook of Mathematical Functions*, with an error below 0.001.
pub(crate) fn t_quantile(degrees: u64) -> f64 {
    const FEW: [f64; 9] = [
        f64::INFINITY,
        12.706_205,
        4.302_653,
        3.182_446,
        2.776_445,
        2.570_582,
        2.446_912,
        2.364_624,
        2.306_004,
    ];
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
        near_to(found, expected, 1e-6);
    }

    /// Equal up to this share.
    fn near_to(found: f64, expected: f64, share: f64) {
        assert!((found - expected).abs() <= share * expected.abs(), "{found}, expected {expected}");
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
            assert!((t_quantile(degrees) - quantile).abs() < 1e-3, "{degrees}: {}", t_quantile(degrees));
        }
    }

    /// Wilson's intervals with continuity correction, computed by a formula of another form:
    /// Newcombe, *Statistics in Medicine* 17, 1998, 857–872, method 4.
    #[test]
    fn units_of_one_case_have_wilsons_interval() {
        let z = NORMAL;
        for (events, cases) in [(1_u32, 10_u32), (15, 148), (81, 263), (1000, 10_000), (3, 10_000)] {
            let units: Vec<(i64, i64)> = (0..cases).map(|case| (i64::from(case < events), 1)).collect();
            let found = sums(&units).rate().expect("cases");
            let (n, p) = (f64::from(cases), f64::from(events) / f64::from(cases));
            let wide = t_quantile(u64::from(cases) - 1) / z;
            let effect = sums(&units).design_effect().expect("units");
            let expected = (n * p * (1.0 - p) * n / (n - 1.0) * wide.powi(2) + 1.0)
                / (n * p * (1.0 - p) * n / (n - 1.0) + 1.0);
            near(effect, expected);
            let n = n / effect;
            let low = (2.0 * n * p + z * z
                - 1.0
                - z * (z * z - 2.0 - 1.0 / n + 4.0 * p * (n * (1.0 - p) + 1.0)).sqrt())
                / (2.0 * (n + z * z));
            let high = (2.0 * n * p
                + z * z
                + 1.0
                + z * (z * z + 2.0 - 1.0 / n + 4.0 * p * (n * (1.0 - p) - 1.0)).sqrt())
                / (2.0 * (n + z * z));
            let (found_low, found_high) = found.interval.expect("an interval");
            near(found.value, p);
            near(found_low, low);
            near(found_high, high);
        }
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

    /// The bound comes from the number of cases, not from the number of units.
    #[test]
    fn no_events_are_bounded_by_the_number_of_cases() {
        let bound = |units: &[(i64, i64)]| {
            let none = sums(units).rate().expect("cases");
            let all: Vec<(i64, i64)> = units.iter().map(|(_, x)| (*x, *x)).collect();
            let (all_low, all_high) = sums(&all).rate().expect("cases").interval.expect("an interval");
            let (low, high) = none.interval.expect("an interval");
            assert_eq!((none.value, low, all_high), (0.0, 0.0, 1.0));
            near(high, 1.0 - all_low);
            high
        };
        // Half an event and z² more, times the design effect of 2 or 1.
        let events = 4.786;
        near_to(bound(&vec![(0, 10); 6000]), 2.0 * events / 60_000.0, 1e-3);
        near_to(bound(&vec![(0, 60); 1000]), 2.0 * events / 60_000.0, 1e-3);
        near_to(bound(&vec![(0, 1); 60_000]), events / 60_000.0, 1e-3);
        // A unit without cases does not count.
        near(bound(&[(0, 10), (0, 0), (0, 0), (0, 1)]), bound(&[(0, 10), (0, 1)]));
        assert_eq!(sums(&[(0, 0); 5]).rate(), None);
        for one in [(5, 10), (0, 10), (10, 10)] {
            assert_eq!(sums(&[one]).rate().expect("cases").interval, None);
        }
    }

    /// Four kans in 1,790 games with 17,897 hands: no event is never less certain than one.
    #[test]
    fn a_first_event_does_not_lower_the_bound() {
        let mut units = vec![(0, 10); 1789];
        units.push((0, 7));
        let high = |units: &[(i64, i64)]| sums(units).rate().expect("cases").interval.expect("both ends").1;
        let none = high(&units);
        units[17].0 = 1;
        let one = high(&units);
        assert!(none < one && one < 0.000_55, "{none} {one}");
    }

    /// Events in games of their own: every further event raises both ends.
    #[test]
    fn bounds_rise_with_every_event() {
        for (games, hands) in [(2, 10), (3, 4), (10, 1), (100, 1), (50, 10), (2000, 9)] {
            let mut units = vec![(0, hands); games];
            let mut before = (-1.0, 0.0);
            for game in 0..games {
                let (low, high) = sums(&units).rate().expect("cases").interval.expect("both ends");
                assert!(
                    low >= before.0 && high > before.1,
                    "{games} {hands} {game}: {before:?} {low} {high}"
                );
                before = (low, high);
                units[game].0 = 1;
            }
        }
    }

    /// Equal units do not show that every unit is equal. A rate has an interval, a mean none.
    #[test]
    fn equal_units_do_not_give_certainty() {
        for units in [vec![(1, 4); 600], (0..600).map(|game| (1 + game % 3, 4 + 4 * (game % 3))).collect()] {
            let rate = sums(&units).rate().expect("cases");
            let (low, high) = rate.interval.expect("an interval");
            near(rate.value, 0.25);
            assert!(low < 0.2495 && high > 0.2505 && high - low < 0.004, "{low} {high}");
        }
        let (low, high) = sums(&[(1, 3), (1, 3)]).rate().expect("cases").interval.expect("an interval");
        assert!(low < 0.1 && high > 0.7, "{low} {high}");
        // One third has no exact binary form: a sum of floating residuals would not be 0.
        for units in [vec![(8000, 1); 2], vec![(1, 3), (2, 6), (7, 21)], vec![(0, 5); 9]] {
            let mean = sums(&units).mean().expect("cases");
            assert!(mean.interval.is_none(), "{mean:?}");
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
        assert!(low < 0.1 - 0.09 && high > 0.1 + 0.09 && high < 0.4, "{low} {high}");
        let nearly = [(2, 10), (4, 10), (2, 10), (5, 10)];
        let (low, high) = difference(&a, &sums(&nearly), &products(&first, &nearly), false)
            .expect("cases")
            .interval
            .expect("an interval");
        assert!(low > 0.0 && high < 0.25, "{low} {high}");
        let turned = [second[1], second[0], second[3], second[2]];
        let turned = difference(&a, &b, &products(&first, &turned), true).expect("cases");
        assert!(turned.distance() > as_rates.distance(), "{turned:?} {as_rates:?}");
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
        assert!(same.value == 0.0 && high > 0.1, "{low} {high}");
        assert_eq!(difference(&own, &own, &own.own_products(), false).expect("cases").interval, None);
        // The numbers of cases differ, the events do not.
        let (first, second) = ([(1, 10); 600], [(1, 11); 600]);
        let cases =
            difference(&sums(&first), &sums(&second), &products(&first, &second), true).expect("cases");
        let (low, high) = cases.interval.expect("an interval");
        near(f64::midpoint(low, high), 1.0 / 11.0 - 0.1);
        assert!(high - low > 0.001 && high - low < 0.0015, "{low} {high}");
    }

    /// Games with a rare event. None to three of them have it under one variant only.
    #[test]
    fn bounds_of_differences_rise_with_every_event() {
        let (first, mut second) = ([(0, 10); 1000], [(0, 10); 1000]);
        let mut before = 0.0;
        for game in 0..4 {
            let found = difference(&sums(&first), &sums(&second), &products(&first, &second), true);
            let high = found.and_then(|found| found.interval).expect("both ends").1;
            assert!(high > before && high < 0.002, "{game}: {before} {high}");
            before = high;
            second[game].0 = 1;
        }
    }
}

//! Figures as tables show them.

use jantaku_show::numbers::{decimal, signed};

use super::table::{Cell, Interval};

/// The number of decimals that shows two digits of half an interval.
pub fn decimals(half: f64) -> usize {
    if half > 0.0 { (1.0 - half.log10().floor()).clamp(0.0, 6.0) as usize } else { 3 }
}

/// The number of decimals of a number without an interval: 0 from 100 on, because turns need decimals and
/// points do not.
fn up_to_hundred(number: f64, decimals: usize) -> usize {
    if number.abs() < 100.0 { decimals } else { 0 }
}

/// A figure as tables show it. Rates are in percent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShownFigure<'a> {
    /// `rate`, `mean`, `sd` or `quantile`.
    pub kind: &'a str,
    /// A rate from 0 to 1, or a value of the other kinds.
    pub value: f64,
    /// The ends of the interval; none if there is no interval.
    pub interval: Option<(f64, f64)>,
}

impl ShownFigure<'_> {
    /// Whether the figure is a rate.
    pub fn is_rate(&self) -> bool {
        self.kind == "rate"
    }

    /// The factor of shown values: rates are in percent.
    pub fn scale(&self) -> f64 {
        if self.is_rate() { 100.0 } else { 1.0 }
    }

    /// The value, with the decimals that its interval justifies.
    pub fn value(&self) -> String {
        let (number, unit) = (self.scale() * self.value, if self.is_rate() { " %" } else { "" });
        let decimals = match self.kind {
            "quantile" => 0,
            "sd" => up_to_hundred(number, 2),
            "mean" if self.interval.is_none() => up_to_hundred(number, 3),
            _ if self.is_all_or_none() || self.is_impossible() => 0,
            _ => decimals(self.half()),
        };
        format!("{}{unit}", decimal(number, decimals))
    }

    fn half(&self) -> f64 {
        self.interval.map_or(0.0, |(low, high)| self.scale() * (high - low) / 2.0)
    }

    /// Whether all cases are events, or none.
    fn is_all_or_none(&self) -> bool {
        self.is_rate() && [0.0, 1.0].contains(&self.value)
    }

    /// Whether the rules exclude the figure, so that it is exactly 0.
    fn is_impossible(&self) -> bool {
        self.interval == Some((0.0, 0.0))
    }

    /// The figure as a cell of a table.
    pub fn as_interval(&self) -> Interval {
        let interval = Interval::new(self.value, self.interval);
        let interval = if self.is_rate() { interval.percent() } else { interval };
        match self.interval {
            Some(_) if self.is_impossible() => interval.shown_as("cannot occur"),
            Some(ends) if self.is_all_or_none() => interval.shown_as(bound(self.value == 0.0, ends)),
            Some(_) if self.kind != "quantile" && self.kind != "sd" => interval,
            _ => interval.shown_as(self.value()),
        }
    }
}

/// Whether a value is in the middle of its interval, up to this distance.
pub(super) fn is_middle(value: f64, (low, high): (f64, f64), distance: f64) -> bool {
    (low.midpoint(high) - value).abs() <= distance
}

/// A one-sided bound of a share, in percent.
fn bound(is_upper: bool, (low, high): (f64, f64)) -> String {
    let (low, high) = (100.0 * low, 100.0 * high);
    if is_upper {
        format!("≤ {} %", decimal(high, decimals(high)))
    } else {
        format!("≥ {} %", decimal(low, decimals(100.0 - low)))
    }
}

/// The difference of a figure from that of the first variant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShownDifference {
    /// The factor of shown values: 100 for the percentage points of a rate.
    pub scale: f64,
    /// The difference. None for the first variant.
    pub value: Option<f64>,
    /// The ends of its interval; none if it is unknown.
    pub interval: Option<(f64, f64)>,
}

impl ShownDifference {
    /// The difference as a cell of a table; empty for the first variant.
    pub fn cell(&self) -> Cell {
        let Some(value) = self.value else { return Cell::Empty };
        let interval = Interval::new(value, self.interval).signed();
        let interval = if self.scale > 1.0 { interval.percentage_points() } else { interval };
        match (value, self.interval) {
            (0.0, Some((0.0, 0.0))) => interval.shown_as("0"),
            (_, None) => interval.shown_as(signed(self.scale * value, up_to_hundred(self.scale * value, 3))),
            _ => interval,
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_half_an_interval_or_its_ends() {
        let figure = ShownFigure { kind: "rate", value: 0.24, interval: None };
        let of = |interval| ShownFigure { interval, ..figure }.as_interval().text();
        assert_eq!(of(Some((0.0, 1.0))), "24 (0 to 100) %");
        assert_eq!(of(Some((0.0, 0.5))), "24 (0 to 50) %");
        assert_eq!(of(Some((0.14, 0.34))), "24 ± 10 %");
        assert_eq!(of(Some((0.142, 0.342))), "24 ± 10 %", "the ends differ by less than shown digits");
        assert_eq!(of(None), "24.000 %");
    }
}

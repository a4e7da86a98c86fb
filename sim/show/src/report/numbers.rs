//! Numbers as text for people.

use super::table::{Cell, Interval};

/// Printed in place of an interval that does not exist.
pub const NO_INTERVAL: &str = "–";

/// A number with a comma every three digits.
///
/// ```
/// assert_eq!(jantaku_show::report::numbers::thousands(25_000), "25,000");
/// ```
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and a noun with a plural in s.
pub fn many(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A number with this many decimals, and a comma every three digits before them. What is rounded to 0
/// has no minus sign.
pub fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = !text.contains(|digit: char| matches!(digit, '1'..='9' | 'a'..='z'));
    let text = if is_zero { text.trim_start_matches('-') } else { &text };
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
    let digits = digits.parse().map_or_else(|_| digits.to_owned(), thousands);
    format!("{sign}{digits}{fraction}")
}

/// [`decimal`] with a sign.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = decimal(number, decimals);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// A share in percent; a dash if the whole is 0.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        NO_INTERVAL.to_owned()
    } else {
        format!("{} %", decimal(100.0 * part as f64 / whole as f64, 2))
    }
}

/// A short time with its unit, such as `0.41 µs` or `12 ms`.
pub fn time(seconds: f64) -> String {
    let (number, unit) = match seconds {
        time if time < 1e-3 => (time * 1e6, "µs"),
        time if time < 1.0 => (time * 1e3, "ms"),
        time => (time, "s"),
    };
    format!("{} {unit}", decimal(number, if number < 10.0 { 2 } else { 0 }))
}

/// A rate such as `1,406 games/s`, or the time for one if that takes more than a second.
///
/// ```
/// use jantaku_show::report::numbers::speed;
///
/// assert_eq!([speed(14_060, 10.0, "game"), speed(45, 10.0, "game")], ["1,406 games/s", "4.5 games/s"]);
/// assert_eq!([speed(4, 50.0, "game"), speed(0, 50.0, "game")], ["12.5 s a game", "0 games/s"]);
/// ```
pub fn speed(count: u64, seconds: f64, thing: &str) -> String {
    let rate = count as f64 / seconds;
    match rate {
        1.0.. => format!("{} {thing}s/s", decimal(rate, usize::from(rate < 10.0))),
        _ if count > 0 => format!("{} s a {thing}", decimal(1.0 / rate, 1)),
        _ => format!("0 {thing}s/s"),
    }
}

/// The number of decimals that shows two digits of half an interval.
pub fn decimals(half: f64) -> usize {
    if half > 0.0 { (1.0 - half.log10().floor()).clamp(0.0, 6.0) as usize } else { 3 }
}

/// The number of decimals of a number without an interval: turns need some, points do not.
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
    fn one_is_singular() {
        for (number, text) in [(0, "0 games"), (1, "1 game"), (2000, "2,000 games")] {
            assert_eq!(many(number, "game"), text);
        }
    }

    #[test]
    fn numbers_have_one_format() {
        let shown = [decimal(25_000.0, 0), decimal(-1_234.567, 2), decimal(0.5, 3), decimal(-0.25, 1)];
        assert_eq!(shown, ["25,000", "-1,234.57", "0.500", "-0.2"]);
        assert_eq!([decimal(-0.04, 1), signed(-0.4, 0), signed(-0.0, 1)], ["0.0", "+0", "+0.0"]);
        assert_eq!([signed(1_500.0, 1), signed(-0.25, 2), signed(0.0, 0)], ["+1,500.0", "-0.25", "+0"]);
        assert_eq!(
            [thousands(999), thousands(1_000), thousands(u64::MAX)].map(|text| text.len()),
            [3, 5, 26]
        );
    }

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

//! Intervals and curves as SVG.

use jantaku_show::numbers::decimal;

use super::table::{Cell, Column, Group, Interval};

/// The width of a picture in units of its own. The page stretches it.
const WIDTH: f64 = 1000.0;
/// The margin at both ends.
const MARGIN: f64 = 20.0;

/// A scale from round number to round number.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    step: f64,
    /// The factor of shown numbers.
    scale: f64,
}

/// Curves of a figure.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The heading.
    pub heading: String,
    /// What the axis from left to right is.
    pub x: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A curve with its points from left to right.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The name.
    pub name: String,
    /// The points: x and y.
    pub points: Vec<(f64, f64)>,
}

impl Axis {
    /// An axis that includes all of these values. None without values.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Option<Axis> {
        let (low, high) = ends(values.filter(|value| value.is_finite()))?;
        let size = (high - low).max(1e-9 * low.abs().max(high.abs())).max(1e-12);
        let power = 10_f64.powf((size / 4.0).log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| 4.0 * step >= size);
        let step = step.unwrap_or(10.0 * power);
        let (first, last) = ((low / step).floor() * step, (high / step).ceil() * step);
        let high = if last > first { last } else { first + step };
        Some(Axis { low: first, high, step, scale: 1.0 })
    }

    /// The axis of the intervals of a column in a group, with the reference of the column. None
    /// without an interval.
    pub(super) fn of_column(group: &Group, index: usize, column: &Column) -> Option<Axis> {
        let cells = || group.rows.iter().filter_map(|row| row.get(index));
        let intervals =
            || cells().filter_map(|cell| if let Cell::Interval(own) = cell { Some(own) } else { None });
        let scale = intervals().next()?.scale();
        let mut values = intervals().flat_map(|own| [own.low, own.value, own.high]).flatten().peekable();
        values.peek()?;
        Some(Axis { scale, ..Axis::of(values.chain(column.reference))? })
    }

    /// The ends as text.
    pub(super) fn ends(self) -> [String; 2] {
        let decimals = (-(self.scale * self.step).log10().floor()).clamp(0.0, 6.0) as usize;
        [self.low, self.high].map(|end| decimal(self.scale * end, decimals))
    }

    /// Where a value is between the ends: from 0 to 1.
    fn share(self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn x(self, value: f64) -> f64 {
        (MARGIN + self.share(value) * (WIDTH - 2.0 * MARGIN)).round()
    }
}

/// The lowest and the highest of these values. None if there is none.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.map(|value| (value, value)).reduce(|(low, high), (value, _)| (low.min(value), high.max(value)))
}

/// An interval as a line with a mark at its value. Open ends reach to the edge.
pub(super) fn interval_svg(interval: &Interval, axis: Axis, reference: Option<f64>) -> String {
    let zero = reference
        .map_or_else(String::new, |value| format!("<path class=\"zero\" d=\"M{} 0V20\"/>", axis.x(value)));
    let line = match (interval.low, interval.high) {
        (None, None) => String::new(),
        (low, high) => {
            let (from, to) = (low.map_or(0.0, |low| axis.x(low)), high.map_or(WIDTH, |high| axis.x(high)));
            format!("<path d=\"M{from} 10H{to}\"/>")
        }
    };
    let mark = interval
        .value
        .map_or_else(String::new, |value| format!("<path class=\"mark\" d=\"M{} 10h.1\"/>", axis.x(value)));
    format!(
        "<svg viewBox=\"0 0 {WIDTH} 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{zero}{line}{mark}</svg>"
    )
}

impl Plot {
    /// The axes of both directions. None without a point.
    pub(super) fn axes(&self) -> Option<[Axis; 2]> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let mut x = Axis::of(points().map(|(x, _)| *x))?;
        // From left to right the axis ends at the outer points, not at round numbers.
        if let Some((low, high)) = ends(points().map(|(x, _)| *x)).filter(|(low, high)| low < high) {
            (x.low, x.high) = (low, high);
        }
        Some([x, Axis::of(points().map(|(_, y)| *y))?])
    }

    /// The curves, along the axes that [`Plot::axes`] returns.
    pub(super) fn svg(&self, [x, y]: [Axis; 2]) -> String {
        let point = |(at, value): &(f64, f64)| {
            format!("{:.1} {:.1}", WIDTH * x.share(*at), 300.0 * (1.0 - y.share(*value)))
        };
        let curve = |(number, curve): (usize, &Curve)| {
            let points: Vec<String> = curve.points.iter().map(point).collect();
            format!("<path class=\"line-{}\" d=\"M{}\"/>", number % 3, points.join("L"))
        };
        let curves: String = self.curves.iter().enumerate().map(curve).collect();
        format!(
            "<svg viewBox=\"0 0 {WIDTH} 300\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{curves}</svg>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        let ends = |values: &[f64], scale| {
            Axis::of(values.iter().copied()).map(|axis| Axis { scale, ..axis }.ends())
        };
        assert_eq!(ends(&[2.31, 2.68], 1.0), Some(["2.3", "2.7"].map(str::to_owned)));
        assert_eq!(ends(&[0.0, 0.392], 100.0), Some(["0", "40"].map(str::to_owned)));
        assert_eq!(ends(&[-431.0, 290.0], 1.0), Some(["-600", "400"].map(str::to_owned)));
        assert_eq!(ends(&[0.0, 0.0], 1.0).map(|ends| ends[0].clone()), Some("0.000000".to_owned()));
        assert_eq!(ends(&[], 1.0), None);
        assert_eq!(ends(&[f64::NAN], 1.0), None);
    }

    #[test]
    fn open_ends_reach_the_edge() {
        let axis = Axis::of([0.0, 100.0].into_iter()).expect("an axis");
        let above = Interval::open(None, Some(50.0), None);
        assert!(interval_svg(&above, axis, None).contains("<path d=\"M500 10H1000\"/>"));
        let point = Interval::new(100.0, None);
        let svg = interval_svg(&point, axis, Some(0.0));
        assert!(svg.contains("M980 10h.1") && svg.contains("M20 0V20") && !svg.contains("<path d="), "{svg}");
    }
}

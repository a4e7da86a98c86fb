//! A picture of ratings.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::width::{columns, cut};
use crate::arena::Rating;

/// An agent of the picture.
#[derive(Clone, Debug)]
pub struct PlotRow {
    /// The label.
    pub label: String,
    /// The rating.
    pub rating: Rating,
}

const WIDTH: u32 = 900;
const ROW: u32 = 36;
const TOP: u32 = 56;
const BOTTOM: u32 = 56;
/// Room for the numbers.
const RIGHT: u32 = 150;
/// The width of a letter of a label, about.
const LETTER: u32 = 8;
/// The longest label in letters.
const MAX: usize = 44;
const COLOUR: RGBColor = RGBColor(31, 99, 158);

/// Draws ratings with their intervals as SVG, one row for each agent in this order, with the numbers
/// beside them. Open intervals end in an arrow. The anchor is a ring.
///
/// # Panics
///
/// If there are no rows.
#[must_use]
pub fn plot(rows: &[PlotRow], title: &str) -> String {
    let mut svg = String::new();
    draw(rows, title, &mut svg).expect("drawing to a String cannot fail");
    svg
}

fn draw(rows: &[PlotRow], title: &str, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let (low, high) = range(rows);
    let labels: Vec<String> = rows.iter().map(|row| cut(&row.label, MAX)).collect();
    let letters = labels.iter().map(|label| columns(label)).max().unwrap_or(0) as u32;
    let (height, left) = (TOP + BOTTOM + 8 + ROW * rows.len() as u32, 28 + LETTER * letters);
    let area = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let style = |size: u32| TextStyle::from(("sans-serif", size).into_font()).color(&BLACK);
    let centered = style(18).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(title.to_owned(), ((WIDTH / 2) as i32, (TOP / 2) as i32), centered))?;
    let inner = area.margin(TOP, 8, left, RIGHT);
    let mut chart = ChartBuilder::on(&inner)
        .set_label_area_size(LabelAreaPosition::Bottom, BOTTOM)
        .build_cartesian_2d(low..high, (rows.len() as f64 - 0.5)..-0.5)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_labels(9)
        .x_label_formatter(&|rating| format!("{rating:.0}"))
        .x_desc("rating on the Elo scale, with 95 % intervals; ○: the anchor")
        .label_style(style(14))
        .axis_desc_style(style(14))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (row, (entry, label)) in rows.iter().zip(labels).enumerate() {
        let y = row as f64;
        let (_, height) = chart.backend_coord(&(low, y));
        let right = style(15).pos(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(label, (left as i32 - 12, height), right))?;
        let ends = match entry.rating {
            Rating::Above { low: from } => Some((from.unwrap_or(high), high)),
            Rating::Below { high: to } => Some((low, to.unwrap_or(low))),
            Rating::Unknown | Rating::Anchor(_) => None,
            other @ Rating::Finite { .. } => other.low().zip(other.high()),
        };
        let left_of_margin = style(15).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(number(entry.rating), ((WIDTH - RIGHT) as i32 + 16, height), left_of_margin))?;
        let bar = COLOUR.stroke_width(2);
        if let Some((from, to)) = ends {
            chart.draw_series([PathElement::new([(from, y), (to, y)], bar)])?;
            // A tick at each end, an arrow at an open one.
            let reach = (high - low) / 120.0;
            for (end, is_open, inward) in [
                (from, matches!(entry.rating, Rating::Below { .. }), reach),
                (to, matches!(entry.rating, Rating::Above { .. }), -reach),
            ] {
                let back = if is_open { inward } else { 0.0 };
                let tick = [(end + back, y - 0.16), (end, y), (end + back, y + 0.16)];
                chart.draw_series([PathElement::new(tick, bar)])?;
            }
        }
        if let Some(value) = entry.rating.value() {
            let is_anchor = matches!(entry.rating, Rating::Anchor(_));
            let mark = if is_anchor { bar } else { COLOUR.filled() };
            chart.draw_series([Circle::new((value, y), 5, mark)])?;
        }
    }
    area.present()?;
    Ok(())
}

/// A rating as a number with half its interval, or its bound.
fn number(rating: Rating) -> String {
    let bound =
        |sign: char, end: Option<f64>| end.map_or_else(String::new, |end| format!("{sign} {end:+.0}"));
    match rating {
        Rating::Anchor(value) | Rating::Finite { value, interval: None } => format!("{value:+.0}"),
        Rating::Finite { value, interval: Some((_, high)) } => format!("{value:+.0} ± {:.0}", high - value),
        Rating::Above { low } => bound('>', low),
        Rating::Below { high } => bound('<', high),
        Rating::Unknown => "?".to_owned(),
    }
}

/// The axis: all finite ends, with a margin.
fn range(rows: &[PlotRow]) -> (f64, f64) {
    let ends =
        rows.iter().flat_map(|row| [row.rating.low(), row.rating.value(), row.rating.high()]).flatten();
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    let margin = ((high - low) / 15.0).max(10.0);
    (low - margin, high + margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_has_its_label_and_mark() {
        let rows = [
            ("strong & quick", Rating::Above { low: Some(300.0) }),
            ("anchor", Rating::Anchor(0.0)),
            ("other", Rating::Finite { value: -40.0, interval: Some((-60.0, -20.0)) }),
            ("once", Rating::Finite { value: -50.0, interval: None }),
            ("weak", Rating::Below { high: Some(-300.0) }),
            ("apart", Rating::Unknown),
        ];
        let rows = rows.map(|(label, rating)| PlotRow { label: label.to_owned(), rating });
        let svg = plot(&rows, "a league");
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
        for number in ["&gt; +300", "+0", "-40 ± 20", "-50", "&lt; -300", "?"] {
            assert!(svg.contains(&format!("\n{number}\n")), "{number}: {svg}");
        }
        for text in ["strong &amp; quick", "anchor", "other", "once", "weak", "apart", "a league"] {
            assert!(svg.contains(&format!("\n{text}\n")), "{text}: {svg}");
        }
        assert!(cut(&"x".repeat(60), MAX).ends_with("x…"));
    }
}

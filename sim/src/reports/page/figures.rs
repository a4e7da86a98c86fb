//! Figures of games as tables.

use std::collections::BTreeSet;

use jantaku_show::view::embedded;
use serde::Deserialize;
use serde_json::Value;

use super::origin::Origin;
use crate::reports::names::AgentNames;
use crate::stats::{cut_interval, placement_limits};
use jantaku_show::report::numbers::{ShownDifference, ShownFigure, many};
use jantaku_show::report::{Cell, Column, Report, Section, Table};

/// The most bytes of the JSON of shown figures. Their tables take about one and a half times as much.
const MAX_SHOWN: usize = 280_000;

/// A figure of a result, of a variant in a sweep.
#[derive(Clone, Deserialize)]
pub(super) struct Figure {
    name: String,
    group: String,
    kind: String,
    per: String,
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
    events: i64,
    trials: i64,
    #[serde(default)]
    pub variant: String,
    #[serde(default)]
    difference: Option<f64>,
    #[serde(default)]
    difference_low: Option<f64>,
    #[serde(default)]
    difference_high: Option<f64>,
}

/// The figures that a page shows.
pub(super) struct ShownFigures {
    pub figures: Vec<Figure>,
    /// The names and groups.
    keys: BTreeSet<(String, String)>,
    /// The number of figures that do not fit.
    left_out: usize,
}

impl ShownFigures {
    /// The figures of a result that the origin asks for: those of all players and hands, of the
    /// chosen groups, and of the agents if there are several. As many as fit into a page.
    pub(super) fn of(result: &Value, origin: &Origin) -> Result<ShownFigures, serde_json::Error> {
        let rows = Vec::<Value>::deserialize(&result["figures"])?;
        let is_agent = |row: &&Value| row["group"].as_str().is_some_and(|group| group.starts_with("agent "));
        let agents: BTreeSet<&str> =
            rows.iter().filter(is_agent).filter_map(|row| row["group"].as_str()).collect();
        let is_wanted = |row: &&Value| match row["group"].as_str().unwrap_or_default() {
            "all" => true,
            group => origin.shows(group) || agents.len() > 1 && agents.contains(group),
        };
        let places = places(result, &rows);
        let (mut figures, mut keys, mut bytes, mut left_out) =
            (Vec::new(), BTreeSet::new(), 0, BTreeSet::new());
        for row in rows.iter().filter(is_wanted) {
            let figure = Figure::deserialize(row)?.within_places(places);
            let key = (figure.name.clone(), figure.group.clone());
            bytes += embedded(&row.to_string()).len();
            if bytes > MAX_SHOWN && !keys.contains(&key) {
                left_out.insert(key);
                continue;
            }
            keys.insert(key);
            figures.push(figure);
        }
        Ok(ShownFigures { figures, keys, left_out: left_out.len() })
    }

    /// Whether a figure of the result is shown.
    pub(super) fn has(&self, figure: &Value) -> bool {
        let text = |key: &str| figure[key].as_str().unwrap_or_default().to_owned();
        self.keys.contains(&(text("name"), text("group")))
    }

    /// Adds these tables to a report, and keeps its data within its size.
    pub(super) fn add_to(self, report: &mut Report, sections: Vec<Section>) {
        const ADVICE: &str = "choose figures with --only, or use --json";
        report.sections.extend(sections);
        if self.left_out > 0 {
            let left_out = many(self.left_out as u64, "figure");
            report.notes.push(format!("{left_out} more would make this page too large: {ADVICE}."));
        }
        report.fit("figures", &format!("{ADVICE}."), |figure| self.has(figure));
    }
}

/// The number of places: that of the most players of a game, or else the last place that has a share,
/// or else four.
fn places(result: &Value, rows: &[Value]) -> u8 {
    let players = |games: &Value| u8::try_from(games["players"].as_u64()?).ok();
    let place = |row: &Value| row["name"].as_str()?.strip_prefix("players.placement-")?.parse().ok();
    let most = result["players"].as_array().into_iter().flatten().filter_map(players).max();
    most.or_else(|| rows.iter().filter_map(place).max()).unwrap_or(4)
}

impl Figure {
    /// The same figure. The interval of a mean placement ends at the first and the last place.
    fn within_places(self, places: u8) -> Figure {
        let Some(interval) = self.low.zip(self.high).filter(|_| self.name == "players.placement") else {
            return self;
        };
        let (low, high) = cut_interval(self.value, interval, placement_limits(places));
        Figure { low: Some(low), high: Some(high), ..self }
    }

    fn shown(&self) -> ShownFigure<'_> {
        ShownFigure {
            kind: &self.kind,
            value: self.value,
            interval: self.low.zip(self.high),
            events: self.events,
            trials: self.trials,
        }
    }

    fn is_rate(&self) -> bool {
        self.kind == "rate"
    }

    /// The section and the name in it.
    fn names(&self) -> (&str, &str) {
        self.name.split_once('.').unwrap_or(("", &self.name))
    }

    /// The section as a heading.
    fn section(&self) -> String {
        let mut letters = self.names().0.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
    }

    /// The cells beside a name: the value with its interval, cases and the number of trials.
    fn cells(&self) -> [Cell; 3] {
        let count = |number: i64| Cell::count(number.unsigned_abs());
        let events = if self.is_rate() { count(self.events) } else { Cell::Empty };
        [self.shown().as_interval().into(), events, count(self.trials)]
    }

    /// The cells of a variant: the difference and the value, with their intervals.
    fn difference_cells(&self) -> [Cell; 2] {
        let Figure { difference: value, difference_low: low, difference_high: high, .. } = *self;
        let shown = ShownDifference { scale: self.shown().scale(), value, interval: low.zip(high) };
        [shown.cell(), self.shown().as_interval().into()]
    }
}

/// Figures as tables: a row for each of all players and hands, and a group of rows for each that
/// groups have.
pub(super) fn figure_sections(figures: &[Figure], names: &AgentNames) -> Vec<Section> {
    let of_all = |figure: &&Figure| figure.group == "all";
    let alone = by_heading(figures.iter().filter(of_all), |figure| {
        let sort = if figure.kind == "mean" { ": means" } else { "" };
        format!("{}, per {}{sort}", figure.section(), figure.per)
    });
    let alone = alone.into_iter().map(|(heading, figures)| {
        // Amounts have different units, so no common axis, and no cases.
        if figures[0].is_rate() {
            let rows = figures.iter().map(|figure| row(figure.names().1, figure.cells()));
            Table::new(heading, columns("figure")).rows(rows)
        } else {
            let cells = |figure: &Figure| {
                let [value, _, trials] = figure.cells();
                [value, trials]
            };
            let rows = figures.iter().map(|figure| row(figure.names().1, cells(figure)));
            Table::new(heading, ["figure", "value", "of"]).rows(rows)
        }
    });
    let grouped = figures.iter().filter(|figure| !of_all(figure));
    let grouped = by_heading(grouped, |figure| format!("{} by groups", figure.section()));
    let grouped = grouped.into_iter().map(|(heading, figures)| {
        let rows = |figure: &Figure| row(&names.group(&figure.group), figure.cells());
        of_figures(Table::new(heading, columns("group")), &figures, rows)
    });
    alone.chain(grouped).map(Section::Table).collect()
}

/// The columns of figures with cases.
fn columns(first: &str) -> [Column; 4] {
    [first.into(), Column::with_picture("value", None), "cases".into(), "of".into()]
}

/// Figures of variants as tables: a group of rows for each figure.
pub(super) fn difference_sections(
    figures: &[Figure],
    variants: &AgentNames,
    agents: &AgentNames,
) -> Vec<Section> {
    let columns = ["variant".into(), Column::with_picture("difference", Some(0.0)), "value".into()];
    let rows = |figure: &Figure| row(variants.shown(&figure.variant), figure.difference_cells());
    let section = |(heading, figures): (String, Vec<&Figure>)| {
        let mut named: Vec<Figure> = figures.into_iter().cloned().collect();
        for figure in named.iter_mut().filter(|figure| figure.group != "all") {
            figure.name += &format!(", {}", agents.group(&figure.group));
        }
        let table = Table::new(heading, columns.clone());
        Section::Table(of_figures(table, &named.iter().collect::<Vec<_>>(), rows))
    };
    by_heading(figures.iter(), Figure::section).into_iter().map(section).collect()
}

/// The differences that are the most certain: those whose intervals are the farthest from 0, in units
/// of their own width. None if all intervals include 0.
pub(super) fn clearest_differences(figures: &[Figure], variants: &AgentNames) -> Option<Section> {
    const MAX: usize = 20;
    let clear = |figure: &&Figure| {
        let (low, high) = figure.difference_low.zip(figure.difference_high)?;
        let is_clear = figure.group == "all" && (low > 0.0 || high < 0.0) && low < high;
        is_clear.then(|| (low + high).abs() / (high - low))
    };
    let mut found: Vec<(f64, &Figure)> = figures.iter().filter_map(|one| Some((clear(&one)?, one))).collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let row = |(_, figure): &(f64, &Figure)| {
        let [difference, value] = figure.difference_cells();
        [Cell::name(&figure.name), Cell::name(variants.shown(&figure.variant)), difference, value]
    };
    let columns = ["figure", "variant", "difference", "value"];
    let table = || Table::new("Clearest differences", columns).rows(found.iter().take(MAX).map(row));
    (!found.is_empty()).then(|| Section::Table(table()))
}

/// A table with a group of rows for each figure.
fn of_figures(mut table: Table, figures: &[&Figure], row: impl Fn(&Figure) -> Vec<Cell>) -> Table {
    for (_, figures) in by_heading(figures.iter().copied(), |figure| figure.name.clone()) {
        let title = format!("{}, per {}", figures[0].names().1, figures[0].per);
        table = table.group(title, figures.iter().map(|figure| row(figure)));
    }
    table
}

/// The figures under each heading, in the order of first appearance.
fn by_heading<'a>(
    figures: impl Iterator<Item = &'a Figure>,
    heading: impl Fn(&Figure) -> String,
) -> Vec<(String, Vec<&'a Figure>)> {
    let mut found: Vec<(String, Vec<&Figure>)> = Vec::new();
    for figure in figures {
        let own = heading(figure);
        match found.iter_mut().rev().find(|(heading, _)| *heading == own) {
            Some((_, figures)) => figures.push(figure),
            None => found.push((own, vec![figure])),
        }
    }
    found
}

fn row(name: &str, cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
    std::iter::once(Cell::name(name)).chain(cells).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn placement_intervals_end_at_possible_places() {
        let row = |name: &str| {
            json!({"name": name, "group": "all", "kind": "mean", "per": "game", "value": 2.6, "low": -1.1,
                   "high": 8.4, "events": 13, "trials": 5})
        };
        let rows = [row("players.placement"), row("players.placement-3"), row("players.result")];
        let ends = |result: &Value| {
            let shown = ShownFigures::of(result, &Origin::default()).expect("figures");
            shown.figures.iter().map(|figure| figure.low.zip(figure.high)).collect::<Vec<_>>()
        };
        let whole = Some((-1.1, 8.4));
        let of_four = json!({"figures": rows, "players": [{"players": 3}, {"players": 4}]});
        assert_eq!(ends(&of_four), [Some((1.0, 4.0)), whole, whole]);
        assert_eq!(ends(&json!({"figures": rows})), [Some((1.0, 3.0)), whole, whole]);
        assert_eq!(ends(&json!({"figures": [rows[0]]})), [Some((1.0, 4.0))]);
    }
}

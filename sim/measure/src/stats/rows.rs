//! Figures as rows of a table.

use std::borrow::Cow;

use jantaku_engine::closest;
use serde::{Deserialize, Serialize};

use super::figures::{Figure, FigureKind, Section};
use super::histogram::Measure;
use super::interval::{Estimate, Sums, cut_interval, placement_limits};
use super::statistics::Statistics;
use super::sweep::Sweep;
use super::table::{Cells, FigureTable};
use jantaku_sim::play::{By, Groups, SharedCount};

/// A figure with its value and interval.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FigureRow {
    /// Section and figure, such as `draws.exhaustive`; `sim/docs/statistics.md` defines
    /// them.
    pub name: String,
    /// Players or hands that the figure is about: `all`, or a group such as `seat 0`, `wind East`,
    /// `dealer`, `agent greedy`, `round-wind East`, `round East 1`.
    pub group: String,
    /// `rate`, from 0 to 1, `mean`, `sd` (standard deviation) or `quantile`.
    pub kind: FigureKind,
    /// What the figure counts: the denominator of a rate or mean, or whose amounts the other kinds describe.
    pub per: Cow<'static, str>,
    /// For rates and means, `events` / `trials`.
    pub value: f64,
    /// Lower end of the 95 % interval; None if the games do not determine one: there is only one
    /// game, a mean is the same in all, or the kind is `sd` or `quantile`. Both ends are 0 if the
    /// variant's rules exclude the figure.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// Count of a rate; sum of the amounts for the other kinds. A fraction only if tied players share places.
    pub events: SharedCount,
    /// Number of cases or amounts.
    pub trials: i64,
    /// Units with at least one trial.
    pub units: u64,
    /// The number of places if the figure is a mean placement. None also if the row was deserialized.
    #[serde(skip)]
    pub places: Option<u8>,
}

impl FigureRow {
    fn new(figure: &Figure, sums: &Sums, estimate: Estimate, names: &[String]) -> FigureRow {
        let (low, high) = estimate.interval.unzip();
        FigureRow {
            name: figure.full_name(),
            group: names[figure.group].clone(),
            kind: figure.kind(),
            per: figure.per.into(),
            value: estimate.value,
            low,
            high,
            events: SharedCount::of(sums.y, sums.parts),
            trials: sums.x,
            units: sums.units,
            places: figure.places,
        }
    }

    /// The row of a measure of the amounts whose mean is in this row.
    fn derived(&self, measure: Measure, value: f64) -> FigureRow {
        FigureRow {
            name: spread_name(self.short_name(), measure),
            kind: measure.kind(),
            value,
            low: None,
            high: None,
            ..self.clone()
        }
    }

    /// The name without its section.
    pub fn short_name(&self) -> &str {
        self.name.split_once('.').map_or(self.name.as_str(), |(_, name)| name)
    }

    /// The section. None if the name has none.
    pub fn section(&self) -> Option<Section> {
        Section::named(self.name.split_once('.')?.0)
    }

    /// Whether the figure is in one of these sections.
    pub fn is_in(&self, sections: &[Section]) -> bool {
        self.section().is_some_and(|section| sections.contains(&section))
    }

    /// How the group divides players or hands.
    pub fn by(&self) -> By {
        By::of_group(&self.group)
    }

    /// The interval as tables and pages show it: that of a mean placement is cut at the first and the
    /// last place.
    pub fn possible_interval(&self) -> Option<(f64, f64)> {
        let interval = self.low.zip(self.high)?;
        let places = self.places.or_else(|| (self.name == "players.placement").then_some(4));
        let cut = |places| cut_interval(self.value, interval, placement_limits(places));
        Some(places.map_or(interval, cut))
    }

    /// Whether the figure is a rate.
    pub fn is_rate(&self) -> bool {
        self.kind == FigureKind::Rate
    }
}

/// A figure of a variant, and its difference from the first variant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DifferenceRow {
    /// The name of the variant.
    pub variant: String,
    /// The variant's own figure.
    #[serde(flatten)]
    pub row: FigureRow,
    /// Value minus that of the first variant; None for the first variant.
    pub difference: Option<f64>,
    /// Lower end of the interval of the difference, computed from the differences game by game;
    /// None if the games do not determine one: there is only one game, all differences of a mean
    /// are equal, or the kind is `sd` or `quantile`. Both ends are 0 for a variant with the rules of the
    /// first.
    pub difference_low: Option<f64>,
    /// The upper end of the difference's interval.
    pub difference_high: Option<f64>,
}

impl AsRef<FigureRow> for FigureRow {
    fn as_ref(&self) -> &FigureRow {
        self
    }
}

impl AsRef<FigureRow> for DifferenceRow {
    fn as_ref(&self) -> &FigureRow {
        &self.row
    }
}

impl Statistics {
    /// The figures, with the rows of [`Section::Spread`] last. Leaves out figures without cases, doubtful
    /// and excluded ones without events ([`Figure::occurrence`]), those that need more players than any
    /// game has, and fixed figures that are the same in all units ([`Figure::is_fixed`]).
    pub fn rows(&self, groups: &Groups) -> Vec<FigureRow> {
        let names = groups.names();
        let (mut rows, mut spread) = (Vec::new(), Vec::new());
        for (index, (figure, sums)) in self.figures().enumerate() {
            let Some(estimate) = figure.estimate(sums) else { continue };
            let row = FigureRow::new(figure, sums, estimate, &names);
            spread
                .extend(self.spread(figure).into_iter().map(|(measure, value)| row.derived(measure, value)));
            if !self.is_hidden(index) {
                rows.push(row);
            }
        }
        rows.append(&mut spread);
        rows
    }
}

/// The name of a measure of an amount.
fn spread_name(name: &str, measure: Measure) -> String {
    format!("{}.{name}-{}", Section::Spread.name(), measure.name())
}

/// The error for a name that no figure has, with the closest one.
pub fn unknown_figure(name: &str, known: impl IntoIterator<Item = String>) -> String {
    let known: Vec<String> = known.into_iter().collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let hint = closest(name, &known).map_or_else(String::new, |meant| format!(" (did you mean `{meant}`?)"));
    format!("unknown figure `{name}`{hint}; sim/docs/statistics.md lists all figures")
}

impl Figure {
    /// The kind of the figure's own row. The rows of its spread have other kinds.
    pub const fn kind(&self) -> FigureKind {
        if self.is_rate { FigureKind::Rate } else { FigureKind::Mean }
    }

    /// The names of its rows: its own, and those of the measures of its spread.
    pub fn names(&self) -> Vec<String> {
        let spread = self.spread_names().into_iter().map(|(name, _)| name);
        std::iter::once(self.full_name()).chain(spread).collect()
    }

    /// The names and kinds of the rows that measure its spread. Empty if it is not measured.
    pub fn spread_names(&self) -> Vec<(String, FigureKind)> {
        let measures = self.quantity.iter().flat_map(|_| Measure::ALL);
        measures.map(|measure| (spread_name(&self.name, measure), measure.kind())).collect()
    }
}

impl Sweep {
    /// The figures, each with a row for every variant. `names` are the variants'
    /// names. Leaves out the figures that [`Statistics::rows`] leaves out for every variant.
    pub fn rows(&self, names: &[String], groups: &Groups) -> Vec<DifferenceRow> {
        let group_names = groups.names();
        let (mut rows, mut spread) = (Vec::new(), Vec::new());
        for index in 0..self.variants()[0].figures.len() {
            let of_figure = self.rows_of(index, names, &group_names);
            spread.append(&mut self.spread_rows_of(index, &of_figure));
            if !self.variants().iter().all(|statistics| statistics.is_hidden(index)) {
                rows.extend(of_figure.into_iter().map(|(_, row)| row));
            }
        }
        rows.append(&mut spread);
        rows
    }

    /// The rows of a figure, each with the index of its variant.
    fn rows_of(&self, index: usize, names: &[String], group_names: &[String]) -> Vec<(usize, DifferenceRow)> {
        let row = |(variant, statistics): (usize, &Statistics)| {
            let (figure, sums) = (&statistics.figures[index], &statistics.sums[index]);
            let row = FigureRow::new(figure, sums, figure.estimate(sums)?, group_names);
            let difference = self.difference(variant, index);
            Some((variant, DifferenceRow::new(names[variant].clone(), row, difference)))
        };
        self.variants().iter().enumerate().filter_map(row).collect()
    }

    /// The rows of each measure of a figure's amounts, from the rows of the figure.
    fn spread_rows_of(&self, index: usize, of_figure: &[(usize, DifferenceRow)]) -> Vec<DifferenceRow> {
        let spread =
            |variant: usize| self.variants()[variant].spread(&self.variants()[variant].figures[index]);
        let first = spread(0);
        let mut rows = Vec::new();
        for (variant, of_mean) in of_figure {
            for (order, (measure, value)) in spread(*variant).into_iter().enumerate() {
                let first = first.get(order).filter(|_| *variant > 0);
                let difference = first.map(|(_, first)| Estimate {
                    value: value - first,
                    interval: self.are_same[*variant].then_some((0.0, 0.0)),
                });
                let row = of_mean.row.derived(measure, value);
                rows.push((order, DifferenceRow::new(of_mean.variant.clone(), row, difference)));
            }
        }
        // Stable: the variants of a measure stay in order.
        rows.sort_by_key(|(order, _)| *order);
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

impl DifferenceRow {
    fn new(variant: String, row: FigureRow, difference: Option<Estimate>) -> DifferenceRow {
        let (difference, interval) = difference.map(|found| (found.value, found.interval)).unzip();
        let (difference_low, difference_high) = interval.flatten().unzip();
        DifferenceRow { variant, row, difference, difference_low, difference_high }
    }
}

/// Figures as a table.
pub fn figure_table<Row: AsRef<FigureRow>>(rows: &[Row]) -> FigureTable {
    let rows = || rows.iter().map(AsRef::as_ref);
    let texts = |cell: fn(&FigureRow) -> &str| Cells::Texts(rows().map(|row| cell(row).to_owned()).collect());
    let numbers = |cell: fn(&FigureRow) -> Option<f64>| Cells::Numbers(rows().map(cell).collect());
    let counts = |cell: fn(&FigureRow) -> i64| Cells::Counts(rows().map(cell).collect());
    vec![
        ("name", texts(|row| &row.name)),
        ("group", texts(|row| &row.group)),
        ("kind", texts(|row| row.kind.name())),
        ("per", texts(|row| &row.per)),
        ("value", numbers(|row| Some(row.value))),
        ("low", numbers(|row| row.low)),
        ("high", numbers(|row| row.high)),
        ("events", numbers(|row| Some(row.events.0))),
        ("trials", counts(|row| row.trials)),
        ("units", counts(|row| row.units as i64)),
    ]
}

/// Figures of variants with their differences, as a table.
pub fn difference_table(rows: &[DifferenceRow]) -> FigureTable {
    let numbers = |cell: fn(&DifferenceRow) -> Option<f64>| Cells::Numbers(rows.iter().map(cell).collect());
    let mut all = vec![("variant", Cells::Texts(rows.iter().map(|row| row.variant.clone()).collect()))];
    all.extend(figure_table(rows));
    all.extend([
        ("difference", numbers(|row| row.difference)),
        ("difference_low", numbers(|row| row.difference_low)),
        ("difference_high", numbers(|row| row.difference_high)),
    ]);
    all
}

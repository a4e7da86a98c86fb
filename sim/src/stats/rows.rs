//! Figures as rows of a table.

use serde::Serialize;

use super::{Cells, Estimate, Figure, FigureTable, Section, Statistics, Sums, Sweep};
use crate::play::Groups;

/// A figure with its value and interval.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FigureRow {
    /// The section and the name in the section: `draws.exhaustive`.
    pub name: String,
    /// The group of players, as in [`Groups::names`]; `all` for figures of the whole table.
    pub group: String,
    /// `rate` or `mean`.
    pub kind: &'static str,
    /// What a rate is a share of, or what a mean is taken over.
    pub per: &'static str,
    /// A rate from 0 to 1, or a mean.
    pub value: f64,
    /// The lower end of the interval. None if there is only one unit, or if a mean is the same in
    /// all units.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The numerator: the cases of a rate, the sum of a mean.
    pub events: i64,
    /// The denominator.
    pub trials: i64,
    /// The number of units with at least one case: games, or sets of games on the same wall.
    pub units: u64,
    /// The section.
    #[serde(skip)]
    pub section: Section,
}

impl FigureRow {
    fn new(figure: &Figure, sums: &Sums, estimate: Estimate, groups: &[String]) -> FigureRow {
        FigureRow {
            name: figure.full_name(),
            group: groups[figure.group].clone(),
            kind: if figure.is_rate { "rate" } else { "mean" },
            per: figure.per,
            value: estimate.value,
            low: estimate.interval.map(|(low, _)| low),
            high: estimate.interval.map(|(_, high)| high),
            events: sums.y,
            trials: sums.x,
            units: sums.units,
            section: figure.section,
        }
    }

    /// The name without its section.
    #[must_use]
    pub fn short_name(&self) -> &str {
        self.name.split_once('.').map_or(self.name.as_str(), |(_, name)| name)
    }

    /// Whether the figure is a rate.
    #[must_use]
    pub fn is_rate(&self) -> bool {
        self.kind == "rate"
    }
}

/// A figure of a variant, and its difference from the first variant.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DifferenceRow {
    /// The name of the variant.
    pub variant: String,
    /// The variant's own figure.
    #[serde(flatten)]
    pub row: FigureRow,
    /// The value minus that of the first variant. None for the first variant, and if the first
    /// variant has no cases.
    pub difference: Option<f64>,
    /// The lower end of the difference's interval; none if it is unknown.
    pub difference_low: Option<f64>,
    /// The upper end of the difference's interval.
    pub difference_high: Option<f64>,
}

impl Statistics {
    /// The figures of these sections. Leaves out figures without cases, and special figures without
    /// events ([`Figure::is_special`]).
    #[must_use]
    pub fn rows(&self, groups: &Groups, sections: &[Section]) -> Vec<FigureRow> {
        let names = groups.names();
        let row = |(figure, sums): (&Figure, &Sums)| {
            let is_shown = sections.contains(&figure.section) && !(figure.is_special && sums.y == 0);
            let estimate = figure.estimate(sums).filter(|_| is_shown)?;
            Some(FigureRow::new(figure, sums, estimate, &names))
        };
        self.figures().filter_map(row).collect()
    }
}

impl Sweep {
    /// The figures of these sections, each with a row for every variant. `names` are the variants'
    /// names. Leaves out what [`Statistics::rows`] leaves out.
    #[must_use]
    pub fn rows(&self, names: &[String], groups: &Groups, sections: &[Section]) -> Vec<DifferenceRow> {
        let group_names = groups.names();
        let mut rows = Vec::new();
        for (index, (figure, _)) in self.variants()[0].figures().enumerate() {
            let sums = |variant: &Statistics| variant.sums[index];
            let has_events = self.variants().iter().any(|variant| sums(variant).y != 0);
            if !sections.contains(&figure.section) || figure.is_special && !has_events {
                continue;
            }
            for (variant, statistics) in self.variants().iter().enumerate() {
                let sums = sums(statistics);
                let Some(estimate) = figure.estimate(&sums) else { continue };
                let difference = self.difference(variant, index);
                let interval = difference.and_then(|difference| difference.interval);
                rows.push(DifferenceRow {
                    variant: names[variant].clone(),
                    row: FigureRow::new(figure, &sums, estimate, &group_names),
                    difference: difference.map(|difference| difference.value),
                    difference_low: interval.map(|(low, _)| low),
                    difference_high: interval.map(|(_, high)| high),
                });
            }
        }
        rows
    }
}

/// Figures as a table.
#[must_use]
pub fn figure_table(rows: &[&FigureRow]) -> FigureTable {
    let texts =
        |cell: fn(&FigureRow) -> &str| Cells::Texts(rows.iter().map(|row| cell(row).to_owned()).collect());
    let numbers =
        |cell: fn(&FigureRow) -> Option<f64>| Cells::Numbers(rows.iter().map(|row| cell(row)).collect());
    let counts = |cell: fn(&FigureRow) -> i64| Cells::Counts(rows.iter().map(|row| cell(row)).collect());
    vec![
        ("name", texts(|row| &row.name)),
        ("group", texts(|row| &row.group)),
        ("kind", texts(|row| row.kind)),
        ("per", texts(|row| row.per)),
        ("value", numbers(|row| Some(row.value))),
        ("low", numbers(|row| row.low)),
        ("high", numbers(|row| row.high)),
        ("events", counts(|row| row.events)),
        ("trials", counts(|row| row.trials)),
        ("units", counts(|row| row.units as i64)),
    ]
}

/// Figures of variants with their differences, as a table.
#[must_use]
pub fn difference_table(rows: &[DifferenceRow]) -> FigureTable {
    let numbers = |cell: fn(&DifferenceRow) -> Option<f64>| Cells::Numbers(rows.iter().map(cell).collect());
    let mut all = vec![("variant", Cells::Texts(rows.iter().map(|row| row.variant.clone()).collect()))];
    all.extend(figure_table(&rows.iter().map(|row| &row.row).collect::<Vec<_>>()));
    all.extend([
        ("difference", numbers(|row| row.difference)),
        ("difference_low", numbers(|row| row.difference_low)),
        ("difference_high", numbers(|row| row.difference_high)),
    ]);
    all
}

//! Figures as tables in Markdown.

use jantaku_show::report::numbers::{NO_INTERVAL, ShownDifference, ShownFigure};
use jantaku_show::view::without_hidden;
use jantaku_sim::play::By;
use jantaku_sim::stats::{DifferenceRow, FigureRow};

use super::figures::{self, distinct, named};

/// A table with a row for each figure, and for each group of these divisions.
pub(super) fn figures(rows: &[FigureRow], divisions: &[By]) -> String {
    let head = ["figure", "value", "95 % interval", "per"].map(str::to_owned);
    let row = |row: &FigureRow| {
        [named(&row.name, &row.group), figures::value(row), figures::interval(row), row.per.to_owned()]
    };
    table(&head, rows.iter().filter(|row| is_shown(row, divisions)).map(row))
}

/// A table with a row for each figure, and for each group of these divisions, and a column for each
/// variant, with values and intervals. All but the first variant have their difference from it.
pub(super) fn differences(rows: &[DifferenceRow], variants: &[String], divisions: &[By]) -> String {
    let head: Vec<String> =
        ["figure".to_owned(), "per".to_owned()].into_iter().chain(variants.iter().cloned()).collect();
    let figure = |row: &DifferenceRow| (row.row.name.clone(), row.row.group.clone(), row.row.per);
    let figures = distinct(rows.iter().filter(|row| is_shown(&row.row, divisions)).map(figure));
    let cell = |found: Option<&DifferenceRow>| {
        let Some(found) = found else { return "–".to_owned() };
        let value = ShownFigure::from(&found.row).with_interval();
        match ShownDifference::from(found).texts() {
            [difference, _] if difference.is_empty() => value,
            [difference, interval] if interval.is_empty() || interval == NO_INTERVAL => {
                format!("{value}; {difference}")
            }
            [difference, interval] if interval.starts_with('±') => {
                format!("{value}; {difference} {interval}")
            }
            [difference, interval] => format!("{value}; {difference} ({interval})"),
        }
    };
    let line = |of: &(String, String, &'static str)| {
        let variant =
            |name: &String| cell(rows.iter().find(|row| figure(row) == *of && row.variant == *name));
        let (name, group, per) = of;
        [named(name, group), (*per).to_owned()]
            .into_iter()
            .chain(variants.iter().map(variant))
            .collect::<Vec<_>>()
    };
    table(&head, figures.iter().map(line))
}

/// Whether a row is about all, or about a group of these divisions.
fn is_shown(row: &FigureRow, divisions: &[By]) -> bool {
    row.by == By::All || divisions.contains(&row.by)
}

/// A cell of a table in Markdown, on one line.
fn escaped(cell: &str) -> String {
    without_hidden(cell, &[]).replace('|', "\\|")
}

/// A table in Markdown.
fn table<Row: AsRef<[String]>>(head: &[String], rows: impl Iterator<Item = Row>) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    line(head) + &rule + &rows.map(|row| line(row.as_ref())).collect::<String>()
}

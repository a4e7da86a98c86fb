//! Figures of games as tables.

use std::collections::BTreeSet;
use std::f64::consts::SQRT_2;

use jantaku_pages::html::embedded;
use jantaku_pages::report::{Cell, Column, Report, Section, Table};
use jantaku_pages::report::{ShownDifference, ShownFigure};
use jantaku_show::numbers::many;
use serde::Serialize;
use serde_json::Value;
use statrs::function::erf::erfc;

use super::data;
use super::origin::Origin;
use crate::reports::names::{AgentNames, by_key, distinct};
use crate::stats::{self, DifferenceRow, FigureKind, FigureRow};
use jantaku_sim::play::{By, SharedCount};

/// The most bytes of the JSON of shown figures. Their tables take about one and a half times as much.
const MAX_SHOWN: usize = 280_000;

/// The page of a result: the report of the figures that fit into a page, with the result as JSON.
///
/// A page has the figures of all players and hands, of the chosen groups, and of the agents if there are
/// several. `report` makes the report of the figures that fit, with the groups of these divisions.
pub(super) fn fitted<Row: AsRef<FigureRow> + Clone + Serialize>(
    result: &impl Serialize,
    rows: &[Row],
    origin: &Origin,
    report: impl FnOnce(Vec<Row>, &[By]) -> Report,
) -> Report {
    const ADVICE: &str = "choose fewer figures, or read the result as JSON";
    let of_agents = rows.iter().map(AsRef::as_ref).filter(|row| row.by() == By::Agent);
    let agents: BTreeSet<&str> = of_agents.map(|row| row.group.as_str()).collect();
    let is_shown = |by: &By| origin.divisions.contains(by) || *by == By::Agent && agents.len() > 1;
    let divisions: Vec<By> = By::DIVISIONS.into_iter().filter(is_shown).collect();
    let key = |row: &Row| (row.as_ref().name.clone(), row.as_ref().group.clone());
    let (mut figures, mut keys, mut bytes, mut left_out) = (Vec::new(), BTreeSet::new(), 0, BTreeSet::new());
    for row in rows {
        let by = row.as_ref().by();
        if by != By::All && !divisions.contains(&by) {
            continue;
        }
        bytes += embedded(&serde_json::to_string(row).unwrap_or_default()).len();
        if bytes > MAX_SHOWN && !keys.contains(&key(row)) {
            left_out.insert(key(row));
            continue;
        }
        keys.insert(key(row));
        figures.push(row.clone());
    }
    let mut report = Report { data: data(result), ..report(figures, &divisions) };
    report.facts.extend(origin.facts());
    if !left_out.is_empty() {
        let left_out = many(left_out.len() as u64, "figure");
        report.notes.push(format!("{left_out} more would make this page too large: {ADVICE}."));
    }
    let text = |figure: &Value, key: &str| figure[key].as_str().unwrap_or_default().to_owned();
    let is_kept = |figure: &Value| keys.contains(&(text(figure, "name"), text(figure, "group")));
    report.fit("figures", &format!("{ADVICE}."), is_kept);
    report
}

/// The rows of each section in order: those about all players and hands, then those about the groups of each
/// of these divisions.
fn divided<'a, Row: AsRef<FigureRow>>(
    rows: &'a [Row],
    divisions: &[By],
) -> Vec<(stats::Section, By, Vec<&'a Row>)> {
    let keyed: Vec<(Option<stats::Section>, By, &Row)> =
        rows.iter().map(|row| (row.as_ref().section(), row.as_ref().by(), row)).collect();
    let mut found = Vec::new();
    for section in stats::Section::ALL {
        for by in std::iter::once(By::All).chain(divisions.iter().copied()) {
            let of = keyed.iter().filter(|(own, own_by, _)| (*own, *own_by) == (Some(section), by));
            found.push((section, by, of.map(|(.., row)| *row).collect()));
        }
    }
    found.retain(|(_, _, rows): &(_, _, Vec<&Row>)| !rows.is_empty());
    found
}

/// A note for each chosen division without figures, such as the agents of games from logs.
pub(super) fn without_groups<Row: AsRef<FigureRow>>(rows: &[Row], divisions: &[By]) -> Vec<String> {
    let is_absent = |by: &&By| !rows.iter().any(|row| row.as_ref().by() == **by);
    let note = |by: &By| format!("No figures by {}: these games have no such groups.", by.name());
    divisions.iter().filter(is_absent).map(note).collect()
}

/// Figures as tables: those of all players and hands, then those of the groups of these divisions.
pub(super) fn figure_sections(rows: &[FigureRow], divisions: &[By], names: &AgentNames) -> Vec<Section> {
    let tables = divided(rows, divisions).into_iter().flat_map(|(section, by, rows)| match (section, by) {
        (stats::Section::HanFu, _) => vec![han_fu_table(&rows)],
        (stats::Section::Spread, _) => vec![spread_table(&heading(section, by), &rows, names)],
        (_, By::All) => tables_of_all(section, &rows),
        _ => {
            let title = |figure: &FigureRow| format!("{}, per {}", figure.short_name(), figure.per);
            let row = |figure: &&FigureRow| row(&names.group(&figure.group), cells(figure));
            vec![grouped(Table::new(heading(section, by), columns("group")), &rows, title, row)]
        }
    });
    tables.map(Section::Table).collect()
}

/// The section as a heading.
fn heading(section: stats::Section, by: By) -> String {
    let mut letters = section.name().chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    if by == By::All { name } else { format!("{name} by {}", by.name()) }
}

/// The columns of figures with cases.
fn columns(first: &str) -> [Column; 4] {
    [first.into(), Column::with_picture("value", None), "cases".into(), "of".into()]
}

/// The cells beside a name: the value with its interval, cases and the number of trials.
fn cells(figure: &FigureRow) -> [Cell; 3] {
    let SharedCount(events) = figure.events;
    let events = match figure.kind {
        FigureKind::Rate if events.fract() == 0.0 => Cell::count(events as u64),
        FigureKind::Rate => Cell::number(Some(events), 1),
        _ => Cell::Empty,
    };
    [ShownFigure::from(figure).as_interval().into(), events, Cell::count(figure.trials.unsigned_abs())]
}

/// A table for the rates of each denominator, and one for its means. Figures that are not rates have no cases,
/// and no common axis, because their units differ.
fn tables_of_all(section: stats::Section, rows: &[&FigureRow]) -> Vec<Table> {
    let of = |figure: &FigureRow| {
        let sort = if figure.kind == FigureKind::Mean { ": means" } else { "" };
        format!("{}, per {}{sort}", heading(section, By::All), figure.per)
    };
    let table = |(heading, figures): (String, Vec<&FigureRow>)| {
        if figures[0].is_rate() {
            let rows = figures.iter().map(|figure| row(figure.short_name(), cells(figure)));
            return Table::new(heading, columns("figure")).rows(rows);
        }
        let rows = figures.iter().map(|figure| {
            let [value, _, trials] = cells(figure);
            row(figure.short_name(), [value, trials])
        });
        Table::new(heading, ["figure", "value", "of"]).rows(rows)
    };
    by_key(rows.iter().copied(), |figure| of(figure)).into_iter().map(table).collect()
}

/// A table of shares with a row for each number of fu and a column for each number of han.
fn han_fu_table(rows: &[&FigureRow]) -> Table {
    let parts = |row: &FigureRow| {
        let (han, fu) = row.short_name().split_once("-han-").expect("the name has han and fu");
        (format!("{} fu", fu.trim_end_matches("-fu")), format!("{han} han"))
    };
    let least = |fu: &str| fu.trim_end_matches("+ fu").trim_end_matches(" fu").parse::<u32>().unwrap_or(0);
    let mut sorted = rows.to_vec();
    sorted.sort_by_key(|row| least(&parts(row).0));
    let hans = distinct(rows.iter().map(|row| parts(row).1));
    let heading = format!("{}, per {}", heading(stats::Section::HanFu, By::All), rows[0].per);
    matrix(heading, "fu", &hans, &sorted, parts)
}

/// A table with a row for each quantity and group, and a column for each measure.
fn spread_table(heading: &str, rows: &[&FigureRow], names: &AgentNames) -> Table {
    let parts = |row: &FigureRow| {
        let (quantity, measure) = row.short_name().rsplit_once('-').expect("a quantity and a measure");
        let measure = match measure.strip_prefix('q') {
            Some(percent) => format!("{} %", percent.trim_start_matches('0')),
            None => measure.to_owned(),
        };
        (named(quantity, &names.group(&row.group)), measure)
    };
    let measures = distinct(rows.iter().map(|row| parts(row).1));
    let heading = format!("{heading}: standard deviation and quantiles");
    matrix(heading, "quantity", &measures, rows, parts)
}

/// A table of values. `parts` gives the row and the column of a figure.
fn matrix(
    heading: String,
    first: &str,
    columns: &[String],
    figures: &[&FigureRow],
    parts: impl Fn(&FigureRow) -> (String, String),
) -> Table {
    let row_of = |name: &String| {
        let cell = |column: &String| {
            let is_cell = |figure: &&&FigureRow| parts(figure) == (name.clone(), column.clone());
            let found = figures.iter().find(is_cell);
            found.map_or_else(Cell::none, |figure| {
                Cell::Number(ShownFigure::from(*figure).value(), figure.value)
            })
        };
        row(name, columns.iter().map(cell))
    };
    let names = distinct(figures.iter().map(|figure| parts(figure).0));
    let columns = std::iter::once(first.to_owned()).chain(columns.iter().cloned());
    Table::new(heading, columns).rows(names.iter().map(row_of))
}

/// The name of a figure with its group, if it is about a group.
fn named(name: &str, group: &str) -> String {
    if group == "all" { name.to_owned() } else { format!("{name}, {group}") }
}

/// Figures of variants as tables: a group of rows for each figure.
pub(super) fn difference_sections(
    rows: &[DifferenceRow],
    divisions: &[By],
    variants: &AgentNames,
    agents: &AgentNames,
) -> Vec<Section> {
    let columns = ["variant".into(), Column::with_picture("difference", Some(0.0)), "value".into()];
    let tables = divided(rows, divisions).into_iter().map(|(section, by, rows)| {
        let title = |found: &DifferenceRow| {
            let name = named(found.row.short_name(), &agents.group(&found.row.group));
            format!("{name}, per {}", found.row.per)
        };
        let row = |found: &&DifferenceRow| row(variants.shown(&found.variant), difference_cells(found));
        Section::Table(grouped(Table::new(heading(section, by), columns.clone()), &rows, title, row))
    });
    tables.collect()
}

/// The cells of a variant: the difference and the value, with their intervals.
fn difference_cells(found: &DifferenceRow) -> [Cell; 2] {
    [ShownDifference::from(found).cell(), ShownFigure::from(&found.row).as_interval().into()]
}

/// The differences of all players and hands that stay when the number of differences is corrected for, the
/// most certain ones first, and a sentence about them. None if no difference has an interval.
///
/// The correction is that of Benjamini and Hochberg: at most 5 % of those that stay are expected to be due to
/// chance. <https://doi.org/10.1111/j.2517-6161.1995.tb02031.x>
pub(super) fn clearest_differences(
    rows: &[DifferenceRow],
    variants: &AgentNames,
) -> Option<(String, Option<Section>)> {
    const MAX: usize = 20;
    const LEVEL: f64 = 0.05;
    let chance = |found: &DifferenceRow| {
        let (low, high) = found.difference_low.zip(found.difference_high)?;
        // The two-sided probability that equal variants differ as much.
        let errors = stats::NORMAL * (low + high).abs() / (high - low);
        (found.row.group == "all" && low < high).then(|| erfc(errors / SQRT_2))
    };
    let mut clearest: Vec<(f64, &DifferenceRow)> =
        rows.iter().filter_map(|one| Some((chance(one)?, one))).collect();
    clearest.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let all = clearest.len();
    let excluding = clearest.iter().filter(|(chance, _)| *chance < LEVEL).count();
    let stays = |rank: &usize| clearest[rank - 1].0 <= LEVEL * *rank as f64 / all as f64;
    let kept = (1..=all).rev().find(stays).unwrap_or(0);
    clearest.truncate(kept);
    let sentence = format!(
        "{excluding} of {} exclude 0; about {:.0} would by chance. The correction of Benjamini and Hochberg for their \
         number (5 %) leaves {kept}.",
        many(all as u64, "difference"),
        LEVEL * all as f64
    );
    let row = |(_, found): &(f64, &DifferenceRow)| {
        let [difference, value] = difference_cells(found);
        [Cell::name(&found.row.name), Cell::name(variants.shown(&found.variant)), difference, value]
    };
    let columns = ["figure", "variant", "difference", "value"];
    let table = || Table::new("Clearest differences", columns).rows(clearest.iter().take(MAX).map(row));
    (all > 0).then(|| (sentence, (kept > 0).then(|| Section::Table(table()))))
}

/// A table with a group of rows for each title.
fn grouped<Row>(
    table: Table,
    rows: &[&Row],
    title: impl Fn(&Row) -> String,
    row: impl Fn(&&Row) -> Vec<Cell>,
) -> Table {
    let groups = by_key(rows.iter().copied(), |row| title(row)).into_iter();
    groups.fold(table, |table, (title, rows)| table.group(title, rows.iter().map(&row)))
}

fn row(name: &str, cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
    std::iter::once(Cell::name(name)).chain(cells).collect()
}

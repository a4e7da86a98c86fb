//! The page of a training.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::origin::Origin;
use crate::reports::names::distinct;
use jantaku_pages::report::width::cut;
use jantaku_pages::report::{Cell, Fact, Report, Section, Table};
use jantaku_pages::report::{Curve, Plot};
use jantaku_show::numbers::{decimal, many};

/// The most points of a curve.
const MAX_POINTS: usize = 400;
/// The most rows of the table.
const MAX_ROWS: usize = 200;
/// The most letters of the name of a network.
const MAX_LETTERS: usize = 40;

#[derive(Deserialize)]
struct Training {
    rows: Vec<Row>,
    #[serde(default)]
    folder: Option<String>,
}

/// The figures of a network after a step. Figures that are not numbers have no place in a curve.
#[derive(Deserialize)]
struct Row {
    network: String,
    step: f64,
    seconds: f64,
    #[serde(flatten)]
    figures: Map<String, Value>,
}

pub(super) fn report(result: &Value, origin: &Origin) -> Result<Report, serde_json::Error> {
    let Training { rows, folder } = Training::deserialize(result)?;
    let (networks, figures) = (distinct(rows.iter().map(|row| &row.network)), figures(&rows));
    let mut facts = origin.facts();
    facts.extend(folder.map(|folder| Fact::new("folder", folder)));
    facts.extend(networks.iter().map(|network| last(network, &rows)));
    let curves = figures.iter().map(|figure| Section::Plot(curves(figure, &networks, &rows)));
    let mut report = Report {
        title: "Training".to_owned(),
        findings: Vec::new(),
        facts,
        notes: Vec::new(),
        sections: curves.chain([table(&figures, &rows)]).collect(),
        data: result.clone(),
    };
    if rows.len() > MAX_ROWS {
        report.notes.push(format!("The table has {MAX_ROWS} of {}.", many(rows.len() as u64, "row")));
    }
    let kept: Vec<&Value> =
        thinned(result["rows"].as_array().map_or(&[][..], Vec::as_slice), MAX_ROWS).collect();
    report.fit("rows", "all are in curve.csv.", |row| kept.contains(&row));
    Ok(report)
}

/// The names of the figures.
fn figures(rows: &[Row]) -> Vec<&String> {
    distinct(rows.iter().flat_map(|row| row.figures.keys()))
}

/// How long a network was trained.
fn last(network: &String, rows: &[Row]) -> Fact {
    let last = rows.iter().rfind(|row| row.network == *network);
    let (step, seconds) = last.map_or((0.0, 0.0), |row| (row.step, row.seconds));
    Fact::new("network", format!("{network}: {} steps in {} s", decimal(step, 0), decimal(seconds, 0)))
}

/// The curves of a figure, one for each network that has it.
fn curves(figure: &str, networks: &[&String], rows: &[Row]) -> Plot {
    let curve = |network: &&String| {
        let own = rows.iter().filter(|row| row.network == **network);
        let points: Vec<(f64, f64)> =
            own.filter_map(|row| Some((row.step, row.figures.get(figure)?.as_f64()?))).collect();
        let points: Vec<(f64, f64)> = thinned(&points, MAX_POINTS).copied().collect();
        (!points.is_empty()).then(|| Curve { name: cut(network, MAX_LETTERS), points })
    };
    Plot {
        heading: cut(figure, MAX_LETTERS),
        x: "step".to_owned(),
        curves: networks.iter().filter_map(curve).collect(),
    }
}

fn table(figures: &[&String], rows: &[Row]) -> Section {
    let names: Vec<String> = figures.iter().map(|figure| cut(figure, MAX_LETTERS)).collect();
    let columns = ["network", "step", "seconds"].into_iter().chain(names.iter().map(String::as_str));
    let row = |row: &Row| {
        let figure = |figure: &&String| {
            let value = row.figures.get(*figure).and_then(Value::as_f64);
            value.map_or_else(Cell::none, |value| Cell::Number(format!("{value}"), value))
        };
        let start = [Cell::Name(cut(&row.network, MAX_LETTERS)), Cell::number(Some(row.step), 0)];
        let seconds = Cell::number(Some(row.seconds), 1);
        start.into_iter().chain([seconds]).chain(figures.iter().map(figure)).collect::<Vec<Cell>>()
    };
    Section::Table(Table::new("Figures", columns).rows(thinned(rows, MAX_ROWS).map(row)))
}

/// At most this many items at equal distances, the last one included.
fn thinned<T>(items: &[T], most: usize) -> impl Iterator<Item = &T> {
    let step = items.len().div_ceil(most).max(1);
    let skipped = items.len().saturating_sub(1) % step;
    items.iter().skip(skipped).step_by(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_items_end_with_the_last() {
        for (length, most) in [(0, 5), (1, 5), (5, 5), (6, 5), (999, 200), (1000, 200)] {
            let items: Vec<usize> = (0..length).collect();
            let kept: Vec<&usize> = thinned(&items, most).collect();
            assert!(kept.len() <= most && kept.last() == items.last().as_ref(), "{length} {most}: {kept:?}");
        }
    }
}

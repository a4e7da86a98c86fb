//! Figures as a table of their own: a row a figure, as CSV and Parquet.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use serde::Serialize;

use super::{Estimate, Figure, Groups, Section, Statistics, Sums, Sweep};

/// A figure that is told.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The section and the name in it: `draws.exhaustive`.
    pub name: String,
    /// The group of players that it is about, `all` where it is about the table.
    pub group: String,
    /// `rate` or `mean`.
    pub kind: &'static str,
    /// What a rate is a share of, or a mean is over.
    pub per: &'static str,
    /// The figure: a rate from 0 to 1, or a mean.
    pub value: f64,
    /// The lower end of the interval; none for a single unit, and for a mean that is the same in all.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many cases of a rate there were; of a mean the sum.
    pub events: i64,
    /// What this is divided by.
    pub trials: i64,
    /// How many games, or sets of games on the same walls, had something to divide by.
    pub units: u64,
    /// Whether the interval is a bound: all units have the same rate, as where there were no events.
    pub conservative: bool,
    /// The section.
    #[serde(skip)]
    pub section: Section,
}

impl Row {
    fn new(figure: &Figure, sums: &Sums, estimate: Estimate, groups: &[String]) -> Row {
        Row {
            name: format!("{}.{}", figure.section.name(), figure.name),
            group: groups[figure.group].clone(),
            kind: if figure.is_rate { "rate" } else { "mean" },
            per: figure.per,
            value: estimate.value,
            low: estimate.interval.map(|(low, _)| low),
            high: estimate.interval.map(|(_, high)| high),
            events: sums.y,
            trials: sums.x,
            units: sums.units,
            conservative: estimate.conservative,
            section: figure.section,
        }
    }

    /// The name without its section.
    #[must_use]
    pub fn short_name(&self) -> &str {
        self.name.split_once('.').map_or(self.name.as_str(), |(_, name)| name)
    }

    /// Whether it is a share of cases.
    #[must_use]
    pub fn is_rate(&self) -> bool {
        self.kind == "rate"
    }
}

/// A figure of a variant, and how it differs from that of the first variant.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Compared {
    /// The variant.
    pub variant: String,
    /// Its figure.
    #[serde(flatten)]
    pub row: Row,
    /// The figure less that of the first variant; none for the first itself, and where it has no cases.
    pub difference: Option<f64>,
    /// The lower end of the interval of the difference; none where it is not known.
    pub difference_low: Option<f64>,
    /// The upper end.
    pub difference_high: Option<f64>,
    /// Whether that interval is a bound: no game had other events, or all as many more.
    pub difference_conservative: bool,
}

impl Statistics {
    /// The figures of these sections. Those without cases are left out, and those that most rules do not have where there were no events.
    #[must_use]
    pub fn rows(&self, groups: &Groups, sections: &[Section]) -> Vec<Row> {
        let names = groups.names();
        let row = |(figure, sums): (&Figure, &Sums)| {
            let is_told = sections.contains(&figure.section) && !(figure.is_special && sums.y == 0);
            let estimate = figure.estimate(sums).filter(|_| is_told)?;
            Some(Row::new(figure, sums, estimate, &names))
        };
        self.figures().filter_map(row).collect()
    }
}

impl Sweep {
    /// The figures of these sections, each of all variants, which have these names; left out as by [`Statistics::rows`].
    #[must_use]
    pub fn rows(&self, names: &[String], groups: &Groups, sections: &[Section]) -> Vec<Compared> {
        let group_names = groups.names();
        let mut rows = Vec::new();
        for (place, (figure, _)) in self.variants()[0].figures().enumerate() {
            let sums = |variant: &Statistics| variant.sums[place];
            let is_missing = figure.is_special && self.variants().iter().all(|variant| sums(variant).y == 0);
            if is_missing || !sections.contains(&figure.section) {
                continue;
            }
            for (variant, statistics) in self.variants().iter().enumerate() {
                let sums = sums(statistics);
                let Some(estimate) = figure.estimate(&sums) else { continue };
                let difference = self.difference(variant, place);
                let interval = difference.and_then(|difference| difference.interval);
                rows.push(Compared {
                    variant: names[variant].clone(),
                    row: Row::new(figure, &sums, estimate, &group_names),
                    difference: difference.map(|difference| difference.value),
                    difference_low: interval.map(|(low, _)| low),
                    difference_high: interval.map(|(_, high)| high),
                    difference_conservative: difference.is_some_and(|difference| difference.conservative),
                });
            }
        }
        rows
    }
}

/// A table that is written: the names of its columns with their cells.
pub type Columns = Vec<(&'static str, Cells)>;

/// The cells of a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Cells {
    /// Texts.
    Texts(Vec<String>),
    /// Numbers with fractions, some of them missing.
    Numbers(Vec<Option<f64>>),
    /// Whole numbers.
    Counts(Vec<i64>),
    /// True or false.
    Flags(Vec<bool>),
}

/// Figures as a table.
#[must_use]
pub fn columns(rows: &[&Row]) -> Columns {
    let texts = |cell: fn(&Row) -> &str| Cells::Texts(rows.iter().map(|row| cell(row).to_owned()).collect());
    let numbers = |cell: fn(&Row) -> Option<f64>| Cells::Numbers(rows.iter().map(|row| cell(row)).collect());
    let counts = |cell: fn(&Row) -> i64| Cells::Counts(rows.iter().map(|row| cell(row)).collect());
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
        ("conservative", Cells::Flags(rows.iter().map(|row| row.conservative).collect())),
    ]
}

/// Figures of variants as a table.
#[must_use]
pub fn compared_columns(rows: &[Compared]) -> Columns {
    let numbers = |cell: fn(&Compared) -> Option<f64>| Cells::Numbers(rows.iter().map(cell).collect());
    let mut all = vec![("variant", Cells::Texts(rows.iter().map(|row| row.variant.clone()).collect()))];
    all.extend(columns(&rows.iter().map(|compared| &compared.row).collect::<Vec<_>>()));
    all.extend([
        ("difference", numbers(|row| row.difference)),
        ("difference_low", numbers(|row| row.difference_low)),
        ("difference_high", numbers(|row| row.difference_high)),
        (
            "difference_conservative",
            Cells::Flags(rows.iter().map(|row| row.difference_conservative).collect()),
        ),
    ]);
    all
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Cells::Texts(cells) => cells.len(),
            Cells::Numbers(cells) => cells.len(),
            Cells::Counts(cells) => cells.len(),
            Cells::Flags(cells) => cells.len(),
        }
    }

    fn text(&self, row: usize) -> String {
        match self {
            Cells::Texts(cells) if cells[row].contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", cells[row].replace('"', "\"\""))
            }
            Cells::Texts(cells) => cells[row].clone(),
            Cells::Numbers(cells) => cells[row].map_or_else(String::new, |number| number.to_string()),
            Cells::Counts(cells) => cells[row].to_string(),
            Cells::Flags(cells) => cells[row].to_string(),
        }
    }

    fn array(&self) -> ArrayRef {
        match self {
            Cells::Texts(cells) => Arc::new(StringArray::from_iter_values(cells)),
            Cells::Numbers(cells) => Arc::new(cells.iter().copied().collect::<Float64Array>()),
            Cells::Counts(cells) => Arc::new(Int64Array::from_iter_values(cells.iter().copied())),
            Cells::Flags(cells) => Arc::new(BooleanArray::from(cells.clone())),
        }
    }
}

/// A table as CSV with a line of names, as RFC 4180 has it but for the ends of lines; numbers to their last digit, nothing where one is missing.
#[must_use]
pub fn csv(columns: &Columns) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    let line = |row| columns.iter().map(|(_, cells)| cells.text(row)).collect::<Vec<_>>().join(",") + "\n";
    names.join(",") + "\n" + &(0..rows).map(line).collect::<String>()
}

/// A table as a Parquet file; the same rows make the same bytes.
#[must_use]
pub fn parquet(columns: &Columns) -> Vec<u8> {
    let arrays =
        columns.iter().map(|(name, cells)| (*name, cells.array(), matches!(cells, Cells::Numbers(_))));
    let batch = RecordBatch::try_from_iter_with_nullable(arrays).expect("columns are of the same length");
    let properties = WriterProperties::builder()
        .set_created_by("jantaku".to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()));
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build())).expect("plain columns");
    writer.write(&batch).and_then(|()| writer.close()).expect("memory takes everything");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let columns = vec![
            ("group", Cells::Texts(vec!["agent a:x=1,y=2".to_owned(), "a \"b\"".to_owned()])),
            ("low", Cells::Numbers(vec![Some(0.25), None])),
            ("events", Cells::Counts(vec![-3, 0])),
            ("conservative", Cells::Flags(vec![true, false])),
        ];
        let expected =
            "group,low,events,conservative\n\"agent a:x=1,y=2\",0.25,-3,true\n\"a \"\"b\"\"\",,0,false\n";
        assert_eq!(csv(&columns), expected);
    }
}

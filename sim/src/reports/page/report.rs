//! A page in the making.

use jantaku_show::view::embedded;
use serde_json::{Value, json};

use super::plot::Plot;
use crate::reports::numbers::{self, NO_INTERVAL, decimal, signed};

/// The most bytes of raw data in a page.
const MAX_DATA: usize = 450_000;

/// What a page shows.
pub(super) struct Report {
    pub title: String,
    /// What the result says in sentences.
    pub findings: Vec<String>,
    pub facts: Vec<Fact>,
    /// What a reader should know about the page.
    pub notes: Vec<String>,
    pub sections: Vec<Section>,
    /// The result as JSON.
    pub data: Value,
}

/// Something about what was run.
pub(super) struct Fact {
    pub name: &'static str,
    pub text: String,
    /// Whether it is a text to copy, such as a command.
    pub is_code: bool,
}

/// A part of a page.
pub(super) enum Section {
    Table(Table),
    Plot(Plot),
}

/// A table whose rows are in groups.
pub(super) struct Table {
    pub heading: String,
    pub columns: Vec<String>,
    pub groups: Vec<Group>,
}

/// Rows that share an axis.
#[derive(Default)]
pub(super) struct Group {
    /// The title. None if the table has one group.
    pub title: Option<String>,
    /// The factor of the numbers on the axis: 100 for percent.
    pub scale: f64,
    /// A value that every interval is compared with.
    pub reference: Option<f64>,
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table. Cells with numbers have them exactly as the JSON does.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// A name.
    Name(String),
    /// Words that may be long.
    Words(String),
    /// A word in a column of numbers.
    Plain(String),
    /// A number, and how it is shown.
    Number(String, f64),
    /// The ends of an interval, and how they are shown.
    Range(String, f64, f64),
    /// An interval as a picture.
    Interval(Interval),
    Empty,
}

/// A value with its interval. An end is open if there is a value or another end, but not this one.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Interval {
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Section {
    pub(super) fn heading(&self) -> &str {
        match self {
            Section::Table(table) => &table.heading,
            Section::Plot(plot) => &plot.heading,
        }
    }
}

impl Fact {
    pub(super) fn new(name: &'static str, text: impl Into<String>) -> Fact {
        Fact { name, text: text.into(), is_code: false }
    }

    pub(super) fn code(name: &'static str, text: impl Into<String>) -> Fact {
        Fact { is_code: true, ..Fact::new(name, text) }
    }
}

impl Table {
    pub(super) fn new(heading: impl Into<String>, columns: &[&str]) -> Table {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Table { heading: heading.into(), columns, groups: Vec::new() }
    }

    /// The table with one group of these rows.
    pub(super) fn with_rows(mut self, rows: impl IntoIterator<Item = Vec<Cell>>) -> Table {
        self.groups.push(Group { scale: 1.0, rows: rows.into_iter().collect(), ..Group::default() });
        self
    }

    /// Draws a line at this value in all intervals.
    pub(super) fn with_reference(mut self, reference: Option<f64>) -> Table {
        self.groups.iter_mut().for_each(|group| group.reference = reference);
        self
    }
}

impl Cell {
    pub(super) fn name(text: &str) -> Cell {
        Cell::Name(text.to_owned())
    }

    /// A count.
    pub(super) fn count(number: u64) -> Cell {
        Cell::Number(numbers::thousands(number), number as f64)
    }

    /// A number with this many decimals; a dash if there is none.
    pub(super) fn number(number: Option<f64>, decimals: usize) -> Cell {
        number.map_or_else(Cell::none, |number| Cell::Number(decimal(number, decimals), number))
    }

    /// A share from 0 to 1 in percent; a dash if there is none.
    pub(super) fn percent(share: Option<f64>) -> Cell {
        let shown = |share: f64| Cell::Number(format!("{} %", decimal(100.0 * share, 1)), share);
        share.map_or_else(Cell::none, shown)
    }

    /// What stands in place of a number that there is not.
    pub(super) fn none() -> Cell {
        Cell::Plain(NO_INTERVAL.to_owned())
    }
}

impl Interval {
    /// The picture, the value and the interval. `is_signed` shows a plus.
    pub(super) fn cells(self, is_signed: bool) -> [Cell; 3] {
        let shown = if is_signed { signed } else { decimal };
        let half = self.low.zip(self.high).map(|(low, high)| (high - low) / 2.0);
        let decimals = match half {
            Some(half) if half > 0.0 => numbers::decimals(half),
            _ if self.value.is_some_and(|value| value.fract() == 0.0) => 0,
            _ => 3,
        };
        let range = |(low, high): (f64, f64)| {
            Cell::Range(format!("{} – {}", shown(low, decimals), shown(high, decimals)), low, high)
        };
        let value = self.value.map(|value| Cell::Number(shown(value, decimals), value));
        let range = self.low.zip(self.high).map(range);
        [Cell::Interval(self), value.unwrap_or_else(Cell::none), range.unwrap_or_else(Cell::none)]
    }
}

impl Report {
    /// Keeps the data within its size. If all would take too much, keeps only what `is_shown` in the
    /// list `key`, and adds a note. `option` is advice for the reader.
    pub(super) fn fit(&mut self, key: &str, option: &str, is_shown: impl Fn(&Value) -> bool) {
        if embedded(&self.data.to_string()).len() <= MAX_DATA {
            return;
        }
        let Some(list) = self.data[key].as_array_mut() else { return };
        let before = list.len();
        list.retain(is_shown);
        let (kept, all) = (numbers::thousands(list.len() as u64), numbers::thousands(before as u64));
        self.data["left_out_of_page"] = json!({ key: before - list.len() });
        self.notes.push(format!("The data in this page has {kept} of {all} {key}: {option}"));
    }
}

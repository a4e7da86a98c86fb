//! Tables of typed cells.

use jantaku_show::numbers::{NO_INTERVAL, decimal, signed, thousands};

use super::figure;

/// A table whose rows are in groups. The first cell of each row is its name.
#[derive(Clone, Debug)]
#[must_use]
pub struct Table {
    /// The heading.
    pub heading: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The groups of rows.
    pub groups: Vec<Group>,
}

/// A column of a table.
#[derive(Clone, PartialEq, Debug)]
#[must_use]
pub struct Column {
    /// The title.
    pub title: String,
    /// Whether pages draw the intervals of a group on a common axis beside their numbers.
    pub has_picture: bool,
    /// The value that pages mark in these pictures, such as 0 for differences.
    pub reference: Option<f64>,
}

/// Rows whose pictures share an axis.
#[derive(Clone, Default, Debug)]
pub struct Group {
    /// The title. None if the table has one group.
    pub title: Option<String>,
    /// The rows, each with at most one cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
#[must_use]
pub enum Cell {
    /// A name, in one line.
    Name(String),
    /// A name with tiles such as `5s`, which pages draw.
    Tiles(String),
    /// The place of a decision: its name, its number, and the page of its game. Without a page, it links to
    /// its own row.
    Decision(String, usize, Option<String>),
    /// Words that may be long. In texts they follow the row in lines of their own.
    Words(String),
    /// A word in a column of numbers.
    Plain(String),
    /// A number: how it is shown, and exactly.
    Number(String, f64),
    /// A value with its interval.
    Interval(Interval),
    /// Nothing.
    Empty,
}

/// A value with its interval, shown as `value ± half`, or as `value (low to high)` if the value is not
/// in the middle, with the decimals that the interval justifies.
#[derive(Clone, PartialEq, Default, Debug)]
#[must_use]
pub struct Interval {
    /// The value; none if it is not finite or not known.
    pub value: Option<f64>,
    /// The lower end; none if the interval is open below or does not exist.
    pub low: Option<f64>,
    /// The upper end; none if the interval is open above or does not exist.
    pub high: Option<f64>,
    is_signed: bool,
    unit: Unit,
    text: Option<String>,
}

/// What shown numbers are in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Unit {
    #[default]
    Plain,
    Percent,
    PercentagePoints,
}

impl Column {
    /// A column of names, words or numbers.
    pub fn new(title: impl Into<String>) -> Column {
        Column { title: title.into(), has_picture: false, reference: None }
    }

    /// A column of intervals that pages draw, with a line at `reference`.
    pub fn with_picture(title: impl Into<String>, reference: Option<f64>) -> Column {
        Column { has_picture: true, reference, ..Column::new(title) }
    }
}

impl From<&str> for Column {
    fn from(title: &str) -> Column {
        Column::new(title)
    }
}

impl From<String> for Column {
    fn from(title: String) -> Column {
        Column::new(title)
    }
}

impl Table {
    /// A table without rows.
    pub fn new<C: Into<Column>>(heading: impl Into<String>, columns: impl IntoIterator<Item = C>) -> Table {
        let columns = columns.into_iter().map(Into::into).collect();
        Table { heading: heading.into(), columns, groups: Vec::new() }
    }

    /// The table with one more row in its last group.
    pub fn row(self, row: impl IntoIterator<Item = Cell>) -> Table {
        self.rows([row])
    }

    /// The table with more rows in its last group.
    pub fn rows<R: IntoIterator<Item = Cell>>(mut self, rows: impl IntoIterator<Item = R>) -> Table {
        if self.groups.is_empty() {
            self.groups.push(Group::default());
        }
        let group = self.groups.last_mut().expect("one was added");
        group.rows.extend(rows.into_iter().map(|row| row.into_iter().collect()));
        self
    }

    /// The table with one more group of rows.
    pub fn group<R: IntoIterator<Item = Cell>>(
        mut self,
        title: impl Into<String>,
        rows: impl IntoIterator<Item = R>,
    ) -> Table {
        self.groups.push(Group { title: Some(title.into()), rows: Vec::new() });
        self.rows(rows)
    }

    /// Whether a column has such a cell.
    pub(super) fn has(&self, column: usize, is_found: fn(&Cell) -> bool) -> bool {
        let mut rows = self.groups.iter().flat_map(|group| &group.rows);
        rows.any(|row| row.get(column).is_some_and(is_found))
    }

    /// Whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().all(|group| group.rows.is_empty())
    }
}

impl Cell {
    /// A name.
    pub fn name(text: &str) -> Cell {
        Cell::Name(text.to_owned())
    }

    /// A count.
    pub fn count(number: u64) -> Cell {
        Cell::Number(thousands(number), number as f64)
    }

    /// A number with this many decimals; a dash if there is none.
    pub fn number(number: Option<f64>, decimals: usize) -> Cell {
        number.map_or_else(Cell::none, |number| Cell::Number(decimal(number, decimals), number))
    }

    /// A share from 0 to 1 in percent; a dash if there is none.
    pub fn percent(share: Option<f64>) -> Cell {
        let shown = |share: f64| Cell::Number(format!("{} %", decimal(100.0 * share, 1)), share);
        share.map_or_else(Cell::none, shown)
    }

    /// A dash in place of a number that does not exist.
    pub fn none() -> Cell {
        Cell::Plain(NO_INTERVAL.to_owned())
    }

    /// Whether it is a name, a name with tiles or the place of a decision, in one line.
    pub(super) const fn is_name(&self) -> bool {
        matches!(self, Cell::Name(_) | Cell::Tiles(_) | Cell::Decision(..))
    }

    /// The cell as text.
    pub fn text(&self) -> String {
        match self {
            Cell::Name(text)
            | Cell::Tiles(text)
            | Cell::Decision(text, ..)
            | Cell::Words(text)
            | Cell::Plain(text)
            | Cell::Number(text, _) => text.clone(),
            Cell::Interval(interval) => interval.text(),
            Cell::Empty => String::new(),
        }
    }
}

impl From<&str> for Cell {
    fn from(name: &str) -> Cell {
        Cell::name(name)
    }
}

impl From<Interval> for Cell {
    fn from(interval: Interval) -> Cell {
        Cell::Interval(interval)
    }
}

impl Interval {
    /// A value with the ends of its interval; none if there is no interval.
    pub fn new(value: f64, ends: Option<(f64, f64)>) -> Interval {
        Interval::open(Some(value), ends.map(|(low, _)| low), ends.map(|(_, high)| high))
    }

    /// A value whose interval may be open at either end.
    pub fn open(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Interval {
        Interval { value, low, high, ..Interval::default() }
    }

    /// Shows a plus before positive numbers.
    pub fn signed(self) -> Interval {
        Interval { is_signed: true, ..self }
    }

    /// Shows shares from 0 to 1 in percent.
    pub fn percent(self) -> Interval {
        Interval { unit: Unit::Percent, ..self }
    }

    /// Shows differences of shares in percentage points.
    pub fn percentage_points(self) -> Interval {
        Interval { unit: Unit::PercentagePoints, ..self }
    }

    /// Shows this text.
    pub fn shown_as(self, text: impl Into<String>) -> Interval {
        Interval { text: Some(text.into()), ..self }
    }

    /// Cuts the interval at the limits of possible values.
    pub fn within(self, (lowest, highest): (f64, f64)) -> Interval {
        // The value of a variance-reduced mean may itself be beyond a limit.
        let lowest = self.value.map_or(lowest, |value| lowest.min(value));
        let highest = self.value.map_or(highest, |value| highest.max(value));
        let (low, high) = (self.low.map(|low| low.max(lowest)), self.high.map(|high| high.min(highest)));
        Interval { low, high, ..self }
    }

    /// The factor of shown numbers: 100 for percent.
    pub fn scale(&self) -> f64 {
        if self.unit == Unit::Plain { 1.0 } else { 100.0 }
    }

    /// Whether there is neither a value nor an end.
    pub fn is_empty(&self) -> bool {
        self.value.or(self.low).or(self.high).is_none()
    }

    /// The value and the interval as text.
    ///
    /// ```
    /// use jantaku_pages::report::Interval;
    ///
    /// assert_eq!(Interval::new(2.5, Some((2.0, 3.0))).text(), "2.50 ± 0.50");
    /// assert_eq!(Interval::new(2.5, Some((2.0, 3.0))).within((2.25, 4.0)).text(), "2.50 (2.25 to 3.00)");
    /// assert_eq!(Interval::new(0.24, Some((0.14, 0.34))).percent().text(), "24 ± 10 %");
    /// assert_eq!(Interval::open(Some(123.4), Some(21.0), None).signed().text(), "+123 (at least +21)");
    /// ```
    pub fn text(&self) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let [value, low, high] =
            [self.value, self.low, self.high].map(|number| number.map(|number| self.scale() * number));
        let unit = if self.unit == Unit::Percent { " %" } else { "" };
        let half = match (value, low, high) {
            (_, Some(low), Some(high)) => (high - low) / 2.0,
            (Some(value), low, high) => low.or(high).map_or(0.0, |end| (end - value).abs()),
            _ => 0.0,
        };
        let decimals = match value {
            _ if half > 0.0 => figure::decimals(half),
            Some(value) if value.fract() == 0.0 => 0,
            None => 0,
            Some(_) => 3,
        };
        let shown =
            |number: f64| if self.is_signed { signed(number, decimals) } else { decimal(number, decimals) };
        let last_digit = 0.1_f64.powi(decimals as i32);
        match (value, low, high) {
            (Some(value), Some(low), Some(high))
                if figure::is_middle(value, (low, high), last_digit / 2.0) =>
            {
                format!("{} ± {}{unit}", shown(value), decimal(half, decimals))
            }
            (Some(value), Some(low), Some(high)) => {
                format!("{} ({} to {}){unit}", shown(value), shown(low), shown(high))
            }
            (Some(value), Some(low), None) => {
                format!("{}{unit} (at least {}{unit})", shown(value), shown(low))
            }
            (Some(value), None, Some(high)) => {
                format!("{}{unit} (at most {}{unit})", shown(value), shown(high))
            }
            (Some(value), None, None) => format!("{}{unit}", shown(value)),
            (None, Some(low), Some(high)) => format!("{} to {}{unit}", shown(low), shown(high)),
            (None, Some(low), None) => format!("> {}{unit}", shown(low)),
            (None, None, Some(high)) => format!("< {}{unit}", shown(high)),
            (None, None, None) => NO_INTERVAL.to_owned(),
        }
    }
}

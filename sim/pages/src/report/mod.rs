//! A result for people: findings, facts, notes, tables and curves, as text, Markdown or HTML.
//!
//! Each result has one function that builds its [`Report`]; the renderers do the rest:
//! [`Report::to_text`] for a terminal, [`Report::to_markdown`], and [`Report::to_html`] for a page that
//! needs no other file.
//!
//! - [`width`]: the columns of texts in a terminal
//! - `table`: tables of typed cells, with intervals; `figure`: figures as cells
//! - `wrap`: lines of text broken to a width; `text`: the text of a report; `markdown`: its Markdown
//! - `plot`: intervals and curves as SVG; `html`: the HTML of a report
//!
//! ```
//! use jantaku_pages::report::{Column, Interval, Report, Table};
//!
//! let table = Table::new("Placement", [Column::new("agent"), Column::with_picture("mean", Some(2.5))])
//!     .row(["greedy".into(), Interval::new(2.41, Some((2.32, 2.5))).into()]);
//! let report = Report::new("Match: greedy, random").section(table);
//! assert_eq!(
//!     report.to_text(80),
//!     "Match: greedy, random\n\nPlacement\n  agent            mean\n  greedy  2.410 ± 0.090\n"
//! );
//! assert!(report.to_html().contains("<svg ") && report.to_markdown().contains("| greedy | 2.410 ± 0.090 |"));
//! ```

mod figure;
mod html;
mod markdown;
mod plot;
mod table;
mod text;
pub mod width;
mod wrap;

use jantaku_show::numbers::thousands;
use serde_json::{Value, json};

pub use self::figure::{ShownDifference, ShownFigure};
pub use self::html::{STYLE, sections_html, shown};
pub use self::plot::{Curve, Plot};
pub use self::table::{Cell, Column, Group, Interval, Table};
pub use self::text::{MAX_LETTERS, table_text};
pub use self::wrap::wrapped;
use crate::html::embedded;

/// The most bytes of raw data in a page.
const MAX_DATA: usize = 450_000;

/// A result for people.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Report {
    /// The title.
    pub title: String,
    /// What the result shows, in sentences. Pages begin with them, texts end with them.
    pub findings: Vec<String>,
    /// What was run.
    pub facts: Vec<Fact>,
    /// What a reader must know to read the tables.
    pub notes: Vec<String>,
    /// Tables and curves.
    pub sections: Vec<Section>,
    /// The result as JSON, which pages contain.
    pub data: Value,
}

/// A fact about what was run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct Fact {
    /// What it is about, such as `seed`.
    pub name: String,
    /// The fact.
    pub text: String,
    /// How it is shown.
    pub form: FactForm,
}

/// How a fact is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactForm {
    /// As words. Lines may break at spaces.
    Words,
    /// As a text to copy, such as an agent with its options. Lines never break.
    Code,
    /// As a text to copy that only pages and Markdown show, such as rules in full.
    Appendix,
}

/// A part of a report.
#[derive(Clone, Debug)]
pub enum Section {
    /// A table.
    Table(Table),
    /// Curves. Only pages show them.
    Plot(Plot),
}

impl Section {
    /// The heading.
    pub fn heading(&self) -> &str {
        match self {
            Section::Table(table) => &table.heading,
            Section::Plot(plot) => &plot.heading,
        }
    }
}

impl From<Table> for Section {
    fn from(table: Table) -> Section {
        Section::Table(table)
    }
}

impl From<Plot> for Section {
    fn from(plot: Plot) -> Section {
        Section::Plot(plot)
    }
}

impl Fact {
    /// A fact in words.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Fact {
        Fact { name: name.into(), text: text.into(), form: FactForm::Words }
    }

    /// A text to copy.
    pub fn code(name: impl Into<String>, text: impl Into<String>) -> Fact {
        Fact { form: FactForm::Code, ..Fact::new(name, text) }
    }

    /// A text to copy that only pages and Markdown show.
    pub fn appendix(name: impl Into<String>, text: impl Into<String>) -> Fact {
        Fact { form: FactForm::Appendix, ..Fact::new(name, text) }
    }
}

impl Report {
    /// A report with this title alone.
    pub fn new(title: impl Into<String>) -> Report {
        Report { title: title.into(), ..Report::default() }
    }

    /// The report with one more section.
    pub fn section(mut self, section: impl Into<Section>) -> Report {
        self.sections.push(section.into());
        self
    }

    /// The report without its title, notes and facts, for `--quiet`. Facts of the form [`FactForm::Code`]
    /// stay, because tables refer to them.
    pub fn without_head(mut self) -> Report {
        self.title.clear();
        self.notes.clear();
        self.facts.retain(|fact| fact.form == FactForm::Code);
        self
    }

    /// Keeps the data within the size of a page. If all would take too much, keeps only the entries of
    /// the list `key` that `is_shown` chooses, and adds a note that ends with `advice`.
    pub fn fit(&mut self, key: &str, advice: &str, is_shown: impl Fn(&Value) -> bool) {
        if embedded(&self.data.to_string()).len() <= MAX_DATA {
            return;
        }
        let Some(list) = self.data[key].as_array_mut() else { return };
        let before = list.len();
        list.retain(is_shown);
        let (kept, all) = (thousands(list.len() as u64), thousands(before as u64));
        self.data["left_out_of_page"] = json!({ key: before - list.len() });
        self.notes.push(format!("The data in this page has {kept} of {all} {key}: {advice}"));
    }
}

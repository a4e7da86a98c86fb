//! The report of a conditional table.

use jantaku_pages::report::ShownFigure;
use jantaku_pages::report::{Cell, Column, Report, Table};
use jantaku_show::numbers::many;
use jantaku_sim::play::By;

use super::origin::Origin;
use super::statistics::{head, rules_of};
use super::{Reported, data};
use crate::reports::CaseReport;
use crate::reports::names::AgentNames;
use crate::stats::CaseRow;

/// The most rows of a table in a page.
const MAX_ROWS: usize = 250;

const ADVICE: &str = "choose fewer conditions, or read the result as JSON.";

impl Reported for CaseReport {
    fn report(&self, _: &[By]) -> Report {
        let names = AgentNames::of(self.counted.all_agents());
        head(&self.counted, &names).section(table(self, self.rows.len()))
    }

    fn page_report(&self, origin: &Origin) -> Report {
        let (all, mut report) = (combinations(self).count(), self.report(&[]));
        report.sections = vec![table(self, MAX_ROWS).into()];
        report.facts.extend(rules_of(&self.counted));
        report.facts.extend(origin.facts());
        if all > MAX_ROWS {
            let left_out = many((all - MAX_ROWS) as u64, "row");
            report.notes.push(format!("{left_out} more would make this page too large: {ADVICE}"));
        }
        report.data = data(self);
        report.fit("rows", ADVICE, |_| false);
        report
    }
}

/// The rows of each combination of values: its measures, which are one row of the table.
fn combinations(found: &CaseReport) -> impl Iterator<Item = &[CaseRow]> {
    found.rows.chunk_by(|row, next| row.values == next.values)
}

/// The first rows of the table: for each combination of values, these values, the number of cases, and the
/// measures.
fn table(found: &CaseReport, most: usize) -> Table {
    let by = found.by.iter().map(|by| by.name()).collect::<Vec<_>>().join(", ");
    let measures = found.of.measures().iter().map(|measure| Column::with_picture(measure.name(), None));
    let columns = [Column::new(by.clone()), "cases".into()].into_iter().chain(measures);
    let (of, by) = (found.of.name(), if by.is_empty() { by } else { format!(" by {by}") });
    let rows = combinations(found).take(most).map(|measured| {
        let values = measured[0].values.join(", ");
        let shown = measured.iter().map(|row| {
            let CaseRow { kind, value, .. } = *row;
            let interval = row.low.zip(row.high);
            ShownFigure { kind: kind.name(), value, interval }.as_interval().into()
        });
        let name = if values.is_empty() { "all" } else { &values };
        [Cell::name(name), Cell::count(measured[0].events.unsigned_abs())]
            .into_iter()
            .chain(shown)
            .collect::<Vec<_>>()
    });
    Table::new(format!("{of}{by}"), columns).rows(rows)
}

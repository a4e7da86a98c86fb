//! The Markdown of a report.

use super::{Fact, FactForm, Report, Section, Table};
use jantaku_show::view::without_hidden;

impl Report {
    /// The report as Markdown: title, findings, facts, notes and tables.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n", escaped(&self.title));
        for finding in &self.findings {
            text += &format!("\n{}\n", escaped(finding));
        }
        text += &if self.facts.is_empty() { String::new() } else { "\n".to_owned() };
        text += &self.facts.iter().map(fact).collect::<String>();
        for note in &self.notes {
            text += &format!("\n{}\n", escaped(note));
        }
        for section in &self.sections {
            if let Section::Table(table) = section {
                text += &format!("\n## {}\n\n{}", escaped(&table.heading), table.to_markdown());
            }
        }
        text
    }
}

fn fact(Fact { name, text, form }: &Fact) -> String {
    let name = escaped(name);
    match form {
        FactForm::Words => format!("- {name}: {}\n", escaped(text)),
        FactForm::Code | FactForm::Appendix => {
            let lines = text.lines().map(|line| format!("\n      {}", without_hidden(line, &[])));
            format!("- {name}:\n{}\n", lines.collect::<String>())
        }
    }
}

impl Table {
    /// The table as Markdown, without its heading. The title of a group is a row of its own.
    pub fn to_markdown(&self) -> String {
        let line = |cells: &mut dyn Iterator<Item = String>| {
            format!("| {} |\n", cells.map(|cell| escaped(&cell)).collect::<Vec<_>>().join(" | "))
        };
        let mut text = line(&mut self.columns.iter().map(|column| column.title.clone()));
        text += &format!("|{}\n", "---|".repeat(self.columns.len()));
        for group in &self.groups {
            if let Some(title) = &group.title {
                text += &format!("| **{}** |{}\n", escaped(title), " |".repeat(self.columns.len() - 1));
            }
            text += &group
                .rows
                .iter()
                .map(|row| line(&mut row.iter().map(super::Cell::text)))
                .collect::<String>();
        }
        text
    }
}

/// A text on one line, which ends no cell.
fn escaped(text: &str) -> String {
    without_hidden(text, &[]).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Cell;

    #[test]
    fn tables_have_titles_of_groups_as_rows() {
        let row = |name: &str| [Cell::name(name), Cell::count(1234)];
        let table = Table::new("Figures", ["a|b", "cases"]).group("win", [row("seat 0"), row("seat 1")]);
        let markdown = Report::new("Statistics").section(table).to_markdown();
        assert_eq!(
            markdown,
            "# Statistics\n\n## Figures\n\n| a\\|b | cases |\n|---|---|\n| **win** | |\n| seat 0 | 1,234 |\n\
             | seat 1 | 1,234 |\n"
        );
    }
}

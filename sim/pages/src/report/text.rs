//! The text of a report, for a terminal.

use std::ops::Range;

use super::table::{Cell, Table};
use super::width::{columns, cut, left, right};
use super::{Fact, FactForm, Report, Section, wrapped};

/// How many columns of a longer name stay beside wide cells in a line of 80 columns.
pub const MAX_LETTERS: usize = 24;
/// The usual width of a terminal.
const FULL: usize = 80;
/// The indent of further lines.
const INDENT: usize = 2;

/// A line of a table.
enum Line {
    /// The title of a group of rows.
    Title(String),
    /// Cells of columns.
    Cells(Vec<String>),
    /// Words below the preceding row.
    Words(String),
}

impl Report {
    /// The report as lines of at most `width` columns: title, facts, notes, tables and findings. Texts to
    /// copy are longer if need be.
    pub fn to_text(&self, width: usize) -> String {
        let mut head = wrapped(&self.title, INDENT, width);
        head += &self.facts.iter().map(|fact| fact_text(fact, width)).collect::<String>();
        head += &self.notes.iter().map(|note| wrapped(note, INDENT, width)).collect::<String>();
        let tables = self.sections.iter().filter_map(|section| match section {
            Section::Table(table) => Some(wrapped(&table.heading, INDENT, width) + &table.to_text(width)),
            Section::Plot(_) => None,
        });
        let findings: String = self.findings.iter().map(|finding| wrapped(finding, INDENT, width)).collect();
        let parts = std::iter::once(head).chain(tables).chain([findings]);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

fn fact_text(Fact { name, text, form }: &Fact, width: usize) -> String {
    match form {
        FactForm::Words => wrapped(&format!("{name}: {text}"), INDENT, width),
        FactForm::Code => {
            let line = format!("{name}: {text}");
            if columns(&line) <= width { line + "\n" } else { format!("{name}:\n    {text}\n") }
        }
        FactForm::Appendix => String::new(),
    }
}

impl Table {
    /// The table as lines of at most `width` columns, without its heading: names and words aligned left,
    /// numbers right.
    ///
    /// Columns for which the lines have no room follow in blocks of their own, with the first column
    /// again. A first cell that would make the lines too long is cut.
    pub fn to_text(&self, width: usize) -> String {
        let columns = 0..self.columns.len();
        let is_long = |column: &usize| self.has(*column, |cell| matches!(cell, Cell::Words(_)));
        let shown: Vec<usize> = columns.clone().filter(|column| !is_long(column)).collect();
        let is_name = |column: &usize| self.has(*column, Cell::is_name);
        let are_left: Vec<bool> = shown.iter().map(is_name).collect();
        let titles = shown.iter().map(|column| self.columns[*column].title.clone());
        let mut lines = vec![Line::Cells(titles.collect())];
        for group in &self.groups {
            let indent = if group.title.is_some() { "  " } else { "" };
            lines.extend(group.title.clone().map(Line::Title));
            for row in &group.rows {
                let cell = |column: &usize| row.get(*column).map_or_else(String::new, Cell::text);
                let mut cells: Vec<String> = shown.iter().map(cell).collect();
                if let Some(first) = cells.first_mut() {
                    first.insert_str(0, indent);
                }
                lines.push(Line::Cells(cells));
                lines.extend(columns.clone().filter(is_long).map(|column| Line::Words(cell(&column))));
            }
        }
        laid_out(&lines, &are_left, width)
    }
}

/// Rows of cells as lines of at most `width` columns: the first column aligned left, the others right.
/// A row of one cell is a line of its own.
pub fn table_text(rows: &[Vec<String>], width: usize) -> String {
    let line = |row: &Vec<String>| match &row[..] {
        [] | [_] => Line::Title(row.concat()),
        cells => Line::Cells(cells.to_vec()),
    };
    laid_out(&rows.iter().map(line).collect::<Vec<_>>(), &[true], width)
}

/// Lines in blocks of columns. `are_left` says which columns are aligned left.
fn laid_out(lines: &[Line], are_left: &[bool], most: usize) -> String {
    let rows =
        || lines.iter().filter_map(|line| if let Line::Cells(cells) = line { Some(cells) } else { None });
    let count = rows().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows().filter_map(|row| row.get(column)).map(|cell| columns(cell)).max();
    let widths: Vec<usize> = (1..count).map(|column| width(column).unwrap_or(0)).collect();
    let first = width(0).unwrap_or(0);
    // The fewest columns that a long name keeps beside wide cells.
    let least = MAX_LETTERS * most / FULL;
    let blocks = blocks(&widths, most.saturating_sub(2 + first.min(MAX_LETTERS)));
    let block = |(number, shown): (usize, &Range<usize>)| {
        let widths = &widths[shown.clone()];
        let others: usize = widths.iter().map(|width| 2 + width).sum();
        let first = first.min(most.saturating_sub(2 + others).max(least));
        let line = |line: &Line| match line {
            Line::Title(title) => wrapped(&format!("  {title}"), 4, most),
            Line::Words(words) if number == 0 => {
                words.lines().map(|line| wrapped(&format!("    {line}"), 6, most)).collect()
            }
            Line::Words(_) => String::new(),
            Line::Cells(row) => {
                let Some(cells @ [_, ..]) = row.get(1 + shown.start..) else {
                    return if widths.is_empty() {
                        format!("  {}\n", cut(&row[0], first))
                    } else {
                        String::new()
                    };
                };
                let cells = (1 + shown.start..).zip(cells).zip(widths).map(|((column, text), width)| {
                    let is_left = are_left.get(column).copied().unwrap_or(false);
                    format!("  {}", if is_left { left(text, *width) } else { right(text, *width) })
                });
                let line = format!("  {}{}", left(&cut(&row[0], first), first), cells.collect::<String>());
                format!("{}\n", line.trim_end())
            }
        };
        lines.iter().map(line).collect::<String>()
    };
    blocks.iter().enumerate().map(block).collect::<Vec<_>>().join("\n")
}

/// The columns of each block of a table, as few blocks as have room for columns of these widths.
fn blocks(widths: &[usize], room: usize) -> Vec<Range<usize>> {
    let (mut blocks, mut start, mut used) = (Vec::new(), 0, 0);
    for (column, width) in widths.iter().enumerate() {
        if used + 2 + width > room && used > 0 {
            blocks.push(start..column);
            (start, used) = (column, 0);
        }
        used += 2 + width;
    }
    blocks.push(start..widths.len());
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_their_row_and_groups_have_titles() {
        let row = |name: &str, words: &str| [Cell::name(name), Cell::Words(words.to_owned()), Cell::count(7)];
        let table = Table::new("Mistakes", ["decision", "why", "points"])
            .group("East 1", [row("#3", "it gives up the wait"), row("#5", "")]);
        let report = Report::new("Review").section(table);
        let lines = "  decision  points\n  East 1\n    #3           7\n    it gives up the\n      wait\n    #5           7\n";
        assert_eq!(report.to_text(20), format!("Review\n\nMistakes\n{lines}"));
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["long".to_owned(), "23".to_owned()]];
        assert_eq!(table_text(&rows, FULL), "  a      1\n  long  23\n");
    }

    #[test]
    fn no_row_breaks_in_two() {
        let rows = [["name", "value"], [&"n".repeat(90), "12"], ["b", "3"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        let (cut, pad) = ("n".repeat(70) + "…", " ".repeat(67));
        assert_eq!(
            table_text(&rows, FULL),
            format!("  name{pad}  value\n  {cut}     12\n  b{pad}         3\n")
        );
        assert!(table_text(&rows, FULL).lines().all(|line| line.chars().count() <= FULL));
    }

    #[test]
    fn columns_without_room_follow_in_blocks() {
        let rows =
            [vec!["", "first", "second", "third"], vec!["group"], vec!["a", "1", "2", "3"], vec!["b", "4"]];
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
        let [first, second, third] = [
            "     first\n  group\n  a      1\n  b      4\n",
            "     second\n  group\n  a       2\n",
            "     third\n  group\n  a      3\n",
        ];
        assert_eq!(table_text(&rows, 12), [first, second, third].join("\n"));
        assert_eq!(
            table_text(&rows, 25),
            "     first  second  third\n  group\n  a      1       2      3\n  b      4\n"
        );
    }

    #[test]
    fn cells_line_up_in_columns_of_the_terminal() {
        let rows = [["name", "value"], ["雀士", "12"], ["a", "三"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        assert_eq!(table_text(&rows, FULL), "  name  value\n  雀士     12\n  a        三\n");
        let rows = [vec!["名".repeat(50), "12".to_owned()]];
        assert_eq!(table_text(&rows, FULL), format!("  {}…   12\n", "名".repeat(36)));
    }
}

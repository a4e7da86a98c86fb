//! Numbers, tables and paragraphs as text. Lines fit the terminal, from 40 to 80 columns, unless a
//! user's own word is longer. A Chinese or Japanese character takes two columns.

use std::sync::LazyLock;
use std::time::Duration;

use indicatif::{DecimalBytes, HumanDuration};
pub(super) use jantaku_measure::reports::names::{AgentNames, agents};
pub(super) use jantaku_pages::report::width::{columns, cut, left, right};
pub(super) use jantaku_pages::report::{table_text as table_within, wrapped as wrapped_to};
pub(super) use jantaku_show::numbers::{decimal, many, signed, speed, thousands};

/// The maximum width of a line in columns, also used if the width of the terminal is unknown.
pub(super) const WIDTH: usize = 80;
/// The minimum width that lines are fitted to, in columns.
const NARROWEST: usize = 40;

/// The columns of a line: those of the terminal, or of the variable `COLUMNS` if the output goes
/// elsewhere, from 40 to 80. A width that is 0 or no number counts as unknown.
pub(super) fn width() -> usize {
    static FOUND: LazyLock<usize> = LazyLock::new(|| {
        let is_known = |columns: &usize| *columns > 0;
        let of_terminal = terminal_size::terminal_size_of(std::io::stdout());
        let of_terminal = of_terminal.map(|(terminal_size::Width(columns), _)| usize::from(columns));
        let stated = || std::env::var("COLUMNS").ok()?.parse().ok().filter(is_known);
        of_terminal.filter(is_known).or_else(stated).unwrap_or(WIDTH).clamp(NARROWEST, WIDTH)
    });
    // Tests do not depend on where they run.
    if cfg!(test) { WIDTH } else { *FOUND }
}

/// A duration as text, such as `3 minutes`.
pub(super) fn duration(seconds: f64) -> String {
    HumanDuration(Duration::from_secs_f64(seconds)).to_string()
}

/// Bytes with a decimal unit, such as `1.50 MB`.
pub(super) fn bytes(count: u64) -> String {
    DecimalBytes(count).to_string()
}

/// Lines of text that fit the terminal. Further lines of a broken line begin with `indent` spaces.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    wrapped_to(text, indent, width())
}

/// [`wrapped`], except rows of tables: lines with columns after at least `margin` spaces. A row
/// stays in one line.
pub(super) fn wrapped_beside_tables(text: &str, indent: usize, margin: usize) -> String {
    let is_row = |line: &str| {
        let content = line.trim();
        line.len() - line.trim_start().len() >= margin && content.contains("  ")
    };
    let whole = |line: &str| format!("{}\n", line.trim_end());
    let lines = text.lines();
    lines
        .map(|line| if line.is_empty() || is_row(line) { whole(line) } else { wrapped(line, indent) })
        .collect()
}

/// Lines of text as comments of a TOML file. Further lines of a broken line begin with `indent`
/// more spaces.
pub(super) fn comment(text: &str, indent: usize) -> String {
    let lines = wrapped_to(text, indent, width() - 2);
    lines.lines().flat_map(|line| ["# ", line, "\n"]).collect()
}

/// The whole text of each agent that tables call by another name.
pub(super) fn legend(names: &AgentNames) -> String {
    names.legend(width())
}

/// Rows of cells as lines that fit the terminal: the first column aligned left, the others right.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    table_within(rows, width())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_beside_text_stay_whole() {
        let (row, words) = (format!("    {}  end", "cell  ".repeat(15)), "word ".repeat(20));
        let text = wrapped_beside_tables(&format!("{row}\n    {words}\nhead  {words}"), 2, 4);
        assert!(text.lines().any(|line| line == row), "{text}");
        assert_eq!(text.lines().count(), 5, "{text}");
    }
}

//! Numbers and tables as text.

use indicatif::{DecimalBytes, HumanCount};

/// A number with a comma every three digits.
pub(super) fn thousands(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A number and a noun with a plural in s.
pub(super) fn many(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A share in percent; a dash if the whole is 0.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.2} %", 100.0 * part as f64 / whole as f64) }
}

/// [`percent`] with one decimal and no space.
pub(super) fn percent_short(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

/// A mean of points, rounded; a dash if there are none.
pub(super) fn mean(sum: i64, count: u64) -> String {
    if count == 0 { "–".to_owned() } else { format!("{:.0}", sum as f64 / count as f64) }
}

/// Bytes with a decimal unit, such as `1.50 MB`.
pub(super) fn bytes(count: u64) -> String {
    DecimalBytes(count).to_string()
}

/// Rows of cells as lines: the first column aligned left, the others right.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|t| t.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (text, width))| {
            if column == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
        });
        format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        for (number, text) in [(0, "0 games"), (1, "1 game"), (2000, "2,000 games")] {
            assert_eq!(many(number, "game"), text);
        }
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["long".to_owned(), "23".to_owned()]];
        assert_eq!(table(&rows), "  a      1\n  long  23\n");
    }
}

//! Numbers and tables for a person.

/// A number with a comma every three digits.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of a thing, which has a plural in s.
pub(super) fn many(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A share in percent; a dash where there is nothing to share.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.2} %", 100.0 * part as f64 / whole as f64) }
}

/// The same in less room.
pub(super) fn percent_short(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

/// A mean of points, rounded; a dash where there is nothing to average.
pub(super) fn mean(sum: i64, count: u64) -> String {
    if count == 0 { "–".to_owned() } else { format!("{:.0}", sum as f64 / count as f64) }
}

/// Bytes in the unit that suits them.
pub(super) fn bytes(count: u64) -> String {
    match count {
        0..1_000_000 => format!("{:.0} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", count as f64 / 1e6),
        1_000_000_000..1_000_000_000_000 => format!("{:.1} GB", count as f64 / 1e9),
        _ => format!("{} TB", thousands((count as f64 / 1e12).round() as u64)),
    }
}

/// Columns of texts: the first on the left, the others on the right.
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
    fn numbers_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn one_is_no_plural() {
        for (number, text) in [(0, "0 games"), (1, "1 game"), (2000, "2,000 games")] {
            assert_eq!(many(number, "game"), text);
        }
    }

    #[test]
    fn bytes_have_the_unit_that_suits_them() {
        for (count, text) in [
            (2_500, "2 kB"),
            (25_000_000, "25 MB"),
            (2_510_000_000, "2.5 GB"),
            (1_000_000_000_000, "1 TB"),
            (u64::MAX, "18,446,744 TB"),
        ] {
            assert_eq!(bytes(count), text);
        }
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["long".to_owned(), "23".to_owned()]];
        assert_eq!(table(&rows), "  a      1\n  long  23\n");
    }
}

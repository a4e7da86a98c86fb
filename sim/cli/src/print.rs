//! Numbers, tables and paragraphs as text. Lines fit the terminal, from 40 to 80 columns, where the
//! user's own words do. A Chinese or Japanese character takes two columns.

use std::ops::Range;
use std::sync::LazyLock;
use std::time::Duration;

use indicatif::{DecimalBytes, HumanDuration};
pub(super) use jantaku_sim::reports::names::MAX_LETTERS;
pub(super) use jantaku_sim::reports::names::{AgentNames, agents};
pub(super) use jantaku_sim::reports::numbers::{decimal, many, signed, thousands};
use jantaku_sim::reports::width::is_wide;
pub(super) use jantaku_sim::reports::width::{columns, cut, left, right};

/// The maximum width of a line in columns, also used if the width of the terminal is unknown.
pub(super) const WIDTH: usize = 80;
/// The minimum width that lines are fitted to, in columns.
const NARROWEST: usize = 40;

/// The columns of a line: those of the terminal, or of the variable `COLUMNS` if the output goes
/// elsewhere, from 40 to 80. A width of 0 or that is no number is not known.
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

/// A time in words, such as `3 minutes`.
pub(super) fn duration(seconds: f64) -> String {
    HumanDuration(Duration::from_secs_f64(seconds)).to_string()
}

/// A short time with its unit, such as `0.41 µs` or `12 ms`.
pub(super) fn seconds(seconds: f64) -> String {
    let (number, unit) = match seconds {
        time if time < 1e-3 => (time * 1e6, "µs"),
        time if time < 1.0 => (time * 1e3, "ms"),
        time => (time, "s"),
    };
    format!("{} {unit}", decimal(number, if number < 10.0 { 2 } else { 0 }))
}

/// Things in a second, such as `1,406 games/s`, or the time of one that takes longer.
pub(super) fn speed(count: u64, seconds: f64, thing: &str) -> String {
    let rate = count as f64 / seconds;
    match rate {
        1.0.. => format!("{} {thing}s/s", decimal(rate, usize::from(rate < 10.0))),
        _ if count > 0 => format!("{} s a {thing}", decimal(1.0 / rate, 1)),
        _ => format!("0 {thing}s/s"),
    }
}

/// A share in percent; a dash if the whole is 0.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        "–".to_owned()
    } else {
        format!("{} %", decimal(100.0 * part as f64 / whole as f64, 2))
    }
}

/// A mean of points, rounded; a dash if there are none.
pub(super) fn mean(sum: i64, count: u64) -> String {
    if count == 0 { "–".to_owned() } else { decimal(sum as f64 / count as f64, 0) }
}

/// Bytes with a decimal unit, such as `1.50 MB`.
pub(super) fn bytes(count: u64) -> String {
    DecimalBytes(count).to_string()
}

/// Lines of text, broken at spaces and between Chinese or Japanese characters. There is no break
/// between a number and its unit, nor between backticks or in JSON objects, because users copy such
/// texts. Further lines of a broken line begin with `indent` spaces.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    wrapped_to(text, indent, width())
}

/// [`wrapped`] to lines of at most `columns` columns.
pub(super) fn wrapped_to(text: &str, indent: usize, columns: usize) -> String {
    text.lines().map(|line| wrapped_line(line, indent, columns)).collect()
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
    lines.map(|line| if is_row(line) { whole(line) } else { wrapped_line(line, indent, width()) }).collect()
}

/// Lines of text as comments of a TOML file. Further lines of a broken line begin with `indent`
/// more spaces.
pub(super) fn comment(text: &str, indent: usize) -> String {
    let lines = wrapped_to(text, indent, width() - 2);
    lines.lines().flat_map(|line| ["# ", line, "\n"]).collect()
}

fn wrapped_line(line: &str, indent: usize, most: usize) -> String {
    // Narrow lines have room for words.
    let indent = indent.min(most / 2);
    let (mut text, mut width) = (String::new(), 0);
    for piece in words(line) {
        let word = columns(piece.trim_end());
        if word > 0 && width > indent && width + word > most {
            text.truncate(text.trim_end().len());
            text += &format!("\n{:indent$}", "");
            width = indent;
        }
        text += &piece;
        width += columns(&piece);
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// The pieces of a line that stay together, each with the space after it: words, texts between
/// backticks, JSON objects, numbers with their units, and wide characters with the punctuation beside them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut is_quoted, mut braces) = (vec![String::new()], false, 0_usize);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let word = words.last().expect("at least one");
        let is_copied = is_quoted || braces > 0;
        let breaks = match word.chars().next_back() {
            None => false,
            Some(' ') => !is_copied && !is_glued(word, letter),
            Some(last) => !is_copied && is_break(last, letter),
        };
        if breaks {
            words.push(String::new());
        }
        is_quoted ^= letter == '`';
        match letter {
            '{' if braces > 0 || letters.peek() == Some(&'"') => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        words.last_mut().expect("at least one").push(letter);
    }
    words
}

/// Whether a line may break between two characters without a space.
fn is_break(last: char, next: char) -> bool {
    let (opening, closing) = ("([{「『（［【《〈“", ")]}」』）］】》〉”、。，．：；！？ー…,.:;!?");
    (is_wide(last) || is_wide(next)) && !opening.contains(last) && !closing.contains(next)
}

/// Whether a piece that ends with a space stays with the next one: a number with its unit, with `%` or
/// with `±`, and `±` with its number.
fn is_glued(piece: &str, next: char) -> bool {
    let Some(text) = piece.strip_suffix(' ') else { return false };
    let last = text.rsplit(' ').next().unwrap_or_default();
    let digits = last.trim_start_matches(['(', '+', '-', '±', '<', '>', '~']);
    let is_number = digits.ends_with(|letter: char| letter.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || ",.".contains(letter));
    is_number && (next.is_alphabetic() || "%±".contains(next)) || last == "±"
}

/// The whole text of each agent that tables call otherwise.
pub(super) fn legend(names: &AgentNames) -> String {
    names.legend(width())
}

/// Rows of cells as lines: the first column aligned left, the others right.
///
/// Columns for which the lines have no room follow in blocks of their own, with the first column
/// again. A first cell that would make the lines too long is cut.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    table_within(rows, width())
}

/// [`table`] with lines of at most `most` columns.
pub(super) fn table_within(rows: &[Vec<String>], most: usize) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |cells: &mut dyn Iterator<Item = &String>| cells.map(|cell| columns(cell)).max();
    let width = |column: usize| widest(&mut rows.iter().filter_map(|row| row.get(column))).unwrap_or(0);
    let widths: Vec<usize> = (1..count).map(width).collect();
    let first = widest(&mut rows.iter().filter(|row| row.len() > 1).map(|row| &row[0])).unwrap_or(0);
    // The columns of a name that stay beside wide cells.
    let least = MAX_LETTERS * most / WIDTH;
    let blocks = blocks(&widths, most.saturating_sub(2 + first.min(MAX_LETTERS)));
    let block = |shown: &Range<usize>| {
        let widths = &widths[shown.clone()];
        let others: usize = widths.iter().map(|width| 2 + width).sum();
        let first = first.min(most.saturating_sub(2 + others).max(least));
        let line = |row: &Vec<String>| match row.get(1 + shown.start..) {
            _ if row.len() <= 1 => Some(format!("  {}\n", row.concat())),
            None | Some([]) => None,
            Some(cells) => {
                let cells =
                    cells.iter().zip(widths).map(|(text, width)| format!("  {}", right(text, *width)));
                let line = format!("  {}{}", left(&cut(&row[0], first), first), cells.collect::<String>());
                Some(format!("{}\n", line.trim_end()))
            }
        };
        rows.iter().filter_map(line).collect::<String>()
    };
    blocks.iter().map(block).collect::<Vec<_>>().join("\n")
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
    fn one_is_singular() {
        for (number, text) in [(0, "0 games"), (1, "1 game"), (2000, "2,000 games")] {
            assert_eq!(many(number, "game"), text);
        }
    }

    #[test]
    fn slow_things_have_a_time() {
        for (count, seconds, text) in [
            (14_060, 10.0, "1,406 games/s"),
            (45, 10.0, "4.5 games/s"),
            (4, 50.0, "12.5 s a game"),
            (0, 50.0, "0 games/s"),
        ] {
            assert_eq!(speed(count, seconds, "game"), text);
        }
    }

    #[test]
    fn nothing_has_no_share_and_no_mean() {
        assert_eq!([percent(1, 8), percent(0, 0), mean(-80_000, 3)], ["12.50 %", "–", "-26,667"]);
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["long".to_owned(), "23".to_owned()]];
        assert_eq!(table(&rows), "  a      1\n  long  23\n");
    }

    #[test]
    fn no_row_breaks_in_two() {
        let rows = [["name", "value"], [&"n".repeat(90), "12"], ["b", "3"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        let (cut, pad) = ("n".repeat(70) + "…", " ".repeat(67));
        assert_eq!(table(&rows), format!("  name{pad}  value\n  {cut}     12\n  b{pad}         3\n"));
        assert!(table(&rows).lines().all(|line| line.chars().count() <= WIDTH));
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
        assert_eq!(table_within(&rows, 12), [first, second, third].join("\n"));
        assert_eq!(
            table_within(&rows, 25),
            "     first  second  third\n  group\n  a      1       2      3\n  b      4\n"
        );
    }

    #[test]
    fn rows_beside_text_stay_whole() {
        let (row, words) = (format!("    {}  end", "cell  ".repeat(15)), "word ".repeat(20));
        let text = wrapped_beside_tables(&format!("{row}\n    {words}\nhead  {words}"), 2, 4);
        assert!(text.lines().any(|line| line == row), "{text}");
        assert_eq!(text.lines().count(), 5, "{text}");
    }

    #[test]
    fn cells_line_up_in_columns_of_the_terminal() {
        let rows = [["name", "value"], ["雀士", "12"], ["a", "三"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        assert_eq!(table(&rows), "  name  value\n  雀士     12\n  a        三\n");
        let rows = [vec!["名".repeat(50), "12".to_owned()]];
        assert_eq!(table(&rows), format!("  {}…   12\n", "名".repeat(36)));
    }

    #[test]
    fn numbers_stay_with_their_units() {
        for (text, most, expected) in [
            ("played 2,197 games/s", 14, "played\n2,197 games/s\n"),
            ("a value of +10,106 ± 4,079 in 8", 26, "a value of\n+10,106 ± 4,079 in 8\n"),
            ("with (12.5 %) of games", 10, "with\n(12.5 %)\nof games\n"),
            ("hand 2-0 ends", 9, "hand 2-0\nends\n"),
        ] {
            assert_eq!(wrapped_to(text, 0, most), expected, "{text}");
        }
    }

    #[test]
    fn what_is_copied_stays_in_one_line() {
        let command = "`selfplay --resume --out a/folder`";
        let text = wrapped(&format!("{} {command} plays the rest", "word ".repeat(13)), 2);
        assert!(text.lines().any(|line| line.contains(command)), "{text}");
        let answer = r#"{"type": "dahai", "actor": 0, "meta": {"q": [1, 2]}, "pai": "5mr"}"#;
        let broken = wrapped_to(&format!("Answer: {answer}\nLegal: {answer}, {answer}"), 2, 40);
        assert_eq!(broken, format!("Answer:\n  {answer}\nLegal:\n  {answer},\n  {answer}\n"));
    }

    #[test]
    fn long_lines_are_broken_at_spaces() {
        let words = ["nine char"; 10].join(" ");
        let broken = wrapped(&format!("short\n{words}"), 2);
        assert!(broken.starts_with("short\nnine"), "{broken}");
        assert!(broken.lines().all(|line| line.chars().count() <= WIDTH), "{broken}");
        assert!(broken.lines().nth(2).is_some_and(|line| line.starts_with("  ")), "{broken}");
        assert_eq!(
            broken.split_whitespace().collect::<Vec<_>>(),
            format!("short {words}").split(' ').collect::<Vec<_>>()
        );
        let wide = wrapped(&"雀士の名前、".repeat(20), 2);
        assert!(wide.lines().all(|line| columns(line) <= WIDTH && !line.starts_with("  、")), "{wide}");
        assert_eq!(wide.lines().count(), 4, "{wide}");
        let path = "p".repeat(90);
        assert_eq!(wrapped(&format!("{path} {path}"), 2), format!("{path}\n  {path}\n"));
    }
}

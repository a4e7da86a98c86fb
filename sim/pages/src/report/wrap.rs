//! Lines of text broken to a width.

use super::width::{columns, is_wide};

/// Lines of text of at most `width` columns, broken at spaces and between Chinese or Japanese characters.
/// There is no break between a number and its unit, nor between backticks or in JSON objects, because
/// users copy such texts. Further lines of a broken line begin with `indent` spaces.
///
/// ```
/// use jantaku_pages::report::wrapped;
///
/// assert_eq!(wrapped("played 2,197 games/s", 2, 14), "played\n  2,197 games/s\n");
/// ```
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    text.lines().map(|line| wrapped_line(line, indent, width)).collect()
}

fn wrapped_line(line: &str, indent: usize, most: usize) -> String {
    // Leaves narrow lines room for words.
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

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 80;

    #[test]
    fn numbers_stay_with_their_units() {
        for (text, most, expected) in [
            ("played 2,197 games/s", 14, "played\n2,197 games/s\n"),
            ("a value of +10,106 ± 4,079 in 8", 26, "a value of\n+10,106 ± 4,079 in 8\n"),
            ("with (12.5 %) of games", 10, "with\n(12.5 %)\nof games\n"),
            ("hand 2-0 ends", 9, "hand 2-0\nends\n"),
        ] {
            assert_eq!(wrapped(text, 0, most), expected, "{text}");
        }
    }

    #[test]
    fn what_is_copied_stays_in_one_line() {
        let command = "`selfplay --resume --out a/folder`";
        let text = wrapped(&format!("{} {command} plays the rest", "word ".repeat(13)), 2, WIDTH);
        assert!(text.lines().any(|line| line.contains(command)), "{text}");
        let answer = r#"{"type": "dahai", "actor": 0, "meta": {"q": [1, 2]}, "pai": "5mr"}"#;
        let broken = wrapped(&format!("Answer: {answer}\nLegal: {answer}, {answer}"), 2, 40);
        assert_eq!(broken, format!("Answer:\n  {answer}\nLegal:\n  {answer},\n  {answer}\n"));
    }

    #[test]
    fn long_lines_are_broken_at_spaces() {
        let words = ["nine char"; 10].join(" ");
        let broken = wrapped(&format!("short\n{words}"), 2, WIDTH);
        assert!(broken.starts_with("short\nnine"), "{broken}");
        assert!(broken.lines().all(|line| line.chars().count() <= WIDTH), "{broken}");
        assert!(broken.lines().nth(2).is_some_and(|line| line.starts_with("  ")), "{broken}");
        assert_eq!(
            broken.split_whitespace().collect::<Vec<_>>(),
            format!("short {words}").split(' ').collect::<Vec<_>>()
        );
        let wide = wrapped(&"雀士の名前、".repeat(20), 2, WIDTH);
        assert!(wide.lines().all(|line| columns(line) <= WIDTH && !line.starts_with("  、")), "{wide}");
        assert_eq!(wide.lines().count(), 4, "{wide}");
        let path = "p".repeat(90);
        assert_eq!(wrapped(&format!("{path} {path}"), 2, WIDTH), format!("{path}\n  {path}\n"));
    }
}

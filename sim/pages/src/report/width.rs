//! The columns that texts take in a terminal, where a Chinese or Japanese character takes two.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The columns of a text.
///
/// ```
/// use jantaku_pages::report::width::columns;
///
/// assert_eq!([columns("Aki"), columns("雀士")], [3, 4]);
/// ```
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Whether a character takes two columns. Lines may break beside it without a space.
pub fn is_wide(letter: char) -> bool {
    letter.width() == Some(2)
}

/// At most this many columns of a text. A text that is cut ends with `…`.
pub fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut kept = String::new();
    for letter in text.chars() {
        kept.push(letter);
        if columns(&kept) >= most {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

/// A text with spaces after it, in this many columns.
pub fn left(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(columns(text)))
}

/// A text with spaces before it, in this many columns.
pub fn right(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(columns(text))) + text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fill_columns() {
        assert_eq!([left("雀士", 6), right("雀士", 6), left("abc", 2)], ["雀士  ", "  雀士", "abc"]);
    }

    #[test]
    fn texts_are_cut_to_columns() {
        for (text, most, expected) in [
            ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abcde…"),
            ("雀士一号", 8, "雀士一号"),
            ("雀士一号", 7, "雀士一…"),
            ("雀士一号", 6, "雀士…"),
            ("雀士", 1, "…"),
        ] {
            let found = cut(text, most);
            assert_eq!(found, expected, "{text} {most}");
            assert!(columns(&found) <= most, "{found}");
        }
    }
}

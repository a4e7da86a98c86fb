//! The command line of a bot.

use jantaku_engine::Seat;

/// What a command has in place of the seat.
const SEAT: &str = "{seat}";

/// A program and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Words(Vec<String>);

impl Words {
    /// Splits a command as a shell splits plain words: at spaces, with '…' and "…" around words
    /// with spaces, and a backslash before a letter that stands for itself. There are no variables,
    /// patterns or redirections.
    pub(super) fn parse(text: &str) -> Result<Words, String> {
        let mut words: Vec<String> = Vec::new();
        let mut word: Option<String> = None;
        let mut quote: Option<char> = None;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match (letter, quote) {
                (letter, Some(open)) if letter == open => quote = None,
                ('\\', None | Some('"')) => word.get_or_insert_default().extend(letters.next()),
                ('\'' | '"', None) => {
                    quote = Some(letter);
                    word.get_or_insert_default();
                }
                (letter, None) if letter.is_whitespace() => words.extend(word.take()),
                (letter, _) => word.get_or_insert_default().push(letter),
            }
        }
        if let Some(open) = quote {
            return Err(format!("`command`: the closing {open} is missing"));
        }
        words.extend(word);
        if words.first().is_none_or(String::is_empty) {
            return Err("`command` is empty, expected a program and its arguments".to_owned());
        }
        Ok(Words(words))
    }

    /// Whether the command depends on the seat.
    pub(super) fn has_seat(&self) -> bool {
        self.0.iter().any(|word| word.contains(SEAT))
    }

    /// The program and its arguments for this seat.
    pub(super) fn at(&self, seat: Seat) -> (String, Vec<String>) {
        let number = seat.number().to_string();
        let mut words = self.0.iter().map(|word| word.replace(SEAT, &number));
        (words.next().expect("a command has a program"), words.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_split_like_in_a_shell() {
        let cases: &[(&str, &[&str])] = &[
            ("python3 bot.py", &["python3", "bot.py"]),
            ("  ./bot\t-a  ", &["./bot", "-a"]),
            (r#"sh -c 'echo "$1" x' "a b"c"#, &["sh", "-c", "echo \"$1\" x", "a bc"]),
            (r#"a\ b "c\"d" 'e\f' """#, &["a b", "c\"d", "e\\f", ""]),
        ];
        for (text, words) in cases {
            let expected = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(Words::parse(text), Ok(Words(expected)), "{text}");
        }
        for (text, error) in [(" ", "`command` is empty, "), ("a 'b", "`command`: the closing ' is missing")]
        {
            assert!(Words::parse(text).is_err_and(|found| found.starts_with(error)), "{text}");
        }
    }

    #[test]
    fn the_seat_is_filled_in() {
        let words = Words::parse("bot --seat={seat} x").expect("a command");
        assert!(words.has_seat());
        let seat = Seat::new(2).expect("a seat");
        assert_eq!(words.at(seat), ("bot".to_owned(), vec!["--seat=2".to_owned(), "x".to_owned()]));
    }
}

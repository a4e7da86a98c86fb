//! Reads a question from a line of JSON.

use std::fmt;

use jantaku_engine::{Riichi, cut_after};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::question::{
    Pao, Question, Refusal, parse_fed, parse_player, parse_riichi, parse_win_by, parse_wind,
};

/// A question, as an example in error messages.
const EXAMPLE: &str = r#"{"hand": "123m456p789s1122z"}"#;

/// The most characters of a wrong value in an error message.
const SHOWN: usize = 40;

/// A line with a question.
pub(super) struct Line {
    /// The value of `id`, any JSON, which the answer repeats. None without it, or if the line is not an
    /// object.
    pub(super) id: Option<Box<RawValue>>,
    /// The question, or why the line is not a question.
    pub(super) question: Result<Question, String>,
}

impl Line {
    pub(super) fn read(line: &[u8]) -> Line {
        match entries(line) {
            Ok(entries) => {
                let id = entries.0.iter().find(|(key, _)| key == "id").map(|(_, id)| (*id).to_owned());
                Line { id, question: question(&entries) }
            }
            Err(error) => Line { id: None, question: Err(error) },
        }
    }
}

impl Question {
    /// Reads a question from a JSON object, whose keys are the names of the fields.
    ///
    /// ```
    /// use jantaku_show::analysis::Question;
    ///
    /// let question = Question::from_json(r#"{"hand": "34m567m345p678s55s+2m", "by": "tsumo"}"#)?;
    /// assert_eq!(question.hand, "34m567m345p678s55s+2m");
    /// assert!(Question::from_json(r#"{"hand": "1m", "bye": "tsumo"}"#).unwrap_err().contains("bye"));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not such an object, or a value is not allowed. The message names the key.
    pub fn from_json(text: &str) -> Result<Question, String> {
        Line::read(text.as_bytes()).question
    }
}

/// The keys of an object with their values, in order.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Entries<'de>, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        input.deserialize_map(Object)
    }
}

/// The entries of the line's object, or the error in its text.
fn entries(line: &[u8]) -> Result<Entries<'_>, String> {
    let text = str::from_utf8(line)
        .map_err(|error| format!("byte {} of the line is not UTF-8", error.valid_up_to() + 1))?;
    if text.trim().is_empty() {
        return Err(format!("the line is empty, expected an object such as {EXAMPLE}"));
    }
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => {
            format!("found {}, expected an object such as {EXAMPLE}", cut_after(text.trim(), SHOWN))
        }
        Category::Eof | Category::Io => {
            format!("the JSON is not complete: the line ends after character {}", text.chars().count())
        }
        Category::Syntax => {
            // Columns count bytes from 1.
            let before = text.get(..error.column().saturating_sub(1)).unwrap_or(text);
            let found = text[before.len()..].chars().next().unwrap_or(' ');
            let at = before.chars().count() + 1;
            format!("not JSON: `{}` at character {at} is not expected there", shown(found))
        }
    })
}

fn question(entries: &Entries<'_>) -> Result<Question, String> {
    let mut question = Question::new("");
    let mut given = Vec::new();
    for (name, value) in &entries.0 {
        let Some(key) = KEYS.iter().copied().find(|key| key == name) else {
            let (name, keys) = (cut_after(name, SHOWN), KEYS.join("`, `"));
            return Err(format!("unknown key `{name}`, expected one of `{keys}`"));
        };
        if given.contains(&key) {
            return Err(format!("`{key}`: given twice"));
        }
        // Null is as good as no value.
        if value.get() != "null" {
            given.push(key);
            set(&mut question, &Entry { key, value }).map_err(|refusal| refusal.to_string())?;
        }
    }
    if !given.contains(&"hand") {
        return Err(format!("`hand`: missing, expected tiles as in {EXAMPLE}"));
    }
    Ok(question)
}

/// Defines [`KEYS`] and [`set`] from the fields of a question and how each is read.
macro_rules! keys {
    ($entry:ident; $($key:ident = $value:expr;)*) => {
        /// The keys of a question. The answer repeats the id.
        const KEYS: &[&str] = &["id", $(stringify!($key)),*];

        fn set(question: &mut Question, $entry: &Entry<'_>) -> Result<(), Refusal> {
            match $entry.key {
                $(stringify!($key) => question.$key = $value,)*
                _ => {}
            }
            Ok(())
        }
    };
}

keys! {
    entry;
    hand = entry.text(r#"tiles such as "123m456p789s1122z""#)?;
    melds = entry.texts(r#"melds such as ["[123m]", "<7777z>"]"#)?.concat();
    win = Some(entry.text(r#"a tile such as "4m""#)?);
    by = entry.parsed(r#""ron" or "tsumo""#, parse_win_by)?;
    from = Some(entry.parsed(r#"a seat such as "W" or "left""#, parse_player)?);
    seat = entry.parsed(r#""E", "S", "W" or "N""#, parse_wind)?;
    round = entry.parsed(r#""E", "S", "W" or "N""#, parse_wind)?;
    riichi = entry.riichi()?;
    open_riichi = entry.flag()?;
    ippatsu = entry.flag()?;
    dora = entry.texts(r#"indicators such as "7s4z""#)?.concat();
    ura = entry.texts(r#"indicators such as "7s4z""#)?.concat();
    haitei = entry.flag()?;
    rinshan = entry.flag()?;
    kita_replacement = entry.flag()?;
    chankan = entry.flag()?;
    first_turn = entry.flag()?;
    riichi_tile = entry.flag()?;
    after_kan = entry.flag()?;
    discarder_riichi = entry.flag()?;
    dealer_wins = entry.number(u8::MAX)?;
    kita = entry.number(4_u8)?;
    honba = entry.number(u16::MAX)?;
    riichi_sticks = entry.number(u16::MAX)?;
    pao = entry.pao()?;
    rules = Some(entry.text(r#"a preset or file such as "mjsoul""#)?);
}

/// A key of a question with its value.
struct Entry<'a> {
    key: &'static str,
    value: &'a RawValue,
}

impl Entry<'_> {
    fn refuse(&self, expected: &str) -> Refusal {
        Refusal::new(self.key, format!("found {}, expected {expected}", cut_after(self.value.get(), SHOWN)))
    }

    fn read<T: DeserializeOwned>(&self, expected: &str) -> Result<T, Refusal> {
        serde_json::from_str(self.value.get()).map_err(|_| self.refuse(expected))
    }

    fn text(&self, expected: &str) -> Result<String, Refusal> {
        self.read(expected)
    }

    /// A text, or a list of texts.
    fn texts(&self, expected: &str) -> Result<Vec<String>, Refusal> {
        self.text(expected).map(|text| vec![text]).or_else(|_| self.read(expected))
    }

    fn flag(&self) -> Result<bool, Refusal> {
        self.read("true or false")
    }

    fn number<N: Copy + Into<u64> + TryFrom<u64>>(&self, most: N) -> Result<N, Refusal> {
        let expected = format!("a whole number from 0 to {}", most.into());
        let number = self.read::<u64>(&expected)?;
        let number = Some(number).filter(|number| *number <= most.into());
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| self.refuse(&expected))
    }

    /// A text that `parse` understands.
    fn parsed<T>(&self, expected: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, Refusal> {
        parse(&self.text(expected)?).map_err(|_| self.refuse(expected))
    }

    fn riichi(&self) -> Result<Riichi, Refusal> {
        let expected = r#"true, false, "none", "single" or "double""#;
        match self.value.get() {
            "true" => Ok(Riichi::Single),
            "false" => Ok(Riichi::None),
            _ => self.parsed(expected, parse_riichi),
        }
    }

    fn pao(&self) -> Result<Vec<Pao>, Refusal> {
        let expected = r#"an object such as {"daisangen": "W"}"#;
        let entries: Entries<'_> =
            serde_json::from_str(self.value.get()).map_err(|_| self.refuse(expected))?;
        let pao = |(fed, value): (String, &RawValue)| {
            let player = Entry { key: self.key, value }.text(r#"a seat such as "W" or "left""#)?;
            let parsed = parse_fed(&fed).and_then(|yaku| Ok(Pao { yaku, player: parse_player(&player)? }));
            parsed.map_err(|what| Refusal::new(self.key, what))
        };
        entries.0.into_iter().map(pao).collect()
    }
}

/// The character, escaped if it does not print.
fn shown(found: char) -> String {
    if found.is_control() { found.escape_default().to_string() } else { found.to_string() }
}

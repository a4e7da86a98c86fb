//! A tag of Tenhou's XML, and the values of its attributes.

use std::collections::HashMap;
use std::str::FromStr;

use jantaku_engine::replay::seat_of;
use jantaku_engine::{Players, Rules, Seat, Tile, TileKind};
use quick_xml::events::BytesStart;

use crate::logs::Problem;
use crate::logs::tenhou::fields;

/// A tag with its attributes.
pub(super) struct Tag {
    pub(super) name: String,
    attributes: HashMap<String, String>,
}

impl Tag {
    pub(super) fn new(tag: &BytesStart<'_>) -> Result<Tag, Problem> {
        let mut attributes = HashMap::new();
        // Some games of 2010 state the end of the game twice in one tag.
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(Problem::quoting)?;
            let (name, value) = (attribute.key.as_ref().to_owned(), attribute.value.into_owned());
            if attributes.get(&name).is_some_and(|other| *other != value) {
                return Err(Problem::new(format_args!("two values of attribute `{name}`")));
            }
            attributes.insert(name, value);
        }
        Ok(Tag { name: tag.name().as_ref().to_owned(), attributes })
    }

    /// The text of an attribute, if the tag has it.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    fn text(&self, name: &str) -> Result<&str, Problem> {
        self.get(name).ok_or_else(|| Problem::missing(format_args!("attribute `{name}`")))
    }

    pub(super) fn number(&self, name: &str) -> Result<u32, Problem> {
        number(name, self.text(name)?)
    }

    /// Bits as a decimal number, or in hexadecimal after `0x`.
    pub(super) fn bits(&self, name: &str) -> Result<u32, Problem> {
        let in_hex = self.get(name).filter(|text| text.starts_with("0x")).and_then(fields::hexadecimal);
        in_hex.map_or_else(|| self.number(name), Ok)
    }

    /// Numbers separated by commas. An empty text is an empty list.
    pub(super) fn numbers<T: FromStr>(&self, name: &str) -> Result<Vec<T>, Problem> {
        let parts = self.text(name)?.split(',');
        parts.filter(|part| !part.is_empty()).map(|part| number(name, part)).collect()
    }

    /// Two numbers for each of four seats. Those for their chips, which may follow, are left out.
    pub(super) fn points<T: FromStr>(&self, name: &str) -> Result<Vec<T>, Problem> {
        let mut numbers = self.numbers(name)?;
        numbers.truncate(if numbers.len() == 16 { 8 } else { numbers.len() });
        Ok(numbers)
    }

    /// Exactly `N` numbers separated by commas.
    pub(super) fn array<T: FromStr, const N: usize>(&self, name: &str) -> Result<[T; N], Problem> {
        let numbers = self.numbers(name)?;
        let count = numbers.len();
        numbers.try_into().map_err(|_| Problem::length(format!("`{name}`"), count, N))
    }

    pub(super) fn tiles(&self, name: &str, rules: &Rules) -> Result<Vec<Tile>, Problem> {
        self.numbers(name)?.into_iter().map(|id| tile(id, rules)).collect()
    }

    pub(super) fn seat(&self, name: &str, players: Players) -> Result<Seat, Problem> {
        seat_of(self.number(name)?, players)
    }
}

fn number<T: FromStr>(name: &str, text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::value(name, format!("\"{text}\""), "a number"))
}

/// The tile with this number, 0–135. The first copy of a five is red if the rules have a red one.
pub(super) fn tile(id: u32, rules: &Rules) -> Result<Tile, Problem> {
    let kind = u8::try_from(id / 4).ok().and_then(TileKind::new).ok_or_else(|| not_a_tile(id))?;
    let is_red = matches!(id, 16 | 52 | 88) && rules.aka.by_suit()[kind.suit() as usize] > 0;
    Ok(if is_red { Tile::red(kind.suit()) } else { Tile::plain(kind) })
}

/// The error for a number beyond all tiles.
pub(super) fn not_a_tile(id: u32) -> Problem {
    Problem::tile(id, "0–135")
}

//! The JSON document of a game.

use std::fmt::Display;

use jantaku_engine::rules::options::Aka;
use jantaku_engine::{Suit, Tile};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::logs::tenhou::fields;
use crate::logs::{Problem, json};

/// The document. Keys that do not matter for the game are left out.
#[derive(Deserialize, Serialize, Default, Debug)]
pub(super) struct Document {
    /// Two lines above the table: texts or numbers.
    #[serde(default, deserialize_with = "or_nothing")]
    pub(super) title: Vec<Value>,
    /// The name of the game at its source.
    #[serde(
        default,
        deserialize_with = "or_nothing",
        rename = "ref",
        skip_serializing_if = "String::is_empty"
    )]
    pub(super) reference: String,
    #[serde(default, deserialize_with = "names")]
    pub(super) name: Vec<String>,
    #[serde(default, deserialize_with = "rule")]
    pub(super) rule: Rule,
    /// The settings of a lobby.
    #[serde(default, deserialize_with = "texts", skip_serializing_if = "Vec::is_empty")]
    pub(super) csrule: Vec<String>,
    /// The players' grades, ratings and sexes.
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "Vec::is_empty")]
    pub(super) dan: Vec<String>,
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "Vec::is_empty")]
    pub(super) rate: Vec<f64>,
    #[serde(default, deserialize_with = "or_nothing", skip_serializing_if = "Vec::is_empty")]
    pub(super) sx: Vec<String>,
    /// Final points and results in thousands, alternating by seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sc: Option<Vec<f64>>,
    pub(super) log: Vec<HandEntry>,
}

impl Document {
    /// The first hand that can be read.
    pub(super) fn first_hand(&self) -> Option<&HandLists> {
        self.log.iter().enumerate().find_map(|(number, entry)| entry.lists(number).ok())
    }
}

/// A value that does not matter for the game: nothing if it is of another type.
fn or_nothing<'de, T: DeserializeOwned + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// Reads a list of names. A name that is null is empty.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let names: Vec<Option<String>> = Deserialize::deserialize(deserializer)?;
    Ok(names.into_iter().map(Option::unwrap_or_default).collect())
}

/// Reads a list of texts or numbers, or one text with commas between them.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Array(values) => values.into_iter().map(text).collect(),
        value => text(value).split(',').map(str::to_owned).collect(),
    })
}

/// A text, or a number as text. Empty for null.
pub(super) fn text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    }
}

/// Reads the rules: an object, or the list of a lobby, whose third entry is the game type.
fn rule<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rule, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let Value::Array(list) = value else {
        let disp = value["disp"].as_str().unwrap_or_default().to_owned();
        let broken = |problem| Rule { disp, problem: Some(problem), ..Rule::default() };
        return Ok(json::value("rule", &value).unwrap_or_else(broken));
    };
    let stated = list.into_iter().nth(2).map(text).unwrap_or_default();
    let game_type = fields::hexadecimal(&stated);
    let is_broken = game_type.is_none() && !stated.is_empty();
    let problem = || Problem::value("rule[2]", format!("`{stated}`"), "hexadecimal digits");
    Ok(Rule { game_type, problem: is_broken.then(problem), ..Rule::default() })
}

/// The rules, as far as the format states them.
#[derive(Deserialize, Serialize, Default, Debug)]
#[serde(expecting = "an object or a list")]
pub(super) struct Rule {
    /// Name of the room, or marks of room and rules: 南 or 東, 喰 for open tanyao, 赤 for red fives, 三 for
    /// three players.
    #[serde(default)]
    pub(super) disp: String,
    /// The number of red fives of each suit, in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) aka: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) aka51: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) aka52: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) aka53: Option<u8>,
    /// All rules as TOML text. Only our logs have this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<String>,
    /// Tenhou's game type, in logs of lobbies.
    #[serde(skip)]
    pub(super) game_type: Option<u32>,
    /// Why the rules cannot be read. Given rules can replace them.
    #[serde(skip)]
    pub(super) problem: Option<Problem>,
}

impl Rule {
    /// The number of red fives of each suit. None if the log does not state it.
    pub(super) fn reds(&self) -> Option<[u8; 3]> {
        let counts = [self.aka51, self.aka52, self.aka53].map(|count| count.or(self.aka));
        counts.iter().any(Option::is_some).then(|| counts.map(Option::unwrap_or_default))
    }
}

/// An entry of the list of hands.
#[derive(Deserialize, Serialize, Debug)]
#[serde(untagged)]
pub(super) enum HandEntry {
    Hand(Box<HandLists>),
    /// A value that is no hand.
    Other(Value),
}

impl HandEntry {
    /// The lists of the hand. If the entry is no hand, the error names it by `number`, its index in `log`.
    pub(super) fn lists(&self, number: usize) -> Result<&HandLists, Problem> {
        match self {
            HandEntry::Hand(lists) => Ok(lists),
            HandEntry::Other(value) => {
                let read: Result<HandLists, Problem> = json::value(&format!("log[{number}]"), value);
                Err(read.err().unwrap_or_else(|| Problem::missing("the hand")))
            }
        }
    }
}

/// A hand: round, honba and sticks; points; dora indicators; ura indicators; dealt tiles, draws and
/// discards of each of four seats; the result.
#[derive(Deserialize, Serialize, Debug)]
#[serde(expecting = "a hand with 17 entries")]
pub(super) struct HandLists(
    pub(super) [u16; 3],
    pub(super) Vec<i32>,
    pub(super) Vec<u8>,
    pub(super) Vec<u8>,
    Vec<u8>,
    Vec<TurnEntry>,
    Vec<TurnEntry>,
    Vec<u8>,
    Vec<TurnEntry>,
    Vec<TurnEntry>,
    Vec<u8>,
    Vec<TurnEntry>,
    Vec<TurnEntry>,
    Vec<u8>,
    Vec<TurnEntry>,
    Vec<TurnEntry>,
    pub(super) Vec<ResultPart>,
);

/// The lists of one seat.
#[derive(Default)]
pub(super) struct SeatLists {
    pub(super) dealt: Vec<u8>,
    /// Drawn tiles and calls of other players' discards.
    pub(super) draws: Vec<TurnEntry>,
    /// Discards and calls in the player's own turn.
    pub(super) discards: Vec<TurnEntry>,
}

impl HandLists {
    /// A hand from its entries in order: round, honba and sticks; points; indicators; the lists of the
    /// seats; the result.
    pub(super) fn new(
        standing: [u16; 3],
        points: Vec<i32>,
        [dora, ura]: [Vec<u8>; 2],
        [a, b, c, d]: [SeatLists; 4],
        result: Vec<ResultPart>,
    ) -> HandLists {
        HandLists(
            standing, points, dora, ura, a.dealt, a.draws, a.discards, b.dealt, b.draws, b.discards, c.dealt,
            c.draws, c.discards, d.dealt, d.draws, d.discards, result,
        )
    }

    /// The dealt tiles of each seat.
    pub(super) fn dealt(&self) -> [&[u8]; 4] {
        [&self.4, &self.7, &self.10, &self.13]
    }

    /// The draws and discards of each seat.
    pub(super) fn turns(&self) -> [[&[TurnEntry]; 2]; 4] {
        [[&self.5, &self.6], [&self.8, &self.9], [&self.11, &self.12], [&self.14, &self.15]]
    }
}

/// A tile that was drawn or discarded, or the text of a call.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[serde(untagged, expecting = "expected the number of a tile or the text of a call")]
pub(super) enum TurnEntry {
    Tile(u8),
    Text(String),
}

/// A part of a result: its name, a list of points, or a list of seats and texts about a win.
#[derive(Deserialize, Serialize, Debug)]
#[serde(untagged, expecting = "expected the name of a result, or a list of whole numbers and texts")]
pub(super) enum ResultPart {
    Name(String),
    List(Vec<ResultItem>),
}

/// An entry of a list of a result.
#[derive(Deserialize, Serialize, Debug)]
#[serde(untagged, expecting = "expected a number or a text")]
pub(super) enum ResultItem {
    Number(i32),
    Text(String),
    /// A missing text.
    Null,
}

/// The number of a tile.
pub(super) const fn code(tile: Tile) -> u8 {
    let kind = tile.kind();
    let suit = kind.suit() as u8 + 1;
    if tile.is_red() { 50 + suit } else { 10 * suit + kind.rank() }
}

/// The tile with this number. In a suit without red fives, the number of a red five is a plain five.
pub(super) fn tile(code: u8, aka: Aka) -> Result<Tile, Problem> {
    let suits = [Suit::Characters, Suit::Dots, Suit::Bamboo, Suit::Honours];
    let found = match (code / 10, code % 10) {
        (5, suit @ 1..=3) => {
            let index = usize::from(suit) - 1;
            suits[index].tile(if aka.by_suit()[index] > 0 { 0 } else { 5 })
        }
        (suit @ 1..=4, rank @ 1..) => suits[usize::from(suit) - 1].tile(rank),
        _ => None,
    };
    let expected = "11–19, 21–29, 31–39, 41–47, 51, 52 or 53";
    found.ok_or_else(|| Problem::tile(code.into(), expected))
}

/// The tiles with these numbers in a list of a hand, which an error names.
pub(super) fn tiles(list: impl Display, codes: &[u8], aka: Aka) -> Result<Vec<Tile>, Problem> {
    let wrong = |problem| Problem::new(format_args!("{list}: {problem}"));
    codes.iter().map(|code| tile(*code, aka)).collect::<Result<_, _>>().map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_numbers_round_trip() {
        let [reds, none] = [1, 0].map(|n| Aka { m: n, p: n, s: n });
        for one in Tile::all() {
            assert_eq!(tile(code(one), reds), Ok(one));
            assert_eq!(tile(code(one), none), Ok(Tile::plain(one.kind())));
        }
        for bad in [0, 10, 20, 40, 48, 50, 54, 60, 255] {
            assert!(tile(bad, reds).is_err(), "{bad}");
        }
    }
}

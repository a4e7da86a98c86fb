//! tenhou.net/6 JSON: a hand as the lists of what each player drew or called, and of what he discarded.
//!
//! - [`read()`]: a recorded game from its text
//! - [`write()`]: the text of a recorded game
//!
//! Tiles are numbers: tens for the suit (characters, dots, bamboo, honours), ones for the rank; 51, 52 and 53 are the red fives. A call
//! is a text in which a letter stands before the tile that made it, and where the letter stands tells whose discard it was. 60
//! discards the tile just drawn, `r` declares riichi, 0 stands where the turn of an open quad has no discard of its own.

mod read;
mod walk;
mod write;

use jantaku_engine::{Suit, Tile};
use serde::{Deserialize, Serialize};

pub use read::read;
pub use write::write;

/// The document. Keys that say nothing about the game are left out.
#[derive(Deserialize, Serialize, Debug)]
struct Document {
    /// Two lines above the table.
    #[serde(default, skip_deserializing)]
    title: [String; 2],
    /// The name of the game at its source.
    #[serde(default, rename = "ref", skip_serializing_if = "String::is_empty")]
    reference: String,
    #[serde(default)]
    name: Vec<String>,
    #[serde(default)]
    rule: Rule,
    /// Final points and results in thousands by turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sc: Option<Vec<f64>>,
    log: Vec<Hand>,
}

/// The rules, as far as the format tells them.
#[derive(Deserialize, Serialize, Default, Debug)]
struct Rule {
    /// Characters for the room and the rules: 南 or 東, 喰 for open tanyao, 赤 for red fives, 三 for three players.
    #[serde(default)]
    disp: String,
    /// Whether there are red fives, in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aka: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aka51: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aka52: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aka53: Option<u8>,
    /// Our own: the rules, as a TOML text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
}

impl Rule {
    /// Whether a room or tournament of Mahjong Soul is named.
    fn is_mahjong_soul(&self) -> bool {
        self.disp.contains('間') || self.disp.contains("大会戦")
    }

    /// How many red fives each suit has.
    fn reds(&self) -> [u8; 3] {
        [self.aka51, self.aka52, self.aka53].map(|count| count.or(self.aka).unwrap_or(0))
    }
}

/// A hand: round, counters and sticks; points; dora indicators; those under them; for each of four places the dealt tiles, what was
/// drawn or called, and what was discarded; the result.
#[derive(Deserialize, Serialize, Debug)]
struct Hand(
    [u16; 3],
    Vec<i32>,
    Vec<u8>,
    Vec<u8>,
    Vec<u8>,
    Vec<Entry>,
    Vec<Entry>,
    Vec<u8>,
    Vec<Entry>,
    Vec<Entry>,
    Vec<u8>,
    Vec<Entry>,
    Vec<Entry>,
    Vec<u8>,
    Vec<Entry>,
    Vec<Entry>,
    Vec<Part>,
);

/// A tile that was drawn or discarded, or the text of a call.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
enum Entry {
    Tile(u8),
    Text(String),
}

/// A part of a result: its name, and lists of points or of seats and texts by turns.
#[derive(Deserialize, Serialize, Debug)]
#[serde(untagged)]
enum Part {
    Name(String),
    List(Vec<Item>),
}

#[derive(Deserialize, Serialize, Debug)]
#[serde(untagged)]
enum Item {
    Number(i32),
    Text(String),
}

/// The number of a tile.
const fn code(tile: Tile) -> u8 {
    let kind = tile.kind();
    let suit = kind.suit() as u8 + 1;
    if tile.is_red() { 50 + suit } else { 10 * suit + kind.rank() }
}

/// The tile with this number.
fn tile(code: u8) -> Result<Tile, String> {
    let suits = [Suit::Characters, Suit::Dots, Suit::Bamboo, Suit::Honours];
    let found = match (code / 10, code % 10) {
        (5, suit @ 1..=3) => suits[usize::from(suit) - 1].tile(0),
        (suit @ 1..=4, rank @ 1..) => suits[usize::from(suit) - 1].tile(rank),
        _ => None,
    };
    found.ok_or_else(|| format!("{code} is no tile: expected 11–19, 21–29, 31–39, 41–47, 51, 52 or 53"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_round_trip() {
        for one in Tile::all() {
            assert_eq!(tile(code(one)), Ok(one));
        }
        for bad in [0, 10, 20, 40, 48, 50, 54, 60, 255] {
            assert!(tile(bad).is_err(), "{bad}");
        }
    }
}

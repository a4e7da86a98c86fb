//! Tiles and winds in mjai notation.

use std::fmt;

use jantaku_engine::{Suit, Tile, Wind};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// A tile in mjai notation: `5m`, `5mr` for a red five, `E S W N P F C`, or `?` for a hidden tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pai(pub Option<Tile>);

/// The letters of the honours, in tile order.
const HONOURS: [&str; 7] = ["E", "S", "W", "N", "P", "F", "C"];

impl From<Tile> for Pai {
    fn from(tile: Tile) -> Pai {
        Pai(Some(tile))
    }
}

impl Pai {
    fn parse(text: &str) -> Option<Pai> {
        if text == "?" {
            return Some(Pai(None));
        }
        if let Some(honour) = HONOURS.iter().position(|letter| *letter == text) {
            return Suit::Honours.tile(honour as u8 + 1).map(Pai::from);
        }
        let (text, red) = text.strip_suffix('r').map_or((text, false), |plain| (plain, true));
        let tile: Tile = text.parse().ok()?;
        match (tile.kind().rank(), red) {
            _ if tile.is_red() || tile.kind().is_honour() => None,
            (5, true) => Some(Tile::red(tile.kind().suit()).into()),
            (_, true) => None,
            (_, false) => Some(tile.into()),
        }
    }
}

impl fmt::Display for Pai {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("?"),
            Some(tile) if tile.is_red() => write!(f, "{}r", tile.kind()),
            Some(tile) if tile.kind().is_honour() => {
                f.write_str(HONOURS[usize::from(tile.kind().rank()) - 1])
            }
            Some(tile) => write!(f, "{tile}"),
        }
    }
}

impl Serialize for Pai {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pai {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pai, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || {
            D::Error::custom(format!(
                "`{text}` is not a tile: expected 1m–9s, 5mr, 5pr, 5sr, E S W N P F C or ?"
            ))
        };
        Pai::parse(&text).ok_or_else(wrong)
    }
}

/// The round wind in mjai notation: `E`, `S`, `W` or `N`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundWind(pub Wind);

impl Serialize for RoundWind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.0.letter())
    }
}

impl<'de> Deserialize<'de> for RoundWind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RoundWind, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wind = Wind::ALL.into_iter().find(|wind| wind.letter().to_string() == text);
        wind.map(RoundWind)
            .ok_or_else(|| D::Error::custom(format!("`{text}` is not a wind: expected E, S, W or N")))
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::TileKind;

    use super::*;

    #[test]
    fn tiles_parse_as_they_are_written() {
        for tile in Tile::all() {
            let pai = Pai::from(tile);
            assert_eq!(Pai::parse(&pai.to_string()), Some(pai));
        }
        assert_eq!(Pai::from(Tile::plain(TileKind::EAST)).to_string(), "E");
        for bad in ["", "0m", "5z", "6mr", "Er", "10m", "X"] {
            assert_eq!(Pai::parse(bad), None, "{bad}");
        }
    }
}

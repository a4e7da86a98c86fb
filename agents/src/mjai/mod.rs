//! The format mjai: one JSON object for each thing that happens.
//!
//! - [`Event`]: the objects, with the keys of all dialects that are known
//! - [`read()`]: a recorded game from its events
//! - [`write()`]: the events of a recorded game
//!
//! The format is described at <https://gimite.net/pukiwiki/index.php?Mjai%20麻雀AI対戦サーバ>. The dialects of Mortal and of
//! `RiichiEnv` leave out what a win was worth, the latter adds `kita`. Ours adds `rules` to `start_game`, so that a game can be
//! played again.

mod read;
mod win;
mod write;

use std::fmt;

use jantaku_engine::{Suit, Tile, Wind};
use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

pub use read::{Log, read};
pub use write::write;

/// A tile as mjai writes it: `5m`, `5mr` for a red five, `E S W N P F C`, `?` where it is hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pai(pub Option<Tile>);

/// The letters of the honours in order.
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
                "\"{text}\" is no tile: expected 1m–9s, 5mr, 5pr, 5sr, E S W N P F C or ?"
            ))
        };
        Pai::parse(&text).ok_or_else(wrong)
    }
}

/// The wind of a round: `E`, `S`, `W` or `N`.
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
            .ok_or_else(|| D::Error::custom(format!("\"{text}\" is no wind: expected E, S, W or N")))
    }
}

/// One object of the format. Seats are numbers from 0; points and changes of points are listed by seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A game begins.
    StartGame {
        /// The players.
        #[serde(default)]
        names: Vec<String>,
        /// Our own: the rules, as a TOML text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rules: Option<String>,
        /// `tonpu` for one round of winds, `tonnan` for two.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gametype: Option<String>,
        /// Whether red fives are played with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        aka_flag: Option<bool>,
    },
    /// A hand begins.
    StartKyoku {
        /// The wind of the round.
        bakaze: RoundWind,
        /// The first dora indicator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dora_marker: Option<Pai>,
        /// The hand of the round, from 1.
        kyoku: u8,
        /// Counters.
        honba: u16,
        /// Riichi sticks on the table.
        #[serde(default)]
        kyotaku: u16,
        /// The dealer.
        oya: u8,
        /// Points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scores: Option<Vec<i32>>,
        /// The dealt tiles.
        tehais: Vec<Vec<Pai>>,
    },
    /// A tile is drawn.
    Tsumo {
        /// By whom.
        actor: u8,
        /// The tile.
        pai: Pai,
    },
    /// A tile is discarded.
    Dahai {
        /// By whom.
        actor: u8,
        /// The tile.
        pai: Pai,
        /// Whether it was the one just drawn.
        tsumogiri: bool,
    },
    /// A chi.
    Chi(Claim),
    /// A pon.
    Pon(Claim),
    /// An open quad.
    Daiminkan(Claim),
    /// A concealed quad.
    Ankan {
        /// Whose.
        actor: u8,
        /// Its four tiles.
        consumed: Vec<Pai>,
    },
    /// A tile is added to a pon.
    Kakan {
        /// By whom.
        actor: u8,
        /// The tile.
        pai: Pai,
        /// The tiles of the pon.
        #[serde(default)]
        consumed: Vec<Pai>,
    },
    /// A North is set aside.
    #[serde(alias = "nukidora")]
    Kita {
        /// By whom.
        actor: u8,
        /// North.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pai: Option<Pai>,
    },
    /// A further dora indicator is turned.
    Dora {
        /// The indicator.
        dora_marker: Pai,
    },
    /// The next discard declares riichi.
    Reach {
        /// Whose.
        actor: u8,
    },
    /// A riichi stands, and its stick is paid.
    ReachAccepted {
        /// Whose.
        actor: u8,
        /// What it cost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deltas: Option<Vec<i32>>,
        /// Points after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scores: Option<Vec<i32>>,
    },
    /// A win; several follow each other.
    Hora(Hora),
    /// A draw.
    Ryukyoku {
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The concealed tiles, hidden where they are not shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tehais: Option<Vec<Vec<Pai>>>,
        /// Who shows a hand that is tenpai.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tenpais: Option<Vec<bool>>,
        /// Points won and lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deltas: Option<Vec<i32>>,
        /// Points after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scores: Option<Vec<i32>>,
    },
    /// The hand is over.
    EndKyoku,
    /// The game is over.
    EndGame {
        /// Points, with what became of the sticks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scores: Option<Vec<i32>>,
    },
    /// What a server says to its players besides: nothing about the game.
    #[serde(rename = "none", alias = "hello", alias = "error")]
    None,
}

/// A discard is claimed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// By whom.
    pub actor: u8,
    /// From whom.
    pub target: u8,
    /// The discard.
    pub pai: Pai,
    /// The own tiles of the meld.
    pub consumed: Vec<Pai>,
}

/// A win.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hora {
    /// Who wins.
    pub actor: u8,
    /// Whose tile it is; the winner himself for a self-draw.
    pub target: u8,
    /// The winning tile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pai: Option<Pai>,
    /// The indicators under the dora indicators.
    #[serde(default, alias = "uradora_markers", skip_serializing_if = "Option::is_none")]
    pub ura_markers: Option<Vec<Pai>>,
    /// The concealed tiles of the winner; of a discard that he wins on, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hora_tehais: Option<Vec<Pai>>,
    /// The yaku and bonus by their names, with their han.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yakus: Option<Vec<(String, u32)>>,
    /// Fu.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fu: Option<u32>,
    /// Han with dora; a hundred for each yakuman.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fan: Option<u32>,
    /// Points of the hand, without counters and sticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hora_points: Option<i32>,
    /// Points won and lost by this win, counters and sticks included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deltas: Option<Vec<i32>>,
    /// Points after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<i32>>,
}

/// Points of a riichi stick.
const STICK: i32 = 1000;

/// The reasons of draws that dialects write, the first of each the one that is written here.
const REASONS: [(jantaku_engine::DrawReason, &[&str]); 7] = {
    use jantaku_engine::DrawReason::{
        Exhaustive, FourKans, FourRiichi, FourWinds, KyuushuKyuuhai, Nagashi, TripleRon,
    };
    [
        (Exhaustive, &["fanpai", "exhaustive_draw"]),
        (Nagashi, &["nagashimangan"]),
        (KyuushuKyuuhai, &["kyushukyuhai", "kyushu_kyuhai"]),
        (FourWinds, &["sufonrenta", "sufuurenta"]),
        (FourRiichi, &["suchareach", "suucha_riichi"]),
        (FourKans, &["sukaikan", "suukansansen"]),
        (TripleRon, &["sanchaho"]),
    ]
};

/// Why a text is no game in this format, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {what}")]
pub struct MjaiError {
    /// The event, counted from 1.
    pub place: String,
    /// What was found, and what was expected.
    pub what: String,
}

#[cfg(test)]
mod tests {
    use jantaku_engine::TileKind;

    use super::*;

    #[test]
    fn tiles_round_trip() {
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

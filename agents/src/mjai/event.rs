//! The objects of the format.

use jantaku_engine::DrawReason;
use serde::{Deserialize, Deserializer, Serialize};

use super::pai::{Pai, RoundWind};

/// One object of the format. Seats count from 0. Points and changes of points are listed by seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A game starts.
    StartGame {
        /// The names of the players; empty where they are not known.
        #[serde(default, deserialize_with = "names")]
        names: Vec<String>,
        /// The rules as a TOML text. Only Jantaku writes this key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rules: Option<String>,
        /// `tonpu` for one round of winds, `tonnan` for two.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gametype: Option<String>,
        /// Whether the game has red fives.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        aka_flag: Option<bool>,
        /// 4 for one round of winds, 0 for two: the number of hands that such a game leaves out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kyoku_first: Option<u8>,
        /// The seat of the player who reads this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u8>,
    },
    /// A hand starts.
    StartKyoku {
        /// The round wind.
        bakaze: RoundWind,
        /// The first dora indicator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dora_marker: Option<Pai>,
        /// The number of the hand in its round of winds, from 1.
        kyoku: u8,
        /// Honba.
        honba: u16,
        /// Riichi sticks on the table.
        #[serde(default, alias = "kyoutaku", deserialize_with = "or_default")]
        kyotaku: u16,
        /// The seat of the dealer.
        oya: u8,
        /// The points at the deal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scores: Option<Vec<i32>>,
        /// The dealt tiles of each seat.
        tehais: Vec<Vec<Pai>>,
    },
    /// A player draws a tile.
    Tsumo {
        /// The seat.
        actor: u8,
        /// The tile.
        pai: Pai,
    },
    /// A player discards a tile.
    Dahai {
        /// The seat.
        actor: u8,
        /// The tile.
        pai: Pai,
        /// Whether it is the tile just drawn. Some logs leave it out.
        #[serde(default, deserialize_with = "or_default")]
        tsumogiri: bool,
    },
    /// A chi.
    Chi(Claim),
    /// A pon.
    Pon(Claim),
    /// A daiminkan.
    Daiminkan(Claim),
    /// An ankan.
    Ankan {
        /// The seat.
        actor: u8,
        /// The four tiles.
        consumed: Vec<Pai>,
    },
    /// A kakan: the player adds a tile to a pon.
    Kakan {
        /// The seat.
        actor: u8,
        /// The tile.
        pai: Pai,
        /// The tiles of the pon.
        #[serde(default, deserialize_with = "or_default")]
        consumed: Vec<Pai>,
    },
    /// A kita: the player sets a North aside.
    #[serde(alias = "nukidora")]
    Kita {
        /// The seat.
        actor: u8,
        /// The North.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pai: Option<Pai>,
    },
    /// Another dora indicator is turned.
    Dora {
        /// The indicator.
        dora_marker: Pai,
    },
    /// The player declares riichi with the next discard.
    Reach {
        /// The seat.
        actor: u8,
    },
    /// A riichi is accepted, and the player pays the riichi stick.
    ReachAccepted {
        /// The seat.
        actor: u8,
        /// The payment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deltas: Option<Vec<i32>>,
        /// The points after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scores: Option<Vec<i32>>,
    },
    /// A win. Several wins on one tile are several events.
    Hora(Hora),
    /// A hand without a winner.
    Ryukyoku {
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The concealed tiles of each seat, hidden unless shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tehais: Option<Vec<Vec<Pai>>>,
        /// Whether each seat shows a tenpai hand.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tenpais: Option<Vec<bool>>,
        /// The points that each seat wins or loses.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deltas: Option<Vec<i32>>,
        /// The points after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scores: Option<Vec<i32>>,
    },
    /// The hand ends.
    EndKyoku,
    /// The game ends.
    EndGame {
        /// The final points, riichi sticks left on the table included.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scores: Option<Vec<i32>>,
    },
    /// A server message that is not about the game.
    #[serde(rename = "none", alias = "hello", alias = "error")]
    None,
}

/// A claim of a discard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The seat.
    pub actor: u8,
    /// The seat that discarded.
    pub target: u8,
    /// The claimed discard.
    pub pai: Pai,
    /// The tiles of the meld from the player's hand.
    pub consumed: Vec<Pai>,
}

/// A win.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Hora {
    /// The seat of the winner.
    pub actor: u8,
    /// The seat that the winning tile comes from: the winner's own seat for a tsumo.
    pub target: u8,
    /// The winning tile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pai: Option<Pai>,
    /// The ura indicators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ura_markers: Option<Vec<Pai>>,
    /// The ura indicators under their other names.
    #[serde(default, alias = "uradora_marker", skip_serializing_if = "Option::is_none")]
    pub uradora_markers: Option<Vec<Pai>>,
    /// The concealed tiles of the winner: with the drawn tile and without the tile of a ron. Some
    /// programs leave out the drawn tile, or add that of a ron.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hora_tehais: Option<Vec<Pai>>,
    /// The names of the yaku and dora, with their han.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yakus: Option<Vec<(String, u32)>>,
    /// Fu, rounded up to ten or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fu: Option<u32>,
    /// Han with dora, or 100 for each yakuman.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fan: Option<u32>,
    /// The points of the hand, without honba and riichi sticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hora_points: Option<i32>,
    /// The points that each seat wins or loses, with honba and riichi sticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deltas: Option<Vec<i32>>,
    /// The points after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<i32>>,
}

/// The `kyoku_first` of a game of one round of winds.
pub(super) const SHORT: u8 = 4;

/// The `gametype` of a game of one round of winds, and that of two.
pub(super) const GAMETYPES: [&str; 2] = ["tonpu", "tonnan"];

/// Reads a value. Null counts as its default.
fn or_default<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// The names of the draw reasons in all dialects. Jantaku writes the first name of each.
pub(super) const REASONS: [(DrawReason, &[&str]); 7] = {
    use DrawReason::{Exhaustive, FourKans, FourRiichi, FourWinds, KyuushuKyuuhai, Nagashi, TripleRon};
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

/// Reads a list of names. The list and each name may be null.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let names: Option<Vec<Option<String>>> = Deserialize::deserialize(deserializer)?;
    Ok(names.into_iter().flatten().map(Option::unwrap_or_default).collect())
}

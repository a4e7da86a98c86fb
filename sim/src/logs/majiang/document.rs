//! The fields of a paipu and its events.

use serde::Deserialize;
use serde_json::Value;

use crate::logs::{Problem, json};

/// A game. Lists of players begin with the player in seat 0.
#[derive(Deserialize, Debug)]
pub(super) struct Paipu {
    #[serde(default, deserialize_with = "json::names")]
    pub(super) player: Vec<String>,
    /// The first dealer.
    #[serde(default)]
    pub(super) qijia: u8,
    /// The hands, each a list of events.
    pub(super) log: Vec<Value>,
    /// The final points.
    #[serde(default)]
    pub(super) defen: Vec<f64>,
    /// The results with uma in thousands, as texts or numbers.
    #[serde(default)]
    pub(super) point: Vec<Value>,
}

impl Paipu {
    /// The results in thousands.
    pub(super) fn results(&self) -> Result<Vec<f64>, Problem> {
        let result = |value: &Value| {
            let number = value.as_f64().or_else(|| value.as_str()?.parse().ok());
            number.ok_or_else(|| Problem::value("point", value, "a number"))
        };
        self.point.iter().map(result).collect()
    }
}

/// A deal. Lists begin with the dealer.
#[derive(Deserialize, Debug)]
pub(super) struct Qipai {
    /// The round wind.
    pub(super) zhuangfeng: u16,
    /// The dealer, counted from the first.
    pub(super) jushu: u16,
    /// Honba.
    pub(super) changbang: u16,
    /// Riichi sticks.
    pub(super) lizhibang: u16,
    /// Points.
    pub(super) defen: Vec<i32>,
    /// The dora indicator.
    pub(super) baopai: String,
    /// The dealt tiles.
    pub(super) shoupai: Vec<String>,
}

/// An event with a tile: a draw or a discard.
#[derive(Deserialize, Debug)]
pub(super) struct TileEvent {
    pub(super) l: u8,
    pub(super) p: String,
}

/// An event with a meld.
#[derive(Deserialize, Debug)]
pub(super) struct MeldEvent {
    pub(super) l: u8,
    pub(super) m: String,
}

/// A further dora indicator.
#[derive(Deserialize, Debug)]
pub(super) struct Kaigang {
    pub(super) baopai: String,
}

/// A win. Points begin with the dealer.
#[derive(Deserialize, Debug)]
pub(super) struct Hule {
    pub(super) l: u8,
    /// The player who dealt in.
    #[serde(default)]
    pub(super) baojia: Option<u8>,
    #[serde(default)]
    pub(super) fubaopai: Option<Vec<String>>,
    #[serde(default)]
    pub(super) fu: Option<u8>,
    #[serde(default)]
    pub(super) fanshu: Option<u32>,
    /// How many yakuman it is worth.
    #[serde(default)]
    pub(super) damanguan: Option<u32>,
    #[serde(default)]
    pub(super) defen: Option<i32>,
    #[serde(default)]
    pub(super) hupai: Vec<Hupai>,
    #[serde(default)]
    pub(super) fenpei: Option<Vec<i32>>,
}

/// A yaku with its han, or a star for each yakuman.
#[derive(Deserialize, Debug)]
pub(super) struct Hupai {
    pub(super) name: String,
    pub(super) fanshu: Value,
}

/// A draw. Lists begin with the dealer.
#[derive(Deserialize, Debug)]
pub(super) struct Pingju {
    pub(super) name: String,
    /// The hands that are shown, other texts are empty.
    #[serde(default)]
    pub(super) shoupai: Vec<String>,
    #[serde(default)]
    pub(super) fenpei: Option<Vec<i32>>,
}

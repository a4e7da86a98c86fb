//! The fields of `head` and of the records. A field with the value 0, false or an empty list may be missing.
//! Printers of protobuf messages write the names of fields in camel case.

use jantaku_engine::{Seat, Tile};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::logs::Problem;

/// A record: its name without a prefix, and its fields.
pub(super) struct Record<'a> {
    pub(super) name: &'a str,
    fields: &'a Value,
}

/// All records in a document, in order.
pub(super) fn records(document: &Value) -> Vec<Record<'_>> {
    let mut found = Vec::new();
    collect(document, &mut found);
    found
}

fn collect<'a>(value: &'a Value, found: &mut Vec<Record<'a>>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
        Value::Object(object) => match Record::of(value) {
            Some(record) => found.push(record),
            None => object.values().for_each(|value| collect(value, found)),
        },
        _ => {}
    }
}

impl<'a> Record<'a> {
    /// The record in an object with a name of a record.
    fn of(value: &'a Value) -> Option<Record<'a>> {
        let name = value.get("name")?.as_str()?;
        let name = name.rsplit('.').next().filter(|name| name.starts_with("Record"))?;
        Some(Record { name, fields: value.get("data").unwrap_or(value) })
    }

    /// The fields of the record.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        T::deserialize(self.fields).map_err(Problem::quoting)
    }
}

/// The players, the room and the results of a game.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Head {
    pub(super) config: Config,
    pub(super) accounts: Vec<Account>,
    pub(super) result: GameResult,
}

impl Head {
    /// The head of a document; without one, an empty head.
    pub(super) fn of(document: &Value) -> Result<Head, Problem> {
        let head = document.get("head").or_else(|| document.get("record")?.get("head"));
        head.map_or_else(|| Ok(Head::default()), |head| Head::deserialize(head).map_err(Problem::quoting))
    }
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Config {
    /// 1 a room of friends, 2 a ranked room, 4 a tournament.
    pub(super) category: u8,
    pub(super) mode: Mode,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Mode {
    /// The length of the game: 1 East, 2 South, 4 a single hand; 10 more for three players.
    pub(super) mode: u32,
    /// Rules that a room of friends or a tournament chooses.
    #[serde(alias = "detailRule")]
    pub(super) detail_rule: Map<String, Value>,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Account {
    pub(super) seat: u8,
    pub(super) nickname: String,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct GameResult {
    pub(super) players: Vec<PlayerResult>,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct PlayerResult {
    pub(super) seat: u8,
    /// The result with uma, in points.
    #[serde(alias = "totalPoint")]
    pub(super) total_point: i32,
    /// The final points.
    #[serde(alias = "partPoint1")]
    pub(super) part_point_1: i32,
}

/// A deal. The dealer has a fourteenth tile.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct NewRound {
    /// The round wind.
    pub(super) chang: u16,
    /// The dealer.
    pub(super) ju: u16,
    /// Honba.
    pub(super) ben: u16,
    /// Riichi sticks.
    pub(super) liqibang: u16,
    pub(super) scores: Vec<i32>,
    tiles0: Vec<String>,
    tiles1: Vec<String>,
    tiles2: Vec<String>,
    tiles3: Vec<String>,
    pub(super) doras: Vec<String>,
    /// The dora indicator in older records.
    pub(super) dora: String,
}

impl NewRound {
    /// The dealt tiles of a seat.
    pub(super) fn tiles(&self, seat: Seat) -> Result<Vec<Tile>, Problem> {
        tiles([&self.tiles0, &self.tiles1, &self.tiles2, &self.tiles3][seat.index()])
    }
}

/// The riichi that the last discard declared. It is accepted before what this record states.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Liqi {
    pub(super) seat: u8,
    pub(super) failed: bool,
}

/// A draw, a discard or a North set aside.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct TileRecord {
    pub(super) seat: u8,
    pub(super) tile: String,
    /// A riichi.
    #[serde(alias = "isLiqi")]
    pub(super) is_liqi: bool,
    /// A double riichi.
    #[serde(alias = "isWliqi")]
    pub(super) is_wliqi: bool,
    /// A tsumogiri.
    pub(super) moqie: bool,
    pub(super) doras: Vec<String>,
    pub(super) liqi: Option<Liqi>,
}

/// A claim: 0 chi, 1 pon, 2 daiminkan.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct ChiPengGang {
    pub(super) seat: u8,
    #[serde(rename = "type")]
    pub(super) kind: u8,
    pub(super) tiles: Vec<String>,
    /// The seat that each tile comes from.
    pub(super) froms: Vec<u8>,
    pub(super) doras: Vec<String>,
    pub(super) liqi: Option<Liqi>,
}

/// A kan in the player's own turn: 2 kakan, 3 ankan.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct AnGangAddGang {
    pub(super) seat: u8,
    #[serde(rename = "type")]
    pub(super) kind: u8,
    /// The tile that is added, or one of the four.
    pub(super) tiles: String,
    pub(super) doras: Vec<String>,
}

/// Wins on one tile.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Hule {
    pub(super) hules: Vec<Win>,
    #[serde(alias = "deltaScores")]
    pub(super) delta_scores: Vec<i32>,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Win {
    pub(super) seat: u8,
    /// The concealed tiles. Records leave out the winning tile.
    pub(super) hand: Vec<String>,
    #[serde(alias = "huTile")]
    pub(super) hu_tile: String,
    pub(super) zimo: bool,
    pub(super) yiman: bool,
    /// Han with dora, or the number of yakuman.
    pub(super) count: u32,
    pub(super) fu: u32,
    pub(super) fans: Vec<Fan>,
    #[serde(alias = "pointRong")]
    pub(super) point_rong: i32,
    /// The limit. Newer records leave it out.
    #[serde(alias = "titleId")]
    pub(super) title_id: Option<u32>,
    pub(super) doras: Vec<String>,
    #[serde(alias = "liDoras")]
    pub(super) li_doras: Vec<String>,
}

/// A yaku with its han.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Fan {
    pub(super) id: u32,
    pub(super) val: u32,
}

/// An exhaustive draw. Mahjong Soul does not state a riichi that the last discard declares.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct NoTile {
    /// Nagashi mangan.
    pub(super) liujumanguan: bool,
    pub(super) players: Vec<Tenpai>,
    pub(super) scores: Vec<Payments>,
    pub(super) liqi: Option<Liqi>,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Tenpai {
    pub(super) tingpai: bool,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct Payments {
    #[serde(alias = "deltaScores")]
    pub(super) delta_scores: Vec<i32>,
}

/// An abortive draw.
#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(super) struct LiuJu {
    #[serde(rename = "type")]
    pub(super) kind: u32,
    pub(super) liqi: Option<Liqi>,
}

/// A tile such as `0m`, a red five.
pub(super) fn tile(text: &str) -> Result<Tile, Problem> {
    text.parse().map_err(|_| Problem::value("tile", format!("`{text}`"), "a tile such as `5m`, `0m` or `1z`"))
}

pub(super) fn tiles(texts: &[String]) -> Result<Vec<Tile>, Problem> {
    texts.iter().map(|text| tile(text)).collect()
}

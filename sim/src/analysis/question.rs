//! A hand and how it is won, as a question.

use std::fmt;

use jantaku_engine::rules::knobs::North;
use jantaku_engine::{Moment, Riichi, Rules, Wind};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {what}")]
pub struct Refusal {
    /// The field of [`Question`] that is wrong.
    pub field: &'static str,
    /// The problem: what was found and what was expected.
    pub what: String,
}

/// A hand and how it is won. In JSON all fields except `hand` are optional.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent JSON key")]
pub struct Question {
    /// Any JSON. The answer repeats it.
    #[serde(default)]
    pub id: Option<Box<RawValue>>,
    /// The tiles in hand notation. They may include melds and, after `+`, the last tile.
    pub hand: String,
    /// More melds in hand notation: `[123m]`, `<7777z>`. In JSON a string or a list of strings.
    #[serde(default, deserialize_with = "joined")]
    pub melds: String,
    /// The last tile, which wins or has just been drawn: beside the 13 tiles of `hand`, or one of
    /// its 14.
    #[serde(default)]
    pub win: Option<String>,
    /// How the last tile comes.
    #[serde(default)]
    pub by: By,
    /// The winner's wind. South by default.
    #[serde(default = "south", deserialize_with = "wind")]
    pub seat: Wind,
    /// The round's wind. East by default.
    #[serde(default = "east", deserialize_with = "wind")]
    pub round: Wind,
    /// The winner's riichi. In JSON true, false, `"single"` or `"double"`.
    #[serde(default, deserialize_with = "riichi")]
    pub riichi: Riichi,
    /// A win after riichi, before the winner's next discard and without a call in between.
    #[serde(default)]
    pub ippatsu: bool,
    /// The dora indicators in hand notation. In JSON a string or a list of strings.
    #[serde(default, deserialize_with = "joined")]
    pub dora: String,
    /// The ura indicators. They count only with riichi.
    #[serde(default, deserialize_with = "joined")]
    pub ura: String,
    /// A win on the last tile: haitei by tsumo, houtei by ron.
    #[serde(default)]
    pub haitei: bool,
    /// A tsumo on the replacement tile of a kan.
    #[serde(default)]
    pub rinshan: bool,
    /// A ron on a tile that another player declares a kan with.
    #[serde(default)]
    pub chankan: bool,
    /// A win before the winner's first discard and before any call: tenhou, chiihou, renhou.
    #[serde(default)]
    pub first_turn: bool,
    /// The number of Norths that the winner has set aside, under rules with kita.
    #[serde(default, deserialize_with = "up_to::<4, _, _>")]
    pub kita: u8,
    /// Honba on the table.
    #[serde(default, deserialize_with = "up_to::<65535, _, _>")]
    pub honba: u16,
    /// Riichi sticks on the table.
    #[serde(default, deserialize_with = "up_to::<65535, _, _>")]
    pub riichi_sticks: u16,
    /// The name of a preset or the path of a rule file.
    #[serde(default)]
    pub rules: Option<String>,
}

/// How a hand gets its last tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// From another player's discard.
    #[default]
    Ron,
    /// By the winner's own draw.
    Tsumo,
}

impl Question {
    /// A hand in notation. South wins by ron in the East round, without riichi, dora, honba or
    /// sticks.
    #[must_use]
    pub fn new(hand: &str) -> Question {
        Question {
            id: None,
            hand: hand.to_owned(),
            melds: String::new(),
            win: None,
            by: By::Ron,
            seat: Wind::South,
            round: Wind::East,
            riichi: Riichi::None,
            ippatsu: false,
            dora: String::new(),
            ura: String::new(),
            haitei: false,
            rinshan: false,
            chankan: false,
            first_turn: false,
            kita: 0,
            honba: 0,
            riichi_sticks: 0,
            rules: None,
        }
    }

    /// The moment of the win that yaku depend on.
    pub(super) fn moment(&self) -> Moment {
        match () {
            () if self.haitei => Moment::LastTile,
            () if self.rinshan => Moment::Rinshan,
            () if self.chankan => Moment::Chankan,
            () => Moment::Ordinary,
        }
    }

    /// Checks that the circumstances of the win do not contradict each other.
    pub(super) fn check(&self, rules: &Rules) -> Result<(), Refusal> {
        let (ron, riichi) = (self.by == By::Ron, self.riichi != Riichi::None);
        let called = (self.hand.clone() + &self.melds).contains(['[', '<']);
        let open = (self.hand.clone() + &self.melds).contains('[');
        let players = rules.players.count();
        let checks = [
            (self.seat as u8 >= players, "seat", "no such seat under these rules"),
            (riichi && open, "riichi", "the hand is open: riichi needs a closed hand"),
            (self.ippatsu && !riichi, "ippatsu", "needs riichi"),
            (self.rinshan && ron, "rinshan", "needs a tsumo"),
            (self.chankan && !ron, "chankan", "needs a ron"),
            (self.rinshan && self.haitei, "haitei", "a replacement tile is not the last tile"),
            (self.chankan && self.haitei, "haitei", "no kan is possible with the last tile"),
            (self.rinshan && self.ippatsu, "ippatsu", "a kan ends ippatsu before the replacement tile"),
            (self.first_turn && called, "first_turn", "needs a hand without melds"),
            (self.kita > 0 && rules.north != North::Nukidora, "kita", "these rules have no kita"),
            (self.kita > 4, "kita", "a set has four Norths"),
            (self.first_turn && self.haitei, "haitei", "the first tile is not the last tile"),
            (
                self.first_turn && self.kita > 0,
                "first_turn",
                "no North is set aside before the first discard",
            ),
            (self.first_turn && riichi, "first_turn", "riichi needs a discard before the win"),
            (
                self.first_turn && ron && self.seat == Wind::East,
                "first_turn",
                "the dealer discards first and cannot win by ron before that",
            ),
        ];
        match checks.iter().find(|(wrong, ..)| *wrong) {
            Some((_, field, what)) => Err(Refusal { field, what: (*what).to_owned() }),
            None => Ok(()),
        }
    }
}

const fn south() -> Wind {
    Wind::South
}

const fn east() -> Wind {
    Wind::East
}

/// Parses a wind by its letter, name or tile: `E`, `east`, `1z`.
///
/// # Errors
///
/// If the text is not a wind.
pub fn parse_wind(text: &str) -> Result<Wind, String> {
    let is = |wind: &Wind| {
        let names = [wind.letter().to_string(), wind.to_string(), wind.tile().to_string()];
        names.iter().any(|name| name.eq_ignore_ascii_case(text))
    };
    Wind::ALL.into_iter().find(is).ok_or_else(|| format!("`{text}` is not a wind: expected E, S, W or N"))
}

/// Parses a kind of riichi.
///
/// # Errors
///
/// If the text is neither `single` nor `double`.
pub fn parse_riichi(text: &str) -> Result<Riichi, String> {
    match text {
        "single" => Ok(Riichi::Single),
        "double" => Ok(Riichi::Double),
        other => Err(format!("found `{other}`, expected `single` or `double`")),
    }
}

/// Reads a whole number from 0 to `MOST`.
fn up_to<'de, const MOST: u64, N: TryFrom<u64>, D: Deserializer<'de>>(input: D) -> Result<N, D::Error> {
    let found = serde_json::Value::deserialize(input)?;
    let number = found.as_u64().filter(|number| *number <= MOST).and_then(|number| N::try_from(number).ok());
    let expected = || format!("found {found}, expected a whole number from 0 to {MOST}");
    number.ok_or_else(|| D::Error::custom(expected()))
}

fn wind<'de, D: Deserializer<'de>>(input: D) -> Result<Wind, D::Error> {
    parse_wind(&String::deserialize(input)?).map_err(D::Error::custom)
}

fn riichi<'de, D: Deserializer<'de>>(input: D) -> Result<Riichi, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "`riichi`: expected true, false, \"single\" or \"double\"")]
    enum Declared {
        Is(bool),
        Named(String),
    }
    match Option::<Declared>::deserialize(input)? {
        Some(Declared::Is(true)) => Ok(Riichi::Single),
        Some(Declared::Is(false)) | None => Ok(Riichi::None),
        Some(Declared::Named(name)) => parse_riichi(&name).map_err(D::Error::custom),
    }
}

/// Reads a string, or a list of strings as one. Null is empty.
fn joined<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    struct Joined;
    impl<'de> Visitor<'de> for Joined {
        type Value = String;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string in hand notation or a list of such strings")
        }
        fn visit_unit<E>(self) -> Result<String, E> {
            Ok(String::new())
        }
        fn visit_str<E>(self, text: &str) -> Result<String, E> {
            Ok(text.to_owned())
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<String, A::Error> {
            let mut all = String::new();
            while let Some(text) = list.next_element::<String>()? {
                all += &text;
            }
            Ok(all)
        }
    }
    input.deserialize_any(Joined)
}

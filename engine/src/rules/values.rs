//! Field values that consist of parts: numbers by placement or suit, steps, sets of yaku.

use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::options::{KanDoraTiming, Renchan, RuleOption};
use crate::Wind;
use crate::suggest::{Known, shortened};
use crate::yaku::{Yaku, YakuSet};

/// The value of renhou.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Renhou {
    /// No yaku.
    Off,
    /// Mangan, or the value of the hand without renhou if that is higher.
    ManganFloor,
    /// This many han and no other yaku or dora, or the value of the hand without renhou if that is
    /// higher.
    HanAlone(u8),
    /// This many han, added to other yaku and dora.
    HanAdd(u8),
    /// A yakuman.
    Yakuman,
}

/// Number of red fives in each suit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aka {
    /// Characters.
    pub m: u8,
    /// Dots.
    pub p: u8,
    /// Bamboo.
    pub s: u8,
}

impl Aka {
    /// The numbers in the order m, p, s.
    pub const fn by_suit(self) -> [u8; 3] {
        [self.m, self.p, self.s]
    }
}

/// When the dora indicators of kans are turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KanDora {
    /// For an ankan.
    pub ankan: KanDoraTiming,
    /// For a daiminkan or kakan.
    pub minkan: KanDoraTiming,
}

impl RuleOption for KanDora {
    fn values() -> Vec<(String, &'static str)> {
        KanDoraTiming::values()
            .into_iter()
            .map(|(v, doc)| (format!("{{ ankan|minkan = \"{v}\" }}"), doc))
            .collect()
    }
}

/// Points that noten players pay at an exhaustive draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NotenPool {
    /// What they pay together.
    Total(i32),
    /// What each of them pays if one player is tenpai, if two are, and if three are. Fewer players
    /// use the first numbers.
    Each([i32; 3]),
}

impl NotenPool {
    /// What the noten players pay together if this many of the players are tenpai, from one to all
    /// but one.
    pub const fn total(self, tenpai: i32, players: i32) -> i32 {
        match self {
            NotenPool::Total(points) => points,
            NotenPool::Each(points) => points[tenpai as usize - 1] * (players - tenpai),
        }
    }

    /// The same payments in one form: as a total if it is the same for each number of tenpai players,
    /// otherwise with 0 for the numbers that this many players do not use.
    pub(super) fn canonical(self, players: i32) -> NotenPool {
        let NotenPool::Each(mut each) = self else { return self };
        let together = self.total(1, players);
        if (2..players).all(|tenpai| self.total(tenpai, players) == together) {
            return NotenPool::Total(together);
        }
        each[players as usize - 1..].fill(0);
        NotenPool::Each(each)
    }
}

/// When the dealer deals again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum RenchanRule {
    /// The same in all rounds.
    Same(Renchan),
    /// By the round wind.
    ByWind {
        /// In the East round.
        east: Renchan,
        /// In the South round and later ones.
        later: Renchan,
    },
}

impl RenchanRule {
    /// When the dealer deals again in the round of this wind.
    pub const fn in_round(self, wind: Wind) -> Renchan {
        match (self, wind) {
            (RenchanRule::Same(renchan), _) => renchan,
            (RenchanRule::ByWind { east, .. }, Wind::East) => east,
            (RenchanRule::ByWind { later, .. }, _) => later,
        }
    }

    /// The same rule in one form: `Same` if it does not depend on the round wind.
    pub(super) fn canonical(self) -> RenchanRule {
        match self {
            RenchanRule::ByWind { east, later } if east == later => RenchanRule::Same(east),
            other => other,
        }
    }
}

impl From<Renchan> for RenchanRule {
    fn from(renchan: Renchan) -> RenchanRule {
        RenchanRule::Same(renchan)
    }
}

/// Error texts of this file. They describe a value better than the list of allowed values does.
pub(super) const FORMS: [&str; 6] = [NUMBER_OR_NONE, UMA, UMA_ROW, UMA_ROWS, UMA_ROWS_BELOW, SHIBARI];
const NUMBER_OR_NONE: &str = "expected a number or \"none\"";
const UMA: &str = "expected thousands of points by placement, each from -128 to 127, such as [20, 10, -10, -20], a \
                   list of such lists, or { below_start = such a list of lists }";
const UMA_ROW: &str = "expected at most four numbers";
const UMA_ROWS: &str = "expected at most three lists of the same length, with at most four numbers each";
const UMA_ROWS_BELOW: &str = "expected at most five lists of the same length, with at most four numbers each";
const SHIBARI: &str = "expected at most four steps of honba and han";

/// A number, or `"none"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Maybe<T = i32>(pub Option<T>);

impl<T: Copy + Into<i64>> Serialize for Maybe<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(number) => serializer.serialize_i64(number.into()),
            None => serializer.serialize_str("none"),
        }
    }
}

impl<'de, T: TryFrom<i64>> Deserialize<'de> for Maybe<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Maybe<T>, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(i64),
            Word(String),
        }
        let wrong = || D::Error::custom(NUMBER_OR_NONE);
        match Either::deserialize(deserializer).map_err(|_| wrong())? {
            Either::Word(word) if word == "none" => Ok(Maybe(None)),
            Either::Word(_) => Err(wrong()),
            Either::Number(number) => Ok(Maybe(Some(T::try_from(number).map_err(|_| wrong())?))),
        }
    }
}

impl RuleOption for RenchanRule {
    fn values() -> Vec<(String, &'static str)> {
        let mut values = Renchan::values();
        values.push(("{ east = …, later = … }".to_owned(), "One of these for East, and one from South on."));
        values
    }
}

impl<T> RuleOption for Maybe<T> {
    fn values() -> Vec<(String, &'static str)> {
        vec![("a number".to_owned(), ""), ("none".to_owned(), "")]
    }
}

/// Bonus by placement, in thousands of points, one number for each player.
///
/// A fixed uma is the same in every game. The others have a row for each number of players who are
/// ahead or behind at the end ([`Rules::uma_after`](crate::Rules::uma_after)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uma {
    rows: [[i8; 4]; 5],
    /// The numbers in each row, one for each player.
    len: u8,
    /// The rows in use.
    count: u8,
    by: UmaBy,
}

/// What decides the row of an uma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum UmaBy {
    /// Nothing: there is a single row.
    Nothing,
    /// The number of players with the return points or more, from one on.
    AtReturn,
    /// The number of players below the start points, from none to all.
    BelowStart,
}

impl Uma {
    /// A fixed uma, from first place to last.
    ///
    /// # Panics
    ///
    /// If there are more than four numbers.
    pub fn new(row: &[i8]) -> Uma {
        Uma::from_rows(UmaBy::Nothing, &[row])
    }

    fn from_rows(by: UmaBy, rows: &[&[i8]]) -> Uma {
        let len = rows.first().map_or(0, |row| row.len());
        let mut uma = Uma { rows: [[0; 4]; 5], len: len as u8, count: rows.len() as u8, by };
        for (to, row) in uma.rows.iter_mut().zip(rows) {
            to[..len].copy_from_slice(row);
        }
        uma
    }

    /// Thousands of points from first place to last, if `at_return` players have the return points or
    /// more, and `below_start` players are below the start points.
    pub(super) fn row(&self, at_return: usize, below_start: usize) -> &[i8] {
        const NOTHING: [i8; 4] = [0; 4];
        let row = match self.by {
            UmaBy::Nothing => Some(0),
            UmaBy::AtReturn => at_return.checked_sub(1),
            UmaBy::BelowStart => Some(below_start),
        };
        row.and_then(|row| self.rows().nth(row)).unwrap_or(&NOTHING[..usize::from(self.len)])
    }

    fn rows(&self) -> impl Iterator<Item = &[i8]> {
        self.rows[..usize::from(self.count)].iter().map(|row| &row[..usize::from(self.len)])
    }

    /// The same bonuses in one form: as one row if every game ends with the same bonuses. Otherwise, if the
    /// return points are the start points, by the players who have them, where the rows allow that form.
    pub(super) fn canonical(&self, starts_at_return: bool) -> Uma {
        let rows: Vec<&[i8]> = self.rows().collect();
        let is_zero = |row: &&[i8]| row.iter().all(|bonus| *bonus == 0);
        match (self.by, &rows[..]) {
            (UmaBy::AtReturn, [first, ..]) if rows.iter().all(is_zero) => Uma::new(first),
            (UmaBy::BelowStart, [first, ..]) if rows.iter().all(|row| row == first) => Uma::new(first),
            (UmaBy::BelowStart, [none, some @ .., all])
                if starts_at_return && is_zero(none) && is_zero(all) =>
            {
                Uma::from_rows(UmaBy::AtReturn, &some.iter().rev().copied().collect::<Vec<_>>())
            }
            _ => *self,
        }
    }

    /// Whether every row adds up to 0.
    pub(super) fn is_balanced(&self) -> bool {
        self.rows.iter().all(|row| row.iter().copied().map(i32::from).sum::<i32>() == 0)
    }

    /// Whether each row has `players` numbers, and the number of rows fits.
    pub(super) fn fits(&self, players: usize) -> bool {
        let rows = match self.by {
            UmaBy::Nothing => 1,
            UmaBy::AtReturn => players - 1,
            UmaBy::BelowStart => players + 1,
        };
        usize::from(self.len) == players && usize::from(self.count) == rows
    }

    /// The form that fits this number of players, for an error text.
    pub(super) fn expected(&self, players: usize) -> String {
        match (self.by, players - 1) {
            (UmaBy::Nothing, _) => format!("{players} numbers, one for each player"),
            (UmaBy::AtReturn, 1) => {
                format!("1 list of {players} numbers, for 1 player with the return points or more")
            }
            (UmaBy::AtReturn, rows) => format!(
                "{rows} lists of {players} numbers, for 1 to {rows} players with the return points or more"
            ),
            (UmaBy::BelowStart, _) => format!(
                "{} lists of {players} numbers, for 0 to {players} players below the start points",
                players + 1
            ),
        }
    }
}

/// The forms of an uma in files.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum UmaForm {
    Fixed(Vec<i8>),
    AtReturn(Vec<Vec<i8>>),
    BelowStart { below_start: Vec<Vec<i8>> },
}

impl Serialize for Uma {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = self.rows().map(<[i8]>::to_vec);
        let form = match self.by {
            UmaBy::Nothing => UmaForm::Fixed(rows.next().unwrap_or_default()),
            UmaBy::AtReturn => UmaForm::AtReturn(rows.collect()),
            UmaBy::BelowStart => UmaForm::BelowStart { below_start: rows.collect() },
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Uma {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Uma, D::Error> {
        let (by, rows, most) = match UmaForm::deserialize(deserializer).map_err(|_| D::Error::custom(UMA))? {
            UmaForm::Fixed(row) if row.len() <= 4 => return Ok(Uma::new(&row)),
            UmaForm::Fixed(_) => return Err(D::Error::custom(UMA_ROW)),
            UmaForm::AtReturn(rows) => (UmaBy::AtReturn, rows, 3),
            UmaForm::BelowStart { below_start } => (UmaBy::BelowStart, below_start, 5),
        };
        let same_length = rows.iter().all(|row| row.len() == rows[0].len() && row.len() <= 4);
        if rows.len() > most || !same_length {
            return Err(D::Error::custom(if most == 3 { UMA_ROWS } else { UMA_ROWS_BELOW }));
        }
        let rows: Vec<&[i8]> = rows.iter().map(Vec::as_slice).collect();
        Ok(Uma::from_rows(by, &rows))
    }
}

/// Higher minimum han at high honba: up to four steps, each with the honba from which it applies
/// and the han.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shibari {
    steps: [[u8; 2]; 4],
    len: u8,
}

impl Shibari {
    /// No step.
    pub const NONE: Shibari = Shibari { steps: [[0; 2]; 4], len: 0 };

    /// Honba and han of each step.
    pub fn steps(&self) -> &[[u8; 2]] {
        &self.steps[..usize::from(self.len)]
    }

    /// The minimum han at this honba; 0 before the first step.
    #[inline]
    pub fn han(&self, honba: u16) -> u8 {
        let reached = self.steps().iter().filter(|[from, _]| honba >= u16::from(*from));
        reached.map(|[_, han]| *han).max().unwrap_or(0)
    }

    /// The minimum han without honba, which is at least `least`, and the steps that raise it.
    pub(super) fn canonical(&self, least: u8) -> (u8, Shibari) {
        let (least, mut above) = (least.max(self.han(0)), Shibari::NONE);
        for step in self.steps().iter().filter(|[_, han]| *han > least) {
            above.steps[usize::from(above.len)] = *step;
            above.len += 1;
        }
        (least, above)
    }
}

impl Serialize for Shibari {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.steps().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shibari {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shibari, D::Error> {
        let steps = Vec::<[u8; 2]>::deserialize(deserializer)?;
        let mut shibari = Shibari { len: steps.len() as u8, ..Shibari::NONE };
        if steps.len() > shibari.steps.len() {
            return Err(D::Error::custom(SHIBARI));
        }
        shibari.steps[..steps.len()].copy_from_slice(&steps);
        Ok(shibari)
    }
}

/// The penalty for a foul.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Chombo {
    /// There are no fouls.
    Off,
    /// The payment of a mangan tsumo in reverse: the offender pays 4000 to the dealer and 2000 to
    /// each other player. A dealer pays 4000 to each.
    ReverseMangan,
    /// This many points off the offender's result, after uma.
    FinalPenalty(i32),
    /// 8000 points (dealer 12000), split among the others in hundreds. A remainder goes to the
    /// players next in turn.
    FlatToOthers,
    /// 8000 points (dealer 12000), to nobody.
    FlatToBank,
}

/// As a list of names.
impl Serialize for YakuSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Yaku::name))
    }
}

impl<'de> Deserialize<'de> for YakuSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<YakuSet, D::Error> {
        let by_name = |name: String| {
            Yaku::all().find(|yaku| yaku.name() == name).ok_or_else(|| {
                let known: Vec<&str> =
                    Yaku::all().filter(|y| y.is_yakuman() || y.is_local()).map(Yaku::name).collect();
                D::Error::custom(format!("unknown yaku `{}`, {}", shortened(&name), Known::new(&name, known)))
            })
        };
        Vec::<String>::deserialize(deserializer)?.into_iter().map(by_name).collect()
    }
}

/// States the allowed values of types, with their meanings.
macro_rules! allowed {
    ($($type:ty { $($value:literal: $meaning:literal,)+ })+) => {
        $(impl RuleOption for $type {
            fn values() -> Vec<(String, &'static str)> {
                vec![$(($value.to_owned(), $meaning)),+]
            }
        })+
    };
}

allowed! {
    bool { "true | false": "", }
    u8 { "a number": "", }
    i32 { "a number of points": "", }
    crate::Players { "2 | 3 | 4": "", }
    Aka { "{ m = 0-4, p = 0-4, s = 0-4 }": "", }
    YakuSet { "[names of yaku]": "", }
    Renhou {
        "Off": "no yaku",
        "ManganFloor": "mangan, or the value of the hand without renhou if that is higher",
        "{ HanAlone = 1-13 }":
            "this many han and no other yaku or dora, or the value of the hand without renhou if that is higher",
        "{ HanAdd = 1-13 }": "this many han, added to other yaku and dora",
        "Yakuman": "a yakuman",
    }
    Uma {
        "[first, …, last]": "thousands of points, one number for each player",
        "[[for one], [for two], …]":
            "a row for one, two, … players with the return points or more; no bonus if none or all have them",
        "{ below_start = [[for none], [for one], …, [for all]] }":
            "a row for none, one, … and all players below the start points",
    }
    NotenPool {
        "a number of points": "what they pay together",
        "[for one, for two, for three]":
            "what each noten player pays if one player is tenpai, if two are, and if three are",
    }
    Shibari {
        "[[honba 0-255, han 1-13], …]": "up to four steps, each with more honba and more han",
    }
    Chombo {
        "Off": "there are no fouls",
        "ReverseMangan": "4000 to the dealer and 2000 to each other player; a dealer pays 4000 to each",
        "{ FinalPenalty = 0-100000 }": "this many points off the result, after uma",
        "FlatToOthers": "8000 (dealer 12000), split among the others",
        "FlatToBank": "8000 (dealer 12000), to nobody",
    }
}

//! Detection of rules that contradict each other.

use std::ops::RangeInclusive;

use super::options::{
    Chombo, Extension, KanDora, KanDoraTiming, North, NotenPool, Renhou, TileKinds, TripleRon, TsumoSplit,
    WallLayout, Yame, YameCondition,
};
use super::{FIELDS, Rules};
use crate::Players;
use crate::yaku::{Yaku, YakuSet, YakuValue};

/// A value out of range, or fields that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {what}")]
pub struct Contradiction {
    /// The field to change.
    pub field: &'static str,
    /// The fields that it contradicts; empty for a value out of range.
    pub others: &'static [&'static str],
    /// What was expected and what was found.
    pub what: String,
}

/// A condition that must not hold, and the error if it does: the field to change, the fields that
/// it contradicts, and the expected value.
type Check = (bool, &'static str, &'static [&'static str], &'static str);

/// Makes [`Check`]s from rows of a condition, the field with those that it contradicts, and the expected value.
macro_rules! checks {
    ($($is_wrong:expr => $field:ident [$($other:ident)*], $expected:expr;)+) => {
        vec![$(($is_wrong, stringify!($field), &[$(stringify!($other)),*] as &[&str], $expected)),+]
    };
}

/// The allowed numbers of a field that holds a number.
struct Number {
    field: &'static str,
    range: RangeInclusive<i64>,
    /// The number must be a multiple of this: 100 for points.
    step: i64,
}

impl Number {
    fn allows(&self, number: i64) -> bool {
        self.range.contains(&number) && number % self.step == 0
    }

    fn expected(&self) -> String {
        let more = match self.field {
            // With fewer than four players, the limit is lower than 3.
            "max_ron" => ", less than `players`",
            _ => "",
        };
        let what = if self.step == 100 { "a multiple of 100" } else { "a number" };
        format!("{what} from {} to {}{more}", self.range.start(), self.range.end())
    }
}

const fn number(field: &'static str, range: RangeInclusive<i64>, step: i64) -> Number {
    Number { field, range, step }
}

/// Ranges of all fields with numbers. They are narrow enough that the points of a game, with ten
/// thousand honba, add up without overflow.
static NUMBERS: &[Number] = &[
    number("start_points", 0..=1_000_000, 100),
    number("return_points", 0..=1_000_000, 100),
    number("target", 0..=1_000_000, 100),
    number("wind_rounds", 0..=4, 1),
    number("riichi_min_live", 0..=70, 1),
    number("riichi_min_points", 0..=1_000_000, 100),
    number("riichi_stick", 0..=10_000, 100),
    number("start_indicators", 1..=5, 1),
    number("max_ron", 1..=3, 1),
    number("min_yaku", 1..=13, 1),
    number("double_wind_pair_fu", 2..=4, 1),
    number("honba_ron", 0..=5000, 100),
    number("honba_tsumo", 0..=5000, 100),
    number("noten_pool", 0..=1_000_000, 100),
    number("max_yakuman", 1..=100, 1),
    number("goal_points", 0..=1_000_000, 100),
    number("extension_rounds", 0..=100, 1),
    number("hands_limit", 1..=255, 1),
];

/// The allowed values of a field, for messages.
pub(super) fn allowed(field: &str) -> String {
    let number = NUMBERS.iter().find(|number| number.field == field);
    let value = |(value, _): (String, &str)| match number {
        Some(number) if value.starts_with("a number") => number.expected(),
        _ => value,
    };
    let known = FIELDS.iter().find(|known| known.name == field);
    let values = known.map_or_else(Vec::new, |field| (field.values)());
    values.into_iter().map(value).collect::<Vec<_>>().join(" | ")
}

/// Whether the field accepts this number. True for fields that hold no number.
pub(super) fn allows(field: &str, number: i64) -> bool {
    NUMBERS.iter().find(|known| known.field == field).is_none_or(|known| known.allows(number))
}

/// The yaku that a field with names of yaku can hold. None for other fields.
pub(super) fn yaku_of(field: &str) -> Option<YakuSet> {
    match field {
        "pao" => Some([Yaku::Daisangen, Yaku::Daisuushii, Yaku::Suukantsu].into_iter().collect()),
        "double_yakuman" => {
            Some(Yaku::all().filter(|yaku| yaku.value() == YakuValue::DoubleYakuman).collect())
        }
        "local_yaku" => Some(YakuSet::LOCAL),
        _ => None,
    }
}

impl Rules {
    /// Checks that a game can be played with these rules.
    ///
    /// # Errors
    ///
    /// The first value out of range, or the first field that contradicts another one.
    pub fn check(&self) -> Result<(), Contradiction> {
        self.contradictions().into_iter().next().map_or(Ok(()), Err)
    }

    /// All values out of range, and all fields that contradict others. Each field to change is
    /// listed once.
    pub(super) fn contradictions(&self) -> Vec<Contradiction> {
        let (table, mut found) = (self.to_table(), Vec::<Contradiction>::new());
        let mut add = |field: &'static str, others: &'static [&'static str], expected: &str| {
            if found.iter().all(|known| known.field != field) {
                let what = format!("expected {expected}, found {}", table[field]);
                found.push(Contradiction { field, others, what });
            }
        };
        for number in NUMBERS {
            if table[number.field].as_integer().is_some_and(|found| !number.allows(found)) {
                add(number.field, &[], &allowed(number.field));
            }
        }
        let is_wrong = |check: &Check| check.0;
        for (_, field, others, expected) in self.wrong_values().into_iter().filter(is_wrong) {
            add(field, others, expected);
        }
        let players = usize::from(self.players.count());
        if !self.uma.fits(players) {
            add("uma", &["players"], &self.uma.expected(players));
        }
        for (_, field, others, expected) in
            self.tile_conflicts().into_iter().chain(self.conflicts()).filter(is_wrong)
        {
            add(field, others, expected);
        }
        found
    }

    /// Conditions that make a value invalid by itself.
    fn wrong_values(&self) -> Vec<Check> {
        let has_others =
            |field, yaku: YakuSet| yaku_of(field).is_some_and(|possible| !(yaku - possible).is_empty());
        let han = 1..=13;
        let is_payment = |points: &i32| (0..=1_000_000).contains(points) && points % 100 == 0;
        let rises = |pair: &[[u8; 2]]| pair[0][0] < pair[1][0] && pair[0][1] < pair[1][1];
        checks! {
            self.aka.by_suit().iter().any(|n| *n > 4) => aka [], "at most 4 red fives in a suit";
            !self.uma.is_balanced() => uma [], "a number for each player, whose sum is 0";
            !matches!(self.double_wind_pair_fu, 2 | 4) => double_wind_pair_fu [], "2 or 4";
            !matches!(self.pinfu_tsumo.0, None | Some(20)) => pinfu_tsumo [], "20 or \"none\"";
            has_others("pao", self.pao) => pao [], "some of daisangen, daisuushii, suukantsu";
            self.extension_rounds.0 == Some(0)
                => extension_rounds [], "at least 1 or \"none\"; for no extension use extension = \"None\"";
            has_others("double_yakuman", self.double_yakuman)
                => double_yakuman [], "some of kokushi-13, suuankou-tanki, daisuushii, junsei-chuuren";
            matches!(self.renhou, Renhou::HanAlone(n) | Renhou::HanAdd(n) if !han.contains(&n))
                => renhou [], "1 to 13 han";
            self.shibari.steps().iter().any(|[_, needed]| !han.contains(needed))
                => shibari [], "steps of honba and 1 to 13 han";
            matches!(self.noten_pool, NotenPool::Each(all) if !all.iter().all(is_payment))
                => noten_pool [], "multiples of 100 from 0 to 1000000";
            !self.shibari.steps().windows(2).all(rises)
                => shibari [], "steps with more honba and more han each";
            has_others("local_yaku", self.local_yaku) => local_yaku [], "only local yaku";
            matches!(self.chombo, Chombo::FinalPenalty(n) if !(0..=100_000).contains(&n))
                => chombo [], "a penalty from 0 to 100000";
        }
    }

    /// Whether the end of a game depends on `target`.
    pub(super) fn needs_target(&self) -> bool {
        let may_yame = [self.agari_yame, self.tenpai_yame] != [Yame::Off; 2];
        self.extension != Extension::None || may_yame && self.yame_condition == YameCondition::FirstWithTarget
    }

    /// Conditions under which a value contradicts the set of tiles or their places in the wall.
    fn tile_conflicts(&self) -> Vec<Check> {
        let three_player_wall = matches!(self.wall_layout, WallLayout::Tenhou3p | WallLayout::MahjongSoul3p);
        let few_tiles = self.tiles == TileKinds::ThreePlayer;
        checks! {
            few_tiles && self.players == Players::Four => tiles [players], "Full with four players";
            few_tiles != three_player_wall
                => wall_layout [tiles],
                "Tenhou3p or MahjongSoul3p with tiles = \"ThreePlayer\", another layout with tiles = \"Full\"";
            three_player_wall && self.start_indicators > 3
                => start_indicators [wall_layout],
                "1 to 3, because the fourth indicator of three players lies in the live wall";
            few_tiles && self.aka.m > 0 => aka [tiles], "m = 0, because ThreePlayer tiles have no 5m";
            self.north == North::Nukidora && !three_player_wall
                => north [wall_layout],
                "GuestWind or Yakuhai, because Nukidora needs the layout Tenhou3p or MahjongSoul3p";
        }
    }

    /// Conditions under which a value contradicts the values of other fields.
    fn conflicts(&self) -> Vec<Check> {
        let players = usize::from(self.players.count());
        let count = players as i32;
        let pool_splits = (1..count).all(|tenpai| {
            let pool = self.noten_pool.total(tenpai, count);
            pool % (100 * tenpai) == 0 && pool % (100 * (count - tenpai)) == 0
        });
        let no_kan_dora = KanDora { ankan: KanDoraTiming::Off, minkan: KanDoraTiming::Off };
        let yame = [self.agari_yame, self.tenpai_yame];
        checks! {
            self.needs_target() && self.target.0.is_none()
                => target [extension yame_condition agari_yame tenpai_yame],
                "points, because `extension` or `yame_condition` needs a target";
            self.max_ron > 1 && players == 2
                => max_ron [players], "1, because only one player can win on a tile with two players";
            self.max_ron == 3 && players < 4
                => max_ron [players], "1 or 2, because three can win on one tile only with four players";
            self.triple_ron != TripleRon::HeadBump && players < 4
                => triple_ron [players], "HeadBump, because three can win on one tile only with four players";
            self.max_ron == 1 && self.triple_ron == TripleRon::Abort
                => triple_ron [max_ron], "HeadBump with max_ron = 1";
            self.max_ron < 3 && self.triple_ron == TripleRon::Pay
                => triple_ron [max_ron], "HeadBump or, with max_ron = 2, Abort, because Pay needs max_ron = 3";
            !pool_splits
                => noten_pool [players], "points that any number of tenpai players can split into hundreds";
            self.tsumo_split == TsumoSplit::Full && players != 2
                => tsumo_split [players], "Loss or Bisect, because Full is for two players";
            self.goal_points.0.is_some_and(|goal| goal <= self.start_points)
                => goal_points [start_points], "more than the players have at the start";
            self.kan_ura && !self.ura => kan_ura [ura], "false with ura = false";
            self.kan_dora_on && self.kan_dora == no_kan_dora
                => kan_dora_on [kan_dora], "false, because `kan_dora` turns no indicator";
            self.yame_condition == YameCondition::TeamLeads && yame.contains(&Yame::Auto)
                => yame_condition [agari_yame tenpai_yame],
                "another condition with agari_yame or tenpai_yame = \"Auto\", because only the dealer knows who \
                 leads";
            self.has_referee() && self.chombo == Chombo::Off
                => chombo [enforce], "a penalty, because enforce = \"Referee\" needs one";
        }
    }
}

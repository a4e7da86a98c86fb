//! Detection of rules that contradict each other.

use std::ops::RangeInclusive;

use super::knobs::{
    Chombo, Enforce, Extension, Maybe, North, Renhou, TileKinds, TripleRon, TsumoSplit, WallLayout, Yame,
    YameCondition,
};
use super::{FIELDS, Rules};
use crate::yaku::{Yaku, YakuSet, YakuValue};

/// A value out of range, or fields that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {what}")]
pub struct Contradiction {
    /// The field to change.
    pub field: &'static str,
    /// What was expected and what was found.
    pub what: String,
}

/// The allowed numbers of a field that holds a number.
struct Number {
    field: &'static str,
    /// The number in the field, or `None` for `"none"`.
    of: fn(&Rules) -> Option<i64>,
    range: RangeInclusive<i64>,
    /// The number must be a multiple of this: 100 for points.
    step: i64,
}

impl Number {
    fn allows(&self, number: i64) -> bool {
        self.range.contains(&number) && number % self.step == 0
    }

    fn expected(&self) -> String {
        let steps = if self.step == 100 { " in hundreds" } else { "" };
        format!("a number from {} to {}{steps}", self.range.start(), self.range.end())
    }
}

/// Makes [`NUMBERS`] from fields that hold an integer or a [`Maybe`].
macro_rules! numbers {
    ($($field:ident: $range:expr, $step:literal;)+) => {
        &[$(Number {
            field: stringify!($field),
            of: |rules| rules.$field.number(),
            range: $range,
            step: $step,
        }),+]
    };
}

/// Ranges of all fields with numbers. They are narrow enough that the points of a game, with ten
/// thousand honba, add up without overflow.
static NUMBERS: &[Number] = numbers! {
    start_points: 0..=1_000_000, 100;
    return_points: 0..=1_000_000, 100;
    target: 0..=1_000_000, 100;
    wind_rounds: 0..=4, 1;
    riichi_min_live: 0..=70, 1;
    riichi_min_points: 0..=1_000_000, 100;
    max_ron: 1..=3, 1;
    min_yaku: 1..=13, 1;
    double_wind_pair_fu: 2..=4, 1;
    honba_ron: 0..=5000, 100;
    honba_tsumo: 0..=5000, 100;
    noten_pool: 0..=1_000_000, 100;
};

/// The number that a field holds.
trait AsNumber: Copy {
    fn number(self) -> Option<i64>;
}

impl AsNumber for u8 {
    fn number(self) -> Option<i64> {
        Some(self.into())
    }
}

impl AsNumber for i32 {
    fn number(self) -> Option<i64> {
        Some(self.into())
    }
}

impl AsNumber for Maybe {
    fn number(self) -> Option<i64> {
        self.0.map(i64::from)
    }
}

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

impl Rules {
    /// Checks that a game can be played with these rules.
    ///
    /// # Errors
    ///
    /// The first value out of range, or the first field that contradicts another one.
    pub fn check(&self) -> Result<(), Contradiction> {
        let nonsense = |number: &&Number| (number.of)(self).is_some_and(|n| !number.allows(n));
        let number = NUMBERS.iter().find(nonsense);
        let number = number.map(|number| (number.field, format!("expected {}", allowed(number.field))));
        let other = || self.wrong_value().or_else(|| self.contradiction());
        let wrong = number.or_else(|| other().map(|(field, what)| (field, what.to_owned())));
        wrong.map_or(Ok(()), |(field, what)| {
            Err(Contradiction { field, what: format!("{what}, found {}", self.to_table()[field]) })
        })
    }

    /// The first field with a value that is invalid by itself, and what is expected.
    fn wrong_value(&self) -> Option<(&'static str, &'static str)> {
        let pao_yaku = YakuSet::of(Yaku::Daisangen).with(Yaku::Daisuushii, true).with(Yaku::Suukantsu, true);
        let doubles = |yaku: Yaku| yaku.value() == YakuValue::DoubleYakuman;
        let han = 1..=13;
        let checks = [
            (self.aka.by_suit().iter().any(|n| *n > 4), "aka", "expected at most 4 red fives in a suit"),
            (!self.uma.is_balanced(), "uma", "expected numbers whose sum is 0"),
            (!matches!(self.wind_rounds, 0 | 1 | 2 | 4), "wind_rounds", "expected 0, 1, 2 or 4"),
            (
                self.double_wind_pair_fu != 2 && self.double_wind_pair_fu != 4,
                "double_wind_pair_fu",
                "expected 2 or 4",
            ),
            (!matches!(self.pinfu_tsumo.0, None | Some(20)), "pinfu_tsumo", "expected 20 or \"none\""),
            (
                self.pao.intersection(pao_yaku) != self.pao,
                "pao",
                "expected some of daisangen, daisuushii, suukantsu",
            ),
            (self.max_yakuman.0.is_some_and(|n| n < 1), "max_yakuman", "expected at least 1 or \"none\""),
            (
                self.extension_rounds.0.is_some_and(|n| n < 1),
                "extension_rounds",
                "expected at least 1 or \"none\"; for no extension use extension = \"None\"",
            ),
            (
                !self.double_yakuman.iter().all(doubles),
                "double_yakuman",
                "expected some of kokushi-13, suuankou-tanki, daisuushii, junsei-chuuren",
            ),
            (
                matches!(self.renhou, Renhou::HanAlone(n) | Renhou::HanAdd(n) if !han.contains(&n)),
                "renhou",
                "expected 1 to 13 han",
            ),
            (
                self.shibari.steps().iter().any(|[_, needed]| !han.contains(needed)),
                "shibari",
                "expected steps of honba and 1 to 13 han",
            ),
            (
                self.local_yaku.intersection(YakuSet::LOCAL) != self.local_yaku,
                "local_yaku",
                "expected only local yaku",
            ),
            (
                matches!(self.chombo, Chombo::FinalPenalty(n) if !(0..=100_000).contains(&n)),
                "chombo",
                "expected a penalty from 0 to 100000",
            ),
        ];
        checks.into_iter().find_map(|(wrong, field, what)| wrong.then_some((field, what)))
    }

    /// The first field that contradicts another one, and what is expected.
    fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let players = usize::from(self.players.count());
        let three_player_wall = matches!(self.wall_layout, WallLayout::Tenhou3p | WallLayout::MahjongSoul3p);
        let few_tiles = self.tiles == TileKinds::ThreePlayer;
        let yame = self.agari_yame != Yame::Off || self.tenpai_yame != Yame::Off;
        let needs_target = self.extension != Extension::None
            || yame && self.yame_condition == YameCondition::FirstWithTarget;
        let pool_splits = (1..players as i32).all(|n| self.noten_pool % (100 * n) == 0);
        let checks = [
            (few_tiles && players == 4, "tiles", "expected Full with four players"),
            (
                few_tiles != three_player_wall,
                "wall_layout",
                "expected Tenhou3p or MahjongSoul3p with tiles = \"ThreePlayer\", another layout with tiles = \"Full\"",
            ),
            (few_tiles && self.aka.m > 0, "aka", "expected m = 0, because ThreePlayer tiles have no 5m"),
            (!self.uma.fits(players), "uma", "expected one number for each player"),
            (
                needs_target && self.target.0.is_none(),
                "target",
                "expected points, because `extension` or `yame_condition` needs a target",
            ),
            (
                self.max_ron == 1 && self.triple_ron == TripleRon::Abort,
                "triple_ron",
                "expected HeadBump with max_ron = 1",
            ),
            (
                self.max_ron < 3 && self.triple_ron == TripleRon::Pay,
                "triple_ron",
                "expected HeadBump or, with max_ron = 2, Abort, because Pay needs max_ron = 3",
            ),
            (
                !pool_splits,
                "noten_pool",
                "expected points that any number of tenpai players can split into hundreds",
            ),
            (
                self.tsumo_split == TsumoSplit::Full && players != 2,
                "tsumo_split",
                "expected Loss or Bisect, because Full is for two players",
            ),
            (
                self.north == North::Nukidora && !three_player_wall,
                "north",
                "expected GuestWind or Yakuhai, because Nukidora needs the layout Tenhou3p or MahjongSoul3p",
            ),
            (self.kan_ura && !self.ura, "kan_ura", "expected false with ura = false"),
            (
                self.yame_condition == YameCondition::TeamLeads
                    && [self.agari_yame, self.tenpai_yame].contains(&Yame::Auto),
                "yame_condition",
                "expected another condition with agari_yame or tenpai_yame = \"Auto\", because only the dealer knows who leads",
            ),
            (
                self.enforce == Enforce::Referee && self.chombo == Chombo::Off,
                "chombo",
                "expected a penalty, because enforce = \"Referee\" needs one",
            ),
        ];
        checks.into_iter().find_map(|(wrong, field, what)| wrong.then_some((field, what)))
    }
}

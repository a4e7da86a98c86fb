//! Rules that no game can be played with.

use std::ops::RangeInclusive;

use super::knobs::{
    Chombo, Enforce, Extension, Maybe, North, Renhou, TileKinds, TripleRon, TsumoSplit, WallLayout, Yame,
    YameCondition,
};
use super::{FIELDS, Rules};
use crate::yaku::{Worth, Yaku, YakuSet};

/// Rules that contradict each other or that no game can be played with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {what}")]
pub struct Contradiction {
    /// The field that is to blame first.
    pub field: &'static str,
    /// What is wrong, with the values found and expected.
    pub what: String,
}

/// A field that holds a number, and the numbers that make sense there.
struct Number {
    field: &'static str,
    /// What it holds; none for `"none"`.
    of: fn(&Rules) -> Option<i64>,
    range: RangeInclusive<i64>,
    /// Points go in hundreds.
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

/// Points can be added up over a game without overflow, and so can those of ten thousand counters.
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

/// What a field may be set to, for messages.
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

/// Whether this number can be given to the field, if it is one of those that hold a number.
pub(super) fn allows(field: &str, number: i64) -> bool {
    NUMBERS.iter().find(|known| known.field == field).is_none_or(|known| known.allows(number))
}

impl Rules {
    /// Whether a game can be played with these rules.
    ///
    /// # Errors
    ///
    /// The first value out of range, or the first pair of fields that contradict each other.
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

    /// The first field with a value that makes no sense by itself, and what is expected.
    fn wrong_value(&self) -> Option<(&'static str, &'static str)> {
        let pao_yaku = YakuSet::of(Yaku::Daisangen).with(Yaku::Daisuushii, true).with(Yaku::Suukantsu, true);
        let doubles = |yaku: Yaku| yaku.worth() == Worth::DoubleYakuman;
        let han = 1..=13;
        let checks = [
            (self.aka.by_suit().iter().any(|n| *n > 4), "aka", "a suit has four fives"),
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
                "expected steps of counters and 1 to 13 han",
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

    /// The first field that does not go with another, and what is expected.
    fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let players = usize::from(self.players.count());
        let three_player_wall = matches!(self.wall_layout, WallLayout::Tenhou3p | WallLayout::MahjongSoul3p);
        let few_tiles = self.tiles == TileKinds::ThreePlayer;
        let yame = self.agari_yame != Yame::Off || self.tenpai_yame != Yame::Off;
        let needs_target = self.extension != Extension::None
            || yame && self.yame_condition == YameCondition::FirstWithTarget;
        let pool_splits = (1..players as i32).all(|n| self.noten_pool % (100 * n) == 0);
        let checks = [
            (few_tiles && players == 4, "tiles", "ThreePlayer tiles are for two or three players"),
            (
                few_tiles != three_player_wall,
                "wall_layout",
                "the layouts Tenhou3p and MahjongSoul3p go with tiles = \"ThreePlayer\", the others with \"Full\"",
            ),
            (few_tiles && self.aka.m > 0, "aka", "ThreePlayer tiles have no 5m"),
            (!self.uma.fits(players), "uma", "expected as many numbers as players"),
            (
                needs_target && self.target.0.is_none(),
                "target",
                "an extension, and a dealer who ends the game with the target, need target points",
            ),
            (
                self.max_ron == 1 && self.triple_ron == TripleRon::Abort,
                "triple_ron",
                "Abort needs max_ron of 2 or 3; with max_ron = 1 use HeadBump",
            ),
            (self.max_ron < 3 && self.triple_ron == TripleRon::Pay, "triple_ron", "Pay needs max_ron = 3"),
            (
                !pool_splits,
                "noten_pool",
                "expected a number of points that any number of tenpai players can share in hundreds",
            ),
            (self.tsumo_split == TsumoSplit::Full && players != 2, "tsumo_split", "Full is for two players"),
            (
                self.north == North::Nukidora && !three_player_wall,
                "north",
                "Nukidora needs a wall layout with eight replacement tiles",
            ),
            (self.kan_ura && !self.ura, "kan_ura", "needs ura"),
            (
                self.yame_condition == YameCondition::TeamLeads
                    && [self.agari_yame, self.tenpai_yame].contains(&Yame::Auto),
                "yame_condition",
                "TeamLeads is known to the dealer alone: agari_yame and tenpai_yame can be Choice or Off",
            ),
            (
                self.enforce == Enforce::Referee && self.chombo == Chombo::Off,
                "chombo",
                "a referee must know what a foul costs",
            ),
        ];
        checks.into_iter().find_map(|(wrong, field, what)| wrong.then_some((field, what)))
    }
}

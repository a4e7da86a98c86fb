//! Base points from han and fu.

use std::fmt;
use std::hint::select_unpredictable;

use serde::{Deserialize, Serialize};

use crate::rules::Rules;
use crate::rules::options::{Kazoe, ScoringMode};

/// The limit of a hand: steps of han with fixed base points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Limit {
    /// Below mangan: base points from han and fu.
    None,
    /// 2000 base points.
    Mangan,
    /// 3000 base points.
    Haneman,
    /// 4000 base points.
    Baiman,
    /// 6000 base points.
    Sanbaiman,
    /// 8000 base points, and multiples for several yakuman.
    Yakuman,
}

impl Limit {
    /// The name in output; empty below mangan.
    pub const fn name(self) -> &'static str {
        ["", "mangan", "haneman", "baiman", "sanbaiman", "yakuman"][self as usize]
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Maximum base points of a hand scored without limits, reached at about twenty han. The payments
/// of three such hands do not overflow.
const MAX_BASE: u64 = 100_000_000;

/// The limit and base points of a hand. `han` includes dora.
#[inline]
pub(super) fn base_points(han: u32, fu: u32, rules: &Rules) -> (Limit, u32) {
    match rules.scoring_mode {
        ScoringMode::Standard => {}
        ScoringMode::HanOnly if (1..=3).contains(&han) => return (Limit::None, 125 << han),
        ScoringMode::HanOnly if han == 4 => return (Limit::Mangan, 2000),
        ScoringMode::HanOnly => {}
        ScoringMode::Aotenjou => {
            let base = u64::from(fu) << (2 + han.min(40));
            return (Limit::None, base.min(MAX_BASE) as u32);
        }
    }
    let base = fu << (2 + han.min(4));
    let below = (han <= 4) & (base < 2000) & !(rules.kiriage & (base == 1920));
    let max_han = if rules.kazoe == Kazoe::Sanbaiman { 12 } else { 13 };
    // One to four han that are not below mangan count as five.
    let (limit, fixed) = LIMITS[select_unpredictable(below, 0, han.clamp(5, max_han) as usize - 4)];
    (limit, select_unpredictable(below, base, fixed))
}

/// Limits with base points: below mangan, then for 5 to 13 han.
const LIMITS: [(Limit, u32); 10] = [
    (Limit::None, 0),
    (Limit::Mangan, 2000),
    (Limit::Haneman, 3000),
    (Limit::Haneman, 3000),
    (Limit::Baiman, 4000),
    (Limit::Baiman, 4000),
    (Limit::Baiman, 4000),
    (Limit::Sanbaiman, 6000),
    (Limit::Sanbaiman, 6000),
    (Limit::Yakuman, 8000),
];

/// Rounds points up to hundreds.
#[inline]
pub(crate) const fn hundreds(points: u32) -> i32 {
    (points.div_ceil(100) * 100) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of rule books: points of a non-dealer's ron by fu, for 1–4 han.
    #[test]
    fn points_match_the_tables_of_rule_books() {
        let table = [
            (25, [0, 1600, 3200, 6400]),
            (30, [1000, 2000, 3900, 7700]),
            (40, [1300, 2600, 5200, 8000]),
            (50, [1600, 3200, 6400, 8000]),
            (60, [2000, 3900, 7700, 8000]),
            (70, [2300, 4500, 8000, 8000]),
            (80, [2600, 5200, 8000, 8000]),
            (90, [2900, 5800, 8000, 8000]),
            (100, [3200, 6400, 8000, 8000]),
            (110, [3600, 7100, 8000, 8000]),
        ];
        for (fu, points) in table {
            for (han, points) in (1..).zip(points).filter(|(_, points)| *points > 0) {
                let (_, base) = base_points(han, fu, &Rules::default());
                assert_eq!(hundreds(4 * base), points, "{han} han {fu} fu");
            }
        }
        let kiriage = Rules { kiriage: true, ..Rules::default() };
        assert_eq!(base_points(4, 30, &kiriage), (Limit::Mangan, 2000));
        assert_eq!(base_points(3, 60, &kiriage), (Limit::Mangan, 2000));
        assert_eq!(base_points(4, 25, &kiriage), (Limit::None, 1600));
    }

    /// Without limits, each han doubles the base points up to the maximum.
    #[test]
    fn aotenjou_has_no_limits() {
        let rules = Rules { scoring_mode: ScoringMode::Aotenjou, kiriage: true, ..Rules::default() };
        let base = |han| base_points(han, 30, &rules);
        for han in 1..19 {
            assert_eq!(base(han), (Limit::None, 30 << (2 + han)));
        }
        assert_eq!((base(25), base(255)), ((Limit::None, 100_000_000), (Limit::None, 100_000_000)));
    }
}

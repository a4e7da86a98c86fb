//! The rule sets that the laws are checked under.

use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::{OpenRiichi, ScoringMode, TsumoSplit};
use jantaku_engine::{Rules, YakuSet};

/// What rooms may choose and no preset has.
const ROOM: &str = "\
base = 'mjsoul'
riichi_stick = 500
start_indicators = 3
double_round_wind = true
multi_ron_sticks = 'Shared'
noten_pool = [1500, 1000, 3000]
renchan = { east = 'Always', later = 'Tenpai' }
goal_points = 45000
uma.below_start = [[10, 5, -5, -10], [12, -1, -3, -8], [8, 4, -4, -8], [8, 3, 1, -12], [4, 3, -3, -4]]
";

/// All presets, and rules that no preset has, each with its name.
pub fn rule_sets() -> Vec<(String, Rules)> {
    let mut sets: Vec<(String, Rules)> = PRESETS.iter().map(|p| (p.name.to_owned(), p.rules())).collect();
    let default = Rules::default();
    let tsumo_split = TsumoSplit::Bisect;
    sets.extend([
        ("bisection".to_owned(), Rules { tsumo_split, ..Rules::preset("tenhou-sanma").expect("a preset") }),
        ("local yaku".to_owned(), Rules { local_yaku: YakuSet::LOCAL, nagashi_yakuman: true, ..default }),
        ("open riichi".to_owned(), Rules { open_riichi: OpenRiichi::YakumanFromOthers, ..default }),
        ("no limits".to_owned(), Rules { scoring_mode: ScoringMode::Aotenjou, ..default }),
        ("kept draws".to_owned(), Rules { keep_draws: true, ..default }),
        (
            "three indicators".to_owned(),
            Rules { start_indicators: 3, ..Rules::preset("tenhou-sanma").expect("a preset") },
        ),
        ("room".to_owned(), Rules::from_toml(ROOM, "room").expect("valid rules")),
    ]);
    sets
}

//! The rule sets that the laws are checked under.

use jantaku_engine::rules::PRESETS;
use jantaku_engine::rules::options::{OpenRiichi, ScoringMode, TsumoSplit};
use jantaku_engine::{Rules, YakuSet};

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
    ]);
    sets
}

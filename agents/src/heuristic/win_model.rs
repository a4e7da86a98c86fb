//! The win-probability model: the likely end of a hand, by its distance to a win.

use super::interpolate::interpolated;
use super::params::{DRAWS_AT, MODES, ModeTable, SHANTEN, WinModelParams};

/// How a hand wins, which its win probability depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinMode {
    /// Closed, and to be in riichi when tenpai.
    Riichi,
    /// Closed, without riichi.
    Damaten,
    /// Open, or to be opened by calls.
    Open,
    /// By tsumo only: furiten, or a closed hand without a yaku.
    Tsumo,
    /// Not at all: without a yaku, for tenpai at an exhaustive draw.
    Draw,
}

impl WinMode {
    /// All modes, in the order of their numbers in tables.
    pub const ALL: [WinMode; 5] =
        [WinMode::Riichi, WinMode::Damaten, WinMode::Open, WinMode::Tsumo, WinMode::Draw];
}

/// The predicted end of a hand whose player never folds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Prediction {
    /// The win probability.
    pub win: f32,
    /// The probability of tenpai at an exhaustive draw.
    pub tenpai: f32,
    /// The mean number of discards until the hand ends.
    pub discards: f32,
}

impl Prediction {
    /// The highest of each number.
    fn highest(all: &[Prediction]) -> Prediction {
        all.iter().fold(Prediction::default(), |most, other| Prediction {
            win: most.win.max(other.win),
            tenpai: most.tenpai.max(other.tenpai),
            discards: most.discards.max(other.discards),
        })
    }
}

/// Predictions by mode, shanten, draws left and ukeire, in one table.
///
/// The probabilities were measured in games, at the usual ukeire of each shanten. The win
/// probability scales with a power of the ratio to that ukeire. The power was measured by playing
/// two different discards of the same hand on the same wall.
#[derive(Clone, Debug)]
pub(super) struct WinModel {
    entries: Vec<Prediction>,
    /// For each mode, shanten and number of draws left: the highest numbers of all entries.
    highest: Vec<Prediction>,
    threats: [[f32; 3]; 2],
    damaten: [f32; 3],
    surest: f32,
}

/// The numbers of draws left, 0–18.
const DRAWS: usize = 19;
/// The number of ukeire classes. A class is half a tile wide in tenpai, one tile at 1-shanten, and
/// 2.5 tiles above.
const UKEIRE: usize = 48;
impl WinModel {
    pub(super) fn new(params: &WinModelParams) -> WinModel {
        let mut entries = vec![Prediction::default(); MODES * SHANTEN * DRAWS * UKEIRE];
        for mode in 0..MODES {
            for shanten in 0..SHANTEN {
                for draws in 0..DRAWS {
                    let of = |measured: &ModeTable| at_draws(&measured[mode][shanten], draws as f32).max(0.0);
                    let in_time = draws > shanten || draws == shanten && mode == WinMode::Open as usize;
                    let power = interpolated(&params.elasticity[shanten], (draws as f32 - DRAWS_AT[0]) / 3.0);
                    for class in 0..UKEIRE {
                        let ukeire = class as f32 * width(shanten);
                        let ratio = ukeire / params.usual_ukeire[mode][shanten];
                        let factor = if in_time { ratio.powf(power) } else { 0.0 };
                        let win = (of(&params.win) * factor).min(params.surest);
                        let at_draw = if shanten == 0 { params.last_tenpai } else { 0.0 };
                        let tenpai = match draws {
                            0 => at_draw,
                            1 => 0.5 * (at_draw + params.tenpai[mode][shanten][0]),
                            _ if draws < shanten => 0.0,
                            _ => of(&params.tenpai),
                        };
                        entries[index(mode, shanten, draws, class)] = Prediction {
                            win,
                            tenpai: tenpai.min(1.0 - win),
                            discards: of(&params.discards).min(draws as f32),
                        };
                    }
                }
            }
        }
        let highest = entries.chunks_exact(UKEIRE).map(Prediction::highest).collect();
        WinModel { entries, highest, threats: params.threats, damaten: params.damaten, surest: params.surest }
    }

    /// The predictions for hands of a mode and shanten. `threats` is the expected number of opponents who
    /// are tenpai.
    pub(super) fn row(&self, threats: f32, mode: WinMode, shanten: usize, draws: usize) -> PredictionRow {
        let shanten = shanten.min(SHANTEN - 1);
        let table = if mode == WinMode::Draw { WinMode::Open } else { mode };
        PredictionRow {
            first: index(table as usize, shanten, draws.min(DRAWS - 1), 0),
            width: width(shanten),
            mode,
            threats: interpolated(&self.threats[usize::from(shanten > 0)], threats),
            damaten: (mode == WinMode::Damaten && shanten == 0).then(|| interpolated(&self.damaten, threats)),
        }
    }

    /// The prediction for a hand with this ukeire.
    #[inline]
    pub(super) fn predict(&self, row: &PredictionRow, ukeire: f32) -> Prediction {
        let class = usize::from((ukeire / row.width + 0.5) as u16).min(UKEIRE - 1);
        self.adjusted(row, self.entries[row.first + class])
    }

    /// The highest win probability of any ukeire, the highest probability of tenpai, and the highest
    /// number of discards.
    #[inline]
    pub(super) fn highest(&self, row: &PredictionRow) -> Prediction {
        self.adjusted(row, self.highest[row.first / UKEIRE])
    }

    /// The prediction under the threat.
    #[inline]
    fn adjusted(&self, row: &PredictionRow, entry: Prediction) -> Prediction {
        let win = entry.win * row.threats;
        match (row.mode, row.damaten) {
            // Half of the hands that would have won with a yaku are tenpai at the draw instead.
            (WinMode::Draw, _) => Prediction { win: 0.0, tenpai: entry.tenpai + 0.5 * win, ..entry },
            (_, Some(damaten)) => Prediction { win: (win * damaten).min(self.surest), ..entry },
            _ => Prediction { win, ..entry },
        }
    }
}

/// The predictions for hands of one mode and shanten, by ukeire.
#[derive(Clone, Copy)]
pub(super) struct PredictionRow {
    /// The index of the first ukeire class in the table.
    first: usize,
    /// The width of a ukeire class.
    width: f32,
    mode: WinMode,
    /// The factor of the win probability under the threat.
    threats: f32,
    /// The factor for damaten instead of riichi. None for other hands.
    damaten: Option<f32>,
}

/// The value at this number of draws left, interpolated linearly. The nodes are 3 draws apart.
fn at_draws(values: &[f32; DRAWS_AT.len()], draws: f32) -> f32 {
    if draws < DRAWS_AT[0] {
        return values[0] * draws / DRAWS_AT[0];
    }
    interpolated(values, (draws - DRAWS_AT[0]) / 3.0)
}

/// The width of a ukeire class.
const fn width(shanten: usize) -> f32 {
    match shanten {
        0 => 0.5,
        1 => 1.0,
        _ => 2.5,
    }
}

const fn index(mode: usize, shanten: usize, draws: usize, class: usize) -> usize {
    ((mode * SHANTEN + shanten) * DRAWS + draws) * UKEIRE + class
}

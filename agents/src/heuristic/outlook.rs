//! How a hand is likely to end, from its distance to a win.

use super::interpolated;
use super::params::OutlookParams;

/// How a hand will win, as far as the chance depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinMode {
    /// Closed, and to be in riichi when tenpai.
    Riichi,
    /// Closed, without riichi.
    Damaten,
    /// Open, or to be opened by calls.
    Open,
    /// By tsumo alone: furiten, or a closed hand without a yaku.
    Tsumo,
    /// Not at all: without a yaku, for tenpai at an exhaustive draw.
    Draw,
}

/// What becomes of a hand that its player never folds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Outlook {
    /// The chance to win.
    pub win: f32,
    /// The chance to be tenpai at an exhaustive draw.
    pub tenpai: f32,
    /// The mean number of discards still to make.
    pub discards: f32,
}

/// The outlook of hands by mode, shanten, draws left and ukeire.
///
/// The chances were measured in games, for the usual ukeire of a shanten. Other ukeire multiply the
/// chance to win by a power of the ratio, which was measured by playing on with two different
/// discards of the same hand. A table holds all values.
#[derive(Clone, Debug)]
pub(super) struct Outlooks {
    entries: Vec<Outlook>,
    threats: [[f32; 3]; 2],
    damaten: [f32; 3],
    surest: f32,
}

/// Shanten 0–5; more counts as 5.
const SHANTEN: usize = 6;
/// Draws left, 0–18.
const DRAWS: usize = 19;
/// Classes of ukeire: two for each number in tenpai, one for each at 1-shanten, one for each two or
/// three above.
const UKEIRE: usize = 48;
const MODES: usize = 4;
/// The draws left at which chances are given.
const NODES: [f32; 6] = [2.0, 5.0, 8.0, 11.0, 14.0, 17.0];

/// A value for each mode, shanten 0–5, and draws left 2, 5, 8, 11, 14 and 17.
pub(super) type Measured = [[[f32; NODES.len()]; SHANTEN]; MODES];

impl Outlooks {
    pub(super) fn new(params: &OutlookParams) -> Outlooks {
        let mut entries = vec![Outlook::default(); MODES * SHANTEN * DRAWS * UKEIRE];
        for mode in 0..MODES {
            for shanten in 0..SHANTEN {
                for draws in 0..DRAWS {
                    let of = |measured: &Measured| at_draws(&measured[mode][shanten], draws as f32).max(0.0);
                    let in_time = draws > shanten || draws == shanten && mode == WinMode::Open as usize;
                    let power = interpolated(&params.elasticity[shanten], (draws as f32 - NODES[0]) / 3.0);
                    for class in 0..UKEIRE {
                        let ukeire = class as f32 * width(shanten);
                        let ratio = ukeire / params.usual_ukeire[mode][shanten];
                        let factor = if in_time { ratio.powf(power) } else { 0.0 };
                        let win = (of(&params.win) * factor).min(params.surest);
                        let at_end = if shanten == 0 { params.last_tenpai } else { 0.0 };
                        let tenpai = match draws {
                            0 => at_end,
                            1 => 0.5 * (at_end + params.tenpai[mode][shanten][0]),
                            _ if draws < shanten => 0.0,
                            _ => of(&params.tenpai),
                        };
                        entries[index(mode, shanten, draws, class)] = Outlook {
                            win,
                            tenpai: tenpai.min(1.0 - win),
                            discards: of(&params.discards).min(draws as f32),
                        };
                    }
                }
            }
        }
        Outlooks { entries, threats: params.threats, damaten: params.damaten, surest: params.surest }
    }

    /// The outlooks of hands by ukeire. `threats` is the expected number of opponents who are
    /// tenpai.
    pub(super) fn of(
        &self,
        threats: f32,
        mode: WinMode,
        shanten: usize,
        draws: usize,
    ) -> OutlooksByUkeire<'_> {
        let shanten = shanten.min(SHANTEN - 1);
        let table = if mode == WinMode::Draw { WinMode::Open } else { mode };
        let first = index(table as usize, shanten, draws.min(DRAWS - 1), 0);
        OutlooksByUkeire {
            entries: &self.entries[first..first + UKEIRE],
            width: width(shanten),
            mode,
            threats: interpolated(&self.threats[usize::from(shanten > 0)], threats),
            surest: self.surest,
            damaten: (mode == WinMode::Damaten && shanten == 0).then(|| interpolated(&self.damaten, threats)),
        }
    }
}

/// The outlooks of hands of one mode and shanten.
pub(super) struct OutlooksByUkeire<'a> {
    entries: &'a [Outlook],
    /// The ukeire of one class.
    width: f32,
    mode: WinMode,
    /// Factor of the chance to win under the threat.
    threats: f32,
    /// The same for damaten.
    damaten: Option<f32>,
    /// No hand is surer to win.
    surest: f32,
}

impl OutlooksByUkeire<'_> {
    /// The outlook of a hand with this ukeire.
    #[inline]
    pub(super) fn with(&self, ukeire: f32) -> Outlook {
        let class = usize::from((ukeire / self.width + 0.5) as u16).min(UKEIRE - 1);
        let entry = self.entries[class];
        let win = entry.win * self.threats;
        match (self.mode, self.damaten) {
            // Half of the hands that would have won with a yaku stay in tenpai to the end.
            (WinMode::Draw, _) => Outlook { win: 0.0, tenpai: entry.tenpai + 0.5 * win, ..entry },
            (_, Some(damaten)) => Outlook { win: (win * damaten).min(self.surest), ..entry },
            _ => Outlook { win, ..entry },
        }
    }
}

/// The value at these draws left, between the nodes on a straight line.
fn at_draws(values: &[f32; NODES.len()], draws: f32) -> f32 {
    if draws < NODES[0] {
        return values[0] * draws / NODES[0];
    }
    interpolated(values, (draws - NODES[0]) / 3.0)
}

/// The ukeire of one class.
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

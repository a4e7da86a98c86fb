//! The actions to compare in a decision, and verdicts on actions that follow rules.

use jantaku_engine::Action;

use super::hand_estimate::HandEstimate;
use super::win_model::WinMode;

/// A legal answer to a decision, with the agent's estimates for it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// The expected value, by which the agent compares candidates: the change of the result of the
    /// game, placement bonus included, relative to neither winning nor dealing in. The unit is the
    /// value of one point at the current scores.
    pub value: f32,
    /// The expected loss by dealing in with this discard, already subtracted from `value`; for a
    /// call, with the discard after it. Negative where dealing in is better than the other ways
    /// that the hand may end.
    pub risk: f32,
    /// The win probability.
    pub win: f32,
    /// The expected points of a win.
    pub points: f32,
    /// How the best plan after the action wins.
    pub mode: WinMode,
    /// The shanten of that plan.
    pub shanten: i8,
    /// The number of unseen tiles that lower it.
    pub ukeire: f32,
}

impl Candidate {
    pub(super) fn new(action: Action, value: f32, risk: f32, estimate: &HandEstimate) -> Candidate {
        let HandEstimate { win, points, mode, shanten, ukeire, .. } = *estimate;
        Candidate { action, value, risk, win, points, mode, shanten, ukeire }
    }
}

/// Receives the candidates of a decision.
pub(super) trait Candidates {
    /// The value that a candidate must beat to matter. None if all matter.
    fn to_beat(&self) -> Option<f32>;

    /// Receives a candidate of this value.
    fn take(&mut self, value: f32, candidate: impl FnOnce() -> Candidate);
}

/// Keeps all candidates.
impl Candidates for Vec<Candidate> {
    fn to_beat(&self) -> Option<f32> {
        None
    }

    fn take(&mut self, _: f32, candidate: impl FnOnce() -> Candidate) {
        self.push(candidate());
    }
}

/// The first candidate with the highest value.
#[derive(Clone, Copy, Default)]
pub(super) struct Best(pub Option<Candidate>);

impl Candidates for Best {
    #[inline]
    fn to_beat(&self) -> Option<f32> {
        Some(self.0.map_or(f32::NEG_INFINITY, |best| best.value))
    }

    #[inline]
    fn take(&mut self, value: f32, candidate: impl FnOnce() -> Candidate) {
        if self.0.is_none_or(|best| value > best.value) {
            self.0 = Some(candidate());
        }
    }
}

/// The agent's answer to an action that it accepts or rejects by rule, without comparing
/// candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// A kan, kita or kyuushu kyuuhai.
    pub action: Action,
    /// Whether the agent takes the action, unless it takes an earlier one.
    pub taken: bool,
    /// The name of the reason, such as `far-from-tenpai`.
    pub why: &'static str,
}

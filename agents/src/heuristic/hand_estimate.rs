//! The expected value of a hand that is played to win.

use std::cell::OnceCell;

use super::estimator::Estimator;
use super::win_model::{Prediction, PredictionRow, WinMode};

/// The estimates for a hand with its best plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandEstimate {
    /// The expected value of playing to win, without the risk of the next discard. See
    /// [`Candidate::value`](super::Candidate::value) for the unit.
    pub value: f32,
    /// The win probability.
    pub win: f32,
    /// The expected points of a win.
    pub points: f32,
    pub mode: WinMode,
    /// The number of tiles that the plan needs before it is tenpai.
    pub shanten: i8,
    /// The number of unseen tiles that lower the shanten.
    pub ukeire: f32,
}

impl HandEstimate {
    /// A hand without a plan. It is worse than a hand with one, but a little danger outweighs the
    /// difference.
    pub(super) const NONE: HandEstimate =
        HandEstimate { value: -100.0, win: 0.0, points: 0.0, mode: WinMode::Draw, shanten: 9, ukeire: 0.0 };

    /// The better of two estimates.
    pub(super) fn or(self, other: HandEstimate) -> HandEstimate {
        if other.value > self.value { other } else { self }
    }
}

/// A generous bound of what rounding may add to an estimate: this share of it, and this many
/// points.
const ROUNDING: f32 = 0.001;

/// The classes of each mode, by shanten.
pub(super) type Classes = [[OnceCell<HandClass>; 8]; WinMode::ALL.len()];

impl Estimator<'_> {
    /// The terms for hands of this mode and shanten.
    pub(super) fn class(&self, mode: WinMode, shanten: i8) -> HandClass {
        let known = usize::try_from(shanten).ok().and_then(|at| self.classes[mode as usize].get(at));
        match known {
            Some(class) => *class.get_or_init(|| self.new_class(mode, shanten)),
            None => self.new_class(mode, shanten),
        }
    }

    fn new_class(&self, mode: WinMode, shanten: i8) -> HandClass {
        let params = self.params;
        let distance = shanten.clamp(0, 5) as usize;
        let in_riichi = mode == WinMode::Riichi && shanten == 0;
        let [offset, share] = params.value.settles[usize::from(mode == WinMode::Open)][distance.min(4)];
        let dealer = if self.situation.is_dealer { params.value.dealer } else { 1.0 };
        let threats = self.danger.expected_tenpai;
        HandClass {
            mode,
            shanten,
            in_riichi,
            predictions: self.models.win.row(threats, mode, distance, self.situation.draws),
            points: [offset, share * dealer],
            share: 1.0 + threats.min(1.0) * (params.push.under_threat[distance] - 1.0),
            deal_ins: params.push.future_danger[usize::from(in_riichi)] * threats,
            saved: self.outcomes.threat_cost * threats,
        }
    }

    /// The estimate for a hand that wins these points, as a non-dealer. The factors multiply the win
    /// probability. `of_win` is the value of a win where it does not follow from the points.
    pub(super) fn estimate(
        &self,
        class: &HandClass,
        ukeire: f32,
        [factor, other_factor]: [f32; 2],
        points: f32,
        of_win: Option<f32>,
    ) -> HandEstimate {
        let estimates_points = self.agent.value;
        let [offset, share] = class.points;
        let (points, of_win) = if estimates_points {
            (offset + share * points, of_win)
        } else {
            (self.params.value.usual, None)
        };
        let prediction = self.models.win.predict(&class.predictions, ukeire);
        let prediction = Prediction { win: prediction.win * factor * other_factor, ..prediction };
        let of_win = of_win.unwrap_or_else(|| self.outcomes.win(points));
        let value = class.share * self.predicted_value(class, prediction, of_win);
        // A hand that is not in riichi can still fold.
        let value = if value < 0.0 && !class.in_riichi { self.params.push.folded * value } else { value };
        HandEstimate { value, win: prediction.win, points, mode: class.mode, shanten: class.shanten, ukeire }
    }

    /// An upper bound of the values of hands of this class that win up to these points, as a non-dealer.
    /// Their win probability has at most this factor. Infinite for tenpai hands.
    pub(super) fn highest_value(&self, class: &HandClass, factor: f32, points: f32) -> f32 {
        if !self.models.bounds_estimates || class.shanten <= 0 {
            return f32::INFINITY;
        }
        let [offset, share] = class.points;
        let points = if self.agent.value { offset + share * points } else { self.params.value.usual };
        let Prediction { win, tenpai, discards } = self.models.win.highest(&class.predictions);
        let of_win = (self.outcomes.highest_win(points) + class.saved).max(0.0);
        let gain = win * factor * of_win + tenpai * self.outcomes.tenpai.max(0.0);
        let value = class.share * (gain - discards * class.deal_ins * self.danger.loss);
        let value = if value < 0.0 { self.params.push.folded * value } else { value };
        value + ROUNDING * (1.0 + gain)
    }

    /// The value of a hand with this prediction, before a threat reduces it to its `share`.
    fn predicted_value(&self, class: &HandClass, prediction: Prediction, of_win: f32) -> f32 {
        let lost_sticks = match class.mode {
            WinMode::Riichi if class.in_riichi => self.outcomes.stick * (1.0 - prediction.win),
            WinMode::Riichi => self.params.value.lost_sticks * prediction.win,
            _ => 0.0,
        };
        prediction.win * (of_win + class.saved) + prediction.tenpai * self.outcomes.tenpai
            - prediction.discards * class.deal_ins * self.danger.loss
            - lost_sticks
    }
}

/// The terms that the estimates for all hands of one mode and shanten share.
#[derive(Clone, Copy)]
pub(super) struct HandClass {
    pub mode: WinMode,
    shanten: i8,
    in_riichi: bool,
    predictions: PredictionRow,
    /// The actual points of a win, as an offset and a factor of the estimate.
    points: [f32; 2],
    /// The share of the value that remains under the threat.
    share: f32,
    /// The expected number of deal-ins by each later discard.
    deal_ins: f32,
    /// The loss to the threat that a win avoids.
    saved: f32,
}

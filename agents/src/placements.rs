//! The placement model: the probability of each placement from the scores between two hands.

use jantaku_engine::{Rules, Seat, Standing};
use serde::{Deserialize, Serialize};

/// The parameters of a [`PlacementModel`].
///
/// All lists are indexed by the stage: the number of scheduled hands left, 1–8. Stage 0 is an
/// extension, which ends when a player reaches the target. Repeated deals do not count as separate
/// hands.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlacementParams {
    /// The mean points that a player gains until the end of the game, by their turn to deal. 0
    /// deals the next hand.
    pub drift: [[f32; 4]; PlacementModel::STAGES],
    /// The change in the score difference of two players is a mixture of two normal distributions
    /// around the drift. This is the standard deviation of the first, in points.
    pub narrow: [f32; PlacementModel::STAGES],
    /// The standard deviation of the second, in points.
    pub wide: [f32; PlacementModel::STAGES],
    /// The weight of the second, 0–1.
    pub wide_share: [f32; PlacementModel::STAGES],
    /// The dependence between finishing behind one opponent and behind another, from 0
    /// (independent) to 1. One number each for the probability of finishing second or lower, third
    /// or lower, and fourth.
    pub together: [[f32; 3]; PlacementModel::STAGES],
}

impl PlacementParams {
    /// Checks that deviations are positive, shares are between 0 and 1, and drifts are finite.
    pub(crate) fn check(&self) -> Result<(), String> {
        let lists = [("narrow", &self.narrow), ("wide", &self.wide)];
        for (name, list) in lists {
            if let Some(wrong) = list.iter().find(|value| !(**value > 0.0 && value.is_finite())) {
                return Err(format!("`standing.{name}` has {wrong}, expected points above 0"));
            }
        }
        let together = self.together.iter().flatten().map(|share| ("together", share));
        let shares = self.wide_share.iter().map(|share| ("wide_share", share)).chain(together);
        for (name, share) in shares {
            if !(0.0..=1.0).contains(share) {
                return Err(format!("`standing.{name}` has {share}, expected a share between 0 and 1"));
            }
        }
        match self.drift.iter().flatten().find(|points| !points.is_finite()) {
            Some(wrong) => Err(format!("`standing.drift` has {wrong}, expected points")),
            None => Ok(()),
        }
    }
}

/// The probability of each placement at the end of a game, from the scores between two hands.
///
/// The probability that an opponent finishes ahead depends on the score difference, on the turns to
/// deal and on the number of hands left. Placements then follow from a mixture of two extremes: the
/// opponents are independent, or one shared uniform number decides for all of them and those with a
/// higher probability finish ahead.
#[derive(Clone, Debug)]
pub struct PlacementModel {
    drift: [[f32; 4]; PlacementModel::STAGES],
    together: [[f32; 3]; PlacementModel::STAGES],
    /// The probability that an opponent finishes ahead, by the points that they lead with after the drift.
    ahead: Box<[[f32; PlacementModel::NODES]; PlacementModel::STAGES]>,
}

impl PlacementModel {
    /// The number of stages of a game: an extension, and 1–8 hands left.
    pub const STAGES: usize = 9;
    /// The points between two nodes of the tables.
    const STEP: f32 = 1000.0;
    /// The tables end at this difference, which counts as certain.
    const MAX: f32 = 120_000.0;
    const NODES: usize = 241;

    /// The model with these parameters.
    pub fn new(params: &PlacementParams) -> PlacementModel {
        let mut ahead = Box::new([[0.0; PlacementModel::NODES]; PlacementModel::STAGES]);
        for (stage, nodes) in ahead.iter_mut().enumerate() {
            let share = params.wide_share[stage];
            for (at, node) in nodes.iter_mut().enumerate() {
                let points = at as f32 * PlacementModel::STEP - PlacementModel::MAX;
                let (narrow, wide) =
                    (normal(points / params.narrow[stage]), normal(points / params.wide[stage]));
                *node = narrow + share * (wide - narrow);
            }
            (nodes[0], nodes[PlacementModel::NODES - 1]) = (0.0, 1.0);
        }
        PlacementModel { drift: params.drift, together: params.together, ahead }
    }

    /// The probabilities that a player finishes first, second, and so on, before a hand from this
    /// standing.
    pub fn chances(&self, rules: &Rules, standing: &Standing, seat: Seat) -> [f32; 4] {
        let players = rules.players;
        let count = u16::from(players.count());
        let scheduled = u16::from(rules.wind_rounds) * count;
        let stage = usize::from(scheduled.saturating_sub(standing.round));
        let dealer = players.dealer(standing.round);
        let (mut points, mut turns) = ([f32::NEG_INFINITY; 4], [0; 4]);
        for (at, seat) in std::iter::once(seat).chain(players.others(seat)).enumerate() {
            points[at] = standing.scores[seat] as f32;
            turns[at] = usize::from(dealer.steps_to(seat, players));
        }
        self.chances_of_first(stage, &points, &turns)
    }

    /// The probabilities that the first of these players finishes first, second, and so on.
    ///
    /// `points` has the points of each player, `turns` their turn to deal; 0 deals the next hand.
    /// Entries without a player have [`f32::NEG_INFINITY`] points. A stage beyond the last counts as
    /// the last.
    #[inline]
    pub fn chances_of_first(&self, stage: usize, points: &[f32; 4], turns: &[usize; 4]) -> [f32; 4] {
        let stage = stage.min(PlacementModel::STAGES - 1);
        let drift = &self.drift[stage];
        let nodes = &self.ahead[stage];
        let start = PlacementModel::MAX - points[0] - drift[turns[0] & 3];
        let ahead: [f32; 3] = std::array::from_fn(|at| {
            let difference = points[at + 1] + drift[turns[at + 1] & 3] + start;
            let at =
                (difference * (1.0 / PlacementModel::STEP)).clamp(0.0, (PlacementModel::NODES - 1) as f32);
            let low = (at as usize).min(PlacementModel::NODES - 2);
            nodes[low] + (nodes[low + 1] - nodes[low]) * (at - low as f32)
        });
        let [a, b, c] = ahead;
        let (low, high) = (a.min(b), a.max(b));
        let (high, rest) = (high.max(c), high.min(c));
        let (middle, low) = (rest.max(low), rest.min(low));
        // The probabilities that at least one, two and three opponents finish ahead, if they are
        // independent and if one shared number decides.
        let all = a * b * c;
        let apart = [1.0 - (1.0 - a) * (1.0 - b) * (1.0 - c), a * b + a * c + b * c - 2.0 * all, all];
        let at_once = [high, middle, low];
        let mut behind: [f32; 3] =
            std::array::from_fn(|at| apart[at] + self.together[stage][at] * (at_once[at] - apart[at]));
        behind[1] = behind[1].min(behind[0]);
        behind[2] = behind[2].min(behind[1]);
        [1.0 - behind[0], behind[0] - behind[1], behind[1] - behind[2], behind[2]]
    }
}

/// The standard normal distribution function, with an error below 0.0002 (Bowling et al. 2009,
/// doi:10.3926/jiem.2009.v2n1.p114-127).
fn normal(x: f32) -> f32 {
    1.0 / (1.0 + (-(1.5976 * x + 0.07056 * x * x * x)).exp())
}

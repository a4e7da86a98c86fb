//! What a standing between two hands leads to.

use serde::{Deserialize, Serialize};

/// The numbers of a [`PlacementModel`].
///
/// All lists are indexed by the hands to come, 1–8. Index 0 stands for the hands of an extension,
/// which end the game when a player reaches the target. The repeats of a dealer do not count as
/// hands of their own.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlacementParams {
    /// Points that the player at each turn to deal (0 deals the next hand) gains on average until
    /// the end of the game.
    pub drift: [[f32; 4]; PlacementModel::STAGES],
    /// The change of the difference of two players is a mixture of two normal distributions around
    /// the drift: the standard deviation of the first, in points.
    pub narrow: [f32; PlacementModel::STAGES],
    /// The standard deviation of the second, in points.
    pub wide: [f32; PlacementModel::STAGES],
    /// The share of the second, 0–1.
    pub wide_share: [f32; PlacementModel::STAGES],
    /// How much it goes together that a player finishes behind one opponent and behind another,
    /// 0–1: for the chances to finish at least second, third and fourth.
    pub together: [[f32; 3]; PlacementModel::STAGES],
}

impl PlacementParams {
    /// Checks that deviations are positive and that shares are between 0 and 1.
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

/// The chance of each placement at the end of a game, from the standing between two hands.
///
/// A player finishes ahead of an opponent by the difference of their points, by who deals when, and
/// by the hands to come. With the chances `p` of all opponents to finish ahead, the placements
/// follow from a mixture: as if they were independent, or as if one drawn number decided all, and
/// those opponents finish ahead whose `p` is higher.
#[derive(Clone, Debug)]
pub struct PlacementModel {
    drift: [[f32; 4]; PlacementModel::STAGES],
    together: [[f32; 3]; PlacementModel::STAGES],
    /// The chance to finish ahead by the difference after the drift.
    ahead: Box<[[f32; PlacementModel::NODES]; PlacementModel::STAGES]>,
}

impl PlacementModel {
    /// The stages of a game: an extension, and 1–8 hands to come.
    pub const STAGES: usize = 9;
    /// The stage of an extension.
    pub const EXTENSION: usize = 0;
    /// Points between two nodes of the tables.
    const STEP: f32 = 1000.0;
    /// The tables end at this difference, which decides everything.
    const MOST: f32 = 120_000.0;
    const NODES: usize = 241;

    /// The model with these numbers.
    #[must_use]
    pub fn new(params: &PlacementParams) -> PlacementModel {
        let mut ahead = Box::new([[0.0; PlacementModel::NODES]; PlacementModel::STAGES]);
        for (stage, nodes) in ahead.iter_mut().enumerate() {
            let share = params.wide_share[stage];
            for (at, node) in nodes.iter_mut().enumerate() {
                let points = at as f32 * PlacementModel::STEP - PlacementModel::MOST;
                let (narrow, wide) =
                    (normal(points / params.narrow[stage]), normal(points / params.wide[stage]));
                *node = narrow + share * (wide - narrow);
            }
            (nodes[0], nodes[PlacementModel::NODES - 1]) = (0.0, 1.0);
        }
        PlacementModel { drift: params.drift, together: params.together, ahead }
    }

    /// The chances that the first of these players finishes first, second, and so on.
    ///
    /// `points` has the points of each player, `turns` their turn to deal, where 0 deals the next
    /// hand. Places without a player have [`f32::NEG_INFINITY`] points. A stage beyond the last
    /// counts as the last.
    #[must_use]
    #[inline]
    pub fn of_first(&self, stage: usize, points: &[f32; 4], turns: &[usize; 4]) -> [f32; 4] {
        let stage = stage.min(PlacementModel::STAGES - 1);
        let drift = &self.drift[stage];
        let nodes = &self.ahead[stage];
        let start = PlacementModel::MOST - points[0] - drift[turns[0] & 3];
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
        // At least one, two and three finish ahead: as if they were independent, and as if one drawn
        // number decided all.
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

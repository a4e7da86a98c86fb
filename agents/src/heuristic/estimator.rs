//! The state that all estimates of one decision share.

use jantaku_engine::{Observation, TileKind};

use super::agent::{Heuristic, Models};
use super::danger::Danger;
use super::opponent::Opponents;
use super::outcome_values::OutcomeValues;
use super::params::ParamSet;
use super::shape::keep_value;
use super::situation::{Situation, stage};
use super::utility::Utility;
use super::win_model::WinModel;

/// Estimates the expected value of hands and discards in one decision.
pub(super) struct Estimator<'a> {
    pub agent: &'a Heuristic,
    pub params: &'a ParamSet,
    pub win_model: &'a WinModel,
    pub situation: &'a Situation<'a>,
    pub outcomes: &'a OutcomeValues<'a>,
    pub danger: &'a Danger,
    /// The part of [`ValueParams::more_han`](super::params::ValueParams::more_han) that exists
    /// under the rules, 0–1.
    pub extras: f32,
}

impl Heuristic {
    /// Calls `decide` with the estimator for a decision.
    pub(super) fn estimate<T>(&self, o: &Observation<'_>, decide: impl FnOnce(&Estimator<'_>) -> T) -> T {
        let situation = Situation::new(o);
        let Models { id, params, win, placements } = self.models(o);
        let for_points = !self.placement || self.fast && stage(o) > params.value.last_hands;
        let utility = if for_points { Utility::Points } else { self.utility };
        let opponents = Opponents::new(params, &situation, self.defence, self.fast);
        let opponent_wins = opponents.wins(params);
        let models = (params, placements, *id);
        let outcomes = OutcomeValues::new(o, models, utility, &opponent_wins, situation.draws);
        let danger = Danger::new(params, &situation, &outcomes, &opponents);
        let extras = params.value.extras(o.rules());
        decide(&Estimator {
            agent: self,
            params,
            win_model: win,
            situation: &situation,
            outcomes: &outcomes,
            danger: &danger,
            extras,
        })
    }
}

impl Estimator<'_> {
    /// The small value of keeping a tile of this kind, in points. It decides between equal
    /// discards.
    #[inline]
    pub(super) fn keep_value(&self, kind: TileKind) -> f32 {
        keep_value(&self.params.shape, self.situation, self.agent.defence, kind)
    }
}

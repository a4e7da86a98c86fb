//! The ranges of parameters that their types do not enforce.

use super::params::{ClosedDangerParams, DangerParams, OpenDangerParams, ParamSet, ShapeParams};

impl ParamSet {
    /// Checks the ranges that the types do not enforce.
    pub(super) fn check(&self) -> Result<(), String> {
        let [low, high] = self.look_ahead.range;
        if low < 0.0 || low > high {
            return Err(format!(
                "`look_ahead.range` is [{low}, {high}], expected numbers from 0, the lower one first"
            ));
        }
        if let Some(rate) = self.others.wins.iter().find(|rate| **rate < 0.0) {
            return Err(format!("`others.wins` has {rate}, expected rates from 0"));
        }
        let chances = self.threat.tenpai.as_flattened();
        if let Some(chance) = chances.iter().find(|chance| !(0.0..1.0).contains(*chance)) {
            return Err(format!("`threat.tenpai` has {chance}, expected chances from 0 to below 1"));
        }
        if self.value.noten_pool <= 0.0 {
            return Err(format!("`value.noten_pool` is {}, expected more than 0", self.value.noten_pool));
        }
        self.placements.check()
    }

    /// Whether the bounds of estimates hold with these parameters: wins with more han pay more,
    /// probabilities are from 0 to 1, and factors are not negative.
    ///
    /// The bounds are [`highest_value`](super::estimator::Estimator::highest_value) and
    /// [`min_risks`](super::danger::Danger::min_risks).
    pub(super) fn bounds_estimates(&self) -> bool {
        let (model, value, push) = (&self.win_model, &self.value, &self.push);
        let not_negative = |numbers: &[f32]| numbers.iter().all(|number| *number >= 0.0);
        let is_chance = |numbers: &[f32]| numbers.iter().all(|number| (0.0..=1.0).contains(number));
        let ShapeParams { next, gap, pair, valued_pair, triplet, .. } = &self.shape;
        let DangerParams { ryanmen, kanchan, penchan, shanpon, tanki, honour_shanpon, honour_tanki, .. } =
            self.danger;
        let ClosedDangerParams { saturation, dora, dora_honour, outside } = self.danger.closed;
        let OpenDangerParams { share, honours, outside_tanyao, in_flush, outside_flush } = self.danger.open;
        value.by_han.is_sorted()
            && value.riichi.is_sorted()
            && not_negative(&value.by_han)
            && not_negative(&value.riichi)
            && not_negative(&value.tanyao)
            && not_negative(&[value.valued_pair, value.pinfu, value.lost_sticks, value.ippatsu, value.ura])
            && value.ippatsu + value.ura <= 1.0
            && not_negative(value.settles.as_flattened().as_flattened())
            && not_negative(&[value.dealer, value.usual, model.last_tenpai, push.folded])
            && not_negative(&push.under_threat)
            && not_negative(model.tenpai.as_flattened().as_flattened())
            && not_negative(model.threats.as_flattened())
            && not_negative(model.step_back.as_flattened())
            && not_negative(&[ryanmen, kanchan, penchan, shanpon, tanki, honour_shanpon, honour_tanki])
            && not_negative(&[saturation, dora, dora_honour, outside])
            && not_negative(&[share, honours, outside_tanyao, outside_flush])
            && not_negative(&in_flush)
            && not_negative(&[self.danger.shapes, push.risk_share, self.threat.dora_tile, self.threat.least])
            && is_chance(&[model.surest])
            && is_chance(next.as_flattened())
            && [gap, pair, valued_pair, triplet].into_iter().all(|lost| is_chance(lost))
    }
}

#[cfg(test)]
mod tests {
    use super::super::param_files::{Params, VERSIONS};
    use crate::by_players::ByPlayers;

    #[test]
    fn released_parameters_bound_estimates() {
        for version in VERSIONS {
            let (params, _) = Params::with_files(version, None, None).expect("released parameters");
            let ByPlayers { mut usual, three_players } = params.sets;
            assert!(usual.bounds_estimates() && three_players.bounds_estimates());
            usual.value.by_han[3] = 0.0;
            assert!(!usual.bounds_estimates());
        }
    }
}

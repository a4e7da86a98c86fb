//! The state that all estimates of one decision share.

use jantaku_engine::{Observation, TileKind};

use super::agent::{Heuristic, Models};
use super::danger::Danger;
use super::hand_estimate::Classes;
use super::opponent::Opponents;
use super::outcome_values::OutcomeValues;
use super::params::ParamSet;
use super::shape::keep_value;
use super::situation::{Situation, stage};
use super::utility::Utility;

/// Estimates the expected value of hands and discards in one decision.
pub(super) struct Estimator<'a> {
    pub agent: &'a Heuristic,
    pub models: &'a Models,
    pub params: &'a ParamSet,
    pub situation: &'a Situation<'a>,
    pub outcomes: &'a OutcomeValues<'a>,
    pub danger: &'a Danger<'a>,
    /// See [`ValueParams::more_han_share`](super::params::ValueParams::more_han_share).
    pub more_han_share: f32,
    pub classes: Classes,
}

impl Heuristic {
    /// Calls `decide` with the estimator for a decision.
    pub(super) fn estimate<T>(&self, o: &Observation<'_>, decide: impl FnOnce(&Estimator<'_>) -> T) -> T {
        let situation = Situation::new(o);
        let models = self.models(o);
        let Models { id, params, placements, .. } = models;
        let for_points = !self.placement || self.fast && stage(o) > params.value.last_hands;
        let utility = if for_points { Utility::Points } else { self.utility };
        let opponents = Opponents::new((params, &models.tenpai), &situation, self.defence, self.fast);
        let opponent_wins = opponents.wins(params);
        let of_placements = (params, placements, *id);
        let outcomes = OutcomeValues::new(o, of_placements, utility, &opponent_wins, situation.draws);
        let danger = Danger::new((params, &models.shapes), &situation, &outcomes, &opponents);
        let more_han_share = params.value.more_han_share(o.rules());
        decide(&Estimator {
            agent: self,
            models,
            params,
            situation: &situation,
            outcomes: &outcomes,
            danger: &danger,
            more_han_share,
            classes: Classes::default(),
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

#[cfg(test)]
mod tests {
    use jantaku_engine::{Action, Game, Rng, Rules};

    use super::*;
    use crate::heuristic::candidate::Candidate;
    use crate::{Params, Policy as _};

    /// The agent with one of its switches set.
    fn with(switch: fn(&mut Heuristic)) -> Heuristic {
        let mut agent = Heuristic::default();
        switch(&mut agent);
        agent
    }

    fn agents() -> Vec<Heuristic> {
        let (first, _) = Params::with_files("1", None, None).expect("released parameters");
        vec![
            Heuristic::default(),
            Heuristic::new(first),
            with(|agent| agent.fast = true),
            with(|agent| agent.damaten = false),
            with(|agent| agent.value = false),
            with(|agent| agent.defence = false),
            with(|agent| agent.placement = false),
            with(|agent| agent.utility = "90,45,0,-135".parse().expect("a utility")),
        ]
    }

    /// Plays games of all agents and calls `see` with each decision and each agent.
    fn each_decision(rules: &Rules, games: u64, mut see: impl FnMut(&Observation<'_>, &Heuristic)) {
        let agents = agents();
        for seed in 0..games {
            let mut game = Game::new(rules, seed);
            while let Some(seat) = game.pending().iter().next() {
                let o = game.observe(seat);
                agents.iter().for_each(|agent| see(&o, agent));
                let agent = &agents[(seed as usize + seat.index()) % agents.len()];
                let action = agent.choose(&o, &mut Rng::new(0));
                game.submit(seat, action).expect("a legal action");
            }
        }
    }

    /// The first of the best candidates.
    fn best(candidates: &[Candidate]) -> Option<Action> {
        let better = |best: Option<Candidate>, other: &Candidate| match best {
            Some(best) if other.value <= best.value => Some(best),
            _ => Some(*other),
        };
        candidates.iter().fold(None, better).map(|best| best.action)
    }

    /// Bounds leave out only estimates that change nothing, and calls and discards that are not chosen.
    #[test]
    fn bounds_change_no_decision() {
        let mut compared = 0;
        for preset in ["tenhou", "tenhou-sanma", "wrc", "mleague"] {
            let rules = Rules { wind_rounds: 1, ..Rules::preset(preset).expect("a preset") };
            each_decision(&rules, 3, |o, agent| {
                let mut without = agent.clone();
                without.models.usual.bounds_estimates = false;
                without.models.three_players.bounds_estimates = false;
                let candidates = agent.explain(o);
                assert_eq!(candidates, without.explain(o));
                let choice = agent.choose(o, &mut Rng::new(0));
                assert_eq!(choice, without.choose(o, &mut Rng::new(0)));
                if agent.by_rule(o).is_none() {
                    assert_eq!(Some(choice), best(&candidates));
                    compared += 1;
                }
            });
        }
        assert!(compared > 5000, "{compared} decisions");
    }

    /// A decision does not depend on those that the thread made before: caches hold what a thread without
    /// them computes.
    #[test]
    fn caches_change_no_decision() {
        for preset in ["tenhou", "tenhou-sanma"] {
            let rules = Rules { wind_rounds: 1, ..Rules::preset(preset).expect("a preset") };
            each_decision(&rules, 1, |o, agent| {
                let afresh = std::thread::scope(|scope| scope.spawn(|| agent.explain(o)).join());
                assert_eq!(agent.explain(o), afresh.expect("the same estimates"));
            });
        }
    }
}

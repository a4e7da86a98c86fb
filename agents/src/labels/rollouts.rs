//! Plays the candidates of a decision.

use jantaku_engine::{Game, Observation, Rng, Round};

use super::{Label, LabelledAction, Labeller};
use crate::candidates::{Compared, Comparison, ComparisonKind};
use crate::mc::{RolloutValue, is_plain, play_out, prior_doubt};

/// The sum of some values, and the sum of their squares.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Sums {
    /// The sum.
    pub sum: f32,
    /// The sum of the squares.
    pub squares: f32,
}

impl Sums {
    fn add(&mut self, value: f32) {
        self.sum += value;
        self.squares += value * value;
    }
}

impl Labeller {
    /// Plays all candidates in fresh deals.
    pub(super) fn play(
        &self,
        game: &Game,
        o: &Observation<'_>,
        comparison: Comparison,
        rng: &mut Rng,
    ) -> Label {
        let Comparison { kind, unit, candidates } = comparison;
        let choice = candidates[0].action;
        let doubt = |compared: &Compared| {
            prior_doubt(compared.gap, is_plain(choice) && is_plain(compared.action), o.live())
        };
        let unplayed = candidates.into_iter().map(|compared| LabelledAction {
            compared,
            doubt: if compared.action == choice { 0.0 } else { doubt(&compared) },
            values: Sums::default(),
            differences: Sums::default(),
        });
        let mut label = Label { kind, unit, deals: self.options.deals, actions: unplayed.collect() };
        for _ in 0..label.deals {
            let mut deal = game.round().clone();
            deal.reshuffle(rng);
            let next = Rng::new(rng.next_u64());
            let of = |played: &LabelledAction| {
                let mut round = deal.clone();
                let action = played.compared.action;
                round.submit(o.seat(), action).unwrap_or_else(|illegal| panic!("a candidate: {illegal}"));
                self.play_on(o, kind, round, &mut next.clone())
            };
            let of_choice = of(&label.actions[0]);
            label.actions[0].values.add(of_choice);
            for played in &mut label.actions[1..] {
                let value = of(played);
                played.values.add(value);
                played.differences.add(value - of_choice);
            }
        }
        label
    }

    /// Plays a hand after a candidate of such a decision to its end. Returns the value for the
    /// player of the observation: the expected result of the game, in points.
    #[must_use]
    pub fn play_on(&self, o: &Observation<'_>, kind: ComparisonKind, mut hand: Round, rng: &mut Rng) -> f32 {
        let is_careful = matches!(kind, ComparisonKind::Riichi | ComparisonKind::Danger);
        let players = if is_careful { &self.careful } else { &self.players };
        play_out(&mut hand, players, rng);
        RolloutValue::new(o, self.utility, self.placements.of(o.rules().players)).of(&hand)
    }
}

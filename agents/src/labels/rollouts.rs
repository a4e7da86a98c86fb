//! Plays the candidates of a decision.

use jantaku_engine::{AfterHand, Game, Observation, Players, Rng, Round, Seat, Standing};

use super::{Label, LabelledAction, Labeller};
use crate::NamedPolicy;
use crate::candidates::{Compared, Comparison, ComparisonKind};
use crate::mc::{RolloutValue, is_plain, play_until, prior_doubt};
use crate::oracle::{Encoded, OracleValue, Payoffs, has_drawn};

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
        let rollouts = Rollouts::new(self, o, kind);
        let mut ends = Vec::with_capacity(usize::from(label.deals) * label.actions.len());
        for _ in 0..label.deals {
            let mut deal = game.round().clone();
            deal.reshuffle(rng);
            let next = Rng::new(rng.next_u64());
            ends.extend(label.actions.iter().map(|played| {
                let mut round = deal.clone();
                let action = played.compared.action;
                round.submit(o.seat(), action).unwrap_or_else(|illegal| panic!("a candidate: {illegal}"));
                rollouts.play(&mut round, &mut next.clone());
                round
            }));
        }
        for values in rollouts.values(&ends).chunks(label.actions.len()) {
            for (played, value) in label.actions.iter_mut().zip(values) {
                played.values.add(*value);
                played.differences.add(value - values[0]);
            }
        }
        label
    }

    /// Continues a hand after a candidate of a decision of this kind, to its end or for the turns that the
    /// options set. Returns the value for the player of the observation: the expected result of the game, in
    /// points.
    pub fn play_on(&self, o: &Observation<'_>, kind: ComparisonKind, mut hand: Round, rng: &mut Rng) -> f32 {
        let rollouts = Rollouts::new(self, o, kind);
        rollouts.play(&mut hand, rng);
        rollouts.values(&[hand])[0]
    }
}

/// The rollouts of a decision.
struct Rollouts<'a> {
    players: &'a NamedPolicy,
    seat: Seat,
    value: RolloutValue<'a>,
    /// The live tiles at which rollouts stop. None if they play to the end.
    live: Option<u8>,
}

impl<'a> Rollouts<'a> {
    fn new(labeller: &'a Labeller, o: &'a Observation<'_>, kind: ComparisonKind) -> Rollouts<'a> {
        let is_careful = matches!(kind, ComparisonKind::Riichi | ComparisonKind::Danger);
        let players = o.rules().players;
        let drawn = labeller.options.turns.saturating_mul(players.count());
        // The effects of other decisions than discards show later, and the oracle overrates hands that have
        // called.
        let stops = kind == ComparisonKind::Discard;
        Rollouts {
            players: if is_careful { &labeller.careful } else { &labeller.players },
            seat: o.seat(),
            value: RolloutValue::new(o, labeller.utility, labeller.placements.of(players)),
            live: o.live().checked_sub(drawn).filter(|_| stops && drawn > 0 && players == Players::Four),
        }
    }

    /// Plays a hand to its end, or to the first draw at which at most `live` live tiles are left.
    fn play(&self, round: &mut Round, rng: &mut Rng) {
        let stops = |round: &Round| {
            let table = round.table();
            self.live.is_some_and(|live| table.live() <= live) && has_drawn(table)
        };
        play_until(round, self.players, rng, stops);
    }

    /// The values of hands that were played.
    fn values(&self, rounds: &[Round]) -> Vec<f32> {
        let in_play: Vec<usize> = (0..rounds.len()).filter(|at| !rounds[*at].is_over()).collect();
        let mut payoffs: Vec<(Standing, Payoffs)> = Vec::new();
        let standing = |round: &Round| round.table().standing();
        for at in &in_play {
            let round = &rounds[*at];
            if payoffs.iter().all(|(of, _)| *of != standing(round)) {
                let value = |next: &AfterHand| self.value.of_after_hand(next, round.table().dealer());
                payoffs.push((standing(round), Payoffs::new(round, self.seat, value)));
            }
        }
        let hands: Vec<(Encoded, &Payoffs)> = in_play
            .iter()
            .map(|at| {
                let round = &rounds[*at];
                let found = payoffs.iter().find(|(of, _)| *of == standing(round));
                (Encoded::new(round, self.seat), &found.expect("payoffs of each standing").1)
            })
            .collect();
        let mut values: Vec<f32> = rounds.iter().map(|round| self.value.of(round)).collect();
        for (at, value) in in_play.into_iter().zip(OracleValue::released().values(&hands)) {
            values[at] = value;
        }
        values
    }
}

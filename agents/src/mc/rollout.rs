//! Plays the sampled worlds of a decision to the end of the hand.

use std::ops::Range;

use jantaku_engine::random::hash;
use jantaku_engine::{Action, Observation, Rng, Round};
use rayon::prelude::*;

use super::MonteCarlo;
use crate::Policy;
use crate::inference::HandInference;

/// The sampled worlds of a decision, each with a number.
pub(super) struct Worlds<'a> {
    agent: &'a MonteCarlo,
    o: &'a Observation<'a>,
    /// Samples worlds. None for uniform ones.
    inference: Option<HandInference<'a>>,
    seed: u64,
}

/// A world before the decision, with the random numbers of its rollouts.
pub(super) struct Start {
    round: Round,
    rng: Rng,
}

impl<'a> Worlds<'a> {
    pub(super) fn new(agent: &'a MonteCarlo, o: &'a Observation<'a>, seed: u64) -> Worlds<'a> {
        let model = || agent.inference.of(o.rules().players);
        let inference = agent.is_weighted.then(|| HandInference::new(model(), o));
        Worlds { agent, o, inference, seed }
    }

    /// What `measure` returns for the worlds with these numbers, in their order.
    pub(super) fn map<T: Send>(
        &self,
        numbers: Range<u64>,
        measure: impl Fn(&Start) -> T + Send + Sync,
    ) -> Vec<T> {
        // Games in parallel keep all threads busy. A single decision may use all of them.
        let is_alone = rayon::current_thread_index().is_none() && rayon::current_num_threads() > 1;
        let measure = |number| measure(&self.sample(number));
        if is_alone { numbers.into_par_iter().map(measure).collect() } else { numbers.map(measure).collect() }
    }

    fn sample(&self, number: u64) -> Start {
        let mut rng = Rng::new(hash(&[self.seed, number]));
        let round = match &self.inference {
            Some(inference) => inference.sample(&mut rng).complete(self.o),
            None => self.o.determinize(&mut rng),
        };
        Start { round, rng }
    }

    /// Plays this action and then the hand to its end.
    pub(super) fn end(&self, start: &Start, action: Action) -> Round {
        let mut round = start.round.clone();
        round.submit(self.o.seat(), action).unwrap_or_else(|illegal| panic!("a candidate: {illegal}"));
        play_until(&mut round, &self.agent.players, &mut start.rng.clone(), |_| false);
        round
    }
}

/// Plays the hand with one agent in all seats, until `stops` holds or the hand is over. In each seat the
/// agent sees only what that seat sees.
pub(crate) fn play_until(
    round: &mut Round,
    players: &impl Policy,
    rng: &mut Rng,
    stops: impl Fn(&Round) -> bool,
) {
    while !round.is_over() && !stops(round) {
        round.keep_draws();
        for seat in round.pending().iter() {
            let action = players.choose(&round.observe(seat), rng);
            round.submit(seat, action).unwrap_or_else(|illegal| panic!("in a rollout: {illegal}"));
        }
    }
}

//! Plays a world to the end of the hand.

use jantaku_engine::{Rng, Round};

use crate::Policy;

/// Plays the hand to its end with one agent in all seats. In each seat it sees only what that seat
/// sees.
pub(super) fn play_out(round: &mut Round, players: &impl Policy, rng: &mut Rng) {
    while !round.is_over() {
        round.keep_draws();
        for seat in round.pending().iter() {
            let action = players.choose(&round.observe(seat), rng);
            round.submit(seat, action).unwrap_or_else(|illegal| panic!("in a rollout: {illegal}"));
        }
    }
}

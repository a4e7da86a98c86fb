//! Games of `heuristic`, and the decisions in them.

use jantaku_agents::{Heuristic, Policy};
use jantaku_engine::{Game, Phase, Rng, Rules, Seat};

/// Plays a game of the agent with itself. Calls `at` with about one in `rate` of the turns and
/// claims, the seat that decides, and random numbers for it.
pub fn decisions(rules: &Rules, seed: u64, rate: usize, mut at: impl FnMut(&Game, Seat, &mut Rng)) {
    let agent = Heuristic::default();
    let mut game = Game::new(rules, seed);
    while let Some(seat) = game.pending().iter().next() {
        let mut rng = game.random_stream(seat, 1);
        if matches!(game.table().phase(), Phase::Turn | Phase::Claim) && rng.below(rate) == 0 {
            at(&game, seat, &mut rng);
        }
        let action = agent.choose(&game.observe(seat), &mut rng);
        game.submit(seat, action).unwrap_or_else(|illegal| panic!("{illegal}"));
    }
}

//! Games to test with.

pub mod mjlog;

use jantaku_agents::{Greedy, Policy, Random};
use jantaku_engine::replay::{RecordedGame, Recording};
use jantaku_engine::{Game, Rules};

/// A game of which every second player plays towards tenpai and the others at random, so that all kinds of things happen.
pub fn played(rules: &Rules, seed: u64) -> RecordedGame {
    let mut recording = Recording::new(rules);
    let mut game = Game::new_seen(rules, seed, &mut recording);
    while !game.is_over() {
        for seat in game.pending().iter() {
            let (observation, mut rng) = (game.observe(seat), game.random_stream(seat, 0));
            let plays_well = (seat.index() as u64 + seed).is_multiple_of(2) || seed.is_multiple_of(3);
            let action = if plays_well {
                Greedy::default().choose(&observation, &mut rng)
            } else {
                Random.choose(&observation, &mut rng)
            };
            game.submit_seen(seat, action, &mut recording).expect("agents play by the rules");
        }
    }
    recording.into_game()
}

//! Games that reach rare decisions.

use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Game, Observation, Rng, Rules};

pub use crate::eager::choose;
use crate::level::Size;

/// The number of hands that check each law.
pub fn hands() -> u32 {
    // Fewer hands do not reach every channel.
    Size(300, 300, 6000).get()
}

/// The rules of the presets in turn, without end.
pub fn rules() -> impl Iterator<Item = Rules> {
    PRESETS.iter().cycle().map(jantaku_engine::rules::Preset::rules)
}

/// Calls `check` for the observation of every decision of many hands, under all presets.
pub fn decisions(mut check: impl FnMut(&Observation<'_>, &mut Rng)) {
    let mut dealt = 0;
    for (seed, rules) in (0..).zip(rules()) {
        dealt += first_hands(&rules, seed, &mut check);
        if dealt > hands() {
            return;
        }
    }
}

/// Calls `check` for the observation of every decision of a game's first hands. Returns the number
/// of hands.
pub fn first_hands(rules: &Rules, seed: u64, check: &mut impl FnMut(&Observation<'_>, &mut Rng)) -> u32 {
    let (mut game, mut rng) = (Game::new(rules, seed), Rng::new(seed));
    while !game.is_over() && game.hand_count() < 5 {
        for seat in game.pending().iter() {
            let o = game.observe(seat);
            check(&o, &mut rng);
            let action = choose(&o, &mut rng);
            game.submit(seat, action).expect("a legal action is accepted");
        }
    }
    game.hand_count()
}

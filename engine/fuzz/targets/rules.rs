//! Rule files: a text is rules that can be played and survive a round trip, or an error.
#![no_main]

use jantaku_agents::{Greedy, Policy};
use jantaku_engine::{Game, Rules, final_results};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match Rules::from_toml(text, "rules.toml") {
    Ok(rules) => {
        assert_eq!(rules.check(), Ok(()), "{text}");
        let written = rules.to_table().to_string();
        assert_eq!(Rules::from_toml(&written, "rules.toml"), Ok(rules), "{text}");
        (0..6).for_each(|seed| can_be_played(&rules, seed));
    }
    Err(error) => assert!(error.to_string().starts_with("rules.toml"), "{text}"),
});

/// Plays up to 12 hands. Points are conserved, and the game has a result at any time.
fn can_be_played(rules: &Rules, seed: u64) {
    let mut game = Game::new(rules, seed);
    let points = i32::from(rules.players.count()) * rules.start_points;
    while !game.is_over() && game.hand_count() < 12 {
        assert_eq!(game.scores().sum() + rules.riichi_stick * i32::from(game.table().sticks()), points);
        for seat in game.pending().iter() {
            let action = Greedy::default().choose(&game.observe(seat), &mut game.random_stream(seat, 0));
            game.submit(seat, action).expect("a legal action");
        }
    }
    let results = final_results(game.scores(), rules);
    let mut placements: Vec<u8> = results.iter().map(|result| result.placement).collect();
    placements.sort_unstable();
    assert!(placements.iter().copied().eq(1..=rules.players.count()), "placements {placements:?}");
}

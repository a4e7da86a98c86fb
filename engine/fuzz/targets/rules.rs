//! Rules as TOML: a text is rules that can be played and written down, or an error.
#![no_main]

use jantaku_engine::{Game, Rules, final_results};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match Rules::from_toml(text, "rules.toml") {
    Ok(rules) => {
        assert_eq!(rules.check(), Ok(()), "{text}");
        let written = rules.to_table().to_string();
        assert_eq!(Rules::from_toml(&written, "rules.toml"), Ok(rules), "{text}");
        can_be_played(&rules);
    }
    Err(error) => assert!(error.to_string().starts_with("rules.toml"), "{text}"),
});

/// A few hands can be dealt and played, wins included, and the game could end there.
fn can_be_played(rules: &Rules) {
    let mut game = Game::new(rules, 1);
    while !game.is_over() && game.hand_count() < 4 {
        let (seat, legal) = game.decisions().next().expect("a game that is not over waits for somebody");
        // Wins, draws and quads have higher numbers than discards.
        let action = legal.iter().last().expect("a decision has legal actions").action();
        game.submit(seat, action).expect("a legal action is accepted");
    }
    let results = final_results(game.scores(), rules);
    let mut places: Vec<u8> = results.iter().map(|result| result.place).collect();
    places.sort_unstable();
    assert!(places.iter().copied().eq(1..=rules.players.count()), "places {places:?}");
}

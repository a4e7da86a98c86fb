//! Encoding a replayed game equals encoding in play.

use jantaku_agents::encode::{PlanesV1, SparseV1};
use jantaku_agents::{Greedy, Policy};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Action, Game, Observation, Rules, Seat};

use super::laws::Planes;
use super::sparse::encoded;

/// A game replayed from its decisions has the same encodings as in play.
#[test]
fn replayed_games_have_the_encodings_of_play() {
    for rules in PRESETS.iter().filter(|p| ["tenhou", "tenhou-sanma", "duo"].contains(&p.name)) {
        let rules = rules.rules();
        for seed in 7..10 {
            let (encodings, decisions) = in_play(&rules, seed);
            assert_eq!(encodings, replayed(&rules, seed, &decisions));
        }
    }
}

/// The encodings of a decision: its planes, its active features and its scalars.
type Encodings = (Box<[u8; PlanesV1::BYTES]>, Vec<u16>, [f32; SparseV1::SCALARS]);

fn encodings(o: &Observation<'_>) -> Encodings {
    let (active, scalars) = encoded(o);
    (Planes::of(o).0, active, scalars)
}

/// The encodings and decisions of a game of `greedy`.
fn in_play(rules: &Rules, seed: u64) -> (Vec<Encodings>, Vec<(Seat, Action)>) {
    let (mut game, mut found, mut decisions) = (Game::new(rules, seed), Vec::new(), Vec::new());
    while !game.is_over() {
        for seat in game.pending().iter() {
            let o = game.observe(seat);
            found.push(encodings(&o));
            let action = Greedy::default().choose(&o, &mut game.random_stream(seat, 0));
            decisions.push((seat, action));
            game.submit(seat, action).expect("a legal action is accepted");
        }
    }
    (found, decisions)
}

/// The encodings of a game whose decisions are played again.
fn replayed(rules: &Rules, seed: u64, decisions: &[(Seat, Action)]) -> Vec<Encodings> {
    let (mut game, mut found) = (Game::new(rules, seed), Vec::new());
    for (seat, action) in decisions {
        found.push(encodings(&game.observe(*seat)));
        game.submit(*seat, *action).expect("a recorded action is legal");
    }
    assert!(game.is_over());
    found
}

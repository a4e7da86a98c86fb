//! Decisions allocate nothing.

use allocation_counter::measure;
use jantaku_agents::encode::{PlanesV1, SparseV1};
use jantaku_agents::{Greedy, Heuristic, Policy};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Game, Rules};

/// Plays games in which each decision is counted.
fn assert_no_allocations(agent: &impl Policy, rules: &Rules, games: u64) {
    for seed in 0..games {
        let mut game = Game::new(rules, seed);
        while !game.is_over() {
            let (seat, _) = game.decisions().next().expect("a seat has to decide");
            let (o, mut rng) = (game.observe(seat), game.random_stream(seat, agent.salt()));
            let mut action = None;
            let allocated = measure(|| action = Some(agent.choose(&o, &mut rng)));
            let action = action.expect("measure calls the function");
            assert_eq!(allocated.count_total, 0, "{action} in hand {}", o.round());
            game.submit(seat, action).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn decisions_allocate_nothing() {
    let mut fast = Heuristic::default();
    fast.fast = true;
    for preset in PRESETS {
        let rules = preset.rules();
        assert_no_allocations(&Greedy::default(), &rules, 1);
        assert_no_allocations(&Heuristic::default(), &rules, 1);
        assert_no_allocations(&fast, &rules, 1);
    }
}

#[test]
fn encoders_allocate_nothing() {
    for preset in PRESETS {
        let (mut game, mut bytes) = (Game::new(&preset.rules(), 1), Box::new([0; PlanesV1::BYTES]));
        let (mut active, mut scalars) = ([0; SparseV1::MAX_ACTIVE], [0.0; SparseV1::SCALARS]);
        while !game.is_over() {
            let (seat, _) = game.decisions().next().expect("a seat has to decide");
            let o = game.observe(seat);
            let allocated = measure(|| {
                PlanesV1::encode(&o, &mut bytes);
                SparseV1::encode(&o, &mut active, &mut scalars);
            });
            assert_eq!(allocated.count_total, 0, "{}, hand {}", preset.name, o.round());
            let action = Greedy::default().choose(&o, &mut game.random_stream(seat, 0));
            game.submit(seat, action).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn an_allocation_is_seen() {
    assert!(measure(|| drop(std::hint::black_box(vec![1]))).count_total > 0);
}

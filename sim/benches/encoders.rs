//! Instruction counts of the encoders: `cargo bench -p jantaku-benches --bench encoders`, or
//! `make bench`.
//!
//! Each bench encodes the same [`DECISIONS`] decisions of `greedy` under valgrind, whose counts do not
//! depend on the load of the machine. The games are played before, and not counted.

// The macros generate undocumented items.
#![allow(missing_docs)]

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use jantaku_agents::encode::{PlanesV1, SparseV1};
use jantaku_agents::{Greedy, Policy};
use jantaku_engine::{Game, Observation, Rules, Seat};

const DECISIONS: usize = 1000;

/// Games that ask a player, one for each decision.
fn decisions() -> Vec<(Game, Seat)> {
    let (rules, greedy) = (Rules::default(), Greedy::default());
    let (mut kept, mut seed) = (Vec::new(), 1);
    while kept.len() < DECISIONS {
        let mut game = Game::new(&rules, seed);
        while !game.is_over() {
            kept.extend(game.pending().iter().map(|seat| (game.clone(), seat)));
            for seat in game.pending().iter() {
                let action = greedy.choose(&game.observe(seat), &mut game.random_stream(seat, 0));
                game.submit(seat, action).expect("greedy plays legally");
            }
        }
        seed += 1;
    }
    kept.truncate(DECISIONS);
    kept
}

/// The sum of what `encode` returns for each decision.
fn sum(decisions: &[(Game, Seat)], mut encode: impl FnMut(&Observation<'_>) -> usize) -> usize {
    black_box(decisions).iter().map(|(game, seat)| encode(&game.observe(*seat))).sum()
}

#[library_benchmark]
#[bench::greedy(setup = decisions)]
fn sparse_v1(decisions: Vec<(Game, Seat)>) -> Vec<(Game, Seat)> {
    let (mut active, mut numbers) = ([0; SparseV1::MOST_ACTIVE], [0.0; SparseV1::SCALARS]);
    let features = sum(&decisions, |o| SparseV1::encode(o, black_box(&mut active), &mut numbers));
    assert_eq!(features, 134_673);
    decisions
}

#[library_benchmark]
#[bench::greedy(setup = decisions)]
fn planes_v1(decisions: Vec<(Game, Seat)>) -> Vec<(Game, Seat)> {
    let mut planes = [0; PlanesV1::BYTES];
    let ones = sum(&decisions, |o| {
        PlanesV1::encode(o, black_box(&mut planes));
        usize::from(planes[0])
    });
    assert_eq!(ones, 289);
    decisions
}

library_benchmark_group!(name = encoders; benchmarks = sparse_v1, planes_v1);

main!(library_benchmark_groups = encoders);

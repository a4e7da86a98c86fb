//! Instruction counts of what agents do with a decision: `cargo bench -p jantaku-benches --bench
//! agents`, or `make bench`.
//!
//! Each bench has the same decisions of `greedy` under valgrind, whose counts do not depend on the
//! load of the machine. The games are played before, and not counted.

// The macros generate undocumented items.
#![allow(missing_docs)]

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use jantaku_agents::encode::{PlanesV1, SparseV1};
use jantaku_agents::labels::{Label, LabelOptions, Labeller};
use jantaku_agents::{Catalog, Greedy, NamedPolicy, Policy};
use jantaku_engine::{Game, Observation, Rules, Seat};

const DECISIONS: usize = 1000;

/// Decisions that are searched or labelled. Each plays hands to their ends.
const SEARCHED: usize = 20;

/// A decision: the game that asks a player.
type Decision = (Game, Seat);

fn decisions() -> Vec<Decision> {
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
fn sum(decisions: &[Decision], mut encode: impl FnMut(&Observation<'_>) -> usize) -> usize {
    black_box(decisions).iter().map(|(game, seat)| encode(&game.observe(*seat))).sum()
}

#[library_benchmark]
#[bench::greedy(setup = decisions)]
fn sparse_v1(decisions: Vec<Decision>) -> Vec<Decision> {
    let (mut active, mut numbers) = ([0; SparseV1::MAX_ACTIVE], [0.0; SparseV1::SCALARS]);
    let features = sum(&decisions, |o| SparseV1::encode(o, black_box(&mut active), &mut numbers));
    assert_eq!(features, 134_673);
    decisions
}

#[library_benchmark]
#[bench::greedy(setup = decisions)]
fn planes_v1(decisions: Vec<Decision>) -> Vec<Decision> {
    let mut planes = [0; PlanesV1::BYTES];
    let ones = sum(&decisions, |o| {
        PlanesV1::encode(o, black_box(&mut planes));
        usize::from(planes[0])
    });
    assert_eq!(ones, 289);
    decisions
}

/// Some of the decisions, from all parts of the games.
fn spread_sample(count: usize) -> Vec<Decision> {
    decisions().into_iter().step_by(DECISIONS / count).collect()
}

/// An agent of the catalog, and decisions.
fn agent(text: &str, count: usize) -> (NamedPolicy, Vec<Decision>) {
    let agent = Catalog::standard().agent(text).and_then(|agent| agent.to_policy());
    (agent.unwrap_or_else(|error| panic!("{error}")), spread_sample(count))
}

#[library_benchmark]
#[bench::random(args = ("random", DECISIONS), setup = agent)]
#[bench::greedy(args = ("greedy", DECISIONS), setup = agent)]
#[bench::heuristic(args = ("heuristic", DECISIONS), setup = agent)]
#[bench::heuristic_1(args = ("heuristic:version=1", DECISIONS), setup = agent)]
#[bench::heuristic_fast(args = ("heuristic:fast", DECISIONS), setup = agent)]
#[bench::residual(args = ("residual", DECISIONS), setup = agent)]
#[bench::mc_64(args = ("mc:rollouts=64", SEARCHED), setup = agent)]
fn choices((agent, decisions): (NamedPolicy, Vec<Decision>)) -> (NamedPolicy, Vec<Decision>) {
    let choice = |(game, seat): &Decision| {
        agent.choose(&game.observe(*seat), &mut game.random_stream(*seat, 1)).id().number()
    };
    black_box(black_box(&decisions).iter().map(choice).map(u64::from).sum::<u64>());
    (agent, decisions)
}

fn labeller() -> (Labeller, Vec<Decision>) {
    let labeller = Labeller::new(LabelOptions::default(), &Catalog::standard());
    (labeller.unwrap_or_else(|error| panic!("{error}")), spread_sample(SEARCHED))
}

#[library_benchmark]
#[bench::heuristic(setup = labeller)]
fn labels((labeller, decisions): (Labeller, Vec<Decision>)) -> (Labeller, Vec<Decision>) {
    let label = |(game, seat): &Decision| labeller.label(game, &game.observe(*seat), &[1]);
    black_box(black_box(&decisions).iter().filter_map(label).collect::<Vec<Label>>());
    (labeller, decisions)
}

library_benchmark_group!(name = encoders; benchmarks = sparse_v1, planes_v1);
library_benchmark_group!(name = agents; benchmarks = choices, labels);

main!(library_benchmark_groups = encoders, agents);

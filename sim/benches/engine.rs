//! Instruction counts of the engine: `cargo bench -p jantaku-benches --bench engine`, or
//! `make bench`.
//!
//! Runs the work of `times` under valgrind, whose counts do not depend on the load of the machine.
//! The setup of the inputs is not counted. Each bench asserts its checksum.

// The macros generate undocumented items.
#![allow(missing_docs)]

mod work;

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Game, Rules};
use work::hands::Kind;
use work::wins::WonHand;
use work::{Mix, games};

const INPUTS: usize = 1000;

fn mix(kind: Kind, expected: u64) -> (Mix, u64) {
    (Mix::new(kind, INPUTS), expected)
}

/// Defines a bench of a [`Mix`] method on both mixes, with its checksums.
macro_rules! of_hands {
    ($($question:ident: $uniform:literal, $near:literal;)*) => {
        $(
            #[library_benchmark]
            #[bench::uniform(args = (Kind::Uniform, $uniform), setup = mix)]
            #[bench::near_tenpai(args = (Kind::NearTenpai, $near), setup = mix)]
            fn $question((mix, expected): (Mix, u64)) -> Mix {
                assert_eq!(black_box(&mix).$question(), expected);
                mix
            }
        )*
        library_benchmark_group!(name = hands; benchmarks = $($question),*);
    };
}

of_hands! {
    shanten_from_counts: 3_217, 437;
    shanten_from_keys: 3_217, 437;
    draw_and_discard: 3_217, 461;
    waits: 0, 210_724_157_746;
    ukeire: 3_156_233_984_498_013_123, 17_590_095_526_446_901_020;
    ukeire_from_counts: 3_156_233_984_498_013_123, 17_590_095_526_446_901_020;
    discards: 14_968_019_344_148_443_320, 12_656_246_024_833_853_047;
    best_discards: 5_703_974_766_282_666_201, 16_378_919_887_825_753_694;
    least_discards: 10_448_356_476_095_463_423, 14_771_807_920_209_628_126;
}

fn wins() -> Vec<WonHand> {
    work::wins::wins(INPUTS, &Rules::default(), 1)
}

#[library_benchmark]
#[bench::mixed(setup = wins)]
fn scores(wins: Vec<WonHand>) -> Vec<WonHand> {
    assert_eq!(work::scores(black_box(&wins), &Rules::default()), 18_446_722_657_968_557_452);
    wins
}

fn in_play() -> Vec<Game> {
    games::in_play(INPUTS as u64, &Rules::default())
}

#[library_benchmark]
#[bench::in_play(setup = in_play)]
fn clones(games: Vec<Game>) -> Vec<Game> {
    assert_eq!(work::clones(black_box(&games)), 44_113);
    games
}

#[library_benchmark]
#[bench::in_play(setup = in_play)]
fn determinized(games: Vec<Game>) -> Vec<Game> {
    assert_eq!(work::determinized(black_box(&games)), 5_836_680_314_023_504_308);
    games
}

fn recordings() -> Vec<RecordedGame> {
    games::recordings(2, &Rules::default())
}

#[library_benchmark]
#[bench::two_hanchan(setup = recordings)]
fn replays(games: Vec<RecordedGame>) -> Vec<RecordedGame> {
    assert_eq!(work::replays(black_box(&games)), 1857);
    games
}

library_benchmark_group!(name = games_and_wins; benchmarks = scores, clones, determinized, replays);

main!(library_benchmark_groups = hands, games_and_wins);

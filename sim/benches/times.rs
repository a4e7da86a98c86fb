//! CPU times of the engine: `cargo bench -p jantaku-benches --bench times`.
//!
//! Each bench works on many independent inputs, reports the CPU time of one, and asserts its
//! checksum in each iteration.

mod work;

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::{Criterion, criterion_group, criterion_main};
use jantaku_engine::{Round, Rules};
use work::hands::Kind;
use work::{Mix, games, wins};

const HANDS: usize = 100_000;
const WINS: usize = 100_000;
const GAMES: u64 = 1000;
const RECORDINGS: u64 = 20;

/// A method of [`Mix`], which returns the checksum of its results.
type Question = fn(&Mix) -> u64;

/// Measures work on `count` inputs that must return the checksum `expected`. Reports the time of
/// one input.
fn measure(c: &mut Criterion, name: &str, count: u64, expected: u64, mut work: impl FnMut() -> u64) {
    let mut spend = |inputs: u64| {
        let rounds = inputs.div_ceil(count);
        let start = ThreadTime::now();
        (0..rounds).for_each(|_| assert_eq!(black_box(work()), expected, "{name}"));
        start.elapsed().mul_f64(inputs as f64 / (rounds * count) as f64)
    };
    c.bench_function(name, |b| b.iter_custom(&mut spend));
}

fn hands(c: &mut Criterion) {
    for (kind, mix_name, expected) in [
        (
            Kind::Uniform,
            "uniform",
            [
                315_747,
                315_747,
                4_891_136,
                4_355_753_545_182_401_685,
                16_824_793_976_711_555_460,
                3_953_589_818_933_724_740,
                7_134_221_526_429_136_998,
            ],
        ),
        (
            Kind::NearTenpai,
            "near tenpai",
            [
                43_669,
                45_574,
                20_363_420_751_263,
                6_355_073_908_195_122_916,
                7_898_983_238_386_221_591,
                2_858_176_578_905_620_888,
                432_464_553_020_842_746,
            ],
        ),
    ] {
        let mix = Mix::new(kind, HANDS);
        let [shanten, after, waits, ukeire, discards, best, least]: [u64; 7] = expected;
        let questions: [(&str, u64, Question); 9] = [
            ("shanten of 14 tiles from counts", shanten, Mix::shanten_from_counts),
            ("shanten of 14 tiles from keys", shanten, Mix::shanten_from_keys),
            ("draw, discard and shanten", after, Mix::draw_and_discard),
            ("waits", waits, Mix::waits),
            ("ukeire", ukeire, Mix::ukeire),
            ("ukeire from counts", ukeire, Mix::ukeire_from_counts),
            ("discards with ukeire", discards, Mix::discards),
            ("best discards with ukeire", best, Mix::best_discards),
            ("discards, shanten only", least, Mix::least_discards),
        ];
        for (name, expected, question) in questions {
            let name = format!("{name}, {mix_name}");
            measure(c, &name, HANDS as u64, expected, || question(black_box(&mix)));
        }
    }
}

fn scores(c: &mut Criterion) {
    let rules = Rules::default();
    let wins = wins::wins(WINS, &rules, 1);
    measure(c, "score and payments", WINS as u64, 18_445_468_612_855_447_969, || {
        work::scores(black_box(&wins), &rules)
    });
}

fn rounds(c: &mut Criterion) {
    println!("Round: {} bytes", size_of::<Round>());
    let games = games::in_play(GAMES, &Rules::default());
    measure(c, "clone of a hand in play", GAMES, 44_113, || work::clones(black_box(&games)));
    measure(c, "determinize", GAMES, 5_836_680_314_023_504_308, || work::determinized(black_box(&games)));
}

fn replays(c: &mut Criterion) {
    let games = games::recordings(RECORDINGS, &Rules::default());
    measure(c, "replay of a hanchan", RECORDINGS, 14_172, || work::replays(black_box(&games)));
}

criterion_group! {
    name = times;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = hands, scores, rounds, replays
}
criterion_main!(times);

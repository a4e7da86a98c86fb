//! Broken and hostile logs: the reader returns an error or a game, never panics, and needs little
//! memory.
//!
//! `JANTAKU_MUTATED_LOGS` sets the number of logs (default: `sizes`). Each log follows from its
//! number: `JANTAKU_MUTATED_LOG` tries the log with this number alone, to repeat a panic.
//! `JANTAKU_WRITE=1` rewrites the seeds of the fuzz targets for logs instead of comparing them.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Cursor, Read as _, Write as _};
use std::panic::catch_unwind;
use std::path::Path;
use std::process::Command;

use crate::common::data::reference;
use crate::common::mutate;
use crate::sizes::MUTATED_LOGS;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Rng, Rules};
use jantaku_sim::logs::files::{Games, find};
use jantaku_sim::replay::convert::{Format, complete};

/// The limit for the peak memory of a process that reads all mutated logs, in kB.
const MAX_MEMORY: u64 = 200_000;

/// Set in the process that reads the logs.
const CHILD: &str = "JANTAKU_MUTATED_CHILD";

/// How many games of a file were errors, differed from the rules, or replayed as recorded.
#[derive(Default)]
struct Tried {
    errors: usize,
    differences: usize,
    clean: usize,
}

#[test]
fn broken_logs_are_reported_in_little_memory() {
    in_child_process("broken_logs_are_reported_in_little_memory", || read_mutated_logs(&own_logs()));
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn broken_real_logs_are_reported_in_little_memory() {
    in_child_process("broken_real_logs_are_reported_in_little_memory", || {
        let folders = ["tenhou-mjlog", "tenhou6", "mjai"].map(reference);
        let mut samples = own_logs();
        samples.extend(find(&folders).unwrap().iter().flat_map(|path| first_lines(path)));
        read_mutated_logs(&samples);
    });
}

/// Runs a test of this file alone in a child process: the peak memory of this process includes
/// that of the other tests.
fn in_child_process(name: &str, test: impl FnOnce()) {
    if std::env::var_os(CHILD).is_some() {
        return test();
    }
    let (_, module) = module_path!().split_once("::").expect("a crate and its module");
    let mut child = Command::new(std::env::current_exe().expect("this test binary"));
    let child = child.args(["--exact", &format!("{module}::{name}"), "--include-ignored", "--nocapture"]);
    let output = child.env(CHILD, "1").output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    println!("{stdout}{stderr}");
    assert!(output.status.success() && stdout.contains("1 passed"), "the child process failed");
}

/// Changes logs in random ways and replays them.
fn read_mutated_logs(samples: &[Vec<u8>]) {
    let number = |name| std::env::var(name).ok().map(|n: String| n.parse::<u64>().expect("a number"));
    let numbers = match number("JANTAKU_MUTATED_LOG") {
        Some(one) => one..one + 1,
        None => 0..number("JANTAKU_MUTATED_LOGS").unwrap_or(MUTATED_LOGS.get().into()),
    };
    let many = numbers.end - numbers.start > 100;
    let (mut tried, mut panics) = (Tried::default(), Vec::new());
    for number in numbers {
        let log = mutated(samples, number);
        match catch_unwind(|| replay(log)) {
            Ok(one) => {
                tried.errors += one.errors;
                tried.differences += one.differences;
                tried.clean += one.clean;
            }
            Err(_) => panics.push(number),
        }
    }
    let memory = peak_memory();
    let Tried { errors, differences, clean } = tried;
    println!(
        "{} samples; {errors} errors, {differences} with differences, {clean} clean; peak memory {memory:?} kB",
        samples.len()
    );
    assert_eq!(panics, [0; 0], "the numbers of the logs that panic");
    assert!(!many || errors.min(differences).min(clean) > 0, "expected some of each");
    assert!(memory.is_none_or(|kilobytes| kilobytes < MAX_MEMORY), "peak memory {memory:?} kB");
}

fn replay(log: Vec<u8>) -> Tried {
    let mut tried = Tried::default();
    for source in Games::of(Path::new("2026010100gm-0009-0000-mutated"), Cursor::new(log)).unwrap() {
        match source.and_then(|source| source.read(None)) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                tried.errors += 1;
            }
            Ok(game) => {
                let is_clean = game.replay(&mut ()).differences.is_empty();
                *(if is_clean { &mut tried.clean } else { &mut tried.differences }) += 1;
            }
        }
    }
    tried
}

/// The peak memory of this process in kB, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Good logs of games of our own.
fn own_logs() -> Vec<Vec<u8>> {
    let mut samples: Vec<Vec<u8>> = (0..8)
        .map(|seed| {
            let rules = Rules::preset(["tenhou", "tenhou-sanma"][seed as usize % 2]).unwrap();
            crate::common::mjlog::write(&crate::common::played(&rules, seed)).into_bytes()
        })
        .collect();
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/fuzz/seeds");
    let recorded = find(&["mjlog", "tenhou6", "mjai"].map(|format| seeds.join(format)));
    samples.extend(recorded.unwrap().iter().map(|path| std::fs::read(path).unwrap()));
    samples
}

/// The first three lines of a file with one game per line.
fn first_lines(path: &Path) -> Vec<Vec<u8>> {
    let file = std::fs::File::open(path).unwrap();
    let is_gzip = path.extension().is_some_and(|extension| extension == "gz");
    let text: Box<dyn BufRead> =
        if is_gzip { Box::new(BufReader::new(GzDecoder::new(file))) } else { Box::new(BufReader::new(file)) };
    text.split(b'\n').take(3).map(|line| line.unwrap()).filter(|line| !line.is_empty()).collect()
}

/// Each seed of the fuzz targets for logs is a hand with an event that no seed before it has.
#[test]
fn fuzz_seeds_are_hands_of_our_own_games() {
    let mut seen = HashSet::new();
    let mut number = 0;
    for seed in 0..3000 {
        let rules = Rules::preset(["tenhou", "tenhou-sanma"][seed as usize % 2]).unwrap();
        let game = crate::common::played(&Rules { wind_rounds: 1, ..rules }, seed);
        for hand in &game.hands {
            let features = crate::common::features(hand).into_iter().map(|feature| (rules.players, feature));
            // `count` inserts all features. `any` would stop at the first new one.
            let new = features.filter(|feature| seen.insert(feature.clone())).count();
            if new > 0 {
                let hands = vec![hand.clone()];
                let (final_scores, results, is_whole) = (None, None, false);
                keep_seed(number, &RecordedGame { hands, final_scores, results, is_whole, ..game.clone() });
                number += 1;
            }
        }
    }
}

/// Some hands of a game, last hands included, replay in every format.
#[test]
fn fuzz_seeds_replay_in_every_format() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/fuzz/seeds");
    let mut games = 0;
    for path in find(&["mjlog", "tenhou6", "mjai"].map(|format| seeds.join(format))).unwrap() {
        for source in Games::open(&path).unwrap() {
            // One seed is hostile. Those of mjlog are read as whole games, which they are not.
            let Ok(game) = source.and_then(|source| source.read(None)) else { continue };
            let Ok(known) = complete(&game) else { continue };
            for format in [Format::Mjai, Format::Tenhou6] {
                for again in Games::of(&path, Cursor::new(format.text(&known).into_bytes())).unwrap() {
                    let again = again.and_then(|source| source.read(Some(&game.rules)));
                    let again = again.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                    assert_eq!(again.replay(&mut ()).differences, [], "{}", path.display());
                    games += 1;
                }
            }
        }
    }
    assert!(games > 50, "{games} games");
}

/// Compares the files of a seed with the game, or rewrites them.
fn keep_seed(number: usize, game: &RecordedGame) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/fuzz/seeds");
    let (mjai, tenhou6) = (Format::Mjai, Format::Tenhou6);
    let texts = [
        ("mjlog", "xml", crate::common::mjlog::write(game)),
        (
            "tenhou6",
            tenhou6.ending(),
            if number.is_multiple_of(4) { tenhou6.line("a", game) } else { tenhou6.text(game) },
        ),
        (
            "mjai",
            mjai.ending(),
            if number.is_multiple_of(4) { mjai.line("a", game) } else { mjai.text(game) },
        ),
    ];
    for (folder, ending, text) in texts {
        let is_gzip = number % 8 == 7;
        let gz = if is_gzip { ".gz" } else { "" };
        let path = seeds.join(folder).join(format!("{number:02}.{ending}{gz}"));
        if std::env::var_os("JANTAKU_WRITE").is_some_and(|value| value == "1") {
            let bytes = if is_gzip { compressed(text.as_bytes()) } else { text.clone().into_bytes() };
            std::fs::create_dir_all(seeds.join(folder)).unwrap();
            std::fs::write(&path, bytes).unwrap();
        }
        let mut kept = std::fs::read(&path).unwrap();
        if is_gzip {
            let compressed = std::mem::take(&mut kept);
            GzDecoder::new(&compressed[..]).read_to_end(&mut kept).unwrap();
        }
        assert!(kept == text.as_bytes(), "{}: JANTAKU_WRITE=1 rewrites it", path.display());
    }
}

/// A sample with some bytes, parts and numbers changed. Some are compressed, some damaged after
/// that.
fn mutated(samples: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut rng = Rng::new(number);
    let mut log = samples[rng.below(samples.len())].clone();
    for _ in 0..=rng.below(3) {
        mutate::mutate(&mut log, &mut rng);
    }
    if rng.below(10) == 0 {
        log = compressed(&log);
        if rng.below(2) == 0 {
            mutate::flip_bits(&mut log, &mut rng);
        }
    }
    log
}

fn compressed(log: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(log).unwrap();
    encoder.finish().unwrap()
}

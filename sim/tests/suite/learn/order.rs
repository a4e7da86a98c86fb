//! Shuffles, ranks, and loaders that continue.

use std::collections::BTreeSet;

use jantaku_sim::loader::{LoadError, LoadedBatch, Loader, LoaderConfig, Position};

use super::loader::{Line, config, folder, lines, load, preset, run, stored};
use crate::sizes::CONTINUED_STEP;

fn sorted(lines: &[Line]) -> Vec<&Line> {
    let mut sorted: Vec<&Line> = lines.iter().collect();
    sorted.sort();
    sorted
}

#[test]
fn a_shuffle_gives_everything_once_in_an_order_of_its_own() {
    let folder = folder();
    let path = run(&folder, "run", &preset("tenhou"), 40);
    let expected = stored(&path);
    let shuffled = |buffer, window, seed, epoch, workers, batch| {
        let start = Position::epoch(epoch);
        lines(&load(LoaderConfig { buffer, window, seed, start, workers, batch, ..config(&path) }))
    };
    let first = shuffled(2000, 16, 1, 0, 1, 64);
    assert!(sorted(&first) == sorted(&expected) && first != expected);
    assert!(first == shuffled(2000, 16, 1, 0, 3, 1000), "threads and batches change nothing");
    for other in [shuffled(2000, 16, 2, 0, 2, 64), shuffled(2000, 16, 1, 1, 2, 64)] {
        assert!(sorted(&other) == sorted(&expected) && other != first);
    }
    // Quality: decisions next to each other are rarely of the same game, and a batch has decisions
    // of nearly all games of the window at the same time.
    let neighbours = first.windows(2).filter(|pair| pair[0].0 == pair[1].0).count();
    let share = neighbours as f64 / first.len() as f64;
    assert!(share < 0.35, "{share}: at least some three games mix");
    let whole = shuffled(1_000_000, 4096, 1, 0, 2, 64);
    let neighbours = whole.windows(2).filter(|pair| pair[0].0 == pair[1].0).count();
    let share = neighbours as f64 / whole.len() as f64;
    // With all decisions in the buffer, the share is that of random pairs: about 1 in 40.
    assert!((0.02..0.04).contains(&share), "{share}");
    let parts: BTreeSet<u64> = first[..64].iter().map(|line| line.0 / 4).collect();
    assert!(parts.len() > 2, "parts mix: {parts:?}");
}

#[test]
fn a_loader_continues_after_any_batch() {
    let folder = folder();
    let paths = vec![run(&folder, "a", &preset("tenhou"), 11), run(&folder, "b", &preset("tenhou-sanma"), 9)];
    for (buffer, augment) in [(0, false), (500, true)] {
        let new = || LoaderConfig {
            paths: paths.clone(),
            mixed: true,
            buffer,
            augment,
            window: 6,
            batch: 333,
            seed: 3,
            ..config(&paths[0])
        };
        let all = load(new());
        assert!(all.len() > 20);
        for (at, batch) in all.iter().enumerate().step_by(CONTINUED_STEP.get() as usize) {
            let text = serde_json::to_string(&batch.position).expect("JSON");
            let start: Position = serde_json::from_str(&text).expect("a position");
            let rest = load(LoaderConfig { start, ..new() });
            assert!(lines(&rest) == lines(&all[at + 1..]), "after batch {at}, buffer {buffer}");
        }
        let start = all[3].position;
        let other = Loader::start(LoaderConfig { start, seed: 4, ..new() }).expect_err("another seed");
        assert!(matches!(&other, LoadError::OtherLoader { .. }), "{other}");
        // Another size of batches is the same loader.
        let rest = load(LoaderConfig { start, batch: 50, workers: 1, ..new() });
        assert!(lines(&rest) == lines(&all[4..]));
    }
}

#[test]
fn ranks_are_disjoint_and_complete() {
    let folder = folder();
    let path = run(&folder, "run", &preset("tenhou"), 21);
    let expected = stored(&path);
    for (buffer, ranks) in [(0, 2), (700, 2), (700, 3)] {
        let of_rank = |rank| lines(&load(LoaderConfig { buffer, rank, ranks, window: 8, ..config(&path) }));
        let parts: Vec<Vec<Line>> = (0..ranks).map(of_rank).collect();
        let all: Vec<Line> = parts.concat();
        assert!(sorted(&all) == sorted(&expected));
        let share = expected.len() / ranks as usize;
        assert!(parts.iter().all(|part| part.len() > share / 2 && part.len() < share * 2));
        let games = |part: &[Line]| part.iter().map(|line| line.0).collect::<BTreeSet<u64>>();
        assert!(games(&parts[0]).is_disjoint(&games(&parts[1])), "no game is on two ranks");
    }
}

#[test]
fn a_dropped_loader_stops() {
    let folder = folder();
    let path = run(&folder, "run", &preset("tenhou"), 20);
    for taken in [0, 1, 5] {
        let mut loader = Loader::start(LoaderConfig { batch: 10, ..config(&path) }).expect("a loader");
        let rows: usize =
            loader.by_ref().take(taken).map(|batch| batch.map_or(0, |batch: LoadedBatch| batch.rows())).sum();
        assert_eq!(rows, 10 * taken);
        drop(loader);
    }
}

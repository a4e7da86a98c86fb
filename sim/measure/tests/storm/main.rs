//! A storm: whole lives of runs, matches and leagues on a simulated disk or bucket, each from one seed.
//!
//! A history begins a run, a match, a league or shards, and meets accidents: the program is killed, the power
//! fails, the disk is full, an answer is lost, another worker writes the same run, a file is damaged. At its end
//! there are the bytes of an uninterrupted one, every reader has seen whole parts or none, and no whole part was
//! lost.
//!
//! `make storm N=1000000` plays more histories. `JANTAKU_HISTORY=7` plays one and tells it.
//!
//! # What it leaves out
//!
//! - A worker that plays other games, such as another version: its parts fit together, so only `verify
//!   --replay` finds them. `verify.md` of the program's tests plants them.
//! - What hands out shares: that is Ray, in Python. Its tests kill workers and nodes.
//! - Time: a step takes none. How long a program waits for a lock or a bucket is for the tests of `store` and
//!   of the crate `jantaku-cloud`.
//! - An upload that takes effect twice, or after its answer was given up. Uploads have no condition, so an old
//!   manifest could come back; the next `--resume` plays what it lacks again, to the same bytes.
//! - A disk that can be read only: single refused steps and a full disk stand for it.
//! - Accidents of files that are fetched ahead, and of those who visit while the program stalls.
//! - Leagues in a bucket, which the program refuses.
//! - Bots and the tables of a server: processes and sockets, not files. Their tests kill them.

mod accidents;
mod bucket;
mod disk;
mod history;
#[path = "../../../../engine/tests/suite/level.rs"]
mod level;
mod plan;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use jantaku_engine::Rules;
use jantaku_sim::play::Detail;
use jantaku_sim::run::{ParquetSink, RunConfig};
use jantaku_sim::store::Location;

use accidents::{Accident, Clock, Visitor};
use disk::SimDisk;
use history::{
    Totals, merge_after_kills, merge_after_lost_answers, open, play, rebuild_from_damaged_parts,
    two_rivals_at_each_step,
};
use level::Size;

/// Histories, if `JANTAKU_HISTORIES` does not say otherwise.
const HISTORIES: Size = Size(200, 1_000, 100_000);

/// Players wait for a slow writer, and the sink counts the waits.
#[test]
fn players_wait_for_a_slow_writer() {
    let config = RunConfig {
        agents: vec!["tsumogiri".to_owned(); 4],
        games: Some(1200),
        detail: Detail::Games,
        games_per_part: 100,
        ..RunConfig::new("tenhou", &Rules::default())
    };
    let mut players = config.players().expect("built-in agents");
    let disk = SimDisk::new(Clock::default());
    let waits: Arc<OnceLock<Arc<AtomicU64>>> = Arc::default();
    // The writer creates no table before the players have waited once.
    let wait = {
        let waits = Arc::clone(&waits);
        move || {
            while waits.get().is_none_or(|waits| waits.load(Ordering::Relaxed) == 0) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    };
    disk.clock.begin(0, vec![(20, Accident::Visit(Visitor("nobody", Arc::new(wait))))]);
    let run = Location::new(disk, "storm://slow/run");
    let mut sink = ParquetSink::start(run, config.clone()).expect("a folder to write");
    waits.get_or_init(|| sink.waits());
    players.play(&config.job(0..1200), &mut sink, &mut ()).expect("tsumogiri plays legally");
    assert!(waits.get().is_some_and(|waits| waits.load(Ordering::Relaxed) > 0));
    assert_eq!(sink.finish().expect("it is written").games, 1200);
    let run = Location::new(SimDisk::new(Clock::default()), "storm://fast/run");
    let mut sink = ParquetSink::start(run, config.clone()).expect("a folder to write");
    players.play(&config.job(0..4), &mut sink, &mut ()).expect("tsumogiri plays legally");
    assert_eq!(sink.waits().load(Ordering::Relaxed), 0, "no game waits if the queue is never full");
}

#[test]
fn a_merge_that_was_repeated_survives_a_power_failure() {
    jantaku_sim::store::connect(open);
    merge_after_kills();
}

#[test]
fn a_merge_that_failed_in_a_bucket_can_be_repeated() {
    jantaku_sim::store::connect(open);
    merge_after_lost_answers();
}

#[test]
fn of_three_programs_that_begin_a_match_one_writes_it() {
    jantaku_sim::store::connect(open);
    two_rivals_at_each_step();
}

/// The Parquet reader panics at some of these bits.
#[test]
fn a_part_with_a_wrong_bit_never_ends_the_program() {
    jantaku_sim::store::connect(open);
    rebuild_from_damaged_parts();
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is {text}, expected a number")))
}

#[test]
fn every_history_ends_with_the_bytes_of_a_calm_one() {
    jantaku_sim::store::connect(open);
    let one = number("JANTAKU_HISTORY");
    let first = one.or_else(|| number("JANTAKU_FIRST_HISTORY")).unwrap_or(0);
    let many = number("JANTAKU_HISTORIES").unwrap_or(HISTORIES.get().into());
    let end = first + one.map_or(many, |_| 1);
    let (next, totals, began) = (AtomicU64::new(first), Totals::default(), Instant::now());
    let wrong: Mutex<Vec<String>> = Mutex::default();
    let play_some = || {
        // One thread for each history: so a seed is always the same history.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        while wrong.lock().expect("no worker panics").is_empty() {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                break;
            }
            match pool.install(|| play(seed, &totals)) {
                Ok(report) if one.is_some() => eprintln!("{report}"),
                Ok(_) => {}
                Err(what) => wrong.lock().expect("no worker panics").push(what),
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| _ = scope.spawn(play_some));
    });
    let [lives, disturbed, steps] =
        [&totals.lives, &totals.disturbed, &totals.steps].map(|total| total.load(Ordering::Relaxed));
    let histories = next.load(Ordering::Relaxed).min(end) - first;
    let rate = histories as f64 / began.elapsed().as_secs_f64();
    eprintln!(
        "{histories} histories, {rate:.0} a second: {lives} lives, {disturbed} with an accident, {steps} steps"
    );
    let wrong = wrong.into_inner().expect("no worker panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

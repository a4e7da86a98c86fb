//! Times an environment and a loader.
//!
//! ```sh
//! cargo bench --package jantaku-benches --bench learn              # the environment
//! cargo bench --package jantaku-benches --bench learn -- RUN       # also a loader of this run
//! ```
//!
//! The environment has 1,024 tables and one thread. Random legal actions come from
//! `VecEnv::random_actions`. `seats` is 4 where the learner plays all seats, and 1 where it plays
//! one against `random`. The loader has one worker; its threads use one core in all. All times are
//! processor time over all threads, medians of five.

use std::path::PathBuf;

use cpu_time::ProcessTime;
use jantaku_agents::Catalog;
use jantaku_agents::encode::Encoder;
use jantaku_engine::Rules;
use jantaku_sim::env::{Batch, EnvConfig, Player, VecEnv};
use jantaku_sim::loader::{LoadedBatch, Loader, LoaderConfig};

const TABLES: usize = 1024;

/// Rows with masks alone, and with each encoder.
fn encoders() -> impl Iterator<Item = Option<Encoder>> {
    std::iter::once(None).chain(Encoder::ALL.iter().copied().map(Some))
}

fn main() {
    let run = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    for seats in [4, 1] {
        for encoder in encoders() {
            let name = encoder.map_or_else(|| "masks only".to_owned(), |encoder| encoder.to_string());
            println!("env, {seats} seats, {name}: {:.0} decisions/s", median(|| environment(seats, encoder)));
        }
    }
    let Some(run) = run.map(PathBuf::from) else { return };
    for buffer in [0, 65_536] {
        for encoder in encoders() {
            let name = encoder.map_or_else(|| "masks only".to_owned(), |encoder| encoder.to_string());
            let rate = median(|| loader(&run, buffer, encoder));
            println!("loader, buffer {buffer}, {name}: {rate:.0} decisions/s");
        }
    }
}

fn median(mut measure: impl FnMut() -> f64) -> f64 {
    let mut rates: Vec<f64> = (0..5).map(|_| measure()).collect();
    rates.sort_by(f64::total_cmp);
    rates[2]
}

/// Decisions of the learner a second.
fn environment(seats: usize, encoder: Option<Encoder>) -> f64 {
    let agent = Catalog::standard().agent("random").unwrap_or_else(|error| panic!("{error}"));
    let opponent = || Player::named(&agent, &Rules::default()).unwrap_or_else(|error| panic!("{error}"));
    let players: Vec<_> =
        (0..4).map(|seat| if seat < seats { Player::Learner } else { opponent() }).collect();
    let config =
        EnvConfig { lineups: vec![players.into()], threads: 1, ..EnvConfig::new(&Rules::default(), TABLES) };
    let mut env = VecEnv::new(config).unwrap_or_else(|error| panic!("{error}"));
    let (mut batch, mut actions) = (Batch::new(encoder, env.most_rows()), Vec::new());
    let mut turn = || {
        let rows = env.recv(&mut batch.view_mut()).unwrap_or_else(|error| panic!("{error}"));
        env.random_actions(&mut actions);
        env.send(&actions).unwrap_or_else(|error| panic!("{error}"));
        batch.due[..rows].iter().filter(|due| **due).count()
    };
    (0..200).for_each(|_| _ = turn());
    let start = ProcessTime::now();
    let decisions: usize = (0..500).map(|_| turn()).sum();
    decisions as f64 / start.elapsed().as_secs_f64()
}

/// Decisions of a run a second.
fn loader(run: &std::path::Path, buffer: usize, encoder: Option<Encoder>) -> f64 {
    let config = LoaderConfig { buffer, encoder, workers: 1, ..LoaderConfig::new(vec![run.to_owned()]) };
    let start = ProcessTime::now();
    let loader = Loader::start(config).unwrap_or_else(|error| panic!("{error}"));
    let rows = |batch: Result<LoadedBatch, _>| batch.unwrap_or_else(|error| panic!("{error}")).rows();
    let decisions: usize = loader.map(rows).sum();
    decisions as f64 / start.elapsed().as_secs_f64()
}

//! How fast a model plays, and how much of the time its forward passes take.
//!
//! ```sh
//! cargo bench --package jantaku-benches --bench model -- FILE    # 512, 2,048 and 8,192 tables
//! RAYON_NUM_THREADS=1 cargo bench --package jantaku-benches --bench model -- FILE 1024 12 cpu int8
//! ```
//!
//! After the file come the numbers of tables, the seconds to measure for, the device, and the numbers
//! to compute with. `TorchScript` models need `--features torch`.

mod window;

use std::time::{Duration, Instant};

use jantaku_agents::encode::Rows;
use jantaku_agents::neural::{ModelSettings, Numbers, Outputs, open_model};
use jantaku_agents::{Greedy, Policy};
use jantaku_engine::{Game, Rules, Seat};
use window::{Window, window};

/// The seed of the games.
const SEED: u64 = 1;

/// The games whose decisions make the batches of forward passes.
const SAMPLE: u64 = 12;

/// The decisions of a hanchan of `greedy`, about, for the hanchan of an hour.
const OF_HANCHAN: f64 = 700.0;

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let word = |at: usize, default: &'static str| words.get(at).map_or(default, String::as_str);
    let (model, seconds) = (word(0, "uniform"), word(2, "5").parse()?);
    let (device, precision) = (word(3, "cpu"), words.get(4));
    let settings = ModelSettings {
        device: device.parse().map_err(anyhow::Error::msg)?,
        precision: precision
            .map(|name| Numbers::named(name).ok_or_else(|| anyhow::anyhow!("precision: {name}")))
            .transpose()?,
    };
    let mut agent = format!("neural:model=\"{model}\",rules=any,temperature=1,device={device}");
    agent.extend(precision.map(|name| format!(",precision={name}")));
    let time = Duration::from_secs_f64(seconds);
    println!("tables    batch  forward passes/s  self-play/s    share  hanchan/h ({OF_HANCHAN} decisions)");
    for tables in word(1, "512,2048,8192").split(',') {
        let tables: usize = tables.parse()?;
        let Window { batches, decisions, seconds } = window(&agent, tables, time)?;
        let (batch, games) = (decisions / batches.max(1), decisions as f64 / seconds);
        let passes = forward_passes(model, settings, batch, time)?;
        let (share, hanchan) = (100.0 * games / passes, games * 3600.0 / OF_HANCHAN);
        println!("{tables:6}  {batch:7}  {passes:16.0}  {games:11.0}  {share:5.1} %  {hanchan:9.0}");
    }
    Ok(())
}

/// Decisions each second of the model alone, in batches of this size.
fn forward_passes(model: &str, settings: ModelSettings, batch: u64, time: Duration) -> anyhow::Result<f64> {
    let mut evaluator = open_model(model, settings).map_err(anyhow::Error::from_boxed)?.evaluator;
    let decisions = sample();
    let (mut encoded, mut outputs) = (Rows::new(evaluator.encoder()), Outputs::new());
    let decisions: Vec<_> = decisions.iter().cycle().take(batch as usize).collect();
    let observations: Vec<_> = decisions.iter().map(|(game, seat)| game.observe(*seat)).collect();
    encoded.encode(&observations, |observation| observation);
    outputs.reset(observations.len());
    let mut pass = || evaluator.evaluate(encoded.inputs(), outputs.view_mut());
    pass()?;
    let (start, mut passes) = (Instant::now(), 0_u64);
    while start.elapsed() < time {
        pass()?;
        passes += 1;
    }
    Ok((passes * batch) as f64 / start.elapsed().as_secs_f64())
}

/// Games of `greedy` that ask a player, one for each decision.
fn sample() -> Vec<(Game, Seat)> {
    let (rules, greedy, mut decisions) = (Rules::default(), Greedy::default(), Vec::new());
    for number in 0..SAMPLE {
        let mut game = Game::new(&rules, SEED + number);
        while let Some(seat) = game.pending().iter().next() {
            decisions.push((game.clone(), seat));
            let action = greedy.choose(&game.observe(seat), &mut game.random_stream(seat, 0));
            game.submit(seat, action).expect("greedy plays legally");
        }
    }
    decisions
}

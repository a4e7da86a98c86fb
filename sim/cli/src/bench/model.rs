//! How fast a model plays, and how much of the time its forward passes take.

use std::time::{Duration, Instant};

use jantaku_agents::encode::Rows;
use jantaku_agents::neural::{ModelSettings, Numbers, Outputs, open_model};
use jantaku_agents::{Greedy, Policy};
use jantaku_engine::{Game, Rules, Seat};
use serde_json::json;

use super::SEED;
use super::window::{Window, window};
use crate::arguments::number;
use crate::output::{Ended, Output, say, say_json};
use crate::print;

/// The games whose decisions make the batches of forward passes.
const SAMPLE: u64 = 12;

/// The decisions of a hanchan of `greedy`, about, for the hanchan of an hour.
const OF_HANCHAN: f64 = 700.0;

/// A model to measure.
#[derive(clap::Args)]
pub(super) struct ModelArgs {
    /// Measure self-play of this model instead, beside its forward passes at the same batch
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// Choose where the model runs: cpu, cuda or cuda:N [default: cpu]
    #[arg(long, value_name = "DEVICE", requires = "model")]
    device: Option<String>,
    /// Choose the numbers it computes with [default: f32, on CUDA bf16]
    #[arg(long, value_name = "NUMBERS", requires = "model", value_parser = ["f32", "int8", "bf16"])]
    precision: Option<String>,
    /// Play this many games at once; several numbers give a line each [default: 512,2048,8192]
    #[arg(long, value_name = "N,…", requires = "model", value_delimiter = ',', value_parser = number::<usize>(1..=65_536), allow_negative_numbers = true)]
    tables: Vec<usize>,
    /// Measure each line for this many seconds
    #[arg(long, value_name = "S", requires = "model", default_value = "5", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Duration,
}

/// A time to measure for.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a number from 0.01 to 3600".to_owned())
}

/// The measurements with a number of tables.
struct Row {
    tables: usize,
    /// Decisions of a batch, in the mean.
    batch: u64,
    /// Decisions each second in self-play.
    games: f64,
    /// Decisions each second in forward passes of this batch alone.
    passes: f64,
}

impl ModelArgs {
    /// Whether a model is to be measured.
    pub(super) fn is_asked(&self) -> bool {
        self.model.is_some()
    }

    /// The agent that plays the model.
    fn agent(&self, model: &str) -> String {
        let option = |name: &str, value: &Option<String>| match value {
            Some(value) => format!(",{name}={value}"),
            None => String::new(),
        };
        let (device, precision) = (option("device", &self.device), option("precision", &self.precision));
        format!("neural:model=\"{model}\",rules=any,temperature=1{device}{precision}")
    }

    /// Measures self-play and forward passes for each number of tables.
    pub(super) fn run(&self, output: Output) -> anyhow::Result<Ended> {
        let model = self.model.as_deref().expect("a model is asked for");
        let time = self.seconds;
        let tables = if self.tables.is_empty() { &[512, 2048, 8192] } else { &self.tables[..] };
        let measure = |tables: &usize| {
            let Window { batches, decisions, seconds } = window(&self.agent(model), *tables, time)?;
            let batch = decisions / batches.max(1);
            let passes = self.forward_passes(model, batch, time)?;
            anyhow::Ok(Row { tables: *tables, batch, games: decisions as f64 / seconds, passes })
        };
        let rows = tables.iter().map(measure).collect::<anyhow::Result<Vec<Row>>>()?;
        if output.json {
            say_json(&json!({ "model": model, "rows": rows.iter().map(Row::as_json).collect::<Vec<_>>() }))?;
        } else {
            say(&print::table(&lines(&rows)))?;
        }
        Ok(Ended::Done)
    }

    /// Decisions each second of the model alone, in batches of this size.
    fn forward_passes(&self, model: &str, batch: u64, time: Duration) -> anyhow::Result<f64> {
        let settings = ModelSettings {
            device: self.device.as_deref().unwrap_or("cpu").parse()?,
            precision: self.precision.as_deref().and_then(Numbers::named),
        };
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

fn lines(rows: &[Row]) -> Vec<Vec<String>> {
    let head = ["tables", "batch", "forward passes", "self-play", "share", "hanchan/h"];
    let line = |row: &Row| {
        vec![
            print::thousands(row.tables as u64),
            print::thousands(row.batch),
            format!("{}/s", print::thousands(row.passes as u64)),
            format!("{}/s", print::thousands(row.games as u64)),
            format!("{:.1} %", 100.0 * row.games / row.passes),
            print::thousands((row.games * 3600.0 / OF_HANCHAN) as u64),
        ]
    };
    let end = format!("decisions; {OF_HANCHAN} make a hanchan");
    std::iter::once(head.map(str::to_owned).to_vec())
        .chain(rows.iter().map(line))
        .chain([vec![end]])
        .collect()
}

impl Row {
    fn as_json(&self) -> serde_json::Value {
        json!({
            "tables": self.tables,
            "batch": self.batch,
            "forward_per_second": self.passes,
            "decisions_per_second": self.games,
        })
    }
}

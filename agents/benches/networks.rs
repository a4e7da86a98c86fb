//! Times a network: alone, and in self-play.
//!
//! ```sh
//! cargo run --example manifest -- sparse-v1 >target/m.json
//! python3 agents/tests/neural/make_model.py target/m.json
//! cargo bench --package jantaku-agents --bench networks -- target/m.safetensors
//! ```
//!
//! Options of the agent may follow the path, as in `target/m.safetensors,device=cuda`. Without a
//! model it times `uniform`, which shows what the games cost. All times are processor time, added up
//! over all threads: what one core needs. `RAYON_NUM_THREADS=1` keeps threads from waiting for each
//! other.

use cpu_time::ProcessTime;
use jantaku_agents::neural::{CpuModel, Encoded, Evaluator, Outputs, Precision};
use jantaku_agents::{Catalog, Greedy, Policy as _, Setup};
use jantaku_engine::{Game, Rules};
use jantaku_sim::play::{Cohort, Detail, Schedule, cohort};

/// The decisions of the bare evaluation, from games of `greedy`.
const ROWS: usize = 8192;

fn main() {
    let given: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let models =
        if given.is_empty() { vec!["uniform".to_owned(), "uniform-sparse-v1".to_owned()] } else { given };
    for model in models {
        println!("{model}");
        let file = model.split(',').next().unwrap_or_default();
        if file.ends_with(".safetensors") {
            alone(file);
            if model.contains(",precision=") {
                self_play(&model);
                continue;
            }
            for precision in ["f32", "int8"] {
                self_play(&format!("{model},precision={precision}"));
            }
        } else {
            self_play(&model);
        }
    }
}

/// Times the forward passes of a `.safetensors` model in both precisions.
fn alone(file: &str) {
    let contents = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let start = |precision| CpuModel::parse(file.as_ref(), &contents, precision);
    for precision in [Precision::F32, Precision::Int8] {
        let (mut model, manifest) = start(precision).unwrap_or_else(|error| panic!("{error}"));
        let encoded = decisions(manifest.encoder());
        let mut outputs = Outputs::new();
        outputs.reset(ROWS);
        let mut seconds = Vec::new();
        for _ in 0..9 {
            let start = ProcessTime::now();
            model.evaluate(encoded.inputs(), outputs.view_mut()).unwrap_or_else(|error| panic!("{error}"));
            seconds.push(start.elapsed().as_secs_f64());
        }
        assert!(outputs.policy().iter().all(|logit| logit.is_finite()));
        seconds.sort_by(f64::total_cmp);
        let [least, median] = [seconds[0], seconds[seconds.len() / 2]].map(|s| s * 1e6 / ROWS as f64);
        println!(
            "  alone, {precision:?}, {}: {median:.2} µs a decision, {least:.2} at best; {:.0} k decisions/s",
            model.instructions(),
            1e3 / median
        );
    }
}

/// The decisions of games of `greedy`.
fn decisions(encoder: jantaku_agents::neural::Encoder) -> Encoded {
    let mut encoded = Encoded::new(encoder);
    encoded.reset(ROWS);
    let (mut seed, mut game) = (0, Game::new(&Rules::default(), 0));
    let mut rows = encoded.view_mut();
    for _ in 0..ROWS {
        while game.is_over() {
            seed += 1;
            game = Game::new(&Rules::default(), seed);
        }
        let (seat, _) = game.decisions().next().expect("a seat has to decide");
        let (mut row, rest) = rows.split_at(1);
        row.encode([&game.observe(seat)]);
        let action = Greedy::default().choose(&game.observe(seat), &mut game.random_stream(seat, 0));
        game.submit(seat, action).expect("greedy answers legally");
        rows = rest;
    }
    encoded
}

/// Times games of four of the same agent, at 1,024 tables.
fn self_play(model: &str) {
    let text = format!("neural:model={model}");
    let agent = Catalog::standard().agent(&text).unwrap_or_else(|error| panic!("{error}"));
    let started = agent.start(&Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    let (rules, games, name) = (Rules::default(), 2048, agent.name().to_owned());
    let job = Cohort {
        rules: &rules,
        schedule: Schedule::selfplay(1, games),
        games: 0..games,
        agents: &[name.clone(), name.clone(), name.clone(), name.clone()],
        detail: Detail::None,
        tables: 1024,
    };
    let start = ProcessTime::now();
    let tally =
        cohort(&job, &mut [(name, started)], &mut (), &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "  self-play, {text}: {:.2} µs a decision; {:.0} k decisions/s, {:.0} hanchan/s",
        seconds * 1e6 / tally.decisions as f64,
        tally.decisions as f64 / seconds / 1e3,
        tally.games as f64 / seconds
    );
}

//! Fits the model of placements to games of `heuristic` with itself, and writes it as
//! `heuristic:standing=FILE` reads it.
//!
//! ```sh
//! cargo run --release --package jantaku-agents --example fit_placements -- 24000 tenhou standing.toml
//! ```
//!
//! Each start of a hand gives one line for each player. For each stage of the game, the numbers
//! maximise the likelihood of the placements in the first four fifths of the games. The last fifth
//! measures the fit.

mod games;
mod report;

use std::error::Error;
use std::fs;
use std::path::Path;

use games::Line;
use jantaku_agents::{Heuristic, PlacementModel, PlacementParams};
use jantaku_engine::Rules;
use rayon::prelude::*;
use report::{calibration, report, text};

/// The closed form that the model has to beat: independent normal distributions with the standard
/// deviation of a player's points, by the hands to come.
const DEVIATION: [f32; 9] = [4800.0, 4800.0, 7000.0, 8700.0, 10100.0, 11300.0, 12500.0, 13600.0, 14600.0];

/// Numbers of a stage: logarithms of `narrow` and of `wide` over `narrow`, then log-odds of
/// `wide_share` and the three of `together`. The last three are the drift of the turns 0–2 in
/// thousands of points.
type Stage = [f64; 9];
const START: Stage = [8.5, 0.7, 0.0, -0.5, -0.5, -0.5, 0.0, 0.0, 0.0];
const STEPS: Stage = [0.3, 0.3, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.3];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [games, preset, path] = words.as_slice() else {
        return Err("usage: fit_placements GAMES PRESET FILE".into());
    };
    let rules = Rules::preset(preset).ok_or_else(|| format!("`{preset}` is no preset"))?;
    fit(&rules, games.parse()?, path.as_ref())
}

/// Plays the games, fits the model, prints how well it predicts and writes it.
fn fit(rules: &Rules, games: u64, path: &Path) -> Result<(), Box<dyn Error>> {
    let agent = Heuristic::default();
    let players = usize::from(rules.players.count());
    let of_games = |first: u64, end: u64| -> Vec<Line> {
        (first..end).into_par_iter().flat_map_iter(|seed| games::lines(rules, &agent, seed)).collect()
    };
    let (fitted, held_out) = (of_games(0, games * 4 / 5), of_games(games * 4 / 5, games));
    let params = fit_stages(&fitted, players);
    let (closed, model) = (PlacementModel::new(&closed_form()), PlacementModel::new(&params));
    println!("stage\tlines held out\tlog-loss of the closed form\tof the model\tgain\t±");
    for stage in 0..PlacementModel::STAGES {
        report(&stage.to_string(), &closed, &model, &of_stage(&held_out, stage));
    }
    let all: Vec<&Line> = held_out.iter().collect();
    report("all", &closed, &model, &all);
    calibration(&model, players, &all);
    fs::write(path, text(&params, players))?;
    Ok(())
}

/// The most likely numbers of each stage with enough lines.
fn fit_stages(lines: &[Line], players: usize) -> PlacementParams {
    let mut params = closed_form();
    for stage in 0..PlacementModel::STAGES {
        let lines = of_stage(lines, stage);
        if lines.len() < 1000 {
            continue;
        }
        let numbers = best(START, |numbers| {
            let mut params = params.clone();
            set(&mut params, stage, numbers, players);
            log_loss(&PlacementModel::new(&params), &lines)
        });
        set(&mut params, stage, &numbers, players);
    }
    for stage in 1..PlacementModel::STAGES {
        if params.wide_share[stage] == 0.0 {
            copy_stage(&mut params, stage);
        }
    }
    params
}

fn of_stage(lines: &[Line], stage: usize) -> Vec<&Line> {
    lines.iter().filter(|line| line.stage == stage).collect()
}

fn closed_form() -> PlacementParams {
    let scale = DEVIATION.map(|deviation| deviation * std::f32::consts::SQRT_2);
    PlacementParams {
        drift: [[0.0; 4]; 9],
        narrow: scale,
        wide: scale,
        wide_share: [0.0; 9],
        together: [[0.0; 3]; 9],
    }
}

fn set(params: &mut PlacementParams, stage: usize, numbers: &Stage, players: usize) {
    let odds = |x: f64| (1.0 / (1.0 + (-x).exp())) as f32;
    params.narrow[stage] = numbers[0].exp() as f32;
    params.wide[stage] = (numbers[0] + numbers[1]).exp() as f32;
    params.wide_share[stage] = odds(numbers[2]);
    params.together[stage] = [odds(numbers[3]), odds(numbers[4]), odds(numbers[5])];
    let last = players - 1;
    params.drift[stage] = [0.0; 4];
    for turn in 0..last {
        params.drift[stage][turn] = (1000.0 * numbers[6 + turn]) as f32;
        params.drift[stage][last] -= params.drift[stage][turn];
    }
}

/// Copies the numbers of the stage before, for a stage that these games never reach.
fn copy_stage(params: &mut PlacementParams, stage: usize) {
    params.drift[stage] = params.drift[stage - 1];
    params.narrow[stage] = params.narrow[stage - 1];
    params.wide[stage] = params.wide[stage - 1];
    params.wide_share[stage] = params.wide_share[stage - 1];
    params.together[stage] = params.together[stage - 1];
}

/// Steps along each number, with smaller steps when none helps.
fn best(start: Stage, loss: impl Fn(&Stage) -> f64) -> Stage {
    let (mut numbers, mut steps) = (start, STEPS);
    let mut least = loss(&numbers);
    while steps[0] > 0.01 {
        let mut better = false;
        for at in 0..numbers.len() {
            for sign in [1.0, -1.0] {
                let mut tried = numbers;
                tried[at] += sign * steps[at];
                let found = loss(&tried);
                if found < least {
                    (numbers, least, better) = (tried, found, true);
                }
            }
        }
        if !better {
            steps = steps.map(|step| 0.5 * step);
        }
    }
    numbers
}

fn chances(model: &PlacementModel, line: &Line) -> [f32; 4] {
    model.chances_of_first(line.stage, &line.points, &line.turns)
}

fn loss(model: &PlacementModel, line: &Line) -> f64 {
    -f64::from(chances(model, line)[line.placement].max(1e-4)).ln()
}

fn log_loss(model: &PlacementModel, lines: &[&Line]) -> f64 {
    lines.par_iter().map(|line| loss(model, line)).sum::<f64>() / lines.len() as f64
}

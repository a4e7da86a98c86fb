//! Fits the model of placements to games of the agent with itself.
//!
//! Each start of a hand gives one line for each player. For each stage of the game, the numbers
//! maximise the likelihood of the placements in the first four fifths of the games. The others
//! judge.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use jantaku_agents::{Heuristic, PlacementModel, PlacementParams};
use jantaku_engine::{Rules, Seat};
use rayon::prelude::*;

use crate::play;

/// What a player has before a hand, and what became of it.
struct Line {
    stage: usize,
    /// The player first, then the others in the order of turns.
    points: [f32; 4],
    turns: [usize; 4],
    /// 0 is first place.
    placement: usize,
}

/// The closed form that the model has to beat: independent normal distributions with the standard
/// deviation of a player's points, by the hands to come.
const DEVIATION: [f32; 9] = [4800.0, 4800.0, 7000.0, 8700.0, 10100.0, 11300.0, 12500.0, 13600.0, 14600.0];

/// Numbers of a stage: logarithms of `narrow` and of `wide` over `narrow`, log-odds of `wide_share`
/// and the three of `together`, and the drift of the turns 0–2 in thousands of points.
type Stage = [f64; 9];
const START: Stage = [8.5, 0.7, 0.0, -0.5, -0.5, -0.5, 0.0, 0.0, 0.0];
const STEPS: Stage = [0.3, 0.3, 0.7, 0.6, 0.6, 0.6, 0.4, 0.3, 0.3];

pub fn fit(rules: &Rules, games: u64, path: &Path) -> Result<(), Box<dyn Error>> {
    let agent = Heuristic::default();
    let players = usize::from(rules.players.count());
    let lines: Vec<(u64, Line)> = (0..games)
        .into_par_iter()
        .flat_map_iter(|seed| of_game(rules, &agent, seed).into_iter().map(move |line| (seed, line)))
        .collect();
    let (fitted, held): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(seed, _)| *seed < games * 4 / 5);
    let [fitted, held] =
        [fitted, held].map(|lines| lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>());
    let mut params = closed_form();
    println!("stage\tlines held out\tlog-loss of the closed form\tof the model\tgain\t±");
    for stage in 0..PlacementModel::STAGES {
        let of_stage: Vec<&Line> = fitted.iter().filter(|line| line.stage == stage).collect();
        if of_stage.len() < 1000 {
            continue;
        }
        let numbers = best(START, |numbers| {
            let mut params = params.clone();
            set(&mut params, stage, numbers, players);
            log_loss(&PlacementModel::new(&params), &of_stage)
        });
        set(&mut params, stage, &numbers, players);
    }
    for stage in 1..PlacementModel::STAGES {
        if params.wide_share[stage] == 0.0 {
            copy_stage(&mut params, stage);
        }
    }
    let (closed, model) = (PlacementModel::new(&closed_form()), PlacementModel::new(&params));
    let all: Vec<&Line> = held.iter().collect();
    for stage in 0..PlacementModel::STAGES {
        let of_stage: Vec<&Line> = held.iter().filter(|line| line.stage == stage).collect();
        report(&stage.to_string(), &closed, &model, &of_stage);
    }
    report("all", &closed, &model, &all);
    calibration(&model, players, &all);
    fs::write(path, text(&params, players))?;
    Ok(())
}

fn of_game(rules: &Rules, agent: &Heuristic, seed: u64) -> Vec<Line> {
    let (starts, results) = play::hands(rules, seed, agent);
    let mut lines = Vec::new();
    for start in &starts {
        for seat in rules.players.seats() {
            let players = [seat].into_iter().chain(rules.players.others(seat));
            let (mut points, mut turns) = ([f32::NEG_INFINITY; 4], [0; 4]);
            for (at, player) in players.enumerate() {
                points[at] = start.scores()[player] as f32;
                turns[at] = turn_to_deal(rules, start.table().dealer(), player);
            }
            let stage = play::stage(start);
            lines.push(Line { stage, points, turns, placement: usize::from(results[seat].placement) - 1 });
        }
    }
    lines
}

fn turn_to_deal(rules: &Rules, dealer: Seat, player: Seat) -> usize {
    [dealer].into_iter().chain(rules.players.others(dealer)).position(|seat| seat == player).unwrap_or(0)
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

/// Games of this kind never have so many hands to come: take over those of the stage before.
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
    model.of_first(line.stage, &line.points, &line.turns)
}

fn loss(model: &PlacementModel, line: &Line) -> f64 {
    -f64::from(chances(model, line)[line.placement].max(1e-4)).ln()
}

fn log_loss(model: &PlacementModel, lines: &[&Line]) -> f64 {
    lines.par_iter().map(|line| loss(model, line)).sum::<f64>() / lines.len() as f64
}

fn report(name: &str, closed: &PlacementModel, model: &PlacementModel, lines: &[&Line]) {
    if lines.is_empty() {
        return;
    }
    let gains: Vec<f64> = lines.iter().map(|line| loss(closed, line) - loss(model, line)).collect();
    let count = gains.len() as f64;
    let gain = gains.iter().sum::<f64>() / count;
    let variance = gains.iter().map(|x| (x - gain).powi(2)).sum::<f64>() / count;
    println!(
        "{name}\t{count}\t{:.4}\t{:.4}\t{gain:.4}\t{:.4}",
        log_loss(closed, lines),
        log_loss(model, lines),
        1.96 * (variance / count).sqrt()
    );
}

/// Prints how often first and last place came, by the chance that the model gave them.
fn calibration(model: &PlacementModel, players: usize, lines: &[&Line]) {
    const TENTHS: usize = 10;
    println!("\nchance\tlines\tfirst: model\thappened\tlines\tlast: model\thappened");
    let places = [0, players - 1];
    let mut cells = [[[0.0; 3]; TENTHS]; 2];
    for line in lines {
        let chances = chances(model, line);
        for (cells, place) in cells.iter_mut().zip(places) {
            let chance = f64::from(chances[place]);
            let cell = &mut cells[((chance * TENTHS as f64) as usize).min(TENTHS - 1)];
            cell[0] += 1.0;
            cell[1] += chance;
            cell[2] += f64::from(u8::from(line.placement == place));
        }
    }
    for tenth in 0..TENTHS {
        let parts = cells.map(|cells| {
            let [count, chance, happened] = cells[tenth];
            format!("{count}\t{:.3}\t{:.3}", chance / count, happened / count)
        });
        println!("{}–{} %\t{}", 10 * tenth, 10 * tenth + 10, parts.join("\t"));
    }
}

/// The numbers as TOML, as `heuristic:standing=FILE` reads them.
fn text(params: &PlacementParams, players: usize) -> String {
    let list = |values: &[f32], digits: usize| {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.digits$}")).collect();
        format!("[{}]", values.join(", "))
    };
    let mut text = String::from(if players == 3 { "[three_players.standing]\n" } else { "[standing]\n" });
    text += "drift = [\n";
    for drift in &params.drift {
        let _ = writeln!(text, "    {},", list(drift, 0));
    }
    let _ = writeln!(text, "]\nnarrow = {}\nwide = {}", list(&params.narrow, 0), list(&params.wide, 0));
    let _ = writeln!(text, "wide_share = {}", list(&params.wide_share, 3));
    text += "together = [\n";
    for together in &params.together {
        let _ = writeln!(text, "    {},", list(together, 3));
    }
    text += "]\n";
    text
}

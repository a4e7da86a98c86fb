//! Tunes numbers one after the other, by the points that they win.
//!
//! Each step multiplies or shifts one number, up and down, and plays single hands: one player with
//! the change against three without, in each seat, on the walls of hands without any change. A
//! change that wins at least one standard error is kept. Points count alone.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use jantaku_agents::{Heuristic, Params, Policy};
use jantaku_engine::rules::options::Maybe;
use jantaku_engine::{BySeat, Game, Rules, Seat};
use rayon::prelude::*;
use toml::{Table, Value};

/// How a number is changed.
#[derive(Clone, Copy)]
enum Step {
    /// Multiplied or divided by this.
    Factor(f64),
    /// This is added or subtracted.
    Shift(f64),
}

use Step::{Factor, Shift};

/// The numbers to tune. Lists without an index change as a whole.
const NUMBERS: &[(&str, Step)] = &[
    ("push.risk_share", Factor(1.2)),
    ("push.under_threat.0", Factor(1.2)),
    ("push.under_threat.1", Factor(1.3)),
    ("push.under_threat.2", Factor(1.5)),
    ("push.threat_cost", Factor(1.5)),
    ("push.future_danger.0", Factor(1.5)),
    ("push.future_danger.1", Factor(1.5)),
    ("threat.tenpai.0", Factor(1.5)),
    ("threat.tenpai.1", Factor(1.4)),
    ("threat.tenpai.2", Factor(1.3)),
    ("threat.riichi_loss", Factor(1.15)),
    ("threat.dora_tile", Factor(1.2)),
    ("value.tenpai", Factor(1.25)),
    ("value.lost_sticks", Factor(1.5)),
    ("value.tanyao", Factor(1.4)),
    ("value.pinfu", Factor(1.4)),
    ("value.valued_pair", Factor(1.4)),
    ("outlook.elasticity", Factor(1.2)),
    ("outlook.step_back.0", Factor(1.15)),
    ("outlook.step_back.1", Factor(1.15)),
    ("outlook.damaten.0", Factor(1.1)),
    ("outlook.furiten_riichi", Factor(1.3)),
    ("outlook.last_tenpai", Factor(1.15)),
    ("look_ahead.power", Factor(1.4)),
    ("call.closed_nearer", Shift(120.0)),
    ("call.closed_as_far", Shift(120.0)),
    ("call.open_nearer", Shift(120.0)),
    ("call.open_as_far", Shift(120.0)),
];

/// Tunes until all numbers had their turn. Changes that are kept go to `path`, all steps to
/// `path` with the ending `tsv`.
pub fn tune(rules: &Rules, sets: u64, path: &Path) -> Result<(), Box<dyn Error>> {
    let rules = Rules { hands_limit: Maybe(Some(1)), ..*rules };
    if !path.exists() {
        fs::write(path, "")?;
    }
    let mut curve = OpenOptions::new().create(true).append(true).open(path.with_extension("tsv"))?;
    let released = include_str!("../../../agents/src/heuristic/params.toml").parse::<Table>()?;
    for (turn, (name, step)) in NUMBERS.iter().enumerate() {
        let base = agent(path)?;
        let changes = fs::read_to_string(path)?.parse::<Table>()?;
        let tries = [1.0, -1.0].map(|sign| changed(&released, &changes, name, *step, sign));
        let candidates = tries
            .iter()
            .map(|table| {
                let file = path.with_extension("try.toml");
                fs::write(&file, table.to_string())?;
                agent(&file)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let seeds = turn as u64 * sets..(turn as u64 + 1) * sets;
        let gains: Vec<Vec<f64>> =
            seeds.into_par_iter().map(|seed| gains(&rules, &base, &candidates, seed)).collect();
        let of = |which: usize| mean(&gains.iter().map(|gains| gains[which]).collect::<Vec<_>>());
        let results = [of(0), of(1)];
        let best = usize::from(results[1].0 > results[0].0);
        let keeps = results[best].0 > results[best].1;
        if keeps {
            fs::write(path, tries[best].to_string())?;
        }
        let [(up, up_error), (down, down_error)] = results;
        let kept = if keeps { ["up", "down"][best] } else { "-" };
        let line = format!("{name}\t{up:.1}\t{up_error:.1}\t{down:.1}\t{down_error:.1}\t{kept}");
        println!("{line}");
        writeln!(curve, "{line}")?;
    }
    Ok(())
}

fn agent(path: &Path) -> Result<Heuristic, Box<dyn Error>> {
    let mut agent = Heuristic::new(Params::read(path)?);
    agent.placement = false;
    Ok(agent)
}

/// The changes with one more.
fn changed(released: &Table, changes: &Table, name: &str, step: Step, sign: f64) -> Table {
    let mut parts = name.split('.');
    let (table, field) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let index = parts.next().and_then(|index| index.parse::<usize>().ok());
    let present = changes.get(table).and_then(|table| table.get(field));
    let mut value = present.unwrap_or(&released[table][field]).clone();
    match index {
        Some(index) => change(&mut value[index], step, sign),
        None => change(&mut value, step, sign),
    }
    let mut changes = changes.clone();
    let entry = changes.entry(table).or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(entry) = entry {
        entry.insert(field.to_owned(), value);
    }
    changes
}

fn change(value: &mut Value, step: Step, sign: f64) {
    let changed = |number: f64| match step {
        Factor(factor) => number * factor.powf(sign),
        Shift(shift) => number + sign * shift,
    };
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| change(value, step, sign)),
        Value::Integer(number) => *value = Value::Float(changed(*number as f64)),
        Value::Float(number) => *number = changed(*number),
        _ => {}
    }
}

/// What each candidate gains over the base on the walls of one hand, in each seat in turn.
fn gains(rules: &Rules, base: &Heuristic, candidates: &[Heuristic], seed: u64) -> Vec<f64> {
    let usual = points(rules, seed, |_| base);
    let gain = |candidate: &Heuristic| {
        let of_seat = |seat: Seat| {
            let with = points(rules, seed, |other| if other == seat { candidate } else { base });
            f64::from(with[seat] - usual[seat])
        };
        rules.players.seats().map(of_seat).sum::<f64>() / f64::from(rules.players.count())
    };
    candidates.iter().map(gain).collect()
}

/// The points after one hand.
fn points<'a>(rules: &Rules, seed: u64, agent: impl Fn(Seat) -> &'a Heuristic) -> BySeat<i32> {
    let mut game = Game::new(rules, seed);
    loop {
        let Some((seat, _)) = game.decisions().next() else { break };
        let agent = agent(seat);
        let action = agent.choose(&game.observe(seat), &mut game.random_stream(seat, agent.salt()));
        game.submit(seat, action).unwrap_or_else(|error| panic!("{error}"));
    }
    game.results().expect("the game is over").map(|result| result.points)
}

/// The mean and its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

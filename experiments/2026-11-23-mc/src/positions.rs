//! Decisions with an answer that is known in the long run.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;

use jantaku_agents::inference::{HandInference, InferenceModel};
use jantaku_agents::{Catalog, MonteCarlo, NamedPolicy, Policy as _};
use jantaku_engine::{Action, Game, Observation, Riichi, Rng, Rules, Seat};
use rayon::prelude::*;

use crate::play;

/// The positions of each set.
const EACH: usize = 30;
/// A candidate is wrong if it is worse than the best by so many standard errors.
const KNOWN: f64 = 4.0;

/// Which set a decision belongs to. The rule looks at no answer.
fn set(o: &Observation<'_>) -> Option<&'static str> {
    let is_win = |action| matches!(action, Action::Tsumo | Action::Ron);
    let scheduled = u16::from(o.rules().wind_rounds) * u16::from(o.rules().players.count());
    if o.legal().iter().any(|id| is_win(id.action())) {
        Some("win")
    } else if o.round() + 1 == scheduled {
        Some("last")
    } else if o.rules().players.others(o.seat()).any(|seat| o.side(seat).riichi() != Riichi::None) {
        Some("fold")
    } else {
        None
    }
}

/// Prints the first decisions of each set in which a candidate of the search is known to be wrong.
///
/// The candidates are played on by `heuristic` in `deals` deals. The output is TOML.
pub fn print(
    search: &MonteCarlo,
    rules: &Rules,
    seeds: Range<u64>,
    deals: usize,
) -> Result<(), Box<dyn Error>> {
    let agent = Catalog::standard().agent("heuristic:version=1")?.policy().ok_or("not a policy")?;
    println!("position = [");
    let mut found: BTreeMap<&str, usize> = BTreeMap::from([("win", 0), ("fold", 0), ("last", 0)]);
    for seed in seeds {
        let mut game = Game::new(rules, seed);
        let mut number = 0;
        while let Some(seat) = game.pending().iter().next() {
            number += 1;
            let mut rng = game.random_stream(seat, 1);
            // A few decisions of each game, so that games differ.
            if rng.below(12) == 0
                && let Some(set) = set(&game.observe(seat))
                && found[set] < EACH
                && let Some(line) = line(search, &game, seat, deals, &agent, &mut rng)
            {
                *found.entry(set).or_default() += 1;
                println!("    {{ set = \"{set}\", seed = {seed}, decision = {number}, {line} }},");
            }
            let action = agent.choose(&game.observe(seat), &mut rng);
            game.submit(seat, action)?;
        }
        if found.values().all(|count| *count >= EACH) {
            break;
        }
    }
    println!("]");
    Ok(())
}

/// Which candidates are right and which are wrong. None if no candidate is wrong.
fn line(
    search: &MonteCarlo,
    game: &Game,
    seat: Seat,
    deals: usize,
    agent: &NamedPolicy,
    rng: &mut Rng,
) -> Option<String> {
    let o = game.observe(seat);
    let arms: Vec<Action> = search.search(&o, rng).arms.iter().map(|arm| arm.action).collect();
    if arms.len() < 2 {
        return None;
    }
    let model = InferenceModel::released();
    let inference = HandInference::new(model.of(o.rules().players), &o);
    let seeds: Vec<u64> = (0..deals).map(|_| rng.next_u64()).collect();
    let values: Vec<Vec<f64>> = seeds
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::new(seed);
            let deal = inference.sample(&mut rng).complete(&o);
            let value = |action: &Action| {
                f64::from(play::play_on(search, &o, deal.clone(), *action, agent, &mut rng.clone()))
            };
            arms.iter().map(value).collect()
        })
        .collect();
    let mean = |arm: usize| values.iter().map(|values| values[arm]).sum::<f64>();
    let best = (0..arms.len()).max_by(|a, b| mean(*a).total_cmp(&mean(*b)))?;
    let is_wrong = |arm: &usize| {
        let (mut sum, mut squares) = (0.0, 0.0);
        for values in &values {
            let less = values[best] - values[*arm];
            sum += less;
            squares += less * less;
        }
        let count = deals as f64;
        let error = ((squares - sum * sum / count) / (count - 1.0) / count).sqrt();
        sum / count > KNOWN * error
    };
    let (wrong, right): (Vec<usize>, Vec<usize>) = (0..arms.len()).partition(is_wrong);
    let words = |arms_of: Vec<usize>| {
        let words: Vec<String> =
            arms_of.iter().map(|arm| format!("\"{}\"", o.describe(arms[*arm]))).collect();
        words.join(", ")
    };
    (!wrong.is_empty()).then(|| format!("right = [{}], wrong = [{}]", words(right), words(wrong)))
}

//! How far the proposer and the rollouts are apart.

use std::error::Error;
use std::fmt::Write;
use std::ops::Range;

use jantaku_agents::inference::{HandInference, InferenceModel};
use jantaku_agents::{Catalog, MonteCarlo};
use jantaku_engine::{Action, Rng, Rules};

use crate::play;

/// `choice`, `candidate`: kinds of actions. `left`: live tiles. `gap`: what the proposer finds the
/// candidate worse than its choice; empty if it does not say. `mean`, `variance`: of the
/// difference in one deal.
const COLUMNS: &str = "seed,decision,choice,candidate,left,gap,deals,mean,variance";

/// Prints a line for each candidate besides the proposer's choice. All are played in the same deals.
pub fn print(
    search: &MonteCarlo,
    rules: &Rules,
    seeds: Range<u64>,
    rate: usize,
    deals: usize,
) -> Result<(), Box<dyn Error>> {
    let players = Catalog::standard().agent("heuristic:fast")?.policy().ok_or("not a policy")?;
    let model = InferenceModel::released();
    println!("{COLUMNS}");
    play::decisions(rules, seeds, rate, |game, seat, number, rng| {
        let o = game.observe(seat);
        let arms = search.search(&o, rng).arms;
        if arms.len() < 2 {
            return String::new();
        }
        let inference = HandInference::new(model.of(rules.players), &o);
        let mut sums = vec![(0.0, 0.0); arms.len()];
        for _ in 0..deals {
            let deal = inference.sample(rng).complete(&o);
            let next = Rng::new(rng.next_u64());
            let value =
                |action: Action| play::play_on(search, &o, deal.clone(), action, &players, &mut next.clone());
            let of_choice = value(arms[0].action);
            for (arm, (sum, squares)) in arms.iter().zip(&mut sums).skip(1) {
                let difference = f64::from(value(arm.action) - of_choice);
                *sum += difference;
                *squares += difference * difference;
            }
        }
        let mut lines = String::new();
        for (arm, (sum, squares)) in arms.iter().zip(&sums).skip(1) {
            let count = deals as f64;
            let (mean, variance) = (sum / count, (squares - sum * sum / count) / (count - 1.0));
            let gap = arm.gap.map_or(String::new(), |gap| format!("{gap:.1}"));
            let (choice, candidate) = (play::kind(arms[0].action), play::kind(arm.action));
            let written = writeln!(
                lines,
                "{},{number},{choice},{candidate},{},{gap},{deals},{mean:.1},{variance:.0}",
                game.seed(),
                o.live(),
            );
            written.unwrap_or_default();
        }
        lines
    });
    Ok(())
}

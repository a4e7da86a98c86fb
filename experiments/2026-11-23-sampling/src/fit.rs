//! Fits the weights of hands.
//!
//! The weights are those of a log-linear model. Its likelihood is greatest where the mean features
//! of the model's hands are those of true hands. Each step compares these sums over the decisions
//! of some games and moves each weight by their difference, relative to their mean.

use std::error::Error;
use std::path::Path;

use jantaku_agents::inference::{FEATURES, HandInference, HandState, InferenceModel, Weights};
use jantaku_engine::{Players, Rules};
use rayon::prelude::*;

use crate::play::decisions;

/// Games of one step.
const GAMES: u64 = 48;
/// One in so many decisions counts.
const RATE: usize = 8;
/// The seeds start here. Those of `judge` are others.
const FIRST_SEED: u64 = 1_000_000;
/// How far a weight moves at first, and at the end.
const STEP: [f32; 2] = [0.5, 0.03];
/// Features that are rarer than this in the games of a step move less.
const RARE: f32 = 20.0;
/// The share of its size that each weight loses in a step.
const DECAY: f32 = 0.0005;

/// Sums of features of true hands, and of drawn ones.
type Sums = Vec<[[f32; FEATURES]; 2]>;

struct Found {
    sums: Sums,
    /// Closed hands in riichi, and those of them that are seven pairs.
    riichi: [f32; 2],
}

impl Found {
    fn none() -> Found {
        Found { sums: vec![[[0.0; FEATURES]; 2]; HandState::ALL.len()], riichi: [0.0; 2] }
    }

    fn plus(mut self, other: Found) -> Found {
        let both = self.sums.iter_mut().flatten().flatten().zip(other.sums.iter().flatten().flatten());
        both.for_each(|(sum, more)| *sum += more);
        self.riichi.iter_mut().zip(other.riichi).for_each(|(sum, more)| *sum += more);
        self
    }
}

pub fn fit(steps: u64, rules: &Rules, file: &Path) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let model = InferenceModel::from_toml(&text)?;
    let mut weights = model.of(rules.players).clone();
    let mut riichi = [0.0; 2];
    let mut mean = Weights::zero();
    let averaged = steps / 3;
    for step in 0..steps {
        let seeds = (0..GAMES).map(|game| FIRST_SEED + step * GAMES + game).collect::<Vec<_>>();
        let found = seeds.into_par_iter().map(|seed| compare(rules, &weights, seed));
        let found = found.reduce(Found::none, Found::plus);
        riichi.iter_mut().zip(found.riichi).for_each(|(sum, more)| *sum += more);
        weights.seven_pairs = riichi[1] / f32::max(riichi[0], 1.0);
        let pace = STEP[0] * (STEP[1] / STEP[0]).powf(step as f32 / steps as f32);
        let mut off = 0.0;
        for state in HandState::ALL {
            let [of_true, of_drawn] = &found.sums[state as usize];
            for (at, weight) in weights.of_mut(state).iter_mut().enumerate() {
                let [of_true, of_drawn] = [of_true[at], of_drawn[at]];
                let size = 0.5 * (of_true + of_drawn) + RARE;
                off += (of_true - of_drawn) * (of_true - of_drawn) / size;
                *weight += pace * (of_true - of_drawn) / size - DECAY * *weight;
                *weight = weight.clamp(-12.0, 12.0);
            }
            if step + averaged >= steps {
                let share = 1.0 / averaged as f32;
                let sums = mean.of_mut(state).iter_mut().zip(weights.of(state));
                sums.for_each(|(sum, weight)| *sum += share * weight);
            }
        }
        if step % 20 == 0 {
            eprintln!("step {step}: chi-squared {off:.0} over {} features", 3 * FEATURES);
        }
    }
    mean.seven_pairs = weights.seven_pairs;
    let (usual, three) = (model.of(Players::Four), model.of(Players::Three));
    let [usual, three] = if rules.players == Players::Three { [usual, &mean] } else { [&mean, three] };
    let about = text.lines().take_while(|line| line.starts_with('#') || line.is_empty());
    let about: String = about.map(|line| format!("{line}\n")).collect();
    std::fs::write(file, format!("{about}{}\n{}", usual.to_toml("usual"), three.to_toml("three_players")))?;
    Ok(())
}

/// The features of true hands and of drawn ones in the decisions of one game.
fn compare(rules: &Rules, weights: &Weights, seed: u64) -> Found {
    let mut found = Found::none();
    decisions(rules, seed, RATE, |game, seat, rng| {
        let o = game.observe(seat);
        let inference = HandInference::new(weights, &o);
        let drawn = inference.sample(rng).complete(&o);
        for evidence in inference.evidence() {
            let sums = &mut found.sums[evidence.state as usize];
            for (sums, round) in sums.iter_mut().zip([game.round(), &drawn]) {
                let hand = round.private(evidence.seat).hand();
                evidence.features(hand, |feature, value| sums[feature] += value);
            }
            if evidence.state == HandState::Riichi && evidence.melds == 0 {
                let hand = game.round().private(evidence.seat).hand();
                found.riichi[0] += 1.0;
                let is_pairs = hand.tracker().standard_shanten(0).number() > 0;
                found.riichi[1] += f32::from(u8::from(is_pairs));
            }
        }
    });
    found
}

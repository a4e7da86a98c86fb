//! Fits the numbers to games of an agent with itself.
//!
//! After each of some draws, the looks of all seats are kept until the hand ends. The weights of
//! their features then maximise the likelihood of the winner, or of none. The other numbers are
//! plain shares.

use std::error::Error;

use jantaku_agents::{Catalog, Policy};
use jantaku_engine::random::hash;
use jantaku_engine::{Event, HandEnd, Observer, Rules, Seat, Tile};
use rayon::prelude::*;

use crate::ratio::play;
use jantaku_sim::arena::luck::hope::{Class, DISTANCES, Distance, FEATURES, InTurn, Style, Waiting, holder};
use jantaku_sim::arena::luck::numbers::LEVELS;
use jantaku_sim::arena::luck::view::View;

/// One of this many draws is kept.
const KEPT: u64 = 5;

/// What a seat has at a draw: the row of its weights, its features and its class.
type Looks = (usize, [f32; FEATURES], Class);

/// What can end the hand at once after a draw.
#[derive(Clone, Copy)]
enum Chance {
    Tsumo(Style),
    Ron { winner: Seat, holder: usize, style: Style },
}

struct Sample {
    seats: Vec<Looks>,
    winner: Option<usize>,
}

/// A share that is counted.
#[derive(Clone, Copy, Default)]
struct Share {
    hits: f64,
    all: f64,
}

impl Share {
    fn add(&mut self, is_hit: bool) {
        self.hits += f64::from(u8::from(is_hit));
        self.all += 1.0;
    }

    fn merge(&mut self, more: Share) {
        self.hits += more.hits;
        self.all += more.all;
    }

    fn value(self) -> f64 {
        if self.all == 0.0 { 0.0 } else { self.hits / self.all }
    }
}

#[derive(Default)]
struct Counted {
    samples: Vec<Sample>,
    tsumo_now: [Share; Style::COUNT],
    ron_now: [[Share; Style::COUNT]; 3],
    tsumo_share: [Share; Style::COUNT],
    points: [[[f64; LEVELS.len()]; Class::COUNT]; 2],
}

struct Watcher {
    view: View,
    seed: u64,
    draws: u64,
    dealer: Seat,
    open: Vec<(Vec<Looks>, Seat)>,
    pending: Option<(Vec<Looks>, Seat, Option<Chance>)>,
    counted: Counted,
}

impl Watcher {
    fn looks(&self, seat: Seat, tile: Tile) -> (Vec<Looks>, Option<Chance>) {
        let (view, kind) = (&self.view, tile.kind());
        let waiting = |seat: Seat| {
            let place = view.place(seat);
            Waiting::of(view, seat, Distance::at_rest(&place.hand, place.melds))
        };
        let after = InTurn::after(view, seat, &waiting(seat), kind);
        let mut chance = after.is_complete.then(|| Chance::Tsumo(Style::of(view.place(seat))));
        let seats = view.players().seats().map(|other| {
            let style = Style::of(view.place(other));
            let (mut outlook, mut dora) = (after.outlook, view.dora(other));
            if other == seat {
                dora += view.dora_in(tile);
            } else {
                let other_waits = waiting(other);
                if chance.is_none() && other_waits.wins_on(kind) {
                    chance =
                        Some(Chance::Ron { winner: other, holder: holder(view.place(seat), &after), style });
                }
                outlook = other_waits.outlook;
                let helps = u32::from(other_waits.distance.ukeire.contains(kind));
                outlook.tiles -= helps;
                outlook.held += helps;
            }
            let (row, features) = outlook.features();
            (row, features, Class::of(style, dora))
        });
        (seats.collect(), chance)
    }

    /// Counts what followed the latest draw at once. `wins` are none if the hand goes on.
    fn settle(&mut self, wins: Option<(Seat, Option<Seat>)>) {
        let Some((looks, drawer, chance)) = self.pending.take() else { return };
        let counted = &mut self.counted;
        let is_now = match chance {
            Some(Chance::Tsumo(style)) => {
                let is_now = wins.is_some_and(|(_, from)| from.is_none());
                counted.tsumo_now[style as usize].add(is_now);
                is_now
            }
            Some(Chance::Ron { winner, holder, style }) => {
                let is_now = wins == Some((winner, Some(drawer)));
                counted.ron_now[holder][style as usize].add(is_now);
                is_now
            }
            None => false,
        };
        if !is_now {
            self.open.push((looks, drawer));
        } else {
            // The points count, but the hopes did not decide.
            self.open.push((looks.iter().map(|looks| (usize::MAX, looks.1, looks.2)).collect(), drawer));
        }
    }
}

impl Observer for Watcher {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { dealer, .. } => self.dealer = *dealer,
            Event::Draw { seat, tile: Some(tile), .. } => {
                self.settle(None);
                self.draws += 1;
                if hash(&[self.seed, self.draws]).is_multiple_of(KEPT) {
                    let (looks, chance) = self.looks(*seat, *tile);
                    self.pending = Some((looks, *seat, chance));
                }
            }
            Event::HandEnd(outcome) => {
                let win = match &outcome.end {
                    HandEnd::Win(wins) => Some(&wins[0]),
                    HandEnd::Draw { .. } => None,
                };
                self.settle(win.map(|win| (win.winner, win.from)));
                for (seats, _) in std::mem::take(&mut self.open) {
                    if let Some(win) = win {
                        let class = seats[win.winner.index()].2;
                        let by_tsumo = win.from.is_none();
                        let points = win.points as f64 / if win.winner == self.dealer { 1.5 } else { 1.0 };
                        share_out(points, &mut self.counted.points[usize::from(by_tsumo)][class.index()]);
                        let style = class.index() / (Class::COUNT / Style::COUNT);
                        self.counted.tsumo_share[style].add(by_tsumo);
                    }
                    if seats[0].0 != usize::MAX {
                        let winner = win.map(|win| win.winner.index());
                        self.counted.samples.push(Sample { seats, winner });
                    }
                }
            }
            _ => {}
        }
        self.view.event(event);
    }
}

/// Counts points at the two levels around them, so that their mean is kept.
fn share_out(points: f64, levels: &mut [f64; LEVELS.len()]) {
    let at = LEVELS.iter().rposition(|level| f64::from(*level) <= points).unwrap_or(0);
    if at + 1 == LEVELS.len() {
        levels[at] += 1.0;
        return;
    }
    let (low, high) = (f64::from(LEVELS[at]), f64::from(LEVELS[at + 1]));
    let share = ((points - low) / (high - low)).clamp(0.0, 1.0);
    levels[at] += 1.0 - share;
    levels[at + 1] += share;
}

const PARAMS: usize = DISTANCES * FEATURES;

/// The log-likelihood, its gradient and the negative Hessian.
fn likelihood(samples: &[Sample], scores: &[f64; PARAMS]) -> (f64, Vec<f64>, Vec<f64>) {
    let zero = || (0.0, vec![0.0; PARAMS], vec![0.0; PARAMS * PARAMS]);
    samples
        .par_chunks(4096)
        .map(|chunk| {
            let (mut sum, mut gradient, mut hessian) = zero();
            for sample in chunk {
                let score = |(row, features, _): &Looks| {
                    features
                        .iter()
                        .enumerate()
                        .map(|(at, x)| f64::from(*x) * scores[row * FEATURES + at])
                        .sum::<f64>()
                };
                let weights: Vec<f64> = sample.seats.iter().map(|looks| score(looks).exp()).collect();
                let all = 1.0 + weights.iter().sum::<f64>();
                let won = sample.winner.map_or(1.0, |winner| weights[winner]);
                sum += (won / all).ln();
                for (i, (row, x, _)) in sample.seats.iter().enumerate() {
                    let p = weights[i] / all;
                    let hit = f64::from(u8::from(sample.winner == Some(i)));
                    for a in 0..FEATURES {
                        gradient[row * FEATURES + a] += (hit - p) * f64::from(x[a]);
                    }
                    for (j, (other_row, y, _)) in sample.seats.iter().enumerate() {
                        let q = weights[j] / all;
                        let factor = if i == j { p - p * p } else { -p * q };
                        for a in 0..FEATURES {
                            let at = (row * FEATURES + a) * PARAMS + other_row * FEATURES;
                            let scale = factor * f64::from(x[a]);
                            for b in 0..FEATURES {
                                hessian[at + b] += scale * f64::from(y[b]);
                            }
                        }
                    }
                }
            }
            (sum, gradient, hessian)
        })
        .reduce(zero, |mut a, b| {
            a.0 += b.0;
            a.1.iter_mut().zip(b.1).for_each(|(a, b)| *a += b);
            a.2.iter_mut().zip(b.2).for_each(|(a, b)| *a += b);
            a
        })
}

/// Solves the linear system by elimination with pivots.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|a, b| matrix[a * n + column].abs().total_cmp(&matrix[b * n + column].abs()))
            .unwrap_or(column);
        for at in 0..n {
            matrix.swap(column * n + at, pivot * n + at);
        }
        right.swap(column, pivot);
        for row in column + 1..n {
            let factor = matrix[row * n + column] / matrix[column * n + column];
            for at in column..n {
                matrix[row * n + at] -= factor * matrix[column * n + at];
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|at| matrix[row * n + at] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row * n + row];
    }
    right
}

pub fn fit(rules: &Rules, games: u64, agents: &str) -> Result<(), Box<dyn Error>> {
    let mut policies = Vec::new();
    for name in agents.split(',') {
        policies.push(Catalog::standard().agent(name)?.policy().ok_or("an agent that is no policy")?);
    }
    // Seeds of their own, apart from those of matches.
    let parts: Vec<Counted> = (0..games)
        .into_par_iter()
        .map(|game| {
            let seed = hash(&[game, 0x666974]);
            let mut watcher = Watcher {
                view: View::new(rules),
                seed,
                draws: 0,
                dealer: Seat::FIRST,
                open: Vec::new(),
                pending: None,
                counted: Counted::default(),
            };
            play(rules, seed, &policies[game as usize % policies.len()] as &dyn Policy, &mut watcher);
            watcher.counted
        })
        .collect();
    let mut all = Counted::default();
    for part in parts {
        all.samples.extend(part.samples);
        for style in 0..Style::COUNT {
            all.tsumo_now[style].merge(part.tsumo_now[style]);
            all.tsumo_share[style].merge(part.tsumo_share[style]);
            (0..3).for_each(|holder| all.ron_now[holder][style].merge(part.ron_now[holder][style]));
        }
        for (sum, more) in
            all.points.iter_mut().flatten().flatten().zip(part.points.iter().flatten().flatten())
        {
            *sum += more;
        }
    }
    let mut scores = [0.0; PARAMS];
    for row in 0..DISTANCES {
        scores[row * FEATURES] = -(row as f64);
    }
    // Newton's method. The likelihood is concave, so a short enough step raises it.
    let (mut sum, mut gradient, mut hessian) = likelihood(&all.samples, &scores);
    for round in 0..30 {
        (0..PARAMS).for_each(|at| hessian[at * PARAMS + at] += 1.0);
        let change = solve(hessian, gradient);
        let mut step = 1.0;
        let before = sum;
        let mut next;
        loop {
            next = scores;
            next.iter_mut().zip(&change).for_each(|(score, change)| *score += step * change);
            (sum, gradient, hessian) = likelihood(&all.samples, &next);
            if sum >= before || step < 1e-6 {
                break;
            }
            step *= 0.5;
        }
        scores = next;
        let samples = all.samples.len() as f64;
        eprintln!("round {round}: {samples} samples, log-likelihood {:.6}, step {step}", sum / samples);
        if sum - before < 1.0 {
            break;
        }
    }
    print_numbers(&all, &scores, agents, games);
    Ok(())
}

/// Prints the numbers as the file `numbers.rs`.
fn print_numbers(all: &Counted, scores: &[f64; PARAMS], agent: &str, games: u64) {
    let list = |values: &[f64]| {
        let texts: Vec<String> =
            values.iter().map(|value| format!("{:?}", (value * 1e3).round() / 1e3)).collect();
        format!("[{}]", texts.join(", "))
    };
    println!("//! The fitted numbers: `jantaku-luck fit {games} {agent}` in");
    println!("//! `experiments/2026-11-23-luck` prints this file.\n");
    println!("use super::hope::{{Class, DISTANCES, FEATURES, Style}};\n");
    println!("/// Points of wins of players who are not the dealer. Every win is a mixture of them.");
    println!("pub const LEVELS: [f32; 6] = {LEVELS:?};\n");
    println!("/// The share of tsumo among wins, by style.");
    println!("pub const TSUMO_SHARE: [f32; Style::COUNT] = {};\n", list(&all.tsumo_share.map(Share::value)));
    println!("/// The chance that a complete hand wins by tsumo at once, by style.");
    println!("pub const TSUMO_NOW: [f32; Style::COUNT] = {};\n", list(&all.tsumo_now.map(Share::value)));
    println!(
        "/// The chance that a drawn tile is discarded into a wait at once: by a seat in riichi, one that can"
    );
    println!("/// spare the tile, and one that needs it; by the style of the seat that waits.");
    println!("pub const RON_NOW: [[f32; Style::COUNT]; 3] = [");
    all.ron_now.iter().for_each(|holder| println!("    {},", list(&holder.map(Share::value))));
    println!("];\n");
    println!("/// The weights of the features of an outlook, by the tiles that it needs.");
    println!("pub const SCORES: [[f32; FEATURES]; DISTANCES] = [");
    scores.chunks(FEATURES).for_each(|row| println!("    {},", list(row)));
    println!("];\n");
    println!("/// The shares of [`LEVELS`] in wins by ron and by tsumo, by class.");
    println!("pub const POINTS: [[[f32; LEVELS.len()]; Class::COUNT]; 2] = [");
    for way in &all.points {
        println!("    [");
        for counts in way {
            let sum = counts.iter().sum::<f64>();
            println!("        {},", list(&counts.map(|count| if sum == 0.0 { 0.0 } else { count / sum })));
        }
        println!("    ],");
    }
    println!("];");
}

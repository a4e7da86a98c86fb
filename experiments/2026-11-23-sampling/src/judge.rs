//! Log-loss, Brier scores and calibration on games with known hands.

use jantaku_agents::inference::{HandInference, HandState, Weights};
use jantaku_engine::{Concealed, Game, Observation, Rng, Rules, Seat, TileKind, TileSet};
use rayon::prelude::*;

use crate::play::decisions;

/// One in so many decisions is judged.
const RATE: usize = 40;
/// How many draws the uniform chances of tile counts count as, so that no count is impossible.
const SMOOTHING: f64 = 2.0;
/// Bins of a calibration table.
const BINS: usize = 10;

/// What opponents hold, in all draws of one decision.
struct Chances {
    /// How often each kind has so many copies.
    copies: [[f64; 5]; TileKind::COUNT],
    tenpai: f64,
    waits: [f64; TileKind::COUNT],
}

/// Sums of one way to draw, for the opponents in one state.
#[derive(Clone, Copy, Default)]
struct Score {
    hands: f64,
    log_loss: f64,
    tenpai: Brier,
    waits: Brier,
}

/// Chances against outcomes.
#[derive(Clone, Copy, Default)]
struct Brier {
    count: f64,
    squares: f64,
    /// For each bin: chances, their sum, and how many came true.
    bins: [[f64; 3]; BINS],
}

impl Brier {
    fn add(&mut self, chance: f64, is_true: bool) {
        let truth = f64::from(u8::from(is_true));
        self.count += 1.0;
        self.squares += (chance - truth) * (chance - truth);
        let bin = &mut self.bins[((chance * BINS as f64) as usize).min(BINS - 1)];
        bin[0] += 1.0;
        bin[1] += chance;
        bin[2] += truth;
    }

    fn plus(&mut self, other: &Brier) {
        self.count += other.count;
        self.squares += other.squares;
        self.bins.iter_mut().flatten().zip(other.bins.iter().flatten()).for_each(|(a, b)| *a += b);
    }

    fn mean(&self) -> f64 {
        self.squares / self.count.max(1.0)
    }

    /// The expected calibration error: the mean distance of a bin's chances and outcomes.
    fn calibration_error(&self) -> f64 {
        self.bins.iter().map(|[_, chances, truths]| (chances - truths).abs()).sum::<f64>()
            / self.count.max(1.0)
    }
}

/// Scores of weighted draws and of uniform ones, by state.
type Scores = [[Score; 2]; 3];

pub fn judge(games: u64, draws: usize, rules: &Rules, weights: &Weights) {
    let scores: Scores = (0..games).into_par_iter().map(|seed| of_game(rules, seed, draws, weights)).reduce(
        Scores::default,
        |mut all, more| {
            for (all, more) in all.iter_mut().flatten().zip(more.iter().flatten()) {
                all.hands += more.hands;
                all.log_loss += more.log_loss;
                all.tenpai.plus(&more.tenpai);
                all.waits.plus(&more.waits);
            }
            all
        },
    );
    println!("state  draws     hands  log-loss  tenpai: mean  true   Brier     ECE   waits: Brier       ECE");
    for state in HandState::ALL {
        for (score, name) in scores[state as usize].iter().zip(["weighted", "uniform"]) {
            let Score { hands, log_loss, tenpai, waits } = score;
            let mean = |at: usize| tenpai.bins.iter().map(|bin| bin[at]).sum::<f64>() / tenpai.count.max(1.0);
            println!(
                "{:6} {name:8} {hands:6} {:9.4} {:13.4} {:.4} {:.4} {:7.4} {:14.6} {:9.6}",
                state.name(),
                log_loss / hands.max(1.0),
                mean(1),
                mean(2),
                tenpai.mean(),
                tenpai.calibration_error(),
                waits.mean(),
                waits.calibration_error()
            );
        }
    }
    for (name, of) in
        [("tenpai", (|score: &Score| score.tenpai) as fn(&Score) -> Brier), ("waits", |s| s.waits)]
    {
        println!("\ncalibration of {name}, weighted draws: chances, their mean, and how many came true");
        let mut all = Brier::default();
        scores
            .iter()
            .enumerate()
            .filter(|(at, _)| name == "waits" || *at != HandState::Riichi as usize)
            .for_each(|(_, by_way)| all.plus(&of(&by_way[0])));
        for [count, chances, truths] in all.bins {
            println!("{count:9} {:.4} {:.4}", chances / count.max(1.0), truths / count.max(1.0));
        }
        println!("expected calibration error {:.5}", all.calibration_error());
    }
}

fn of_game(rules: &Rules, seed: u64, draws: usize, weights: &Weights) -> Scores {
    let mut scores = Scores::default();
    decisions(rules, seed, RATE, |game, seat, rng| {
        let o = game.observe(seat);
        let inference = HandInference::new(weights, &o);
        let opponents: Vec<(Seat, HandState)> =
            inference.evidence().map(|found| (found.seat, found.state)).collect();
        let weighted = chances(&o, &opponents, draws, |rng| inference.sample(rng).complete(&o), rng);
        let uniform = chances(&o, &opponents, draws, |rng| o.determinize(rng), rng);
        for (at, (opponent, state)) in opponents.iter().enumerate() {
            for (way, found) in [&weighted[at], &uniform[at]].into_iter().enumerate() {
                let score = &mut scores[*state as usize][way];
                add(score, game, &o, *opponent, found, draws as f64, way == 1);
            }
        }
    });
    scores
}

/// What the opponents hold in draws.
fn chances(
    o: &Observation<'_>,
    opponents: &[(Seat, HandState)],
    draws: usize,
    draw: impl Fn(&mut Rng) -> jantaku_engine::Round,
    rng: &mut Rng,
) -> Vec<Chances> {
    let none = || Chances { copies: [[0.0; 5]; TileKind::COUNT], tenpai: 0.0, waits: [0.0; TileKind::COUNT] };
    let mut found: Vec<Chances> = opponents.iter().map(|_| none()).collect();
    for _ in 0..draws {
        let round = draw(rng);
        for (chances, (seat, _)) in found.iter_mut().zip(opponents) {
            let private = round.private(*seat);
            let counts = private.hand().counts();
            for kind in TileKind::all() {
                chances.copies[kind.index()][usize::from(counts.of(kind))] += 1.0;
            }
            let waits = waits(private.hand(), o, *seat);
            chances.tenpai += f64::from(u8::from(!waits.is_empty()));
            waits.iter().for_each(|kind| chances.waits[kind.index()] += 1.0);
        }
    }
    found
}

fn waits(hand: &Concealed, o: &Observation<'_>, seat: Seat) -> TileSet {
    let melds = o.side(seat).melds().len();
    if hand.shanten(melds).number() == 0 { hand.waits(melds) } else { TileSet::EMPTY }
}

fn add(
    score: &mut Score,
    game: &Game,
    o: &Observation<'_>,
    seat: Seat,
    found: &Chances,
    draws: f64,
    exact: bool,
) {
    let hand = game.round().private(seat).hand();
    let hidden = o.hidden().tiles().len();
    let unseen = o.unseen();
    score.hands += 1.0;
    for kind in TileKind::all() {
        let uniform = hypergeometric(unseen.of(kind) as usize, hidden, hand.len());
        let at = hand.count(kind);
        let chance = if exact {
            uniform[at]
        } else {
            (found.copies[kind.index()][at] + SMOOTHING * uniform[at]) / (draws + SMOOTHING)
        };
        score.log_loss -= chance.ln();
    }
    let truth = waits(hand, o, seat);
    score.tenpai.add(found.tenpai / draws, !truth.is_empty());
    for kind in TileKind::all().filter(|kind| unseen.of(*kind) > 0) {
        score.waits.add(found.waits[kind.index()] / draws, truth.contains(kind));
    }
}

/// The chances of 0–4 copies among `taken` of `all` tiles, of which there are `copies`.
fn hypergeometric(copies: usize, all: usize, taken: usize) -> [f64; 5] {
    let choose = |n: usize, k: usize| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
    std::array::from_fn(|held| {
        if held > copies || held > taken || copies - held > all - taken {
            return 0.0;
        }
        // The ways to choose which of the copies lie among the taken tiles, tile by tile.
        let mut chance = choose(copies, held);
        for i in 0..held {
            chance *= (taken - i) as f64 / (all - i) as f64;
        }
        for i in 0..copies - held {
            chance *= (all - taken - i) as f64 / (all - held - i) as f64;
        }
        chance
    })
}

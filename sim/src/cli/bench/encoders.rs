//! How long the encoders take for the decisions of `greedy`.

use std::hint::black_box;
use std::time::Instant;

use jantaku_agents::encode::{PlanesV1, SparseV1, expand_bf16, expand_f32};
use jantaku_agents::{Greedy, Policy};
use jantaku_engine::{Game, Observation, Rules, Seat};
use ndarray::{Array1, Array2, Array3};
use serde_json::json;

use super::{SEED, median, per_decision};

/// The games whose decisions are encoded.
const GAMES: u64 = 40;
/// Decisions of a batch: as many as one thread encodes at a time.
const BATCH: usize = 64;

/// What is measured.
const WORKS: [&str; 4] = ["planes-v1", "sparse-v1", "planes-v1 to f32", "planes-v1 to bf16"];

/// The measurements, on one thread.
pub(super) struct Measured {
    decisions: u64,
    /// Seconds of each repetition, in ascending order, of each work.
    seconds: [Vec<f64>; WORKS.len()],
}

/// A batch of games, each with a seat that decides.
type Decisions = Vec<(Game, Seat)>;

/// The decisions of games of `greedy`, in order.
fn decisions() -> Vec<Decisions> {
    let (rules, greedy) = (Rules::default(), Greedy::default());
    let mut decisions = Decisions::new();
    for game in 0..GAMES {
        let mut game = Game::new(&rules, SEED + game);
        while !game.is_over() {
            let choice = |seat| (seat, greedy.choose(&game.observe(seat), &mut game.random_stream(seat, 0)));
            let choices: Vec<_> = game.pending().iter().map(choice).collect();
            decisions.extend(choices.iter().map(|(seat, _)| (game.clone(), *seat)));
            for (seat, action) in choices {
                game.submit(seat, action).expect("greedy plays legally");
            }
        }
    }
    decisions.chunks_exact(BATCH).map(<[_]>::to_vec).collect()
}

/// The arrays of a batch.
struct Arrays {
    planes: Array3<u8>,
    f32: Array3<f32>,
    bf16: Array3<u16>,
    active: Array2<u16>,
    counts: Array1<u16>,
    numbers: Array2<f32>,
}

impl Arrays {
    fn new() -> Arrays {
        let planes = (BATCH, PlanesV1::CHANNELS, 34);
        Arrays {
            planes: Array3::zeros(planes),
            f32: Array3::zeros(planes),
            bf16: Array3::zeros(planes),
            active: Array2::zeros((BATCH, SparseV1::MOST_ACTIVE)),
            counts: Array1::zeros(BATCH),
            numbers: Array2::zeros((BATCH, SparseV1::SCALARS)),
        }
    }

    /// Does a work of `WORKS`.
    fn work(&mut self, work: usize, batch: &[Observation<'_>]) {
        let Arrays { planes, f32, bf16, active, counts, numbers } = self;
        let channels = PlanesV1::channels();
        let done = match work {
            0 => PlanesV1::encode_batch(batch, planes.view_mut()),
            1 => SparseV1::encode_batch(batch, active.view_mut(), counts.view_mut(), numbers.view_mut()),
            2 => expand_f32(channels, planes.view(), f32.view_mut()),
            _ => expand_bf16(channels, planes.view(), bf16.view_mut()),
        };
        done.expect("the shapes");
        black_box(&*self);
    }
}

/// Encodes the decisions of some games, one batch after the other.
pub(super) fn measure(repeat: u32) -> Measured {
    let decisions = decisions();
    let (mut arrays, mut seconds) = (Arrays::new(), [const { Vec::new() }; WORKS.len()]);
    for _ in 0..repeat {
        let mut sums = [0.0; WORKS.len()];
        for batch in &decisions {
            let batch: Vec<_> = batch.iter().map(|(game, seat)| game.observe(*seat)).collect();
            for (work, sum) in sums.iter_mut().enumerate() {
                let start = Instant::now();
                arrays.work(work, &batch);
                *sum += start.elapsed().as_secs_f64();
            }
        }
        seconds.iter_mut().zip(sums).for_each(|(seconds, sum)| seconds.push(sum));
    }
    seconds.iter_mut().for_each(|seconds| seconds.sort_by(f64::total_cmp));
    Measured { decisions: (decisions.len() * BATCH) as u64, seconds }
}

impl Measured {
    fn works(&self) -> impl Iterator<Item = (&str, &[f64], f64)> {
        let time = |seconds: &[f64]| per_decision(median(seconds), self.decisions);
        WORKS.iter().zip(&self.seconds).map(move |(name, seconds)| (*name, &seconds[..], time(seconds)))
    }

    /// The lines of the table.
    pub(super) fn lines(&self) -> Vec<Vec<String>> {
        let head = ["encoder, one thread", "a decision"].map(str::to_owned).to_vec();
        let lines = self.works().map(|(name, _, time)| vec![name.to_owned(), format!("{time:.0} ns")]);
        std::iter::once(head).chain(lines).collect()
    }

    pub(super) fn as_json(&self) -> serde_json::Value {
        let row = |(name, seconds, time): (&str, &[f64], f64)| json!({ "encoder": name, "decisions": self.decisions, "seconds": seconds, "ns": time });
        self.works().map(row).collect()
    }
}

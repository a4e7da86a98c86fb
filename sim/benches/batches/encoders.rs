//! How long the encoders take for the decisions of `greedy`.

use std::hint::black_box;
use std::time::Instant;

use jantaku_agents::encode::{PlanesV1, Rows, SparseV1, expand_f32};
use jantaku_agents::{Greedy, Policy};
use jantaku_engine::{Game, Observation, Rules};
use ndarray::{Array2, Array3};

use crate::{REPEAT, SEED, median, per_decision};

/// The games whose decisions are encoded.
const GAMES: u64 = 100;
/// Decisions of a batch: as many as one thread encodes at a time.
pub const BATCH: usize = 64;

/// What is measured.
const WORKS: [&str; 4] = ["planes-v1", "sparse-v1", "sparse-v1 with padding", "planes-v1 to f32"];

/// Plays games of `greedy` and shows each decision. Returns their number.
fn each_decision(mut see: impl FnMut(&Observation<'_>)) -> u64 {
    let (rules, greedy, mut decisions) = (Rules::default(), Greedy::default(), 0);
    for number in 0..GAMES {
        let mut game = Game::new(&rules, SEED + number);
        while !game.is_over() {
            let mut actions = [None; 4];
            for seat in game.pending().iter() {
                let observation = game.observe(seat);
                see(&observation);
                decisions += 1;
                let action = greedy.choose(&observation, &mut game.random_stream(seat, 0));
                actions[seat.index()] = Some((seat, action));
            }
            for (seat, action) in actions.into_iter().flatten() {
                game.submit(seat, action).expect("greedy plays legally");
            }
        }
    }
    decisions
}

/// The arrays of a batch.
struct Arrays {
    planes: Array3<u8>,
    f32: Array3<f32>,
    active: Array2<u16>,
    numbers: Array2<f32>,
    padded: Rows,
    /// The decisions so far.
    count: usize,
}

impl Arrays {
    fn new() -> Arrays {
        let planes = (BATCH, PlanesV1::CHANNELS, 34);
        Arrays {
            planes: Array3::zeros(planes),
            f32: Array3::zeros(planes),
            active: Array2::zeros((BATCH, SparseV1::MAX_ACTIVE)),
            numbers: Array2::zeros((BATCH, SparseV1::SCALARS)),
            padded: Rows::padded(SparseV1::ENCODER, BATCH),
            count: 0,
        }
    }

    /// Does a work of `WORKS` for a decision. Expansions take place when the batch is full.
    fn work(&mut self, work: usize, observation: &Observation<'_>) {
        const WHOLE: &str = "the arrays are contiguous";
        let row = self.count % BATCH;
        self.count += 1;
        let is_full = self.count.is_multiple_of(BATCH);
        let Arrays { planes, f32, active, numbers, padded, .. } = self;
        let channels = PlanesV1::ENCODER.table().channels;
        match work {
            0 => {
                let rows = planes.as_slice_mut().expect(WHOLE).as_chunks_mut().0;
                PlanesV1::encode(observation, &mut rows[row]);
            }
            1 => {
                let active = &mut active.as_slice_mut().expect(WHOLE).as_chunks_mut().0[row];
                let numbers = &mut numbers.as_slice_mut().expect(WHOLE).as_chunks_mut().0[row];
                SparseV1::encode(observation, active, numbers);
            }
            2 => padded.view_mut().encode(row, observation),
            3 if is_full => expand_f32(channels, planes.view(), f32.view_mut()).expect("the shapes"),
            _ => {}
        }
        black_box(&*self);
    }
}

/// The nanoseconds that each work takes for a decision.
///
/// Plays games without and with each work. The difference is the time of the work.
pub fn measure() -> impl Iterator<Item = (&'static str, f64)> {
    let (mut arrays, mut times) = (Arrays::new(), [const { Vec::new() }; WORKS.len()]);
    for _ in 0..REPEAT {
        let start = Instant::now();
        each_decision(|observation| _ = black_box(observation));
        let without = start.elapsed().as_secs_f64();
        for (work, times) in times.iter_mut().enumerate() {
            let start = Instant::now();
            let decisions = each_decision(|observation| arrays.work(work, observation));
            times.push(per_decision(start.elapsed().as_secs_f64() - without, decisions));
        }
    }
    WORKS.into_iter().zip(times.map(median))
}

//! The batches of a loader.

use jantaku_agents::neural::Encoder;
use jantaku_engine::Observation;
use rayon::prelude::*;

use super::augment::permute;
use super::position::Position;
use super::sample::{Labels, Sample};
use crate::encoded::{EncodedRows, RowsMut};

/// The decisions that a thread encodes at a time.
const CHUNK: usize = 64;

/// A batch of decisions: a row in every list for each of them.
#[derive(Clone, Debug, Default)]
pub struct LoadedBatch {
    /// Legal actions and encodings.
    pub encoded: EncodedRows,
    /// The numbers of the actions that were chosen.
    pub actions: Vec<u8>,
    /// The number of the game in its run, or in its file of logs.
    pub games: Vec<u64>,
    /// The number of the hand in its game, from 0.
    pub hands: Vec<u16>,
    /// The number of the decision in its game, from 0.
    pub decisions: Vec<u32>,
    /// The seat that decided.
    pub seats: Vec<u8>,
    /// The kind of decision, as its place in [`Filter::kind_names`](super::Filter::kind_names).
    pub kinds: Vec<u8>,
    /// The points that the seat won or lost in the hand, riichi sticks included.
    pub hand_deltas: Vec<i32>,
    /// The seat's points at the end of the game; 0 if a log stops before.
    pub points: Vec<i32>,
    /// The seat's placement at the end of the game, from 1; 0 if a log stops before.
    pub placements: Vec<u8>,
    /// The seat's result with uma and oka, in points; 0 if a log stops before.
    pub results: Vec<i32>,
    /// Where a loader that begins after this batch begins.
    pub position: Position,
}

impl LoadedBatch {
    /// The number of decisions.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.actions.len()
    }

    /// Encodes decisions, on the threads of the rayon pool if `parallel`.
    pub(super) fn new(
        encoder: Option<Encoder>,
        samples: &[Sample],
        position: Position,
        parallel: bool,
    ) -> LoadedBatch {
        let mut encoded = EncodedRows::new(encoder, samples.len());
        let mut actions = vec![0; samples.len()];
        let mut chunks = Vec::with_capacity(samples.len().div_ceil(CHUNK));
        let mut rest = encoded.view_mut();
        for (samples, actions) in samples.chunks(CHUNK).zip(actions.chunks_mut(CHUNK)) {
            let (rows, other) = rest.split_at(samples.len());
            chunks.push((samples, actions, rows));
            rest = other;
        }
        let encode = |(samples, actions, mut rows)| encode(samples, actions, &mut rows);
        if parallel {
            chunks.into_par_iter().for_each(encode);
        } else {
            chunks.into_iter().for_each(encode);
        }
        let labels = || samples.iter().map(|sample: &Sample| -> &Labels { &sample.labels });
        LoadedBatch {
            encoded,
            actions,
            games: labels().map(|labels| labels.game).collect(),
            hands: labels().map(|labels| labels.hand).collect(),
            decisions: labels().map(|labels| labels.decision).collect(),
            seats: labels().map(|labels| labels.seat).collect(),
            kinds: labels().map(|labels| labels.kind).collect(),
            hand_deltas: labels().map(|labels| labels.hand_delta).collect(),
            points: labels().map(|labels| labels.points).collect(),
            placements: labels().map(|labels| labels.placement).collect(),
            results: labels().map(|labels| labels.result).collect(),
            position,
        }
    }
}

/// Encodes decisions into rows.
fn encode(samples: &[Sample], actions: &mut [u8], rows: &mut RowsMut<'_>) {
    for (row, (sample, action)) in samples.iter().zip(actions).enumerate() {
        let observation: Observation<'_> = sample.snapshot.observe();
        rows.encode(row, &observation, observation.legal());
        *action = permute(rows, row, sample.suits, sample.action).number();
    }
}

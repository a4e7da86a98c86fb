//! The batches of a loader.

use jantaku_agents::encode::{CHUNK, Rows, RowsMut};
use jantaku_engine::Snapshot;
use rayon::prelude::*;

use super::config::LoaderConfig;
use super::labelled::Labelled;
use super::position::Position;
use super::sample::{Facts, Sample};
use super::side_columns::{ConcealedTiles, OraclePlanes, Reported, concealed_tiles, oracle_planes};

/// A batch of decisions: row k of every list is decision k.
#[derive(Clone, Debug, Default)]
pub struct LoadedBatch {
    /// Legal actions and encodings.
    pub encoded: Rows,
    /// The numbers of the actions that were chosen.
    pub actions: Vec<u8>,
    /// The number of the run or log file, in the order of [`find_sources`](super::find_sources).
    pub runs: Vec<u32>,
    /// The number of the game in its run or log file.
    pub games: Vec<u64>,
    /// The number of the hand in its game, from 0.
    pub hands: Vec<u16>,
    /// The number of the decision in its game, from 0.
    pub decisions: Vec<u32>,
    /// The number of players of the game.
    pub players: Vec<u8>,
    /// The seat that decided.
    pub seats: Vec<u8>,
    /// The kind of decision, as its place in [`Filter::kind_names`](super::Filter::kind_names).
    pub kinds: Vec<u8>,
    /// The points that the seat won or lost in the hand, including riichi sticks.
    pub hand_deltas: Vec<i32>,
    /// The seat's points at the end of the game; 0 if the log ends before.
    pub points: Vec<i32>,
    /// The seat's placement at the end of the game, from 1; 0 if the log ends before.
    pub placements: Vec<u8>,
    /// The seat's result with uma and oka, in points; 0 if the log ends before.
    pub results: Vec<i32>,
    /// What the seats see, if the loader asks for it.
    pub observations: Option<Vec<Snapshot>>,
    /// What agents reported, if the loader asks for it.
    pub reported: Option<Reported>,
    /// The concealed tiles of all seats, if the loader asks for them.
    pub concealed: Option<Vec<ConcealedTiles>>,
    /// What the players do not see, if the loader asks for it.
    pub oracle: Option<Vec<OraclePlanes>>,
    /// The labels by rollouts, if the loader asks for them.
    pub labelled: Option<Labelled>,
    /// The checkpoint after this batch.
    pub position: Position,
}

impl LoadedBatch {
    /// The number of decisions.
    pub const fn rows(&self) -> usize {
        self.actions.len()
    }

    /// Encodes decisions, in parallel on the current rayon pool if `parallel`.
    pub(super) fn new(
        config: &LoaderConfig,
        samples: &[Sample],
        position: Position,
        parallel: bool,
    ) -> LoadedBatch {
        let mut encoded = Rows::with_masks(config.encoder, samples.len());
        let mut actions = vec![0; samples.len()];
        let rows = encoded.view_mut().chunks(CHUNK);
        let chunks: Vec<_> = samples.chunks(CHUNK).zip(actions.chunks_mut(CHUNK)).zip(rows).collect();
        let encode = |((samples, actions), mut rows)| encode(samples, actions, &mut rows);
        if parallel {
            chunks.into_par_iter().for_each(encode);
        } else {
            chunks.into_iter().for_each(encode);
        }
        let facts = || samples.iter().map(|sample: &Sample| -> &Facts { &sample.facts });
        LoadedBatch {
            encoded,
            actions,
            runs: facts().map(|facts| facts.run).collect(),
            games: facts().map(|facts| facts.game).collect(),
            hands: facts().map(|facts| facts.hand).collect(),
            decisions: facts().map(|facts| facts.decision).collect(),
            players: facts().map(|facts| facts.players).collect(),
            seats: facts().map(|facts| facts.seat).collect(),
            kinds: facts().map(|facts| facts.kind).collect(),
            hand_deltas: facts().map(|facts| facts.hand_delta).collect(),
            points: facts().map(|facts| facts.points).collect(),
            placements: facts().map(|facts| facts.placement).collect(),
            results: facts().map(|facts| facts.result).collect(),
            observations: config.observations.then(|| samples.iter().map(|one| one.snapshot).collect()),
            reported: config.search_info.then(|| Reported::of(samples)),
            concealed: config.concealed.then(|| concealed_tiles(samples)),
            oracle: config.oracle.then(|| oracle_planes(samples)),
            labelled: config.labels.then(|| Labelled::of(samples, parallel)),
            position,
        }
    }
}

/// Encodes decisions into rows.
fn encode(samples: &[Sample], actions: &mut [u8], rows: &mut RowsMut<'_>) {
    for (row, (sample, action)) in samples.iter().zip(actions).enumerate() {
        rows.encode(row, &sample.snapshot.observe());
        rows.permute(row, sample.suits);
        *action = sample.suits.action(sample.action).number();
    }
}

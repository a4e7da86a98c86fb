//! `events-v1`: a decision as a sequence of tokens, for transformers.
//!
//! - `tokens`: the tokens, block by block

mod tokens;

use std::sync::LazyLock;

use jantaku_engine::Observation;

use super::active::Active;
use super::array::{ArrayKind, ArraySpec, SliceMut};
use super::encoder::{Description, Encoder, EncoderTable};
use super::facts::Facts;
use super::sparse_v1::scalars;

/// The encoder `events-v1`: the player's tiles and the events since the deal as tokens in order, and the
/// scalars of `sparse-v1`.
///
/// The tokens of the blocks `hand` and `table` come first, then those of `event` from the first discard to the
/// last, then those of `kan` and `decision`. Each is a number, which a table of embeddings turns into a vector.
#[derive(Clone, Copy, Debug)]
pub struct EventsV1;

static DESCRIPTION: LazyLock<Description> = LazyLock::new(|| {
    let table =
        EncoderTable { channels: &[], features: tokens::features().leak(), scalars: &scalars::SCALARS };
    Description::new("events-v1", 1, table, &ARRAYS)
});

impl EventsV1 {
    /// The encoder, as networks know it.
    pub const ENCODER: Encoder = Encoder { description: || &DESCRIPTION, encode: EventsV1::encode_row };
    /// The number of different tokens. Also the number that pads sequences in a batch: no token has it.
    pub const TOKENS: u16 = tokens::END;
    /// The longest sequence.
    pub const MAX: usize = 224;
    /// The number of scalars.
    pub const SCALARS: usize = scalars::SCALARS.len();

    /// Writes one decision and returns the length of its sequence. What stands after it means nothing.
    pub fn encode(
        o: &Observation<'_>,
        sequence: &mut [u16; EventsV1::MAX],
        numbers: &mut [f32; EventsV1::SCALARS],
    ) -> usize {
        Facts::with_best_discards(o, |facts| {
            scalars::write(facts, numbers);
            tokens::write(facts, Active::new(sequence)).len()
        })
    }

    fn encode_row(o: &Observation<'_>, arrays: &mut [SliceMut<'_>], row: usize) {
        let [tokens, counts, scalars, ..] = arrays else { unreachable!("three arrays") };
        counts.of()[row] = EventsV1::encode(o, tokens.row(row), scalars.row(row)) as u16;
    }
}

/// The arrays in order.
static ARRAYS: [ArraySpec; 3] = [
    ArraySpec::new("tokens", ArrayKind::Features(EventsV1::TOKENS), &[EventsV1::MAX]),
    ArraySpec::new("counts", ArrayKind::Counts, &[]),
    ArraySpec::new("scalars", ArrayKind::Scalars, &[EventsV1::SCALARS]),
];

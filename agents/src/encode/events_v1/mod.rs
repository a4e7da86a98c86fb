//! `events-v1`: a decision as a sequence of tokens, for transformers.
//!
//! - `tokens`: the tokens, block by block

mod tokens;

use std::sync::LazyLock;

use jantaku_engine::Observation;

use super::active::{Active, Features};
use super::array::{ArrayKind, ArraySpec, SliceMut};
use super::channel::EncoderId;
use super::encoder::{Encode, Encoder, EncoderTable};
use super::facts::Facts;
use super::sparse_v1::scalars;
use super::suits::SuitOrder;

/// The encoder `events-v1`: the hand and the events of a hand of play as tokens in order, and the scalars of
/// `sparse-v1`.
///
/// The tokens of the blocks `hand` and `table` come first, then those of `event` from the first discard to the
/// last, then those of `kan` and `decision`. Each is a number, which a table of embeddings turns into a vector.
#[derive(Clone, Copy, Debug)]
pub struct EventsV1;

static FEATURES: LazyLock<Vec<Features>> = LazyLock::new(tokens::features);
static ID: LazyLock<EncoderId> = LazyLock::new(|| {
    let features = FEATURES.iter().map(|row| format!("{row:?}"));
    let scalars = scalars::SCALARS.iter().map(|scalar| format!("{scalar:?}"));
    EncoderId::new("events-v1", 1, usize::from(EventsV1::TOKENS), features.chain(scalars))
});

impl EventsV1 {
    /// The encoder, as networks know it.
    pub const ENCODER: Encoder = Encoder::new(&EventsV1);
    /// The number of different tokens. Also the number that pads sequences in a batch: no token has it.
    pub const TOKENS: u16 = tokens::END;
    /// The longest sequence.
    pub const MAX: usize = 224;
    /// The number of scalars.
    pub const SCALARS: usize = scalars::SCALARS.len();

    /// The rows of tokens in order.
    #[must_use]
    pub fn features() -> &'static [Features] {
        &FEATURES
    }

    /// The identity of the encoder.
    #[must_use]
    pub fn id() -> &'static EncoderId {
        &ID
    }

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

    /// The token that each token becomes.
    fn permuted(order: SuitOrder) -> &'static [u16] {
        static TABLES: LazyLock<Vec<Vec<u16>>> =
            LazyLock::new(|| SuitOrder::feature_tables(&FEATURES, EventsV1::TOKENS));
        &TABLES[order.number()]
    }
}

/// The arrays in order.
static ARRAYS: [ArraySpec; 3] = [
    ArraySpec::new("tokens", ArrayKind::Features(EventsV1::TOKENS), &[EventsV1::MAX]),
    ArraySpec::new("counts", ArrayKind::Counts, &[]),
    ArraySpec::new("scalars", ArrayKind::Scalars, &[EventsV1::SCALARS]),
];

/// The sequence of a row, and the places after it.
fn sequence<'a>(arrays: &'a mut [SliceMut<'_>], row: usize) -> (&'a mut [u16], &'a mut [u16]) {
    let [tokens, counts, ..] = arrays else { unreachable!("three arrays") };
    tokens.row::<u16, { EventsV1::MAX }>(row).split_at_mut(usize::from(counts.of::<u16>()[row]))
}

impl Encode for EventsV1 {
    fn id(&self) -> &'static EncoderId {
        &ID
    }

    fn arrays(&self) -> &'static [ArraySpec] {
        &ARRAYS
    }

    fn table(&self) -> EncoderTable {
        EncoderTable { features: &FEATURES, scalars: &scalars::SCALARS, ..EncoderTable::default() }
    }

    fn encode(&self, o: &Observation<'_>, arrays: &mut [SliceMut<'_>], row: usize) {
        let [tokens, counts, scalars, ..] = arrays else { unreachable!("three arrays") };
        counts.of()[row] = EventsV1::encode(o, tokens.row(row), scalars.row(row)) as u16;
    }

    fn pad(&self, arrays: &mut [SliceMut<'_>], row: usize) {
        sequence(arrays, row).1.fill(EventsV1::TOKENS);
    }

    fn permute(&self, order: SuitOrder, arrays: &mut [SliceMut<'_>], row: usize) {
        let permuted = EventsV1::permuted(order);
        for token in sequence(arrays, row).0 {
            *token = permuted[usize::from(*token)];
        }
    }
}

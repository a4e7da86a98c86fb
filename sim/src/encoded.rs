//! Rows of encoded decisions in slices that callers own: legal actions, and what networks read.

use jantaku_agents::encode::{PlanesV1, SparseV1};
use jantaku_agents::neural::Encoder;
use jantaku_engine::{ActionId, ActionSet, Observation};

/// Bytes of the legal actions of a decision: 1 for a legal action, 0 for another one.
pub type Mask = [u8; ActionId::COUNT];

/// Rows to fill: the legal actions of decisions and their encodings.
#[derive(Debug, Default)]
pub struct RowsMut<'a> {
    /// The legal actions of each row.
    pub masks: &'a mut [Mask],
    /// The encoding of each row.
    pub encoding: EncodingMut<'a>,
}

/// Rows of an encoder to fill.
#[derive(Debug, Default)]
pub enum EncodingMut<'a> {
    /// Nothing but the legal actions is wanted.
    #[default]
    None,
    /// The bytes of `planes-v1` ([`PlanesV1::encode`]).
    Planes(&'a mut [[u8; PlanesV1::BYTES]]),
    /// The lists of `sparse-v1` ([`SparseV1::encode`]), padded with [`SparseV1::FEATURES`].
    Sparse {
        /// Numbers of active features.
        active: &'a mut [[u16; SparseV1::MOST_ACTIVE]],
        /// How many features are active.
        counts: &'a mut [u16],
        /// The scalars.
        scalars: &'a mut [[f32; SparseV1::SCALARS]],
    },
}

/// Rows of encoded decisions that own their memory.
#[derive(Clone, Debug, Default)]
pub struct EncodedRows {
    /// The legal actions of each row.
    pub masks: Vec<Mask>,
    /// The rows of `planes-v1`; empty for another encoder.
    pub planes: Vec<[u8; PlanesV1::BYTES]>,
    /// The active features of `sparse-v1`; empty for another encoder.
    pub active: Vec<[u16; SparseV1::MOST_ACTIVE]>,
    /// How many features are active.
    pub counts: Vec<u16>,
    /// The scalars of `sparse-v1`.
    pub scalars: Vec<[f32; SparseV1::SCALARS]>,
}

impl EncodedRows {
    /// This many rows of zeros. Without an encoder, only the legal actions.
    #[must_use]
    pub fn new(encoder: Option<Encoder>, rows: usize) -> EncodedRows {
        let masks = vec![[0; ActionId::COUNT]; rows];
        match encoder {
            None => EncodedRows { masks, ..EncodedRows::default() },
            Some(Encoder::PlanesV1) => {
                EncodedRows { masks, planes: vec![[0; PlanesV1::BYTES]; rows], ..EncodedRows::default() }
            }
            Some(Encoder::SparseV1) => EncodedRows {
                masks,
                active: vec![[0; SparseV1::MOST_ACTIVE]; rows],
                counts: vec![0; rows],
                scalars: vec![[0.0; SparseV1::SCALARS]; rows],
                ..EncodedRows::default()
            },
        }
    }

    /// The rows to fill.
    pub fn view_mut(&mut self) -> RowsMut<'_> {
        let EncodedRows { masks, planes, active, counts, scalars } = self;
        let encoding = match (planes.is_empty(), active.is_empty()) {
            (false, _) => EncodingMut::Planes(planes),
            (true, false) => EncodingMut::Sparse { active, counts, scalars },
            (true, true) => EncodingMut::None,
        };
        RowsMut { masks, encoding }
    }
}

impl<'a> RowsMut<'a> {
    /// Splits off the first rows.
    ///
    /// # Panics
    ///
    /// If there are fewer rows.
    #[must_use]
    pub fn split_at(self, rows: usize) -> (RowsMut<'a>, RowsMut<'a>) {
        let (masks, other_masks) = self.masks.split_at_mut(rows);
        let (encoding, other) = self.encoding.split_at(rows);
        (RowsMut { masks, encoding }, RowsMut { masks: other_masks, encoding: other })
    }

    /// Fills one row with a decision.
    #[inline]
    pub fn encode(&mut self, row: usize, o: &Observation<'_>, legal: ActionSet) {
        write_mask(legal, &mut self.masks[row]);
        self.encoding.encode(row, o);
    }

    /// Fills one row for a seat that has nothing to decide: no legal action and no feature.
    pub fn clear(&mut self, row: usize) {
        self.masks[row].fill(0);
        self.encoding.clear(row);
    }
}

impl<'a> EncodingMut<'a> {
    /// The same rows, borrowed for a shorter time.
    pub fn reborrow(&mut self) -> EncodingMut<'_> {
        match self {
            EncodingMut::None => EncodingMut::None,
            EncodingMut::Planes(planes) => EncodingMut::Planes(planes),
            EncodingMut::Sparse { active, counts, scalars } => {
                EncodingMut::Sparse { active, counts, scalars }
            }
        }
    }

    fn split_at(self, rows: usize) -> (EncodingMut<'a>, EncodingMut<'a>) {
        match self {
            EncodingMut::None => (EncodingMut::None, EncodingMut::None),
            EncodingMut::Planes(planes) => {
                let (first, rest) = planes.split_at_mut(rows);
                (EncodingMut::Planes(first), EncodingMut::Planes(rest))
            }
            EncodingMut::Sparse { active, counts, scalars } => {
                let (active, other_active) = active.split_at_mut(rows);
                let (counts, other_counts) = counts.split_at_mut(rows);
                let (scalars, other_scalars) = scalars.split_at_mut(rows);
                (
                    EncodingMut::Sparse { active, counts, scalars },
                    EncodingMut::Sparse {
                        active: other_active,
                        counts: other_counts,
                        scalars: other_scalars,
                    },
                )
            }
        }
    }

    #[inline]
    fn encode(&mut self, row: usize, o: &Observation<'_>) {
        match self {
            EncodingMut::None => {}
            EncodingMut::Planes(planes) => PlanesV1::encode(o, &mut planes[row]),
            EncodingMut::Sparse { active, counts, scalars } => {
                counts[row] = SparseV1::encode_padded(o, &mut active[row], &mut scalars[row]) as u16;
            }
        }
    }

    fn clear(&mut self, row: usize) {
        match self {
            EncodingMut::None => {}
            EncodingMut::Planes(planes) => planes[row].fill(0),
            EncodingMut::Sparse { active, counts, scalars } => {
                active[row].fill(SparseV1::FEATURES);
                counts[row] = 0;
                scalars[row].fill(0.0);
            }
        }
    }
}

/// The eight bits of a byte as eight bytes of 0 or 1, the lowest first.
const BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes a set of actions as one byte for each action.
#[inline]
pub fn write_mask(actions: ActionSet, mask: &mut Mask) {
    let words = actions.words();
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let (eights, rest) = mask.as_chunks_mut::<8>();
    for (eight, byte) in eights.iter_mut().zip(bytes) {
        *eight = BITS[usize::from(byte)];
    }
    let last = words[2].to_le_bytes()[4];
    let len = rest.len();
    rest.copy_from_slice(&BITS[usize::from(last)][..len]);
}

#[cfg(test)]
mod tests {
    use jantaku_engine::Rng;

    use super::*;

    #[test]
    fn a_mask_has_a_byte_for_each_action() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let set = ActionSet::from_words(std::array::from_fn(|_| rng.next_u64()));
            let mut mask = [9; ActionId::COUNT];
            write_mask(set, &mut mask);
            for id in ActionId::all() {
                assert_eq!(mask[usize::from(id.number())], u8::from(set.contains(id)));
            }
        }
    }
}

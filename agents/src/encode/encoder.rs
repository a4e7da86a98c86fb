//! An encoder that networks read.

use std::fmt;
use std::hash::{Hash, Hasher};

use jantaku_engine::Observation;

use super::array::{ArrayKind, ArraySpec, SliceMut};
use super::channel::{Channel, EncoderId};
use super::{Features, Scalar, SuitOrder};

/// Writes a decision to the row of this number, over anything that the row held before. It need not pad
/// lists of features. The arrays are those of the encoder in order.
pub(super) type EncodeRow = fn(&Observation<'_>, &mut [SliceMut<'_>], usize);

/// What an encoder writes: its identity, its table and its arrays.
pub(super) struct Description {
    pub(super) id: EncoderId,
    pub(super) table: EncoderTable,
    arrays: &'static [ArraySpec],
    /// For each of [`SuitOrder::ALL`], the feature that each feature becomes.
    permuted: Vec<Vec<u16>>,
    /// The padding of a list without active features, as long as the longest list.
    padding: Vec<u16>,
}

impl Description {
    /// The description of an encoder of channels, or of features and scalars.
    pub(super) fn new(
        name: &'static str,
        version: u32,
        table: EncoderTable,
        arrays: &'static [ArraySpec],
    ) -> Description {
        let counted =
            |at: usize| arrays.get(at + 1).is_some_and(|next| matches!(next.kind, ArrayKind::Counts));
        let is_list = |spec: &ArraySpec| matches!(spec.kind, ArrayKind::Features(_));
        debug_assert!(
            arrays.iter().enumerate().all(|(at, spec)| !is_list(spec) || counted(at)),
            "a list of features needs an array of counts after it"
        );
        let features = table.features.last().map_or(0, |row| row.first + row.domain.len());
        let channels = table.channels.iter().map(|channel| format!("{channel:?}"));
        let rows = table.features.iter().map(|row| format!("{row:?}"));
        let scalars = table.scalars.iter().map(|scalar| format!("{scalar:?}"));
        let count = table.channels.len() + usize::from(features);
        let id = EncoderId::new(name, version, count, channels.chain(rows).chain(scalars));
        let longest = arrays.iter().map(ArraySpec::width).max().unwrap_or(0);
        let permuted = SuitOrder::feature_tables(table.features, features);
        Description { id, table, arrays, permuted, padding: vec![features; longest] }
    }

    /// Pads the lists of a row that was just written.
    #[inline]
    pub(super) fn pad(&self, arrays: &mut [SliceMut<'_>], row: usize) {
        for (at, spec) in self.arrays.iter().enumerate() {
            if matches!(spec.kind, ArrayKind::Features(_)) {
                let rest = list(spec, &mut arrays[at..], row).1;
                // Copying is faster than filling, because the copy uses the widest instructions.
                rest.copy_from_slice(&self.padding[..rest.len()]);
            }
        }
    }

    /// Permutes the suits of a row that was written.
    pub(super) fn permute(&self, order: SuitOrder, arrays: &mut [SliceMut<'_>], row: usize) {
        let permuted = &self.permuted[order.number()];
        for (at, spec) in self.arrays.iter().enumerate() {
            match spec.kind {
                ArrayKind::Planes => order.planes(&mut arrays[at].of::<u8>()[spec.row(row)]),
                ArrayKind::Features(_) => {
                    for feature in list(spec, &mut arrays[at..], row).0 {
                        *feature = permuted[usize::from(*feature)];
                    }
                }
                ArrayKind::Counts | ArrayKind::Scalars | ArrayKind::Actions => {}
            }
        }
    }
}

/// The active features of a row, and the unused elements after them. The array of lists comes
/// first, then the array of their lengths.
#[inline]
fn list<'a>(spec: &ArraySpec, arrays: &'a mut [SliceMut<'_>], row: usize) -> (&'a mut [u16], &'a mut [u16]) {
    let [list, counts, ..] = arrays else { unreachable!("the lengths follow a list") };
    list.of::<u16>()[spec.row(row)].split_at_mut(usize::from(counts.of::<u16>()[row]))
}

/// The rows of an encoder's table, by kind. Most encoders have only some kinds.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncoderTable {
    /// Channels of planes.
    pub channels: &'static [Channel],
    /// Rows of features.
    pub features: &'static [Features],
    /// Numbers beside the features.
    pub scalars: &'static [Scalar],
}

/// An encoder that networks read: a table, and a list of arrays that it fills for each decision.
///
/// ```
/// use jantaku_agents::encode::Encoder;
///
/// let encoder = Encoder::named("sparse-v1").expect("an encoder");
/// let names: Vec<&str> = encoder.arrays().iter().map(|array| array.name).collect();
/// assert_eq!(names, ["active", "counts", "scalars"]);
/// ```
#[derive(Clone, Copy)]
pub struct Encoder {
    pub(super) description: fn() -> &'static Description,
    pub(super) encode: EncodeRow,
}

impl Encoder {
    /// The identity: name, version and hash of the table.
    pub fn id(self) -> &'static EncoderId {
        &(self.description)().id
    }

    /// The name, such as `sparse-v1`.
    pub fn name(self) -> &'static str {
        self.id().name
    }

    /// The arrays that it fills.
    pub fn arrays(self) -> &'static [ArraySpec] {
        (self.description)().arrays
    }

    /// The table.
    pub fn table(self) -> EncoderTable {
        (self.description)().table
    }

    /// The encoder with this name, such as `sparse-v1`.
    pub fn named(name: &str) -> Option<Encoder> {
        Encoder::ALL.iter().copied().find(|encoder| encoder.name() == name)
    }
}

impl PartialEq for Encoder {
    fn eq(&self, other: &Encoder) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Encoder {}

impl Hash for Encoder {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Encoder").field(&self.name()).finish()
    }
}

/// Prints the name, such as `sparse-v1`.
impl fmt::Display for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

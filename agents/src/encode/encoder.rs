//! An encoder that networks read.

use std::fmt;
use std::hash::{Hash, Hasher};

use jantaku_engine::Observation;

use super::array::{ArraySpec, SliceMut};
use super::channel::{Channel, EncoderId};
use super::{Features, Scalar, SuitOrder};

/// The implementation of an encoder, in the encoder's folder. [`Encoder::ALL`] lists all of them.
///
/// The methods that write get the encoder's arrays in order, and the number of the row.
pub(super) trait Encode: Sync {
    /// The identity: name, version and hash of the table.
    fn id(&self) -> &'static EncoderId;

    /// The arrays that it fills.
    fn arrays(&self) -> &'static [ArraySpec];

    /// The table.
    fn table(&self) -> EncoderTable;

    /// Writes a decision, over anything that the row held before. Lists of features need no
    /// padding.
    fn encode(&self, o: &Observation<'_>, arrays: &mut [SliceMut<'_>], row: usize);

    /// Pads the lists of a row that was just written.
    fn pad(&self, _arrays: &mut [SliceMut<'_>], _row: usize) {}

    /// Permutes the suits of a row that was written.
    fn permute(&self, order: SuitOrder, arrays: &mut [SliceMut<'_>], row: usize);
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
pub struct Encoder(&'static dyn Encode);

impl Encoder {
    pub(super) const fn new(encode: &'static dyn Encode) -> Encoder {
        Encoder(encode)
    }

    pub(super) const fn get(self) -> &'static dyn Encode {
        self.0
    }

    /// The identity: name, version and hash of the table.
    #[must_use]
    pub fn id(self) -> &'static EncoderId {
        self.0.id()
    }

    /// The name, such as `sparse-v1`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.id().name
    }

    /// The arrays that it fills.
    #[must_use]
    pub fn arrays(self) -> &'static [ArraySpec] {
        self.0.arrays()
    }

    /// The table.
    #[must_use]
    pub fn table(self) -> EncoderTable {
        self.0.table()
    }

    /// The encoder with this name, such as `sparse-v1`.
    #[must_use]
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

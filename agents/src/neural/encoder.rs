//! The encoders that networks read.

use std::fmt;

use crate::encode::{EncoderId, PlanesV1, SparseV1};

/// An encoder that networks read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoder {
    /// Channels of 34 bytes, for convolutional networks ([`PlanesV1`]).
    PlanesV1,
    /// Lists of active features and a few scalars, for small networks ([`SparseV1`]).
    SparseV1,
}

impl Encoder {
    /// All encoders.
    pub const ALL: [Encoder; 2] = [Encoder::PlanesV1, Encoder::SparseV1];

    /// The identity: name, version and hash of the table.
    #[must_use]
    pub fn id(self) -> &'static EncoderId {
        match self {
            Encoder::PlanesV1 => PlanesV1::id(),
            Encoder::SparseV1 => SparseV1::id(),
        }
    }

    /// The encoder with this name, such as `sparse-v1`.
    #[must_use]
    pub fn named(name: &str) -> Option<Encoder> {
        Encoder::ALL.into_iter().find(|encoder| encoder.id().name == name)
    }
}

/// Prints the name, such as `sparse-v1`.
impl fmt::Display for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id().name)
    }
}

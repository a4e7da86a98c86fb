//! The inputs that a network on the processor reads: lists of features, and scalars.

use crate::encode::{ArrayKind, Encoder};

/// The shape of a row of an encoder that has a list of active features and scalars.
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    /// The number of features.
    pub features: u16,
    /// The most active features of a decision.
    pub most_active: usize,
    /// The number of scalars.
    pub scalars: usize,
}

impl Lists {
    /// The shape of an encoder's rows. None if it has other arrays.
    pub fn of(encoder: Encoder) -> Option<Lists> {
        let [active, counts, scalars] = encoder.arrays() else { return None };
        match (active.kind, counts.kind, scalars.kind) {
            (ArrayKind::Features(features), ArrayKind::Counts, ArrayKind::Scalars) => {
                Some(Lists { features, most_active: active.width(), scalars: scalars.width() })
            }
            _ => None,
        }
    }
}

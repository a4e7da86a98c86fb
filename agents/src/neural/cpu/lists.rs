//! The inputs that a network on the processor reads: lists of features, and scalars.

use crate::encode::{ArrayKind, Encoder, Inputs};

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

/// The inputs of a batch, one row after the other.
#[derive(Clone, Copy, Debug)]
pub struct ListInputs<'a> {
    /// Numbers of active features.
    pub active: &'a [u16],
    /// How many features are active in each row.
    pub counts: &'a [u16],
    /// The scalars.
    pub scalars: &'a [f32],
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

impl<'a> ListInputs<'a> {
    /// The inputs of an encoder with such rows.
    ///
    /// # Panics
    ///
    /// If the encoder has other arrays.
    pub fn new(inputs: Inputs<'a>) -> ListInputs<'a> {
        let mut arrays = inputs.arrays().map(|(_, array)| array);
        let mut next = || arrays.next().expect("three arrays");
        ListInputs { active: next().of(), counts: next().of(), scalars: next().of() }
    }
}

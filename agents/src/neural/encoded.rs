//! The inputs of a batch, owned by whoever gathers it.

use jantaku_engine::{Observation, TileKind};
use ndarray::{Array1, Array2, Array3, ArrayViewMut1, ArrayViewMut2, ArrayViewMut3, Axis, Slice};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use super::{Encoder, Inputs};
use crate::encode::{PlanesV1, SparseV1, SuitOrder};

/// The inputs of a batch: one row for each decision.
///
/// The arrays keep their memory when they shrink, so a batch of the usual size allocates nothing.
#[derive(Clone, Debug)]
pub struct Encoded {
    arrays: Arrays,
    rows: usize,
}

/// Arrays with at least as many rows as are in use.
#[derive(Clone, Debug)]
enum Arrays {
    Planes(Array3<u8>),
    Sparse { active: Array2<u16>, counts: Array1<u16>, scalars: Array2<f32> },
}

impl Arrays {
    fn zeros(encoder: Encoder, rows: usize) -> Arrays {
        match encoder {
            Encoder::PlanesV1 => Arrays::Planes(Array3::zeros((rows, PlanesV1::CHANNELS, TileKind::COUNT))),
            Encoder::SparseV1 => Arrays::Sparse {
                active: Array2::zeros((rows, SparseV1::MOST_ACTIVE)),
                counts: Array1::zeros(rows),
                scalars: Array2::zeros((rows, SparseV1::SCALARS)),
            },
        }
    }

    fn rows(&self) -> usize {
        match self {
            Arrays::Planes(planes) => planes.len_of(Axis(0)),
            Arrays::Sparse { counts, .. } => counts.len(),
        }
    }
}

/// The decisions that a thread encodes at a time.
const CHUNK: usize = 64;

/// How many decisions ahead of its turn a decision is fetched into the processor's cache.
const AHEAD: usize = 2;

/// The observations of these items in order. The processor fetches each while those before it are
/// encoded.
fn fetched<'o, T>(
    items: &'o [T],
    observation: &impl Fn(&T) -> &Observation<'_>,
) -> impl ExactSizeIterator<Item = &'o Observation<'o>> {
    items.iter().take(AHEAD).for_each(|item| observation(item).prefetch());
    items.iter().enumerate().map(move |(at, item)| {
        if let Some(later) = items.get(at + AHEAD) {
            observation(later).prefetch();
        }
        observation(item)
    })
}

impl Encoded {
    /// A batch without rows.
    #[must_use]
    pub fn new(encoder: Encoder) -> Encoded {
        Encoded { arrays: Arrays::zeros(encoder, 0), rows: 0 }
    }

    /// The encoder of the rows.
    #[must_use]
    pub const fn encoder(&self) -> Encoder {
        match self.arrays {
            Arrays::Planes(_) => Encoder::PlanesV1,
            Arrays::Sparse { .. } => Encoder::SparseV1,
        }
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Makes room for this many rows. Their contents mean nothing until they are encoded.
    pub fn reset(&mut self, rows: usize) {
        if rows > self.arrays.rows() {
            self.arrays = Arrays::zeros(self.encoder(), rows);
        }
        self.rows = rows;
    }

    /// Encodes one decision for each item, on the threads of rayon.
    pub fn encode<T: Sync>(&mut self, items: &[T], observation: impl Fn(&T) -> &Observation<'_> + Sync) {
        self.reset(items.len());
        if items.len() <= CHUNK || rayon::current_num_threads() == 1 {
            self.view_mut().encode(fetched(items, &observation));
            return;
        }
        let mut chunks = Vec::with_capacity(items.len().div_ceil(CHUNK));
        let mut rest = self.view_mut();
        for items in items.chunks(CHUNK) {
            let (rows, other) = rest.split_at(items.len());
            chunks.push((rows, items));
            rest = other;
        }
        chunks.into_par_iter().with_max_len(1).for_each(|(mut rows, items)| {
            rows.encode(fetched(items, &observation));
        });
    }

    /// Copies rows and permutes their suits. `features` has the feature that each feature of
    /// `sparse-v1` becomes.
    pub(super) fn permute(&mut self, inputs: Inputs<'_>, order: SuitOrder, features: &[u16]) {
        self.reset(inputs.rows());
        match (self.view_mut(), inputs) {
            (EncodedMut::Planes(mut planes), Inputs::Planes(from)) => {
                planes.assign(&from);
                order.planes(&mut planes).unwrap_or_else(|error| panic!("planes of 34 kinds: {error}"));
            }
            (
                EncodedMut::Sparse { mut active, mut counts, mut scalars },
                Inputs::Sparse { active: from, counts: from_counts, scalars: from_scalars },
            ) => {
                for ((row, from), count) in active.rows_mut().into_iter().zip(from.rows()).zip(&from_counts) {
                    for (feature, from) in row.into_iter().zip(from).take(usize::from(*count)) {
                        *feature = features[usize::from(*from)];
                    }
                }
                counts.assign(&from_counts);
                scalars.assign(&from_scalars);
            }
            _ => panic!("inputs of the encoder {}, found {}", self.encoder(), inputs.encoder()),
        }
    }

    /// The rows for an evaluator.
    #[must_use]
    pub fn inputs(&self) -> Inputs<'_> {
        let rows = Slice::from(..self.rows);
        match &self.arrays {
            Arrays::Planes(planes) => Inputs::Planes(planes.slice_axis(Axis(0), rows)),
            Arrays::Sparse { active, counts, scalars } => Inputs::Sparse {
                active: active.slice_axis(Axis(0), rows),
                counts: counts.slice_axis(Axis(0), rows),
                scalars: scalars.slice_axis(Axis(0), rows),
            },
        }
    }

    /// The rows to fill.
    pub fn view_mut(&mut self) -> EncodedMut<'_> {
        let rows = Slice::from(..self.rows);
        match &mut self.arrays {
            Arrays::Planes(planes) => EncodedMut::Planes(planes.slice_axis_mut(Axis(0), rows)),
            Arrays::Sparse { active, counts, scalars } => EncodedMut::Sparse {
                active: active.slice_axis_mut(Axis(0), rows),
                counts: counts.slice_axis_mut(Axis(0), rows),
                scalars: scalars.slice_axis_mut(Axis(0), rows),
            },
        }
    }
}

/// Rows of a batch to fill. They can be split between threads.
#[derive(Debug)]
pub enum EncodedMut<'a> {
    /// The bytes of `planes-v1`, as in [`Inputs::Planes`].
    Planes(ArrayViewMut3<'a, u8>),
    /// The lists of `sparse-v1`, as in [`Inputs::Sparse`].
    Sparse {
        /// Numbers of active features.
        active: ArrayViewMut2<'a, u16>,
        /// How many features are active.
        counts: ArrayViewMut1<'a, u16>,
        /// The scalars.
        scalars: ArrayViewMut2<'a, f32>,
    },
}

impl<'a> EncodedMut<'a> {
    /// Splits off the first rows.
    ///
    /// # Panics
    ///
    /// If there are fewer rows.
    #[must_use]
    pub fn split_at(self, rows: usize) -> (EncodedMut<'a>, EncodedMut<'a>) {
        match self {
            EncodedMut::Planes(planes) => {
                let (first, rest) = planes.split_at(Axis(0), rows);
                (EncodedMut::Planes(first), EncodedMut::Planes(rest))
            }
            EncodedMut::Sparse { active, counts, scalars } => {
                let (active, other_active) = active.split_at(Axis(0), rows);
                let (counts, other_counts) = counts.split_at(Axis(0), rows);
                let (scalars, other_scalars) = scalars.split_at(Axis(0), rows);
                (
                    EncodedMut::Sparse { active, counts, scalars },
                    EncodedMut::Sparse { active: other_active, counts: other_counts, scalars: other_scalars },
                )
            }
        }
    }

    /// Encodes one decision for each row.
    ///
    /// # Panics
    ///
    /// If the number of decisions is not that of the rows.
    pub fn encode<'o, O>(&mut self, observations: O)
    where
        O: IntoIterator<Item = &'o Observation<'o>, IntoIter: ExactSizeIterator>,
    {
        let encoded = match self {
            EncodedMut::Planes(planes) => PlanesV1::encode_batch(observations, planes.view_mut()),
            EncodedMut::Sparse { active, counts, scalars } => {
                SparseV1::encode_lists(observations, active.view_mut(), counts.view_mut(), scalars.view_mut())
            }
        };
        encoded.unwrap_or_else(|error| panic!("a row for each decision: {error}"));
    }
}

//! Encoders: a decision as numbers for networks.
//!
//! An encoder is a table of channels, each with its meaning, unit and range, and one function for
//! each group of channels. `docs/encoders.md` has the tables.
//!
//! - [`Channel`], [`View`], [`EncoderId`]: the rows of a table, their views, and the identity of an
//!   encoder
//! - [`ArraySpec`], [`Slice`]: the arrays of an encoder, and their elements
//! - [`Encoder`]: an encoder that networks read
//! - [`Rows`], [`RowsMut`], [`Inputs`]: decisions in the arrays of an encoder, to own, fill and read
//! - [`write_mask`]: the legal actions as bytes
//! - `plane`, `shape`: the layout of a row of planes, and the shapes of the caller's arrays
//! - `facts`, `danger`: facts of an observation that several encoders use
//! - [`PlanesV1`]: channels of 34 bytes, for convolutional networks
//! - [`expand_f32`]: the bytes of planes as floats
//! - [`SparseV1`]: a list of active features, for small networks; `active` lays them out
//! - [`EventsV1`]: a sequence of tokens, for transformers
//! - [`OracleV1`]: hidden hands and the wall, for critics and analysis
//! - [`SuitOrder`]: permutations of the suits, an exact augmentation
//! - [`reference`](reference()): the documentation of the tables
//!
//! A version of an encoder never changes. A new version is a folder here and its line in
//! [`Encoder::ALL`]: networks, loaders, environments and Python find it there.
//!
//! # Why
//!
//! **How does a network get its inputs?** An encoder is a table and a list of arrays. Each array
//! has a name, the shape of a row and a kind: planes, features, counts or scalars. The kind
//! determines the type of the elements, the value of an empty row and the tensors that libtorch
//! gets. `Rows` owns the arrays of a batch and the legal actions, `RowsMut` splits them between
//! threads, and `Inputs` reads them. Networks, `VecEnv`, loaders and Python iterate over the list
//! and depend on no particular encoder. An encoder is two functions, one that says what it writes and
//! one that writes a row, so a new one is a folder and a line in `Encoder::ALL`. How rows are padded
//! and their suits permuted follows from the kinds of the arrays. A new array of an encoder changes
//! only its folder.
//!
//! Rejected: an enum of encoders with a variant for the arrays of each. There were seven such
//! enums, each matched by all its users. Also rejected: type parameters. They spread from the
//! evaluator to the agents and the environments, although the encoder is an option at run time.
//! Also rejected: one buffer of bytes for all arrays, which needs casts, and a vector of arrays in
//! each view. A view is split for every 64 rows, so it stores up to four slices inline and
//! allocates nothing. The call through a pointer costs a few nanoseconds a decision.

mod active;
mod array;
mod channel;
mod danger;
mod encoder;
mod events_v1;
mod expand;
mod facts;
mod mask;
mod oracle_v1;
mod plane;
mod planes_v1;
mod reference;
mod rows;
mod shape;
mod sparse_v1;
mod suits;

pub use active::{Domain, Features};
pub use array::{ArrayKind, ArraySpec, Element, ElementType, MASK, Slice, SliceMut, Values};
pub(crate) use channel::hash_of;
pub use channel::{Channel, EncoderId, View};
pub(crate) use danger::suji;
pub use encoder::{Encoder, EncoderTable};
pub use events_v1::EventsV1;
pub use expand::expand_f32;
pub use mask::{Mask, write_mask};
pub use oracle_v1::OracleV1;
pub use planes_v1::PlanesV1;
pub use reference::reference;
pub use rows::{CHUNK, Inputs, Rows, RowsMut};
pub use shape::WrongShape;
pub(crate) use shape::expect_shape;
pub use sparse_v1::{Scalar, SparseV1};
pub use suits::SuitOrder;

impl Encoder {
    /// All encoders that networks read.
    pub const ALL: &[Encoder] = &[PlanesV1::ENCODER, SparseV1::ENCODER, EventsV1::ENCODER];
}

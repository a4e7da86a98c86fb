//! Encoders: a decision as numbers for networks.
//!
//! An encoder is a table of channels, each with its meaning, unit and range, and one function for
//! each group of channels. `docs/encoders.md` has the tables.
//!
//! - [`Channel`], [`View`], [`EncoderId`]: the rows of a table, whose facts they hold, and what
//!   identifies an encoder
//! - `plane`, `shape`: how a row of planes is laid out and filled, and the caller's arrays
//! - `facts`, `danger`: what the encoders of one decision share
//! - [`PlanesV1`]: channels of 34 bytes, for convolutional networks
//! - [`expand_f32`], [`expand_bf16`]: these bytes as numbers
//! - [`SparseV1`]: a list of active features, for small networks; `active` lays them out
//! - [`OracleV1`]: hidden hands and the wall, for critics and analysis
//! - [`SuitOrder`]: permutations of the suits, an exact augmentation
//! - [`reference`](reference()): the documentation of the tables
//!
//! A version of an encoder never changes. A new version is a folder of its own.

mod active;
mod channel;
mod danger;
mod expand;
mod facts;
mod oracle_v1;
mod plane;
mod planes_v1;
mod reference;
mod shape;
mod sparse_v1;
mod suits;

pub use active::{Domain, Features};
pub use channel::{Channel, EncoderId, View};
pub use expand::{expand_bf16, expand_f32};
pub use oracle_v1::OracleV1;
pub use planes_v1::PlanesV1;
pub use reference::reference;
pub use shape::WrongShape;
pub(crate) use shape::expect_shape;
pub use sparse_v1::{Scalar, SparseV1};
pub use suits::SuitOrder;

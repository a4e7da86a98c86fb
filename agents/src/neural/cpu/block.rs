//! How batches lie in memory: groups of rows in the lanes of vectors.
//!
//! A layer works on groups of [`LANES`] rows. A value of a group, such as one input of the layer, is
//! one vector with a lane for each row. So no kernel adds up lanes, and the outputs of a layer lie
//! as the next one reads them.

/// The number of rows of a group.
pub const LANES: usize = 16;

/// The number of outputs that a kernel computes at once: a panel.
pub const PANEL: usize = 16;

/// One value for each row of a group.
pub type Lanes = Aligned<[f32; LANES]>;

/// Values that begin at a cache line: a vector of AVX-512 fills one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

/// The number of groups that a layer evaluates with the same weights before it loads others.
pub const GROUPS: usize = 4;

/// The number of rows that a thread evaluates at a time.
pub const BLOCK: usize = GROUPS * LANES;

/// A number of values in whole panels.
pub const fn padded(values: usize) -> usize {
    values.next_multiple_of(PANEL)
}

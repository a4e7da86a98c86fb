//! Arrays that callers own: their shapes, and their rows as slices.

use ndarray::{ArrayViewMut, Dimension};

/// The error for an array that does not have the shape of an encoder's output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: expected a contiguous array of the shape {expected:?}, found {found:?}")]
pub struct WrongShape {
    /// What the array is to hold.
    pub what: &'static str,
    /// The shape that it needs.
    pub expected: Vec<usize>,
    /// The shape of the array, or the number of its elements if that is all that is known. The same as
    /// `expected` for an array that is not contiguous.
    pub found: Vec<usize>,
}

/// Checks the shape of an array.
pub(crate) fn expect_shape(
    what: &'static str,
    found: &[usize],
    expected: &[usize],
) -> Result<(), WrongShape> {
    if found == expected {
        return Ok(());
    }
    Err(WrongShape { what, expected: expected.to_vec(), found: found.to_vec() })
}

/// The elements of a contiguous array in order, `N` for each row.
pub(super) fn rows<'a, T, D: Dimension, const N: usize>(
    what: &'static str,
    array: &'a mut ArrayViewMut<'_, T, D>,
) -> Result<&'a mut [[T; N]], WrongShape> {
    let shape = array.shape().to_vec();
    let elements = array.as_slice_mut();
    let elements = elements.ok_or(WrongShape { what, expected: shape.clone(), found: shape })?;
    Ok(elements.as_chunks_mut().0)
}

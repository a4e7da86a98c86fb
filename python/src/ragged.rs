//! `flat_features`: lists of features without padding.

use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::value_error;

/// Indices of the type that torch expects.
type Numbers<'py> = Bound<'py, PyArray1<i64>>;

/// The active features of all rows without padding, as ``torch.nn.EmbeddingBag`` reads them:
/// ``bag(torch.from_numpy(indices), torch.from_numpy(offsets))``.
///
/// Parameters
/// ----------
/// active : numpy.ndarray
///     Shape (n, most active), dtype uint16: the padded features of ``sparse-v1``.
/// counts : numpy.ndarray
///     Shape (n,), dtype uint16: how many features of each row are active.
///
/// Returns
/// -------
/// tuple of numpy.ndarray
///     ``indices``: shape (sum of counts,), dtype int64, the features of the first row, then of the
///     second and so on. ``offsets``: shape (n,), dtype int64, where each row begins.
///
/// Raises
/// ------
/// ValueError
///     If there is not one count for each row, or a count is above the width of ``active``.
#[pyfunction]
pub(crate) fn flat_features<'py>(
    py: Python<'py>,
    active: PyReadonlyArray2<'py, u16>,
    counts: PyReadonlyArray1<'py, u16>,
) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
    let (rows, width) = (active.shape()[0], active.shape()[1]);
    let counts = counts.as_array();
    if counts.len() != rows {
        let found = counts.len();
        return Err(value_error(format!("expected a count for each of {rows} rows, found {found} counts")));
    }
    if let Some(count) = counts.iter().find(|count| usize::from(**count) > width) {
        return Err(value_error(format!("expected counts from 0 to {width}, found {count}")));
    }
    let elements = active.as_slice().map_err(value_error)?;
    let mut indices = Vec::with_capacity(counts.iter().map(|count| usize::from(*count)).sum());
    let mut offsets = Vec::with_capacity(rows);
    for (row, count) in elements.chunks_exact(width.max(1)).zip(counts) {
        offsets.push(indices.len() as i64);
        indices.extend(row[..usize::from(*count)].iter().map(|feature| i64::from(*feature)));
    }
    Ok((PyArray1::from_vec(py, indices), PyArray1::from_vec(py, offsets)))
}

//! `shanten`: the shanten of many hands at once.

use jantaku_engine::{Concealed, TileCounts, TileKind};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::{kind_of, value_error};
use crate::number;

/// The shanten of hands, given as counts of tiles: 0 is tenpai, -1 complete.
///
/// Parameters
/// ----------
/// counts : numpy.ndarray
///     The number of concealed tiles of each kind: shape (n, 34) or (34,), dtype uint8.
/// melds : int, default 0
///     The number of melds beside the concealed tiles.
///
/// Returns
/// -------
/// numpy.ndarray
///     Shape (n,), dtype int8; n is 1 for a single hand.
///
/// Raises
/// ------
/// ValueError
///     If a kind has more than four tiles, or a hand more than 14, counting three for each meld.
#[pyfunction]
#[pyo3(signature = (counts, melds = 0))]
// stub: counts: NDArray[np.uint8]
pub(crate) fn shanten<'py>(
    py: Python<'py>,
    counts: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = number::melds)] melds: usize,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let array = counts.cast::<PyArrayDyn<u8>>().map_err(|_| {
        PyTypeError::new_err(format!("expected an array of dtype uint8, found {}", kind_of(counts)))
    })?;
    let array: PyReadonlyArrayDyn<'_, u8> = array.try_readonly().map_err(value_error)?;
    let view = array.as_array();
    if melds > 4 || !matches!(view.ndim(), 1 | 2) || view.shape().last() != Some(&TileKind::COUNT) {
        let shape = view.shape();
        return Err(value_error(format!(
            "expected shape (n, 34) and at most 4 melds, found shape {shape:?} and {melds} melds"
        )));
    }
    let found: Result<Vec<i8>, String> = py.detach(|| {
        let tiles: Vec<u8> = view.iter().copied().collect();
        tiles.as_chunks().0.iter().enumerate().map(|(row, counts)| shanten_of(row, counts, melds)).collect()
    });
    found.map(|found| PyArray1::from_vec(py, found)).map_err(PyValueError::new_err)
}

/// The shanten of one hand; `row` is its place in the array.
fn shanten_of(row: usize, counts: &[u8; TileKind::COUNT], melds: usize) -> Result<i8, String> {
    let counts = TileCounts::new(*counts).map_err(|error| format!("hand {row}: {error}"))?;
    let tiles = counts.len() + 3 * melds;
    if tiles > 14 {
        return Err(format!("hand {row}: {tiles} tiles, counting three for each meld: expected at most 14"));
    }
    Ok(Concealed::from(&counts).shanten(melds).number())
}

//! Readers of whole numbers, one for each name of an argument: `#[pyo3(from_py_with = number::seed)]`.
//!
//! # Why
//!
//! **Why not the conversion of PyO3?** Its errors say "can't convert negative int to unsigned". They
//! name neither the range nor, in their message, the argument.

use std::fmt::Display;

use jantaku_agents::MAX_SAMPLES;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::errors::{described, value_error};

/// A whole number of the type `T`. Errors name the range; if it is narrower than `T`, the caller checks it.
fn number<'py, T: FromPyObjectOwned<'py> + Display>(
    name: &str,
    value: &Bound<'py, PyAny>,
    [least, most]: [T; 2],
) -> PyResult<T> {
    value.extract().map_err(|_| {
        let found = described(value);
        if value.is_instance_of::<PyInt>() {
            value_error(format!("`{name}`: expected a number from {least} to {most}, found {found}"))
        } else {
            PyTypeError::new_err(format!("`{name}`: expected an integer, found {found}"))
        }
    })
}

macro_rules! numbers {
    ($($name:ident: $type:ty)*) => {$(
        pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
            number(stringify!($name), value, [<$type>::MIN, <$type>::MAX])
        }
    )*};
}

numbers! {
    seed: u64
    tables: usize
    melds: usize
    hand: usize
    seat: u8
    round: u16
    honba: u16
    sticks: u16
    attempt: u16
    dealer_wins: u8
    placement: u8
    points: i32
    result: i32
}

/// The number of games in a sample.
pub(crate) fn n(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    number("n", value, [1, MAX_SAMPLES])
}

/// The number of a seat, which the caller compares with the number of players.
pub(crate) struct SeatNumber(pub(crate) i64);

impl<'a, 'py> FromPyObject<'a, 'py> for SeatNumber {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<SeatNumber> {
        number("seat", &object, [0, 3]).map(SeatNumber)
    }
}

/// The seed of a game; None for a random one.
pub(crate) fn optional_seed(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() { Ok(None) } else { seed(value).map(Some) }
}

/// The points of each seat.
pub(crate) fn scores(value: &Bound<'_, PyAny>) -> PyResult<Vec<i32>> {
    let seats = value.try_iter().map_err(|_| {
        PyTypeError::new_err(format!(
            "`scores`: expected the points of each seat, found {}",
            described(value)
        ))
    })?;
    seats.map(|points| number("scores", &points?, [i32::MIN, i32::MAX])).collect()
}

//! Tiles and seats as Python sees them: a tile is a text such as `5m`, a seat is a number.
//!
//! # Why
//!
//! **Why are tiles strings, and actions objects?** People read tiles; programs compute with arrays.
//! An action is both an index into masks and something to print, so it is an object that has both.

use std::convert::Infallible;

use jantaku_engine::{Players, Seat, Tile, TileKind, notation};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use crate::errors::{kind_of, value_error};

/// The names of all tiles, in the order of their numbers.
static NAMES: PyOnceLock<Vec<Py<PyString>>> = PyOnceLock::new();

/// A tile, which Python gets as its name, such as `5m`; `0m` is a red five.
pub(crate) struct TileName(pub(crate) Tile);

impl<'py> IntoPyObject<'py> for TileName {
    type Target = PyString;
    type Output = Bound<'py, PyString>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Bound<'py, PyString>, Infallible> {
        let intern = || Tile::all().map(|tile| PyString::intern(py, &tile.to_string()).unbind()).collect();
        Ok(NAMES.get_or_init(py, intern)[self.0.index()].bind(py).clone())
    }
}

/// The names of tiles.
pub(crate) fn tile_names(tiles: impl IntoIterator<Item = Tile>) -> Vec<TileName> {
    tiles.into_iter().map(TileName).collect()
}

/// One number for each kind of tile.
pub(crate) fn by_kind(count: impl Fn(TileKind) -> usize) -> Vec<u8> {
    TileKind::all().map(|kind| count(kind) as u8).collect()
}

/// The tiles of an argument: hand notation such as `123m0p`, or a sequence of names.
pub(crate) fn tiles_of(argument: &Bound<'_, PyAny>) -> PyResult<Vec<Tile>> {
    if let Ok(text) = argument.extract::<String>() {
        return notation::parse_tiles(&text).map_err(value_error);
    }
    let names: Vec<String> = argument.extract().map_err(|_| {
        let found = kind_of(argument);
        PyTypeError::new_err(format!(
            "expected tiles as text such as '123m0p', or a list of such texts, found {found}"
        ))
    })?;
    names.iter().map(|name| name.parse().map_err(value_error)).collect()
}

/// The seat with this number.
#[inline]
pub(crate) fn seat_of(number: i64, players: Players) -> PyResult<Seat> {
    let seat = u8::try_from(number).ok().and_then(Seat::new).filter(|seat| seat.number() < players.count());
    let most = players.count() - 1;
    seat.ok_or_else(|| value_error(format!("`seat`: expected a number from 0 to {most}, found {number}")))
}

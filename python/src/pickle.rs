//! Pickles of values: a value as text, and the class that reads the text.
//!
//! # Why
//!
//! **Why does a game pickle as its actions?** They take two bytes each and are checked when they
//! are read. Events, outcomes and the signature follow from them, so games in play need not keep
//! more. An observation cannot be rebuilt from actions, so it pickles as the bytes of its snapshot.
//! Outcomes, wins and recorded games stand alone, too: they pickle as JSON, which is checked when
//! it is read. The score of a hand pickles as its hand.

use crate::errors::value_error;
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What `__reduce__` returns: a function and its arguments.
pub(crate) type Pickle<'py, A = (String,)> = (Bound<'py, PyAny>, A);

/// What `__reduce__` returns, with any number of arguments.
pub(crate) type Remade<'py> = Pickle<'py, Bound<'py, PyTuple>>;

/// The pickle of an object: its class's `_restore` with the text of this value.
pub(crate) fn pickle<'py, T: PyClass>(slf: &Bound<'py, T>, value: &impl Serialize) -> PyResult<Pickle<'py>> {
    let text = serde_json::to_string(value).map_err(|error| wrong::<T>(&error))?;
    Ok((slf.as_any().get_type().getattr("_restore")?, (text,)))
}

/// The value in the text of a [`pickle`] of this class.
pub(crate) fn restore<T: PyClass, V: DeserializeOwned>(text: &str) -> PyResult<V> {
    serde_json::from_str(text).map_err(|error| wrong::<T>(&error))
}

fn wrong<T: PyClass>(error: &serde_json::Error) -> PyErr {
    value_error(format!("the pickle is no {} of this version of the package: {error}", <T as PyClass>::NAME))
}

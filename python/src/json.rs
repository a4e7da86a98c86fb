//! Values of rule files, and results, as Python objects.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;
use serde_json::Value as Json;
use toml::Value;

use crate::errors::{kind_of, value_error};

/// A Python object as a value of a rule file. None is the text `none`.
fn to_toml(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        Ok(Value::String("none".to_owned()))
    } else if value.is_instance_of::<PyBool>() {
        value.extract().map(Value::Boolean)
    } else if value.is_instance_of::<PyString>() {
        value.extract().map(Value::String)
    } else if let Ok(number) = value.cast::<PyFloat>() {
        let number = number.value();
        let wrong = || value_error(format!("expected a finite number, found {number}"));
        number.is_finite().then_some(Value::Float(number)).ok_or_else(wrong)
    } else if let Ok(table) = value.cast::<PyDict>() {
        let entry = |(name, value): (Bound<'_, PyAny>, _)| Ok((name.extract()?, to_toml(&value)?));
        table.iter().map(entry).collect::<PyResult<_>>().map(Value::Table)
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        value.try_iter()?.map(|item| to_toml(&item?)).collect::<PyResult<_>>().map(Value::Array)
    } else if value.is_instance_of::<PyInt>() && value.extract::<i64>().is_err() {
        Err(value_error(format!("expected a number of 64 bits, found {value}")))
    } else {
        // Also integers of numpy.
        value.extract().map(Value::Integer).map_err(|_| {
            PyTypeError::new_err(format!(
                "expected None, bool, int, str, or a list or dict of these, found {}",
                kind_of(value)
            ))
        })
    }
}

/// The argument with this name as a value of a rule file.
pub(crate) fn to_toml_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    to_toml(value).map_err(|error| {
        let text = format!("`{name}`: {}", error.value(value.py()));
        if error.is_instance_of::<PyTypeError>(value.py()) {
            PyTypeError::new_err(text)
        } else {
            value_error(text)
        }
    })
}

/// A value of a rule file as a Python object. The text `none` is None.
pub(crate) fn to_python(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    result_to_python(py, &with_nulls(value)?)
}

/// A value of a rule file as JSON. The text `none` is null.
fn with_nulls(value: Value) -> PyResult<Json> {
    match value {
        Value::String(text) if text == "none" => Ok(Json::Null),
        Value::Array(items) => items.into_iter().map(with_nulls).collect::<PyResult<_>>().map(Json::Array),
        Value::Table(table) => {
            let entry = |(name, value)| Ok((name, with_nulls(value)?));
            table.into_iter().map(entry).collect::<PyResult<_>>().map(Json::Object)
        }
        plain => serde_json::to_value(plain).map_err(value_error),
    }
}

/// A result as Python has it: the object that the program prints with `--json`.
pub(crate) fn result_to_python<'py>(py: Python<'py>, result: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let json = serde_json::to_value(result).map_err(value_error)?;
    py.import("json")?.call_method1("loads", (json.to_string(),))
}

/// The argument with this name as a JSON value.
pub(crate) fn to_json(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Json> {
    if value.is_none() {
        return Ok(Json::Null);
    }
    serde_json::to_value(to_toml_of(name, value)?).map_err(value_error)
}

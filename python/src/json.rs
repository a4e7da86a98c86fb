//! Values of rule files as Python objects.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::Serialize;
use toml::{Table, Value};

use crate::errors::{kind_of, value_error};

/// A Python object as a value of a rule file. None is the text `none`.
pub(crate) fn to_toml(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::String("none".to_owned()));
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        let number: f64 = value.extract()?;
        if !number.is_finite() {
            return Err(PyValueError::new_err(format!("expected a finite number, found {number}")));
        }
        return Ok(Value::Float(number));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let entry = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((name.extract::<String>()?, to_toml(&value)?))
        };
        return Ok(Value::Table(table.iter().map(entry).collect::<PyResult<Table>>()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter()?.map(|item| to_toml(&item?));
        return Ok(Value::Array(items.collect::<PyResult<_>>()?));
    }
    if value.is_instance_of::<PyInt>() && value.extract::<i64>().is_err() {
        return Err(PyValueError::new_err(format!("expected a number of 64 bits, found {value}")));
    }
    // Also integers of numpy.
    value.extract().map(Value::Integer).map_err(|_| {
        PyTypeError::new_err(format!(
            "expected None, bool, int, str, or a list or dict of these, found {}",
            kind_of(value)
        ))
    })
}

/// The argument with this name as a value of a rule file.
pub(crate) fn to_toml_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    to_toml(value).map_err(|error| {
        let text = format!("`{name}`: {}", error.value(value.py()));
        if error.is_instance_of::<PyTypeError>(value.py()) {
            PyTypeError::new_err(text)
        } else {
            PyValueError::new_err(text)
        }
    })
}

/// A value of a rule file as a Python object. The text `none` is None.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::String(text) if text == "none" => py.None().into_bound(py),
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Integer(number) => PyInt::new(py, *number).into_any(),
        Value::Float(number) => PyFloat::new(py, *number).into_any(),
        Value::Boolean(holds) => PyBool::new(py, *holds).to_owned().into_any(),
        Value::Datetime(time) => PyString::new(py, &time.to_string()).into_any(),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| to_python(py, item)).collect::<PyResult<_>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Table(table) => to_dict(py, table)?.into_any(),
    })
}

/// A table of a rule file as a Python dictionary.
pub(crate) fn to_dict<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in table {
        dict.set_item(name, to_python(py, value)?)?;
    }
    Ok(dict)
}

/// A result as Python has it: the object that the program prints with `--json`.
pub(crate) fn result_to_python<'py>(py: Python<'py>, result: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    json_to_python(py, &serde_json::to_value(result).map_err(value_error)?)
}

/// A value of JSON as a Python object.
fn json_to_python<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    use serde_json::Value as Json;
    Ok(match value {
        Json::Null => py.None().into_bound(py),
        Json::Bool(holds) => PyBool::new(py, *holds).to_owned().into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => PyInt::new(py, number).into_any(),
            (_, Some(number)) => PyInt::new(py, number).into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Json::String(text) => PyString::new(py, text).into_any(),
        Json::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| json_to_python(py, item)).collect::<PyResult<_>>()?;
            PyList::new(py, items)?.into_any()
        }
        Json::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                dict.set_item(key, json_to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// A Python object as JSON. Floats stay exact; infinite ones and NaN become null.
///
/// # Errors
///
/// If it has something else than None, numbers, texts, lists and dicts with texts as keys.
pub(crate) fn json_of_python(value: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    use serde_json::Value as Json;
    if value.is_none() {
        Ok(Json::Null)
    } else if let Ok(holds) = value.cast::<PyBool>() {
        Ok(holds.is_true().into())
    } else if let Ok(number) = value.cast::<PyInt>() {
        number.extract::<i64>().map(Json::from).or_else(|_| number.extract::<u64>().map(Json::from))
    } else if let Ok(number) = value.cast::<PyFloat>() {
        Ok(number.value().into())
    } else if let Ok(entries) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, _)| Ok((key.extract()?, json_of_python(&value)?));
        entries.iter().map(entry).collect::<PyResult<_>>().map(Json::Object)
    } else if let Ok(text) = value.extract() {
        Ok(Json::String(text))
    } else {
        value.try_iter()?.map(|item| json_of_python(&item?)).collect::<PyResult<_>>().map(Json::Array)
    }
}

/// The argument with this name as a JSON value.
pub(crate) fn to_json(name: &str, value: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    if value.is_none() {
        return Ok(serde_json::Value::Null);
    }
    serde_json::to_value(to_toml_of(name, value)?).map_err(value_error)
}

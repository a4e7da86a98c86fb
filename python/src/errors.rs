//! The exceptions of the package. Each is a `ValueError`, since a value of the caller is at fault.

use std::ops::RangeInclusive;

use jantaku_engine::IllegalAction;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString};

create_exception!(
    jantaku,
    RulesError,
    PyValueError,
    "Rules that cannot be used: an unknown preset or field, a value that is not allowed, or fields \
     that contradict each other."
);
create_exception!(
    jantaku,
    IllegalActionError,
    PyValueError,
    "An action that is not legal now, or a seat that has no decision to make. The game is unchanged."
);
create_exception!(
    jantaku,
    AgentError,
    PyValueError,
    "An agent that does not exist, cannot be built, or gave no usable answer."
);
create_exception!(
    jantaku,
    LogError,
    PyValueError,
    "A recorded game that cannot be read, or does not replay as recorded."
);

create_exception!(
    jantaku,
    RunError,
    PyValueError,
    "A run that cannot be started, resumed, played, read or merged. Complete parts are kept."
);

/// An illegal action as an `IllegalActionError`.
pub(crate) fn illegal(error: &IllegalAction) -> PyErr {
    IllegalActionError::new_err(error.to_string())
}

/// An error of the library as a `ValueError`.
pub(crate) fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Checks that a number is in a range.
pub(crate) fn check_range(name: &str, found: usize, range: RangeInclusive<usize>) -> PyResult<()> {
    let (least, most) = (range.start(), range.end());
    if range.contains(&found) {
        return Ok(());
    }
    Err(value_error(format!("`{name}`: expected a number from {least} to {most}, found {found}")))
}

/// An error of an agent as an `AgentError`.
pub(crate) fn agent_error(error: impl ToString) -> PyErr {
    AgentError::new_err(error.to_string())
}

/// The name of an object's type.
pub(crate) fn kind_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string())
}

/// A value as errors show it.
pub(crate) fn described(value: &Bound<'_, PyAny>) -> String {
    let is_short = value.is_none()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyFloat>()
        || value.is_instance_of::<PyString>();
    let text = value.repr().map(|text| text.to_string()).ok();
    match text.filter(|text| is_short && text.chars().count() <= 60) {
        Some(text) if value.is_none() => text,
        Some(text) => format!("{text} ({})", kind_of(value)),
        None => kind_of(value),
    }
}

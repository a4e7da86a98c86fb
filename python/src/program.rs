//! The program `jantaku`, which the package installs as a command.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the program with the command line of this process. Returns its exit status.
#[pyfunction]
#[pyo3(name = "_program")]
pub fn program(py: Python<'_>) -> PyResult<u8> {
    // The program handles signals itself. Python would raise an interrupt again at the end.
    let signal = py.import("signal")?;
    signal.call_method1("signal", (signal.getattr("SIGINT")?, signal.getattr("SIG_DFL")?))?;
    let line: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
    Ok(py.detach(|| jantaku_program::run(line)))
}

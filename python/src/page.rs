//! Results as pages for the browser.

use jantaku_measure::reports::page::{Maker, Origin, PageKind, page};
use pyo3::prelude::*;

use crate::arguments::json_of;
use crate::errors::value_error;

/// The page of a result, or of the rows of a training. See `jantaku.results`.
#[pyfunction(name = "_page")]
pub(crate) fn result_page(
    py: Python<'_>,
    kind: &str,
    result: &Bound<'_, PyAny>,
    command: Option<String>,
) -> PyResult<String> {
    let kind = PageKind::named(kind).ok_or_else(|| value_error(format!("no pages of {kind}")))?;
    let result = json_of(result)?;
    let origin = Origin { maker: command.map_or(Maker::Python, Maker::Command), ..Origin::default() };
    py.detach(|| page(kind, &result, &origin)).map_err(value_error)
}

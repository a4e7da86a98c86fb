//! Results as text, and as pages for the browser.

use jantaku_measure::reports::page::{Maker, Origin, PageKind, page, text};
use pyo3::prelude::*;

use crate::arguments::json_of;
use crate::errors::value_error;

fn kind_named(kind: &str) -> PyResult<PageKind> {
    PageKind::named(kind).ok_or_else(|| value_error(format!("unknown kind of result `{kind}`")))
}

/// A result as text with lines of at most `width` characters, as the program prints it. See
/// `jantaku.results`.
#[pyfunction(name = "_text")]
pub(crate) fn result_text(
    py: Python<'_>,
    kind: &str,
    result: &Bound<'_, PyAny>,
    width: usize,
) -> PyResult<String> {
    let (kind, result) = (kind_named(kind)?, json_of(result)?);
    let text = py.detach(|| text(kind, &result, width)).map_err(value_error)?;
    Ok(text.trim_end().to_owned())
}

/// The page of a result, or of the rows of a training. See `jantaku.results`.
#[pyfunction(name = "_page")]
pub(crate) fn result_page(
    py: Python<'_>,
    kind: &str,
    result: &Bound<'_, PyAny>,
    command: Option<String>,
) -> PyResult<String> {
    let (kind, result) = (kind_named(kind)?, json_of(result)?);
    let origin = Origin { maker: command.map_or(Maker::Python, Maker::Command), ..Origin::default() };
    py.detach(|| page(kind, &result, &origin)).map_err(value_error)
}

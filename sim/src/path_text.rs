//! Paths as text in JSON. JSON is UTF-8; paths need not be.

use std::borrow::Cow;
use std::path::Path;

use serde::{Serialize as _, Serializer};

/// The text of a path in JSON, with U+FFFD for bytes that are not UTF-8.
pub fn path_text(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Serializes a path as its [`path_text`].
///
/// # Errors
///
/// The errors of the serializer.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    path_text(path).serialize(serializer)
}

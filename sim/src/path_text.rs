//! Paths in JSON, which is UTF-8, as paths need not be.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::{Serialize as _, Serializer};

/// The text of a path in JSON, with U+FFFD for bytes that are not UTF-8.
#[must_use]
pub fn path_text(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Serializes a path as its [`path_text`].
pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    path_text(path).serialize(serializer)
}

/// Serializes the [`path_text`] of a path that may be absent.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
pub(crate) fn serialize_option<S: Serializer>(
    path: &Option<PathBuf>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    path.as_deref().map(path_text).serialize(serializer)
}

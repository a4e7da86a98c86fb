//! The error of a file that cannot be read.

use std::path::Path;

/// Why a file of a dataset or run cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {what}")]
pub struct ReadError {
    path: String,
    what: String,
}

impl ReadError {
    /// What is wrong with a file.
    #[must_use]
    pub fn new(path: &Path, what: &dyn ToString) -> ReadError {
        ReadError { path: path.display().to_string(), what: what.to_string() }
    }
}

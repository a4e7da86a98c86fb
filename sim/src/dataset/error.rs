//! The error of a file that cannot be read.

use std::path::Path;

/// The source of a [`ReadError`] if another program writes the same folder: a later attempt may succeed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("in use")]
pub struct InUse;

/// Why a file of a dataset or run cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {what}")]
pub struct ReadError {
    path: String,
    what: String,
    source: Option<InUse>,
}

impl ReadError {
    /// An error of this file: `what` says what is wrong with it.
    pub fn new(path: &Path, what: &dyn ToString) -> ReadError {
        ReadError { path: path.display().to_string(), what: what.to_string(), source: None }
    }

    /// The error for a folder that another program writes.
    pub(crate) fn in_use(path: &Path, what: &dyn ToString) -> ReadError {
        ReadError { source: Some(InUse), ..ReadError::new(path, what) }
    }

    /// Adds to the message what the user can do.
    pub(crate) fn advise(mut self, advice: &str) -> ReadError {
        self.what = format!("{}; {advice}", self.what);
        self
    }
}

//! The error of a file that cannot be read.

use std::path::Path;

/// The source of an error because another program writes the same folder: a later attempt may succeed.
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
    /// What is wrong with a file.
    pub fn new(path: &Path, what: &dyn ToString) -> ReadError {
        ReadError { path: path.display().to_string(), what: what.to_string(), source: None }
    }

    /// The error for a folder that another program writes.
    pub(crate) fn in_use(path: &Path, what: &dyn ToString) -> ReadError {
        ReadError { source: Some(InUse), ..ReadError::new(path, what) }
    }

    /// The same error, and what to do.
    pub(crate) fn advise(mut self, advice: &str) -> ReadError {
        self.what = format!("{}; {advice}", self.what);
        self
    }
}

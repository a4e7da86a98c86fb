//! Errors of a network in play, and of a model's files.

use std::path::{Path, PathBuf};

use crate::encode::{Encoder, WrongShape};

/// An error of an evaluator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvaluatorError {
    /// The inputs are those of a different encoder.
    #[error("the network reads {}, the inputs are those of {}", named(*.expected), named(*.found))]
    Encoder {
        /// The encoder of the network.
        expected: Option<Encoder>,
        /// The encoder of the inputs.
        found: Option<Encoder>,
    },
    /// An array does not have the shape that the encoder and the number of rows need.
    #[error(transparent)]
    Shape(#[from] WrongShape),
    /// The network or its device failed.
    #[error("{0}")]
    Failed(String),
}

/// An encoder in a message.
fn named(encoder: Option<Encoder>) -> String {
    encoder.map_or_else(|| "no encoder".to_owned(), |encoder| format!("`{encoder}`"))
}

/// An error of a model's files: file and place, what was found, what was expected, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {place}: found {found}, expected {expected}; {advice}", .file.display())]
pub struct ModelError {
    /// The file.
    pub file: PathBuf,
    /// The place in the file, such as `tensor policy.weight`.
    pub place: String,
    /// What is there.
    pub found: String,
    /// What should be there.
    pub expected: String,
    /// What to do.
    pub advice: String,
}

impl ModelError {
    /// The error for a place in a file.
    pub fn new(
        file: &Path,
        place: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
        advice: impl Into<String>,
    ) -> ModelError {
        ModelError {
            file: file.to_owned(),
            place: place.into(),
            found: found.into(),
            expected: expected.into(),
            advice: advice.into(),
        }
    }
}

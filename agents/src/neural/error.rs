//! Why a network gave no answer, or cannot be opened.

use std::path::{Path, PathBuf};

use super::Encoder;
use crate::encode::WrongShape;

/// Why an evaluator gave no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvaluatorError {
    /// The inputs are those of another encoder.
    #[error("the network reads `{expected}`, the inputs are those of `{found}`")]
    Encoder {
        /// The encoder of the network.
        expected: Encoder,
        /// The encoder of the inputs.
        found: Encoder,
    },
    /// An array does not have the shape that the encoder and the number of rows need.
    #[error(transparent)]
    Shape(#[from] WrongShape),
    /// Two evaluators disagree.
    #[error(
        "two backends differ by {difference} in row {row}, {output}: {first} and {second}; expected at most \
         {tolerance}"
    )]
    Differ {
        /// The row of the largest difference.
        row: usize,
        /// The output, such as `action 37` or `value`.
        output: String,
        /// What the first evaluator answers.
        first: f32,
        /// What the second one answers.
        second: f32,
        /// The difference.
        difference: f32,
        /// The largest difference that is accepted.
        tolerance: f32,
    },
    /// The network or its device failed.
    #[error("{0}")]
    Failed(String),
}

/// Why a model cannot be opened: the file, the place in it, what was found and expected, and what to
/// do.
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

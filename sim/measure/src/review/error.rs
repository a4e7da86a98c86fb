//! Why decisions cannot be reviewed.

use jantaku_sim::replay::error::SourceError;
use jantaku_sim::run::RequestError;

/// Why decisions cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// A field of the request is not valid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The game cannot be opened or replayed, or does not have the hand.
    #[error(transparent)]
    Source(#[from] SourceError),
}

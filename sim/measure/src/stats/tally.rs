//! The sums of statistics as bytes, so that several processes can share the games of one result.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a tally cannot be added.
#[derive(Debug, thiserror::Error)]
#[error("the games were counted by another version of the program, or for other agents or rules{what}")]
pub struct TallyError {
    what: String,
}

impl TallyError {
    /// A tally with the sums of other figures.
    pub(super) const fn other() -> TallyError {
        TallyError { what: String::new() }
    }
}

/// Figures whose games several processes play.
///
/// All sums are whole numbers, so it does not matter which process plays which games, or in which
/// order their tallies are added.
pub trait Tallied: Serialize + DeserializeOwned {
    /// Adds other sums, which may come from a tally.
    ///
    /// # Errors
    ///
    /// If they are the sums of other figures.
    fn add_read(&mut self, other: &Self) -> Result<(), TallyError>;

    /// The sums as bytes.
    fn to_tally(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("sums are whole numbers")
    }

    /// Adds the games of a tally: of the same agents, under the same rules.
    ///
    /// # Errors
    ///
    /// If the bytes are no such tally.
    fn add_tally(&mut self, tally: &[u8]) -> Result<(), TallyError> {
        let read: Self =
            serde_json::from_slice(tally).map_err(|error| TallyError { what: format!(": {error}") })?;
        self.add_read(&read)
    }
}

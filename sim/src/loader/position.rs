//! Where a loader stands.

use serde::{Deserialize, Serialize};

use super::error::LoadError;

/// Where a loader stands after a batch. A loader that begins there gives exactly the rest.
///
/// It finds the place by replaying the games of one window without encoding them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    /// The hash of what decides on the order; 0 for a beginning, which fits every loader.
    pub loader: u64,
    /// The number of the epoch, from 0.
    pub epoch: u64,
    /// The part with which the window begins, in the order of the epoch.
    pub part: u64,
    /// The game of this part with which it begins.
    pub game: u64,
    /// The decisions of the window that were given out.
    pub given: u64,
}

impl Position {
    /// The beginning of an epoch.
    #[must_use]
    pub fn epoch(epoch: u64) -> Position {
        Position { epoch, ..Position::default() }
    }

    /// Checks that the position is a beginning or belongs to the loader with this hash.
    pub(super) fn check(&self, loader: u64) -> Result<(), LoadError> {
        let is_beginning = (self.part, self.game, self.given) == (0, 0, 0);
        if self.loader == loader || self.loader == 0 && is_beginning {
            return Ok(());
        }
        Err(LoadError::OtherLoader { expected: loader, found: self.loader })
    }
}

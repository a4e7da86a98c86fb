//! A checkpoint of a loader.
//!
//! # Why
//!
//! **How does a loader resume without replaying the epoch?** It reads in windows. The order in a
//! window is a function of the seed, the epoch and where the window begins. A position names that
//! place and the number of decisions returned since. So resuming replays at most one window,
//! however long the epoch is.

use serde::{Deserialize, Serialize};

use super::error::LoadError;

/// A checkpoint of a loader after a batch. A loader that starts from it continues with the next
/// decision.
///
/// To find the place, it replays the games of one window without encoding them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    /// A hash of the games and of the options that determine the order. 0 for the start of an
    /// epoch, which fits every loader.
    pub loader: u64,
    /// The number of the epoch, from 0.
    pub epoch: u64,
    /// The part in which the window starts, counted in the order of the epoch.
    pub part: u64,
    /// The number of the window's first game in this part.
    pub game: u64,
    /// The number of decisions of the window that were returned already.
    pub given: u64,
}

impl Position {
    /// The start of an epoch.
    pub fn epoch(epoch: u64) -> Position {
        Position { epoch, ..Position::default() }
    }

    /// Checks that this is the start of an epoch or belongs to the loader with this hash.
    pub(super) fn check(&self, loader: u64) -> Result<(), LoadError> {
        let is_beginning = (self.part, self.game, self.given) == (0, 0, 0);
        if self.loader == loader || self.loader == 0 && is_beginning {
            return Ok(());
        }
        Err(LoadError::OtherLoader { expected: loader, found: self.loader })
    }
}

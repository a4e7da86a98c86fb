//! Where finished games go.

use std::path::PathBuf;

use crate::play::GameRecord;

/// Takes finished games in the order of the schedule, on the thread that runs the job.
///
/// A sink that writes may let the caller wait until it has room: that is the only brake on the players.
pub trait Sink {
    /// Takes the next game.
    ///
    /// # Errors
    ///
    /// If it cannot be kept; the run stops. What was complete before stays.
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError>;
}

/// A file or folder of a run could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}: {cause}", path.display())]
pub struct SinkError {
    /// Which.
    pub path: PathBuf,
    /// What was tried, such as `cannot write`.
    pub what: &'static str,
    /// Why it failed. The message names it, so it is no source besides.
    pub cause: std::io::Error,
}

/// Keeps nothing.
impl Sink for () {
    fn take(&mut self, _: GameRecord) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Keeps all games in memory.
impl Sink for Vec<GameRecord> {
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError> {
        self.push(game);
        Ok(())
    }
}

//! Where finished games go.

use std::path::PathBuf;

use crate::play::GameRecord;

/// Takes finished games.
///
/// The runner calls it in the order of the schedule, on the thread that runs the job. A sink that
/// writes may block until it has room. Nothing else slows the players down.
pub trait Sink {
    /// Takes the next game.
    ///
    /// # Errors
    ///
    /// If the game cannot be kept. Then the runner stops, and complete parts stay.
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError>;
}

/// A file or folder of a run could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}: {cause}", path.display())]
pub struct SinkError {
    /// The file or folder.
    pub path: PathBuf,
    /// The step that failed, such as `cannot write`.
    pub what: &'static str,
    /// The reason. The message contains it, so it is not a source.
    pub cause: std::io::Error,
}

/// Discards all games.
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

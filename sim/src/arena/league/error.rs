//! Why a league cannot be opened or played.

use std::io;
use std::path::PathBuf;

use crate::dataset::ReadError;
use crate::play::{CannotStart, RunError, SinkError};
use crate::run::{ConfigError, NotNew, PlayError, StartError};

/// Why a league cannot be opened or played.
#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    /// The configuration is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder cannot take a new league.
    #[error("{}: {cause}", folder.display())]
    NotNew {
        /// The folder.
        folder: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: NotNew,
    },
    /// The league or a run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// `league.toml` cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
    /// The run of a table cannot be created or resumed.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run of a table could not be played to its end.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// An agent cannot start.
    #[error(transparent)]
    Agent(#[from] CannotStart),
    /// The file of a table's faults cannot be read or written.
    #[error("{}: {cause}", path.display())]
    Faults {
        /// The file.
        path: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
    /// A game that is not written could not be played.
    #[error("table of {agents}: {cause}")]
    Table {
        /// The agents of the table.
        agents: String,
        /// The reason. The message contains it, so it is not a source.
        cause: RunError,
    },
}

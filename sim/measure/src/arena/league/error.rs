//! Why a league cannot be opened or played.

use std::path::PathBuf;

use crate::arena::matches::MatchError;
use jantaku_sim::dataset::ReadError;
use jantaku_sim::play::{CannotStart, FaultsError, SinkError};
use jantaku_sim::run::{ConfigError, RequestError, StartError};

/// Why a league cannot be opened or played.
#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    /// The league or a run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// `league.toml` cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
    /// The configuration is not valid or differs from the request, the folder cannot be used, or the run
    /// of a table cannot be created or resumed.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A table could not be played to its end.
    #[error("table of {agents}: {cause}")]
    Play {
        /// The agents of the table.
        agents: String,
        /// The reason. The message contains it, so it is not a source.
        cause: Box<MatchError>,
    },
    /// A field of the request is not valid.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The folder has no league.
    #[error("{}: there is no league.toml, so no league to resume", folder.display())]
    NoLeague {
        /// The folder.
        folder: PathBuf,
    },
    /// An agent cannot start.
    #[error(transparent)]
    Agent(#[from] CannotStart),
    /// The file of a table's faults cannot be read or written.
    #[error(transparent)]
    Faults(#[from] FaultsError),
}

impl From<ConfigError> for LeagueError {
    fn from(error: ConfigError) -> LeagueError {
        LeagueError::Start(error.into())
    }
}

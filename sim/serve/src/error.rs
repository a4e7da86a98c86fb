//! What can go wrong when a server starts or a table is kept.

use std::io;
use std::path::Path;

use jantaku_agents::AgentError;

use jantaku_measure::arena::LeagueError;
use jantaku_measure::explain::AskError;
use jantaku_measure::reports::ReportError;
use jantaku_measure::reports::page::PageError;
use jantaku_sim::dataset::ReadError;
use jantaku_sim::logs::LogError;
use jantaku_sim::play::SinkError;
use jantaku_sim::replay::error::SourceError;
use jantaku_sim::run::{ConfigError, PlayError, StartError};

/// Why a server cannot start, or a table cannot be set up, resumed or kept.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// An address, a folder, a file or a game cannot be used.
    #[error("{place}: {what}")]
    Unusable {
        /// The address or path.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// The source, the table or the game of a request is not there.
    #[error("{place}: {what}")]
    Missing {
        /// The path.
        place: String,
        /// What is missing.
        what: String,
    },
    /// The server is stopping, so nothing is written any more.
    #[error("the server is stopping; the game continues when the server starts again")]
    Ends,
    /// A file of a table cannot be written.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// An agent cannot play under the rules.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An agent cannot start.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// An agent gives no advice.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The run of a finished game cannot be created.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run of a finished game cannot be written.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A league cannot be read.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// The games of a run cannot be counted.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A result cannot be shown.
    #[error(transparent)]
    Page(#[from] PageError),
    /// A log that a browser sent cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A game cannot be opened or replayed.
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl ServeError {
    /// A place that cannot be used.
    pub(super) fn new(place: &dyn ToString, what: impl Into<String>) -> ServeError {
        ServeError::Unusable { place: place.to_string(), what: what.into() }
    }

    /// A file or folder that cannot be read or written.
    pub(super) fn file(path: &Path, what: &str, cause: &io::Error) -> ServeError {
        ServeError::new(&path.display(), format!("{what}: {cause}"))
    }

    /// A source or a table that was removed while the server runs.
    pub(super) fn gone(path: &Path) -> ServeError {
        let what = "is not there any more: it was removed or renamed after the server found it".to_owned();
        ServeError::Missing { place: path.display().to_string(), what }
    }

    /// Whether the source, the table or the game of a request is missing.
    pub(super) const fn is_missing(&self) -> bool {
        match self {
            ServeError::Missing { .. } => true,
            ServeError::Source(error) => error.is_missing(),
            _ => false,
        }
    }

    /// A file of a table that does not hold a table, or whose decisions are not those of a game.
    pub(super) fn table(path: &Path, what: &dyn ToString) -> ServeError {
        ServeError::new(&path.display(), what.to_string())
    }
}

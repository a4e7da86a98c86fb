//! What can go wrong when a server starts or a table is kept.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use jantaku_agents::AgentError;
use jantaku_agents::field_name;

use jantaku_measure::arena::LeagueError;
use jantaku_measure::explain::AskError;
use jantaku_measure::reports::ReportError;
use jantaku_measure::reports::page::PageError;
use jantaku_sim::dataset::ReadError;
use jantaku_sim::logs::files::shown;
use jantaku_sim::play::{RunError, SinkError};
use jantaku_sim::replay::error::SourceError;
use jantaku_sim::run::{ConfigError, PlayError, StartError};

/// Why a server cannot start, or a table cannot be set up, resumed or kept.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address can be reached from other machines.
    #[error("{0}: expected an address of this machine alone, such as 127.0.0.1")]
    NotLoopback(SocketAddr),
    /// The address is in use or cannot be opened.
    #[error("{address}: cannot listen: {cause}; choose another port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
    /// A file or folder cannot be read or written.
    #[error("{}: {what}: {cause}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The step that failed, such as `cannot write`.
        what: &'static str,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
    /// The folder of the tables cannot be locked: another server has it.
    #[error("{}: cannot be used: {cause}; choose another folder with {}", folder.display(), field_name("tables"))]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: io::Error,
    },
    /// The server ends, so nothing is written any more.
    #[error("the server ends; the game continues when it starts again")]
    Ends,
    /// A file of a table does not hold a table, or its decisions are not those of a game.
    #[error("{}: {what}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A path on the command line is nothing that a server shows.
    #[error(
        "{}: expected a run, a league, a log, a position or a folder of them, found {found}",
        shown(path)
    )]
    NotASource {
        /// The file.
        path: PathBuf,
        /// What it seems to be.
        found: String,
    },
    /// A source or a table was removed while the server runs.
    #[error("{}: is not there any more: it was removed or renamed after the server found it", path.display())]
    Gone {
        /// The file or folder.
        path: PathBuf,
    },
    /// A game of a source cannot be played on.
    #[error("{}: game {game}: cannot be continued: {what}", shown(path))]
    CannotContinue {
        /// The run, log or position.
        path: PathBuf,
        /// The number of the game.
        game: u64,
        /// What is missing.
        what: String,
    },
    /// A run has no game in play that can be shown.
    #[error(
        "{}: no game in play can be shown: the run is over, or its agents are slow, need other programs, or \
         belong to another version of Jantaku",
        path.display()
    )]
    NoneInPlay {
        /// The run or log.
        path: PathBuf,
    },
    /// A game of a run cannot be played again.
    #[error("{}: cannot be played again: {cause}", path.display())]
    PlayAgain {
        /// The run.
        path: PathBuf,
        /// The reason. The message contains it, so it is not a source.
        cause: RunError,
    },
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
    /// A game cannot be opened or replayed.
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl ServeError {
    /// A file or folder that cannot be read or written.
    pub(super) fn file(path: &Path, what: &'static str, cause: io::Error) -> ServeError {
        ServeError::File { path: path.to_owned(), what, cause }
    }

    /// Whether the source, the table or the game of a request is missing.
    pub(super) const fn is_missing(&self) -> bool {
        match self {
            ServeError::Gone { .. } | ServeError::CannotContinue { .. } | ServeError::NoneInPlay { .. } => {
                true
            }
            ServeError::Source(error) => error.is_missing(),
            _ => false,
        }
    }

    pub(crate) fn table(path: &Path, what: &dyn ToString) -> ServeError {
        ServeError::Table { path: path.to_owned(), what: what.to_string() }
    }
}

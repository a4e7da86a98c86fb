//! Opens one game of a run or of a log.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use jantaku_agents::argument;
use jantaku_engine::Rules;
use jantaku_engine::replay::{RecordedGame, Spectator};

use super::inputs::Inputs;
use super::stored::StoredGameError;
use crate::dataset::{ReadError, StoredGame, TableKind, read_games};
use crate::logs::LogError;
use crate::logs::files::shown;
use crate::play::Detail;
use crate::run::{self, RunConfig};

/// Why a game cannot be opened or replayed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A file of the run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The log does not exist.
    #[error(transparent)]
    Find(#[from] io::Error),
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The run has no decisions.
    #[error(
        "{}: the run keeps only {}, expected decisions: write it with {}",
        run.display(), kept.name(), argument("log", "decisions")
    )]
    NoDecisions {
        /// The run.
        run: PathBuf,
        /// The tables that it has.
        kept: Detail,
    },
    /// The run has no such game.
    #[error("{}: no game {game}; the run holds {}", run.display(), games_text(games))]
    NotInRun {
        /// The run.
        run: PathBuf,
        /// The number of the game.
        game: u64,
        /// The games that the run has.
        games: Range<u64>,
    },
    /// The log has no such game.
    #[error("{}: no game {game}", shown(log))]
    NotInLog {
        /// The log.
        log: PathBuf,
        /// The number of the game.
        game: u64,
    },
    /// The stored decisions are not those of a game under its rules.
    #[error("{}: game {game}: {cause}", run.display())]
    Replay {
        /// The run.
        run: PathBuf,
        /// The number of the game.
        game: u64,
        /// The reason. The message contains it, so it is not a source.
        cause: StoredGameError,
    },
}

/// The games of a run in words.
fn games_text(games: &Range<u64>) -> String {
    if games.is_empty() {
        "no games".to_owned()
    } else {
        format!("games {} to {}", games.start, games.end - 1)
    }
}

/// A game of a run.
#[derive(Debug)]
pub struct GameOfRun {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The configuration of the run.
    pub config: RunConfig,
    /// The game.
    pub stored: StoredGame,
    /// The part that holds it.
    pub part: u64,
}

impl GameOfRun {
    /// Opens a game of a run with decisions. The files of its part must have the hashes in the
    /// manifest.
    ///
    /// # Errors
    ///
    /// If the run cannot be read, or has no decisions or no such game.
    pub fn open(folder: &Path, game: u64) -> Result<GameOfRun, OpenError> {
        let (config, manifest) = run::read(folder)?;
        let run = || folder.to_owned();
        if config.detail < Detail::Decisions {
            return Err(OpenError::NoDecisions { run: run(), kept: config.detail });
        }
        let first = config.range().start;
        let games = first..first + manifest.games;
        let missing = || OpenError::NotInRun { run: run(), game, games: games.clone() };
        let part = manifest.part_of(game).ok_or_else(missing)?;
        run::check_part(folder, part, &TableKind::ALL)?;
        let found = read_games(folder, &config.contents(), part.part, Some(game))?;
        let stored = found.into_iter().next().ok_or_else(missing)?;
        Ok(GameOfRun { folder: run(), part: part.part, config, stored })
    }

    /// Replays the game.
    ///
    /// # Errors
    ///
    /// If its decisions are not those of a game under its rules.
    pub fn replay(&self, spectator: &mut impl Spectator) -> Result<(), OpenError> {
        let (run, game) = (&self.folder, self.stored.game);
        let replayed = self.stored.replay(spectator);
        replayed.map_err(|cause| OpenError::Replay { run: run.clone(), game, cause })
    }
}

/// [`count_games`] counts up to one more game than this, because logs can be very long.
pub const MAX_COUNTED: usize = 1000;

/// The number of games of a log up to its last readable one. 0 if it cannot be opened.
#[must_use]
pub fn count_games(log: &Path) -> usize {
    let Ok(inputs) = Inputs::open(&[log.to_owned()]) else { return 0 };
    let games = (1..=MAX_COUNTED + 1).zip(inputs);
    games.filter(|(_, game)| game.is_ok()).last().map_or(0, |(number, _)| number)
}

/// Reads a game of a log. The rules are those of the log, or these if it states none that fit.
///
/// # Errors
///
/// If the log cannot be read or has no such game.
pub fn game_of_log(log: &Path, game: u64, assumed: Option<&Rules>) -> Result<RecordedGame, OpenError> {
    let mut inputs = Inputs::open(&[log.to_owned()])?;
    let index = usize::try_from(game).unwrap_or(usize::MAX);
    let input = inputs.nth(index).ok_or_else(|| OpenError::NotInLog { log: log.to_owned(), game })?;
    Ok(input?.read(assumed)?)
}

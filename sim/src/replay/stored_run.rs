//! Reads the games of a run, part by part.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jantaku_agents::labels::Label;
use jantaku_agents::{SearchInfo, argument};
use jantaku_engine::replay::Spectator;

use super::error::SourceError;
use crate::dataset::{
    ReadError, StoredGame, TableFile, TableKind, read_games_of, read_labels_of, read_search_info_of,
};
use crate::play::Detail;
use crate::run::{self, Manifest, PartEntry, RunConfig};

/// A run with decisions.
#[derive(Debug)]
pub struct StoredRun {
    /// The folder, or the URL in an object store.
    pub folder: PathBuf,
    /// The configuration.
    pub config: RunConfig,
    /// Its complete parts.
    pub manifest: Manifest,
}

/// What is read beside the games of a run.
#[derive(Clone, Copy, Default, Debug)]
pub struct WantedExtras {
    /// What agents reported with their decisions.
    pub search_info: bool,
    /// The labels.
    pub labels: bool,
}

/// What else is known of the decisions of a game.
#[derive(Debug, Default)]
pub struct GameExtras {
    /// What agents reported with the decisions, in order. Empty if it is not asked for.
    pub search_info: Vec<Option<Box<SearchInfo>>>,
    /// The labels with the numbers of their decisions, in order. Empty if they are not asked for.
    pub labels: Vec<(u32, Label)>,
}

impl StoredRun {
    /// Opens a run with decisions, and checks that its files exist with the right sizes.
    ///
    /// # Errors
    ///
    /// If the run cannot be read or has no decisions.
    pub fn open(folder: &Path) -> Result<StoredRun, SourceError> {
        let (config, manifest) = run::read(folder)?;
        StoredRun::new(folder, config, manifest)
    }

    /// A run that was read.
    ///
    /// # Errors
    ///
    /// If it has no decisions.
    pub fn new(folder: &Path, config: RunConfig, manifest: Manifest) -> Result<StoredRun, SourceError> {
        let kept = config.detail;
        if kept >= Detail::Decisions {
            return Ok(StoredRun { folder: folder.to_owned(), config, manifest });
        }
        let (kept, log) = (kept.name(), argument("log", "decisions"));
        let what = format!("the run keeps only {kept}, expected decisions: write it with {log}");
        Err(SourceError::NoGame { place: folder.display().to_string(), what })
    }

    /// Begins to download a part that is read soon.
    pub(crate) fn prefetch(&self, part: &PartEntry, extras: WantedExtras) {
        use TableKind::{Decisions, Games, Hands, Labels, Walls};
        let mut tables = vec![Games, Decisions];
        if self.config.from_logs {
            tables.extend([Walls, Hands]);
        }
        tables.extend(extras.labels.then_some(Labels));
        run::prefetch_part(&self.folder, part, &tables);
    }

    /// Reads the games of a part, or only the game `only_game`, with the wanted extras. Checks the files
    /// that it reads against the manifest.
    ///
    /// # Errors
    ///
    /// If a file is missing or damaged, or the part does not hold the game.
    pub fn read(
        &self,
        part: &PartEntry,
        only_game: Option<u64>,
        wanted: WantedExtras,
    ) -> Result<Vec<(StoredGame, GameExtras)>, ReadError> {
        let open = |table: TableKind| {
            run::check_part(&self.folder, part, &[table])?;
            Ok(TableFile::new(&self.folder, table, part.part))
        };
        let games = read_games_of(open, &self.config.contents(), only_game)?;
        let mut extras = BTreeMap::<u64, GameExtras>::new();
        if wanted.search_info {
            let add = |game, search_info: Option<SearchInfo>| {
                extras.entry(game).or_default().search_info.push(search_info.map(Box::new));
            };
            read_search_info_of(&open(TableKind::Decisions)?, only_game, add)?;
        }
        if wanted.labels {
            let add = |game, decision, label| {
                extras.entry(game).or_default().labels.push((decision, label));
            };
            read_labels_of(&open(TableKind::Labels)?, add)?;
        }
        let with_extras = |game: StoredGame| {
            let extras = extras.remove(&game.game).unwrap_or_default();
            (game, extras)
        };
        Ok(games.into_iter().map(with_extras).collect())
    }

    /// Reads a game.
    ///
    /// # Errors
    ///
    /// If the run has no such game, or its part cannot be read.
    pub fn game(self, game: u64) -> Result<GameOfRun, SourceError> {
        let StoredRun { folder, config, manifest } = &self;
        let first = config.range().start;
        let missing = || {
            let games = match manifest.games {
                0 => "no games".to_owned(),
                games => format!("games {first} to {}", first + games - 1),
            };
            let what = format!("no game {game}; the run holds {games}");
            SourceError::NoGame { place: folder.display().to_string(), what }
        };
        let part = manifest.part_of(game).ok_or_else(missing)?;
        let (stored, _) =
            self.read(part, Some(game), WantedExtras::default())?.into_iter().next().ok_or_else(missing)?;
        let part = part.part;
        Ok(GameOfRun { folder: self.folder, config: self.config, part, stored })
    }
}

/// A game of a run.
#[derive(Debug)]
pub struct GameOfRun {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The configuration of the run.
    pub config: RunConfig,
    /// The part that holds it.
    pub part: u64,
    /// The game.
    pub stored: StoredGame,
}

impl GameOfRun {
    /// Opens a game of a run with decisions. The files of its part must have the hashes in the
    /// manifest.
    ///
    /// # Errors
    ///
    /// If the run cannot be read, or has no decisions or no such game.
    pub fn open(folder: &Path, game: u64) -> Result<GameOfRun, SourceError> {
        StoredRun::open(folder)?.game(game)
    }

    /// Replays the game.
    ///
    /// # Errors
    ///
    /// If its decisions are not those of a game under its rules.
    pub fn replay(&self, spectator: &mut dyn Spectator) -> Result<(), SourceError> {
        let replayed = self.stored.replay(spectator);
        let what = |cause| format!("game {}: {cause}", self.stored.game);
        replayed.map_err(|cause| ReadError::new(&self.folder, &what(cause)).into())
    }
}

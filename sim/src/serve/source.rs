//! The games of a run or a log.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use jantaku_hands::story::StoryScope;
use jantaku_hands::view::page;

use super::error::ServeError;
use crate::logs::files::{Games, find_at, is_url, shown};
use crate::play::Detail;
use crate::replay::open::{GameOfRun, game_of_log};
use crate::replay::view::{view_of_log, view_of_run};
use crate::run;

/// A run or a log whose games a server shows.
#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    /// The games of a log, as they were counted last.
    counted: Mutex<Option<Counted>>,
}

/// The first games of a log.
#[derive(Clone, Copy, Debug)]
struct Counted {
    /// The file that was read.
    file: FileStamp,
    games: u64,
    /// Whether the log has more.
    has_more: bool,
}

/// The size of a file, and when it was modified. None for a URL, which holds its log.
type FileStamp = Option<(u64, SystemTime)>;

/// What a source holds now.
pub(super) struct Contents {
    /// The first game.
    pub(super) first: u64,
    /// The games that can be listed.
    pub(super) games: u64,
    /// Whether a log has more games, which were not counted.
    pub(super) has_more: bool,
    /// The number of games that the run will have. None for a log, or if it is not known.
    pub(super) planned: Option<u64>,
    /// How far a run is. A log is complete.
    pub(super) progress: Progress,
    /// Whether the games can be shown: a run may keep only their results.
    pub(super) has_decisions: bool,
    /// The agents of a run.
    pub(super) agents: Vec<String>,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// All games are there.
    Complete,
    /// A program is writing it.
    Running,
    /// It was stopped, and can be resumed.
    Stopped,
}

impl Source {
    /// The runs and logs in these files and folders.
    pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<Source>, ServeError> {
        let mut found = Vec::new();
        for path in paths {
            let paths = find_at(path).map_err(|cause| ServeError::file(path, "cannot open", cause))?;
            found.extend(paths.into_iter().map(Source::new));
        }
        Ok(found)
    }

    const fn new(path: PathBuf) -> Source {
        Source { path, counted: Mutex::new(None) }
    }

    /// Its name in lists.
    pub(super) fn name(&self) -> String {
        shown(&self.path)
    }

    /// What it holds now. Logs can be very long, so only this many of their games are counted.
    pub(super) fn contents(&self, most: u64) -> Result<Contents, ServeError> {
        if self.is_run() { self.contents_of_run() } else { self.contents_of_log(most) }
    }

    fn contents_of_log(&self, most: u64) -> Result<Contents, ServeError> {
        let counted =
            self.counted(most).map_err(|cause| ServeError::file(&self.path, "cannot open", cause))?;
        Ok(Contents {
            first: 0,
            games: counted.games,
            has_more: counted.has_more,
            planned: None,
            progress: Progress::Complete,
            has_decisions: true,
            agents: Vec::new(),
        })
    }

    /// Counts games of the log, unreadable ones included, unless they are known from the last time.
    fn counted(&self, most: u64) -> std::io::Result<Counted> {
        let file = self.stamp()?;
        let mut known = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_enough = |known: &Counted| known.file == file && (!known.has_more || known.games >= most);
        if let Some(known) = known.filter(is_enough) {
            return Ok(known);
        }
        let least = usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1);
        let games = Games::open(&self.path)?.take(least).count() as u64;
        let counted = Counted { file, games: games.min(most), has_more: games > most };
        Ok(*known.insert(counted))
    }

    /// What changes if the file is written again.
    fn stamp(&self) -> std::io::Result<FileStamp> {
        if is_url(&self.path) {
            return Ok(None);
        }
        let found = self.path.metadata()?;
        Ok(Some((found.len(), found.modified()?)))
    }

    fn contents_of_run(&self) -> Result<Contents, ServeError> {
        let (config, manifest) = run::read_started(&self.path)?;
        let manifest = manifest.unwrap_or_default();
        let range = config.range();
        Ok(Contents {
            first: range.start,
            games: manifest.games,
            has_more: false,
            planned: config.games().map(|_| range.end - range.start),
            progress: if manifest.complete { Progress::Complete } else { self.progress_of_writer() },
            has_decisions: config.detail >= Detail::Decisions,
            agents: config.agents,
        })
    }

    /// Whether a program is writing the run: it holds the lock of the folder.
    fn progress_of_writer(&self) -> Progress {
        if run::store::lock(&self.path).is_err() { Progress::Running } else { Progress::Stopped }
    }

    /// The page of a game.
    pub(super) fn page(&self, game: u64) -> Result<String, ServeError> {
        let scope = StoryScope::default();
        let (view, opening) = if self.is_run() {
            view_of_run(&GameOfRun::open(&self.path, game)?, scope, ())?
        } else {
            let recorded = game_of_log(&self.path, game, None)?;
            view_of_log((&self.path, game), &recorded, scope, ())?
        };
        Ok(page(&view, opening))
    }

    fn is_run(&self) -> bool {
        Path::is_dir(&self.path)
    }
}

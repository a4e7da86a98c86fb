//! The games of a run or a log.

use std::path::{Path, PathBuf};

use jantaku_hands::story::StoryScope;
use jantaku_hands::view::page;

use super::error::ServeError;
use crate::logs::files::{find, shown};
use crate::replay::open::{GameOfRun, count_games, game_of_log};
use crate::replay::view::{view_of_log, view_of_run};
use crate::run;

/// A run or a log whose games a server shows.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
}

/// What a source holds now.
pub(super) struct Contents {
    /// The first game.
    pub(super) first: u64,
    /// The games that can be shown.
    pub(super) games: u64,
    /// The games of a run in the end. None for a log, and if it is not known.
    pub(super) planned: Option<u64>,
    /// Whether more games may come.
    pub(super) is_running: bool,
    /// The agents of a run.
    pub(super) agents: Vec<String>,
}

impl Source {
    /// The runs and logs in these files and folders.
    pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<Source>, ServeError> {
        let mut found = Vec::new();
        for path in paths {
            let paths = find(std::slice::from_ref(path));
            found.extend(paths.map_err(|cause| ServeError::file(path, "cannot open", cause))?);
        }
        Ok(found.into_iter().map(|path| Source { path }).collect())
    }

    /// Its name in lists.
    pub(super) fn name(&self) -> String {
        shown(&self.path)
    }

    /// What it holds now.
    pub(super) fn contents(&self) -> Result<Contents, ServeError> {
        if !self.is_run() {
            let games = count_games(&self.path) as u64;
            return Ok(Contents { first: 0, games, planned: None, is_running: false, agents: Vec::new() });
        }
        let (config, manifest) = run::read_started(&self.path)?;
        let manifest = manifest.unwrap_or_default();
        let range = config.range();
        Ok(Contents {
            first: range.start,
            games: manifest.games,
            planned: config.games().map(|_| range.end - range.start),
            is_running: !manifest.complete,
            agents: config.agents,
        })
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

//! The runs, logs and leagues that a server shows.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::ServeError;
use super::source::Source;
use crate::logs::files::find_at;

/// The runs, logs and leagues at some paths. They keep their numbers; later ones get later numbers.
#[derive(Debug)]
pub(super) struct Sources {
    paths: Vec<PathBuf>,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    sources: Vec<Arc<Source>>,
    paths: HashSet<PathBuf>,
}

impl Sources {
    /// Finds what is at these files and folders.
    pub(super) fn find(paths: &[PathBuf]) -> Result<Sources, ServeError> {
        let sources = Sources { paths: paths.to_owned(), found: Mutex::default() };
        for path in paths {
            sources.search(path).map_err(|cause| ServeError::file(path, "cannot open", cause))?;
        }
        Ok(sources)
    }

    /// All that is there now, in the order of their numbers: what appeared meanwhile comes last.
    pub(super) fn all(&self) -> Vec<Arc<Source>> {
        for path in self.paths.iter().filter(|path| path.is_dir()) {
            // A folder that cannot be searched now has nothing new.
            self.search(path).ok();
        }
        self.found().sources.clone()
    }

    /// The source with this number, if it was found.
    pub(super) fn numbered(&self, number: usize) -> Option<Arc<Source>> {
        self.found().sources.get(number).cloned()
    }

    /// The number of sources that were found.
    pub(super) fn count(&self) -> usize {
        self.found().sources.len()
    }

    /// Adds what is new at a path: the league of a run comes before the run.
    fn search(&self, path: &Path) -> std::io::Result<()> {
        let paths = find_at(path)?;
        let mut found = self.found();
        for run in paths.into_iter().filter(|run| !found.paths.contains(run)).collect::<Vec<_>>() {
            let league = league_of(&run).filter(|league| league.starts_with(path));
            for path in league.into_iter().chain([run]) {
                if found.paths.insert(path.clone()) {
                    found.sources.push(Arc::new(Source::new(path)));
                }
            }
        }
        Ok(())
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The folder of the league whose table a run is.
pub(super) fn league_of(run: &Path) -> Option<PathBuf> {
    let league = run.parent()?.parent()?;
    league.join("league.toml").is_file().then(|| league.to_owned())
}

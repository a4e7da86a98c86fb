//! The runs, logs, leagues and positions that a server shows.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::ServeError;
use super::source::{Source, is_position};
use jantaku_sim::logs::LogError;
use jantaku_sim::logs::files::{Games, find_at, is_url, shown};
use jantaku_sim::store;

/// The runs, logs, leagues and positions at some paths. They keep their numbers; later ones get later numbers.
#[derive(Debug)]
pub(super) struct Sources {
    paths: Vec<PathBuf>,
    /// The folder of the tables, which have a list of their own.
    tables: PathBuf,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    sources: Vec<Arc<Source>>,
    paths: HashSet<PathBuf>,
}

impl Sources {
    /// Finds what is at these files and folders, without the games of tables in this folder.
    pub(super) fn find(paths: &[PathBuf], tables: &Path) -> Result<Sources, ServeError> {
        let sources = Sources { paths: paths.to_owned(), tables: tables.to_owned(), found: Mutex::default() };
        for path in paths {
            sources.search(path).map_err(|cause| ServeError::file(path, "cannot open", &cause))?;
            check(path)?;
        }
        Ok(sources)
    }

    /// All sources that are there now, in the order of their numbers: new ones come last.
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
        // Who names a table wants its run.
        let is_table = path.parent().is_some_and(|folder| is_in(folder, &self.tables));
        for run in paths.into_iter().filter(|run| !found.paths.contains(run)).collect::<Vec<_>>() {
            let league = league_of(&run).filter(|league| league.starts_with(path));
            for path in league.into_iter().chain([run]) {
                let is_new = found.paths.insert(path.clone());
                if is_new && (is_table || !is_in(&path, &self.tables)) {
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

/// Whether a path is a folder or something in it.
fn is_in(path: &Path, folder: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    whole(path).zip(whole(folder)).is_some_and(|(path, folder)| path.starts_with(folder))
}

/// Checks that a named run, league, log or position can be read. A folder of them may hold unreadable
/// ones.
fn check(path: &Path) -> Result<(), ServeError> {
    if store::is_url(path) {
        return Source::new(path.to_owned()).contents(0).map(drop);
    }
    if path.is_dir() {
        let is_source = ["run.toml", "league.toml"].iter().any(|file| path.join(file).is_file());
        return if is_source { Source::new(path.to_owned()).contents(0).map(drop) } else { Ok(()) };
    }
    if is_position(path) {
        return Source::new(path.to_owned()).page(0, "").map(drop);
    }
    if !path.is_file() && !is_url(path) {
        // A pipe can be read once.
        return Ok(());
    }
    let mut games = Games::open(path).map_err(|cause| ServeError::file(path, "cannot open", &cause))?;
    let Some(first) = games.next() else { return Ok(()) };
    let Err(why) = first.and_then(|first| first.read(None)) else { return Ok(()) };
    // A log of several games may have a damaged one.
    if games.next().is_some() {
        return Ok(());
    }
    Err(not_a_source(path, &why))
}

/// A path that is nothing that a server shows, with the reason why no game can be read.
fn not_a_source(path: &Path, why: &LogError) -> ServeError {
    let (why, place) = (why.to_string(), path.display().to_string());
    let why = why.strip_prefix(&place).map_or(why.as_str(), |why| why.trim_start_matches(": "));
    let expected = "expected a run, a league, a log, a position or a folder of them";
    ServeError::new(&shown(path), format!("{expected}, found no recorded game ({why})"))
}

/// The folder of the league whose table a run is.
pub(super) fn league_of(run: &Path) -> Option<PathBuf> {
    let league = run.parent()?.parent()?;
    league.join("league.toml").is_file().then(|| league.to_owned())
}

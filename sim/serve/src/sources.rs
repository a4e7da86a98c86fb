//! The runs, logs, leagues and positions that a server shows.

use std::collections::HashSet;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::ServeError;
use super::source::{Source, is_position, why_unreadable};
use jantaku_sim::logs::files::{Games, find_at, is_log, is_page_url, shown};
use jantaku_sim::store;

/// The folder of the logs that browsers sent, within the folder of the tables.
const SENT: &str = "logs";

/// The runs, logs, leagues and positions at some paths. Each keeps its number; sources found later get higher
/// ones.
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
        let (paths_and_sent, tables) = ([paths, &[tables.join(SENT)]].concat(), tables.to_owned());
        let sources = Sources { paths: paths_and_sent, tables, found: Mutex::default() };
        for path in paths {
            sources.search(path).map_err(|cause| ServeError::file(path, "cannot open", &cause))?;
            check(path)?;
        }
        sources.all();
        Ok(sources)
    }

    /// Keeps a log that a browser sent, and returns its number. `name` is that of its file, or empty.
    ///
    /// # Errors
    ///
    /// If no game can be read, or the log cannot be written.
    pub(super) fn keep(&self, name: &str, content: &[u8]) -> Result<usize, ServeError> {
        let plain = |c: &char| c.is_alphanumeric() || "._-".contains(*c);
        let name: String = name.chars().filter(plain).skip_while(|c| *c == '.').take(60).collect();
        let name = if name.is_empty() { "pasted" } else { &name };
        let text = Path::new(str::from_utf8(content).unwrap_or_default().trim());
        let games = if is_page_url(text) {
            Games::open(text)
        } else {
            Games::of(Path::new(name), Cursor::new(content.to_owned()))
        };
        let games = games.map_err(|cause| ServeError::new(&shown(text), cause.to_string()))?;
        why_unreadable(games).map_or(Ok(()), |why| Err(why.in_game(name)))?;
        let ending = if is_log(Path::new(name)) { "" } else { ".txt" };
        let folder = self.tables.join(SENT);
        let numbers = std::iter::once(String::new()).chain((2_u32..).map(|number| format!("{number}-")));
        let mut paths = numbers.map(|number| folder.join(format!("{number}{name}{ending}")));
        // The lock is held until the file is written, so that no other request takes its name.
        let found = self.found();
        fs::create_dir_all(&folder).map_err(|cause| ServeError::file(&folder, "cannot create", &cause))?;
        // A log that is there already is kept once.
        let is_free = |path: &PathBuf| fs::read(path).map_or_else(|_| !path.exists(), |old| old == content);
        let path = paths.find(is_free).expect("a free name");
        store::write(&store::Folder, &path, content)?;
        drop(found);
        Ok(self.all().iter().position(|source| source.path() == path).expect("the log is in its folder"))
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
        // If the user names the folder of a table, its run is shown, too.
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
    let source = Source::new(path.to_owned());
    if is_position(path) {
        return source.page(0, "", None).map(drop);
    }
    let is_played =
        |folder: &Path| ["run.toml", "league.toml"].iter().any(|file| folder.join(file).is_file());
    // A pipe can be read only once, so it is not checked.
    let can_check = path.is_file() || is_page_url(path) || store::is_url(path) || is_played(path);
    if can_check { source.contents(0).map(drop) } else { Ok(()) }
}

/// The folder of the league whose table a run is.
pub(super) fn league_of(run: &Path) -> Option<PathBuf> {
    let league = run.parent()?.parent()?;
    league.join("league.toml").is_file().then(|| league.to_owned())
}

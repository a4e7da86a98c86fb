//! The tables of a folder, which one server at a time has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jantaku_agents::field_name;
use jantaku_engine::{Action, Seat};

use super::error::ServeError;
use super::pages::TableRow;
use super::save_game;
use super::table::Table;
use super::table_config::TableSetup;
use jantaku_sim::store::{Folder, Lock, Store as _};

/// The tables of a folder.
pub(super) struct Tables {
    /// It has a folder for each table.
    folder: PathBuf,
    state: Mutex<State>,
    /// Whether the server is stopping.
    stop: Arc<AtomicBool>,
}

pub(super) struct State {
    named: BTreeMap<String, Entry>,
    /// Keeps other servers away from the folder. None before there is a folder, and on systems
    /// without such locks.
    lock: Option<Lock>,
}

/// A table in the list.
#[derive(Clone)]
pub(super) enum Entry {
    /// A saved game that was not opened yet.
    Saved(Arc<TableSetup>),
    Open(Arc<Table>),
}

impl Tables {
    /// Opens the tables of a folder and resumes unfinished games. Also returns the tables that cannot be
    /// opened, and why.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or another server has it.
    pub(super) fn open(
        folder: &Path,
        stop: Arc<AtomicBool>,
    ) -> Result<(Tables, Vec<ServeError>), ServeError> {
        let mut state = State { named: BTreeMap::new(), lock: None };
        let mut wrong = Vec::new();
        if folder.exists() {
            state.lock = locked(folder)?;
        }
        for path in folders(folder)? {
            match Entry::open(&path, &stop) {
                Ok(entry) => drop(state.named.insert(name_of(&path), entry)),
                Err(error) => wrong.push(error),
            }
        }
        Ok((Tables { folder: folder.to_owned(), state: Mutex::new(state), stop }, wrong))
    }

    /// The tables now, by name.
    pub(super) fn all(&self) -> BTreeMap<String, Entry> {
        self.state().named.clone()
    }

    /// The table with this name. Opens one with a saved game, if that was not done before.
    pub(super) fn named(&self, name: &str) -> Result<Option<Arc<Table>>, ServeError> {
        let entry = self.state().named.get(name).cloned();
        let folder = self.folder.join(name);
        match entry {
            None => Ok(None),
            Some(_) if !folder.exists() => Err(ServeError::gone(&folder)),
            Some(Entry::Open(table)) => Ok(Some(table)),
            Some(Entry::Saved(_)) => {
                let table = Table::open(&folder, &self.stop)?;
                self.state().named.insert(name.to_owned(), Entry::Open(Arc::clone(&table)));
                Ok(Some(table))
            }
        }
    }

    /// Sets a table up whose game begins with these decisions, and returns its name.
    ///
    /// # Errors
    ///
    /// If an agent cannot play under the rules, the folder cannot be written, another server has
    /// it, or the server ends.
    pub(super) fn set_up(&self, setup: &TableSetup, made: &[(Seat, Action)]) -> Result<String, ServeError> {
        let mut state = self.begin_writing()?;
        let is_free = |name: &String| !state.named.contains_key(name) && !self.folder.join(name).exists();
        let name =
            (1..u32::MAX).map(|number| format!("table-{number:04}")).find(is_free).expect("a free name");
        let table = Table::create(&self.folder.join(&name), setup, made, &self.stop)?;
        state.named.insert(name.clone(), Entry::Open(table));
        Ok(name)
    }

    /// Waits until no agent plays at a table, after `stop` was set. Then no game is written any
    /// more, and another server can have the folder.
    pub(super) fn wait_for_agents(&self) {
        for entry in self.all().values() {
            if let Entry::Open(table) = entry {
                table.wait_for_agents();
            }
        }
        self.state().lock = None;
    }

    /// Locks the tables for a change, after it has created the folder and locked it against other servers.
    /// Fails if another server has the folder, or this one is stopping.
    pub(super) fn begin_writing(&self) -> Result<MutexGuard<'_, State>, ServeError> {
        let mut state = self.state();
        if self.stop.load(Ordering::Relaxed) {
            return Err(ServeError::Ends);
        }
        if state.lock.is_none() {
            std::fs::create_dir_all(&self.folder)
                .map_err(|cause| ServeError::file(&self.folder, "cannot create", &cause))?;
            state.lock = locked(&self.folder)?;
        }
        Ok(state)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// The table in this folder. A game that is not over continues.
    fn open(folder: &Path, stop: &Arc<AtomicBool>) -> Result<Entry, ServeError> {
        if save_game::is_saved(folder) {
            return Ok(Entry::Saved(Arc::new(TableSetup::read(&folder.join("table.toml"))?)));
        }
        Ok(Entry::Open(Table::open(folder, stop)?))
    }

    /// Its row in the list of tables.
    pub(super) fn row<'a>(&'a self, name: &'a str) -> TableRow<'a> {
        match self {
            Entry::Saved(setup) => TableRow { name, setup, hands: 0, is_over: true },
            Entry::Open(table) => {
                let (hands, is_over) = table.progress();
                TableRow { name, setup: table.setup(), hands, is_over }
            }
        }
    }
}

/// Locks the folder of the tables against other servers.
fn locked(folder: &Path) -> Result<Option<Lock>, ServeError> {
    Folder.lock(folder).map_err(|cause| {
        let option = field_name("tables");
        let what = format!("cannot be used: {cause}; choose another folder with {option}");
        ServeError::new(&folder.display(), what)
    })
}

/// The folders with tables in a folder, in order. Empty if the folder does not exist yet.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, ServeError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let error = |cause| ServeError::file(folder, "cannot read", &cause);
    let entries = std::fs::read_dir(folder).map_err(error)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let mut paths = paths.map_err(error)?;
    paths.retain(|path| path.join("table.toml").is_file() && is_plain(&name_of(path)));
    paths.sort();
    Ok(paths)
}

/// Whether a name can stand in the path of a request as it is.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

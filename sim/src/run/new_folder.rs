//! Takes a new folder for a run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jantaku_agents::{argument, call};

use crate::dataset::ReadError;
use crate::run::files::read_started_in;
use crate::run::find_parts::parts_found;
use crate::run::in_use::{has_begun, lock_run};
use crate::store::{Folder, Location, Lock, unfinished};

/// Why a folder cannot take a new run.
#[derive(Debug, thiserror::Error)]
pub enum NotNew {
    /// It holds a run.
    #[error("already holds a run; resume it with {}, or choose another folder", argument("resume", ""))]
    HoldsRun,
    /// It holds a run without games: it was stopped before its first part was complete.
    #[error(
        "already holds a run without games; begin it with {}, or delete the folder",
        argument("resume", "")
    )]
    HoldsEmptyRun,
    /// It holds a run, and the caller cannot resume.
    #[error("already holds a run; choose another folder")]
    HoldsOther,
    /// It holds a league.
    #[error("already holds a league; resume it with {}, or choose another folder", call("league", "resume"))]
    HoldsLeague,
    /// It holds other files.
    #[error("is not empty; choose a new folder")]
    NotEmpty,
    /// It is a symbolic link to a folder that does not exist.
    #[error("is a link to {}, which does not exist", .0.display())]
    DeadLink(PathBuf),
    /// It is in an object store, and only the files of runs are written there.
    #[error("is a URL: only runs, matches and labels are written to object stores; choose a folder")]
    Url,
    /// It cannot be read or created.
    #[error("cannot be used: {0}")]
    Unusable(io::Error),
    /// Another program writes to it. The message has its path.
    #[error(transparent)]
    InUse(ReadError),
}

impl NotNew {
    /// The error for a caller that cannot resume.
    #[must_use]
    pub fn without_resuming(self) -> NotNew {
        match self {
            NotNew::HoldsRun | NotNew::HoldsEmptyRun => NotNew::HoldsOther,
            other => other,
        }
    }
}

/// Checks that a folder does not exist yet or is empty.
///
/// Files of a match or league that was killed as it began do not count: the plan of a match, and partial
/// files.
///
/// # Errors
///
/// If it holds anything or cannot be read.
pub fn check_is_new(folder: &Path) -> Result<(), NotNew> {
    check_is_new_in(&Location::new(Folder, folder))
}

/// [`check_is_new`] for the location of a run.
fn check_is_new_in(run: &Location) -> Result<(), NotNew> {
    let has = |name: &str| run.store.size(&run.path.join(name)).is_ok();
    if has("run.toml") {
        return Err(if has_games(run) { NotNew::HoldsRun } else { NotNew::HoldsEmptyRun });
    }
    if has("league.toml") {
        return Err(NotNew::HoldsLeague);
    }
    check_is_empty(run)?;
    // A dead link would fail later, with a less clear message.
    match fs::read_link(&run.path) {
        Ok(target) if !run.path.exists() => Err(NotNew::DeadLink(target)),
        _ => Ok(()),
    }
}

/// Checks that a folder does not exist yet or has only files that are left over.
fn check_is_empty(run: &Location) -> Result<(), NotNew> {
    let found = run.store.entries(&run.path).map_err(NotNew::Unusable)?;
    if found.iter().all(|entry| is_left_over(&entry.name)) { Ok(()) } else { Err(NotNew::NotEmpty) }
}

/// Whether a run has games or a part, or cannot be read.
fn has_games(run: &Location) -> bool {
    let Ok((_, manifest)) = read_started_in(run) else { return true };
    let lists_games = manifest.is_some_and(|manifest| manifest.games > 0);
    lists_games || parts_found(run).is_ok_and(|parts| !parts.is_empty())
}

/// Whether a file may be left from a match without a run, or from a league that was killed as it began.
fn is_left_over(name: &str) -> bool {
    name == PLAN || unfinished(name).is_some_and(|name| [PLAN, "run.toml", "league.toml"].contains(&name))
}

/// The plan of a match, which is written before its run.
pub(super) const PLAN: &str = "match.toml";

/// Creates a new folder, or takes an empty one, and locks it against other programs. `None` if the
/// system has no such locks.
///
/// # Errors
///
/// If the folder holds anything, is in an object store, cannot be used, or another program has taken it.
pub fn claim(folder: &Path) -> Result<Option<Lock>, NotNew> {
    let run = Location::open(folder).map_err(NotNew::Unusable)?;
    if run.store.is_local() { claim_in(&run) } else { Err(NotNew::Url) }
}

/// [`claim`] for the location of a run, which may be an object store. That has no locks, and no folder
/// to create.
pub(super) fn claim_in(run: &Location) -> Result<Option<Lock>, NotNew> {
    if !run.store.is_local() {
        return match check_is_empty(run) {
            Err(NotNew::NotEmpty) => Err(begun(run).unwrap_or(NotNew::NotEmpty)),
            checked => checked.map(|()| None),
        };
    }
    // The lock comes first: a run that another program still writes cannot be resumed yet.
    let held = lock_run(run).map_err(NotNew::InUse)?;
    check_is_new_in(run)?;
    run.store.create_folder(&run.path).map_err(NotNew::Unusable)?;
    if held.is_some() {
        return Ok(held);
    }
    // A folder that did not exist could not be locked.
    let lock = lock_run(run).map_err(NotNew::InUse)?;
    // Another program may have written a run before the lock.
    check_is_new_in(run)?;
    Ok(lock)
}

/// Why an object store with a run cannot take a new one. None without a run.
fn begun(run: &Location) -> Option<NotNew> {
    let (_, manifest) = read_started_in(run).ok()?;
    let is_complete = manifest.is_some_and(|manifest| manifest.complete);
    Some(if is_complete { NotNew::HoldsRun } else { NotNew::InUse(has_begun(run)) })
}

//! Another program that writes a run.

use std::path::Path;

use jantaku_agents::argument;

use crate::dataset::ReadError;
use crate::run::environment::Environment;
use crate::store::{Location, Lock};

/// The location of a run or a league.
///
/// # Errors
///
/// If no store serves the URL.
pub fn located(path: &Path) -> Result<Location, ReadError> {
    Location::open(path).map_err(|error| ReadError::new(path, &error))
}

/// The location of a run that this program changes, locked against others.
pub(super) fn locked(path: &Path) -> Result<(Location, Option<Lock>), ReadError> {
    let run = located(path)?;
    let lock = lock_run(&run)?;
    Ok((run, lock))
}

/// Locks a folder against other programs. `None` if the system has no such locks.
///
/// # Errors
///
/// If another program holds the lock, or no store serves the URL.
pub fn lock_folder(folder: &Path) -> Result<Option<Lock>, ReadError> {
    lock_run(&located(folder)?)
}

/// [`lock_folder`] for the location of a run. Object stores have no locks.
pub(super) fn lock_run(run: &Location) -> Result<Option<Lock>, ReadError> {
    run.store.lock(&run.path).map_err(|error| {
        let what = format!("{error}{}; try again when it has ended", last_call(&run.path));
        ReadError::in_use(&run.path, &what)
    })
}

/// The error for a run that has begun in an object store. Without locks, nobody knows whether a program
/// still writes it.
pub(super) fn has_begun(run: &Location) -> ReadError {
    let (began, resume) = (last_call(&run.path), argument("resume", ""));
    let what = format!(
        "another program is writing it, or was stopped{began}; try again when it has ended, or continue the \
         run of a stopped program with {resume}"
    );
    ReadError::in_use(&run.path, &what)
}

/// Where and when the last call that writes a run began, if that is known.
fn last_call(folder: &Path) -> String {
    let environment = Environment::read(folder);
    environment.last_began().map_or_else(String::new, |(host, seconds)| {
        let ago = match seconds {
            0..120 => format!("{seconds} seconds"),
            120..7200 => format!("{} minutes", seconds / 60),
            _ => format!("{} hours", seconds / 3600),
        };
        format!(" (begun on {host} {ago} ago)")
    })
}

//! The operations of a file system that folders need. Tests use a simulated disk instead.

use std::fmt::Debug;
use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, BufWriter};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{FolderEntry, Lock, NewFile};

/// A file system. Each method is atomic, unless its documentation says otherwise.
///
/// Only what was synced survives a power failure: the bytes of a file by [`NewFile::seal`], its name by
/// [`Disk::sync_folder`].
pub trait Disk: Debug + Send + Sync {
    /// Creates a file in a folder, or empties the one that is there.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile>>;

    /// Opens a file to read it.
    ///
    /// # Errors
    ///
    /// If it does not exist or cannot be read.
    fn open_file(&self, path: &Path) -> io::Result<File>;

    /// The bytes of a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read; with kind [`io::ErrorKind::InvalidInput`] if it is not a file.
    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The size of a file.
    ///
    /// # Errors
    ///
    /// If there is no such file.
    fn file_size(&self, path: &Path) -> io::Result<u64>;

    /// Gives a file another name, replacing a file that has it.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it cannot be renamed.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file a second name.
    ///
    /// # Errors
    ///
    /// If the file system cannot do so, or the name is taken.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// If it does not exist or cannot be removed.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// The files and folders in a folder.
    ///
    /// # Errors
    ///
    /// If it does not exist or cannot be read.
    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>>;

    /// Creates a folder in another one.
    ///
    /// # Errors
    ///
    /// If it exists, or the folder above it does not.
    fn create_one_folder(&self, folder: &Path) -> io::Result<()>;

    /// Whether there is such a folder.
    fn has_folder(&self, folder: &Path) -> bool;

    /// Removes a folder and its files, one after the other.
    ///
    /// # Errors
    ///
    /// If it does not exist, or a file cannot be removed.
    fn remove_all(&self, folder: &Path) -> io::Result<()>;

    /// Makes the names in a folder durable. Not every system can do so.
    fn sync_folder(&self, folder: &Path);

    /// Locks a folder against other programs. `None` if the system or file system has no such locks, or
    /// there is no such folder.
    ///
    /// # Errors
    ///
    /// If another program holds the lock.
    fn lock_folder(&self, folder: &Path) -> io::Result<Option<Lock>>;
}

/// The disks of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folder;

impl NewFile for BufWriter<File> {
    fn seal(self: Box<Self>) -> io::Result<()> {
        self.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

impl Disk for Folder {
    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile>> {
        Ok(Box::new(BufWriter::new(File::create(path)?)))
    }

    fn open_file(&self, path: &Path) -> io::Result<File> {
        File::open(path)
    }

    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Reading a pipe would block without end.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            let what = "expected a file, found something else";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        fs::read(path)
    }

    fn file_size(&self, path: &Path) -> io::Result<u64> {
        path.metadata().map(|found| found.len())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let entry = |found: io::Result<DirEntry>| {
            let found = found?;
            let name = found.file_name().to_string_lossy().into_owned();
            Ok(FolderEntry { name, bytes: found.path().metadata().map_or(0, |file| file.len()) })
        };
        fs::read_dir(folder)?.map(entry).collect()
    }

    fn create_one_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)
    }

    fn has_folder(&self, folder: &Path) -> bool {
        folder.is_dir()
    }

    fn remove_all(&self, folder: &Path) -> io::Result<()> {
        fs::remove_dir_all(folder)
    }

    fn sync_folder(&self, folder: &Path) {
        if let Ok(folder) = File::open(folder) {
            folder.sync_all().ok();
        }
    }

    fn lock_folder(&self, folder: &Path) -> io::Result<Option<Lock>> {
        let Some(file) = File::open(folder).ok().filter(|_| folder.is_dir()) else { return Ok(None) };
        let until = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Lock::new(Locked(file)))),
                Err(TryLockError::WouldBlock) if Instant::now() < until => sleep(Duration::from_millis(5)),
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::other("another program is writing it"));
                }
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
    }
}

/// The lock of a folder.
#[derive(Debug)]
struct Locked(File);

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing is not enough: a program that was just started may still have a copy of the file.
        self.0.unlock().ok();
    }
}

/// How long a program that wants a lock waits for [`is_locked`] of others, which takes microseconds.
const PATIENCE: Duration = Duration::from_millis(200);

/// Whether a program holds the lock of a folder.
///
/// Takes a shared lock for a moment: two such checks do not disturb each other, and [`Disk::lock_folder`] waits
/// for them.
pub fn is_locked(folder: &Path) -> bool {
    let Ok(file) = File::open(folder) else { return false };
    match file.try_lock_shared() {
        Ok(()) => {
            drop(Locked(file));
            false
        }
        Err(error) => matches!(error, TryLockError::WouldBlock),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// A server asks about a run again and again while its owner resumes it.
    #[test]
    fn asking_about_a_lock_keeps_nobody_from_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, is_done) = (folder.path(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_done.load(Ordering::Relaxed) {
                        // The owner has the lock or not.
                        let _ = is_locked(path);
                    }
                });
            }
            for _ in 0..200 {
                let held = Folder.lock_folder(path).expect("nobody holds the lock");
                assert_eq!(is_locked(path), held.is_some());
                drop(held);
            }
            let held = Folder.lock_folder(path).expect("nobody holds the lock");
            assert_eq!(Folder.lock_folder(path).is_err(), held.is_some());
            drop(held);
            is_done.store(true, Ordering::Relaxed);
        });
        assert!(!is_locked(path));
    }
}

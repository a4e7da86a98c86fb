//! Folders of this machine.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use parquet::file::reader::{ChunkReader as _, Length as _};

use super::{FileEnd, FolderEntry, NewFile, Store, StoredFile, partial};
use crate::play::SinkError;

/// Folders of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folder;

fn create_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Makes a new name durable. Not every system can sync a folder.
fn sync_parent(path: &Path) {
    if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        folder.sync_all().ok();
    }
}

impl NewFile for BufWriter<File> {
    fn seal(self: Box<Self>) -> io::Result<()> {
        self.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

impl Store for Folder {
    fn is_local(&self) -> bool {
        true
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile>> {
        create_parent(path)?;
        Ok(Box::new(BufWriter::new(File::create(partial(path))?)))
    }

    fn publish(&self, path: &Path) -> io::Result<()> {
        fs::rename(partial(path), path)?;
        sync_parent(path);
        Ok(())
    }

    fn discard(&self, path: &Path) {
        // If the file cannot be removed, its partial name shows that it is not complete.
        fs::remove_file(partial(path)).ok();
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let entry = |found: io::Result<DirEntry>| {
            let found = found?;
            let name = found.file_name().to_string_lossy().into_owned();
            Ok(FolderEntry { name, bytes: found.path().metadata().map_or(0, |file| file.len()) })
        };
        entries.map(entry).collect()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Reading a pipe would block without end.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            let what = "expected a file, found something else";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        fs::read(path)
    }

    fn open(&self, path: &Path) -> io::Result<StoredFile> {
        StoredFile::new(File::open(path)?, None)
    }

    fn end(&self, path: &Path, bytes: u64) -> io::Result<FileEnd> {
        let file = self.open(path)?;
        let (size, bytes) = (file.len(), file.len().min(bytes));
        let bytes = file.get_bytes(size - bytes, bytes as usize).map_err(io::Error::other)?;
        Ok(FileEnd { bytes, size })
    }

    fn size(&self, path: &Path) -> io::Result<u64> {
        path.metadata().map(|found| found.len())
    }

    /// The files are hard links where the file system allows it, otherwise copies.
    fn adopt(&self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError> {
        files.iter().try_for_each(|(from, path)| {
            let adopted = adopt_file(from, path);
            adopted.map_err(|cause| SinkError { path: path.clone(), what: "cannot write", cause })
        })
    }

    fn remove(&self, files: &[PathBuf]) {
        files.iter().for_each(|path| _ = fs::remove_file(path));
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

fn adopt_file(from: &Path, path: &Path) -> io::Result<()> {
    create_parent(path)?;
    // A link replaces no file that an unfinished merge left.
    fs::remove_file(path).ok();
    if fs::hard_link(from, path).is_ok() {
        sync_parent(path);
        return Ok(());
    }
    let copied = File::open(from).and_then(|from| {
        let mut file = Folder.create(path)?;
        io::copy(&mut BufReader::with_capacity(1 << 18, from), &mut file)?;
        file.seal()?;
        Folder.publish(path)
    });
    copied.inspect_err(|_| Folder.discard(path))
}

/// Locks a folder against other programs until it is dropped or the program ends.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing is not enough: a program that was just started may still have a copy of the file.
        self.0.unlock().ok();
    }
}

/// How long a program that wants a lock waits for [`is_locked`] of others, which takes microseconds.
const PATIENCE: Duration = Duration::from_millis(200);

/// Locks a folder against other programs. `None` if the system has no such locks.
///
/// # Errors
///
/// If another program holds the lock.
pub fn lock(folder: &Path) -> io::Result<Option<Lock>> {
    let Ok(file) = File::open(folder) else { return Ok(None) };
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(Lock(file))),
            Err(TryLockError::WouldBlock) if Instant::now() < until => sleep(Duration::from_millis(5)),
            Err(TryLockError::WouldBlock) => return Err(io::Error::other("another program is writing it")),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Whether a program holds the lock of a folder.
///
/// Takes a shared lock for a moment: two such checks do not disturb each other, and [`lock`] waits
/// for them.
pub fn is_locked(folder: &Path) -> bool {
    let Ok(file) = File::open(folder) else { return false };
    match file.try_lock_shared() {
        Ok(()) => {
            drop(Lock(file));
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
                let held = lock(path).expect("nobody holds the lock");
                assert_eq!(is_locked(path), held.is_some());
                drop(held);
            }
            let held = lock(path).expect("nobody holds the lock");
            assert_eq!(lock(path).is_err(), held.is_some());
            drop(held);
            is_done.store(true, Ordering::Relaxed);
        });
        assert!(!is_locked(path));
    }
}

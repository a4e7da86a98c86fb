//! Folders of this machine.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io::{self, BufWriter};
use std::path::Path;

use super::{FolderEntry, Store, partial};

/// Folders of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folder;

impl Folder {
    /// Adds a complete file of another folder under a new path: as a hard link where the file
    /// system allows it, otherwise as a copy.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written. Then nothing is left of the new file.
    pub fn adopt(&mut self, from: &Path, path: &Path) -> io::Result<()> {
        create_parent(path)?;
        if fs::hard_link(from, path).is_ok() {
            sync_parent(path);
            return Ok(());
        }
        let copied = File::open(from).and_then(|mut from| {
            let mut file = self.create(path)?;
            io::copy(&mut from, &mut file)?;
            self.seal(file)?;
            self.publish(path)
        });
        copied.inspect_err(|_| self.discard(path))
    }
}

fn create_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Makes a new name durable. Not every system can sync a folder.
fn sync_parent(path: &Path) {
    if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        folder.sync_all().ok();
    }
}

impl Store for Folder {
    type File = BufWriter<File>;

    fn create(&mut self, path: &Path) -> io::Result<BufWriter<File>> {
        create_parent(path)?;
        Ok(BufWriter::new(File::create(partial(path))?))
    }

    fn seal(&mut self, file: BufWriter<File>) -> io::Result<()> {
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }

    fn publish(&mut self, path: &Path) -> io::Result<()> {
        fs::rename(partial(path), path)?;
        sync_parent(path);
        Ok(())
    }

    fn discard(&mut self, path: &Path) {
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

/// Locks a folder against other programs. `None` if the system has no such locks.
///
/// # Errors
///
/// If another program holds the lock.
pub fn lock(folder: &Path) -> io::Result<Option<Lock>> {
    let Ok(file) = File::open(folder) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another program is writing it")),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

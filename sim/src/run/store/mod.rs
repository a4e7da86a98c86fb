//! Files that appear only when they are complete.

#[cfg(feature = "cloud")]
pub mod cloud;
pub mod place;

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::play::SinkError;

/// Where the files of a run are kept.
///
/// A file is written under a name with `.partial`, synced, and then gets its own name: whoever finds a file without that
/// ending finds all of it, whenever the program or the machine stopped.
pub trait Store: Send {
    /// A file that is being written.
    type File: Write + Send;

    /// Starts a file under its partial name, and the folders that it needs.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    fn create(&mut self, path: &Path) -> io::Result<Self::File>;

    /// Makes sure that what was written will last.
    ///
    /// # Errors
    ///
    /// If something could not be written.
    fn seal(&mut self, file: Self::File) -> io::Result<()>;

    /// Gives a sealed file its own name, in place of the one that may have had it.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    fn publish(&mut self, path: &Path) -> io::Result<()>;

    /// Removes what was written of a file that is given up, as far as that is possible.
    fn discard(&mut self, path: &Path);

    /// Removes a file that has got its name, as far as that is possible: what belongs to it could not be written.
    fn withdraw(&mut self, path: &Path);

    /// The names of what lies in a folder; none if there is no such folder.
    ///
    /// # Errors
    ///
    /// If it cannot be looked at.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// The bytes of a small file.
    ///
    /// # Errors
    ///
    /// If it cannot be read; of kind [`io::ErrorKind::InvalidInput`] if it is none.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
}

/// The name under which a file is written.
#[must_use]
pub fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// The name that a file will get which is written under this one; none for another file.
#[must_use]
pub fn unfinished(name: &str) -> Option<&str> {
    name.strip_suffix(".partial")
}

/// Writes a small file at once.
///
/// # Errors
///
/// If it cannot be written. Then nothing of it is left, and a file that had its name still has it.
pub fn write<S: Store>(store: &mut S, path: &Path, bytes: &[u8]) -> Result<(), SinkError> {
    let error = |what| move |cause| SinkError { path: path.to_owned(), what, cause };
    let mut file = store.create(path).map_err(error("cannot create"))?;
    let written = file.write_all(bytes).map_err(error("cannot write"));
    let sealed = written.and_then(|()| store.seal(file).map_err(error("cannot finish")));
    let published = sealed.and_then(|()| store.publish(path).map_err(error("cannot finish")));
    published.inspect_err(|_| store.discard(path))
}

/// Folders of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folder;

impl Folder {
    /// Gives a complete file of another folder this name too: a second name for the same bytes where the system can, else a copy.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written. Then nothing of it is left.
    pub fn adopt(&mut self, from: &Path, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        if fs::hard_link(from, path).is_ok() {
            sync_folder(path);
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

/// A new name lasts when its folder is synced; not every system can do that.
fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        folder.sync_all().ok();
    }
}

impl Store for Folder {
    type File = BufWriter<File>;

    fn create(&mut self, path: &Path) -> io::Result<BufWriter<File>> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(BufWriter::new(File::create(partial(path))?))
    }

    fn seal(&mut self, file: BufWriter<File>) -> io::Result<()> {
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }

    fn publish(&mut self, path: &Path) -> io::Result<()> {
        fs::rename(partial(path), path)?;
        sync_folder(path);
        Ok(())
    }

    fn discard(&mut self, path: &Path) {
        // What cannot be removed is recognised by its name.
        fs::remove_file(partial(path)).ok();
    }

    fn withdraw(&mut self, path: &Path) {
        // A file that stays is not in the manifest.
        fs::remove_file(path).ok();
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // A pipe would be waited for without end.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            let what = "expected a file, found something else";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        fs::read(path)
    }
}

/// Keeps a folder for this program as long as the file lives, so that no other goes on with the same run; none where the system has no
/// such locks.
///
/// # Errors
///
/// If another program has it.
pub fn lock(folder: &Path) -> io::Result<Option<File>> {
    let Ok(file) = File::open(folder) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another program is writing it")),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

//! Stores for the files of a run. A file appears under its name only when it is complete.
//!
//! - `fingerprint`: the size and hash of a file
//! - `stored_file`: a complete file that is open
//! - `disk`: the operations of a file system that folders need
//! - `folder`: folders of a disk
//! - `cache`: a cache of files of object stores
//! - `location`: a folder in a store, chosen by a path or URL
//! - `by_path`: reads and writes complete files by their paths, wherever they are
//!
//! # Why
//!
//! **How is an object store like a folder?** Completing an upload corresponds to renaming a file,
//! so the writer knows only create, seal and publish. Pieces are uploaded in order while a part is
//! encoded; small files wait in memory until they are published. HTTP and TLS add 91 crates
//! (`cargo tree --edges normal`), so another crate, `jantaku-cloud`, has the object stores. The
//! program has it only with the feature `cloud`; the Python package always has it. Rejected: writing
//! a folder first and copying it, which needs the space twice and loses every part not yet copied.

mod by_path;
mod cache;
mod disk;
pub(crate) mod fingerprint;
mod folder;
mod location;
mod stored_file;

pub use by_path::{end, exists, fingerprint, is_folder, is_url, open, prefetch, read, read_text, save};
pub use cache::cached;
pub(crate) use cache::keep_only;
pub use disk::{Disk, Folder, is_locked};
pub use fingerprint::Fingerprint;
pub use location::{Location, OpenStore, connect};
pub use stored_file::{FileEnd, ReadFrom, StoredFile};

use std::any::Any;
use std::fmt::{self, Debug};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::play::SinkError;

/// Where the files of a run are written: folders of this machine, or an object store.
///
/// The writer creates a file under a partial name, seals it when all bytes are written, and
/// publishes it under its final name. So a file with a final name is complete, whenever the program
/// or the machine stops. Any number of threads can call the methods.
pub trait Store: Debug + Send + Sync {
    /// Whether the files are on this machine, so that each can be looked at and locked.
    fn is_local(&self) -> bool {
        false
    }

    /// Creates a file under its partial name, and the folders above it. In an object store, it does
    /// not exist before it is published.
    ///
    /// # Errors
    ///
    /// If it cannot be created, or its URL is of another store.
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile>>;

    /// Gives a sealed file its final name, replacing a file that has it.
    ///
    /// # Errors
    ///
    /// If it cannot be renamed, or its upload cannot be completed.
    fn publish(&self, path: &Path) -> io::Result<()>;

    /// Removes a file that is not published, as far as possible.
    fn discard(&self, path: &Path);

    /// The files and folders in a folder. Empty if there is no such folder.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn entries(&self, folder: &Path) -> io::Result<Vec<FolderEntry>>;

    /// The bytes of a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read; with kind [`io::ErrorKind::InvalidInput`] if it is not a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Opens a file. An object store downloads it into the [cache](cached()).
    ///
    /// # Errors
    ///
    /// If it does not exist, cannot be read, or is replaced meanwhile.
    fn open(&self, path: &Path) -> io::Result<StoredFile>;

    /// At most this many bytes from the end of a file.
    ///
    /// # Errors
    ///
    /// If it does not exist or cannot be read.
    fn end(&self, path: &Path, bytes: u64) -> io::Result<FileEnd>;

    /// The size of a file.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it cannot be reached.
    fn size(&self, path: &Path) -> io::Result<u64>;

    /// Adds complete files of this store under new paths, the second of each pair, without reading
    /// them where that is possible: as hard links, or as copies that an object store makes.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read or written. Other files may have been added.
    fn adopt(&self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError>;

    /// Removes complete files, as far as possible: those that [`Store::adopt`] added.
    fn remove(&self, files: &[PathBuf]);

    /// Removes a folder with all files in it, if it is there.
    ///
    /// # Errors
    ///
    /// The first file that cannot be removed. Others may remain.
    fn remove_folder(&self, folder: &Path) -> io::Result<()>;

    /// Creates a folder and those above it, unless they are there, and makes its name durable. Object stores
    /// have no folders.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    fn create_folder(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Locks a folder against other programs until the lock is dropped. It also makes the names in the
    /// folder durable, even if the program that wrote them was killed. `None` if the store has no locks,
    /// or there is no such folder.
    ///
    /// # Errors
    ///
    /// If another program holds the lock.
    fn lock(&self, _folder: &Path) -> io::Result<Option<Lock>> {
        Ok(None)
    }
}

/// A lock, which ends when it is dropped.
pub struct Lock(#[expect(dead_code, reason = "it is dropped")] Box<dyn Any + Send + Sync>);

impl Lock {
    /// The lock that a value holds until it is dropped.
    pub fn new(held: impl Any + Send + Sync) -> Lock {
        Lock(Box::new(held))
    }
}

impl Debug for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock")
    }
}

/// A file that is being written. Dropping it aborts an upload.
pub trait NewFile: Write + Send {
    /// Makes the bytes of the file durable. Then [`Store::publish`] completes it.
    ///
    /// # Errors
    ///
    /// If some of them cannot be written.
    fn seal(self: Box<Self>) -> io::Result<()>;
}

/// A file or folder in a folder of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// Its size; without meaning for a folder.
    pub bytes: u64,
}

/// The name under which a file is written: its final name and `.partial`.
pub fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// The final name of a file with a partial name; `None` for other names.
pub fn unfinished(name: &str) -> Option<&str> {
    name.strip_suffix(".partial")
}

/// Writes a small file to a store.
///
/// # Errors
///
/// If it cannot be written. Then an older file with this name stays, and nothing of the new one
/// remains.
pub fn write(store: &dyn Store, path: &Path, bytes: &[u8]) -> Result<(), SinkError> {
    let error = |what| move |cause| SinkError { path: path.to_owned(), what, cause };
    let mut file = store.create(path).map_err(error("cannot create"))?;
    let written = file.write_all(bytes).map_err(error("cannot write"));
    let sealed = written.and_then(|()| file.seal().map_err(error("cannot finish")));
    let published = sealed.and_then(|()| store.publish(path).map_err(error("cannot finish")));
    published.inspect_err(|_| store.discard(path))
}

//! Stores for the files of a run. A file appears under its name only when it is complete.
//!
//! - `fingerprint`: the size and hash of a file
//! - `folder`: folders of this machine
//! - `bucket`: what an object store does, which another crate connects
//! - `location`: either of them, chosen by a path or URL
//! - `cache`: a cache of files of object stores
//! - `reading`: reads complete files by their paths, wherever they are

mod bucket;
mod cache;
pub(crate) mod fingerprint;
mod folder;
mod location;
mod reading;

pub use bucket::{Bucket, OpenBucket, Upload, connect};
pub use fingerprint::Fingerprint;
pub use folder::{Folder, Lock, is_locked, lock};
pub use location::{Location, LocationFile};
pub(crate) use reading::keep_only;
pub use reading::{
    FileEnd, ReadFrom, StoredFile, end, exists, fingerprint, is_folder, is_url, open, prefetch, read,
    read_text,
};

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::play::SinkError;

/// Where the files of a run are written.
///
/// The writer creates a file under a partial name, seals it when all bytes are written, and
/// publishes it under its final name. So a file with a final name is complete, whenever the program
/// or the machine stops.
pub trait Store: Send {
    /// A file that is being written.
    type File: Write + Send;

    /// Creates a file under its partial name, and the folders above it.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    fn create(&mut self, path: &Path) -> io::Result<Self::File>;

    /// Makes the bytes of a file durable.
    ///
    /// # Errors
    ///
    /// If some of them cannot be written.
    fn seal(&mut self, file: Self::File) -> io::Result<()>;

    /// Gives a sealed file its final name, replacing a file that has it.
    ///
    /// # Errors
    ///
    /// If it cannot be renamed.
    fn publish(&mut self, path: &Path) -> io::Result<()>;

    /// Removes a file that is not published, as far as possible.
    fn discard(&mut self, path: &Path);

    /// The files and folders in a folder. None if there is no such folder.
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
    /// The first file that cannot be read or written. Other files may be there.
    fn adopt(&mut self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError>;

    /// Removes complete files, as far as possible: those that [`Store::adopt`] added.
    fn remove(&mut self, files: &[PathBuf]);
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
#[must_use]
pub fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// The final name of a file with a partial name; `None` for other names.
#[must_use]
pub fn unfinished(name: &str) -> Option<&str> {
    name.strip_suffix(".partial")
}

/// Writes a small file to a path of this machine or a URL.
///
/// # Errors
///
/// As [`write()`], or if the URL is not that of a store.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), SinkError> {
    let opened = Location::open(path);
    let (mut location, path) =
        opened.map_err(|cause| SinkError { path: path.to_owned(), what: "cannot create", cause })?;
    write(&mut location, &path, bytes)
}

/// Writes a small file to a store.
///
/// # Errors
///
/// If it cannot be written. Then an older file with this name stays, and nothing of the new one
/// remains.
pub fn write<S: Store>(store: &mut S, path: &Path, bytes: &[u8]) -> Result<(), SinkError> {
    let error = |what| move |cause| SinkError { path: path.to_owned(), what, cause };
    let mut file = store.create(path).map_err(error("cannot create"))?;
    let written = file.write_all(bytes).map_err(error("cannot write"));
    let sealed = written.and_then(|()| store.seal(file).map_err(error("cannot finish")));
    let published = sealed.and_then(|()| store.publish(path).map_err(error("cannot finish")));
    published.inspect_err(|_| store.discard(path))
}

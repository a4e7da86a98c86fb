//! What an object store does. Another crate connects it, `jantaku-cloud`.
//!
//! # Why
//!
//! **How is an object store like a folder?** Completing an upload corresponds to renaming a file,
//! so the writer knows only create, seal and publish. Pieces are uploaded in order while a part is
//! encoded; small files wait in memory until they are published. HTTP and TLS add 91 crates
//! (`cargo tree --edges normal`), so the program has object stores only with the feature `cloud`;
//! the Python package always has them. Rejected: writing a folder first and copying it, which needs
//! the space twice and loses every part not yet copied.

use std::fmt::Debug;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::{FileEnd, FolderEntry};
use crate::play::SinkError;

/// An object store. The paths of its files are URLs.
///
/// The methods do what those of [`Store`](super::Store) do. Any number of threads can call them.
pub trait Bucket: Debug + Send + Sync {
    /// Begins a file, which does not exist before it is published.
    ///
    /// # Errors
    ///
    /// If the URL is of another store.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Upload>>;

    /// Makes a sealed file appear under its name, replacing a file that has it.
    ///
    /// # Errors
    ///
    /// If the upload cannot be completed.
    fn publish(&self, path: &Path) -> io::Result<()>;

    /// Removes a sealed file that is not published, as far as possible.
    fn discard(&self, path: &Path);

    /// The files and folders in a folder. None if there is no such folder.
    ///
    /// # Errors
    ///
    /// If they cannot be listed.
    fn entries(&self, folder: &Path) -> io::Result<Vec<FolderEntry>>;

    /// The bytes of a file.
    ///
    /// # Errors
    ///
    /// If it does not exist or cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// At most this many bytes from the end of a file.
    ///
    /// # Errors
    ///
    /// If it does not exist or cannot be read.
    fn end(&self, path: &Path, bytes: u64) -> io::Result<FileEnd>;

    /// Downloads a file.
    ///
    /// # Errors
    ///
    /// If it does not exist, cannot be read, or is replaced meanwhile.
    fn download(&self, path: &Path, into: &mut dyn Write) -> io::Result<()>;

    /// The size of a file.
    ///
    /// # Errors
    ///
    /// If it does not exist or cannot be reached.
    fn size(&self, path: &Path) -> io::Result<u64>;

    /// Copies files inside the store, each from the first path of a pair to the second.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read or written. Other files may be there.
    fn adopt(&self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError>;

    /// Removes files, as far as possible.
    fn remove(&self, files: &[PathBuf]);

    /// Removes a folder with all files in it, if it is there.
    ///
    /// # Errors
    ///
    /// The first file that cannot be removed. Others may be there.
    fn remove_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is being uploaded. Dropping it aborts the upload.
pub trait Upload: Write + Send {
    /// Uploads the last bytes. Then [`Bucket::publish`] completes the upload.
    ///
    /// # Errors
    ///
    /// If they cannot be uploaded.
    fn seal(self: Box<Self>) -> io::Result<()>;
}

/// Opens the object store of a URL, which does not end with a slash.
pub type OpenBucket = fn(&str) -> io::Result<Arc<dyn Bucket>>;

static OPEN: OnceLock<OpenBucket> = OnceLock::new();

/// Makes URLs of object stores places of runs, for the whole program. Only the first call has an
/// effect.
pub fn connect(open: OpenBucket) {
    OPEN.get_or_init(|| open);
}

/// The object store of a URL.
pub(super) fn open(url: &str) -> io::Result<Arc<dyn Bucket>> {
    let Some(open) = OPEN.get() else {
        let what = "is a URL, and this program was built without the feature `cloud`";
        return Err(io::Error::new(io::ErrorKind::Unsupported, what));
    };
    open(url)
}

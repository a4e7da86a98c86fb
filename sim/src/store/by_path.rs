//! Reads and writes complete files by their paths, in folders and object stores alike.
//!
//! A path is a path of this machine or a URL. All code that reads a run opens its files here, so that a run in
//! an object store is read like a folder.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{FileEnd, Fingerprint, Location, StoredFile, write};
use crate::play::SinkError;

/// Whether a path is the URL of a folder: `file://`, or one of an object store. Web pages are
/// not.
pub fn is_url(path: &Path) -> bool {
    /// The ends of the hosts that are object stores.
    const STORES: [&str; 4] =
        ["amazonaws.com", "core.windows.net", "fabric.microsoft.com", "r2.cloudflarestorage.com"];
    let Some((scheme, rest)) = path.to_str().and_then(|text| text.split_once("://")) else { return false };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    match scheme {
        "http" => false,
        "https" => STORES.iter().any(|store| host.ends_with(store)),
        _ => !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()),
    }
}

/// Whether a path is a folder of this machine, or the [URL](is_url) of a folder.
pub fn is_folder(path: &Path) -> bool {
    is_url(path) || path.is_dir()
}

/// Opens a complete file. One in an object store is downloaded into the cache, unless it is there.
///
/// # Errors
///
/// If it does not exist or cannot be read, or the URL is not that of a store.
pub fn open(path: &Path) -> io::Result<StoredFile> {
    let Location { store, path } = Location::open(path)?;
    store.open(&path)
}

/// The bytes of a small file, which is not cached.
///
/// # Errors
///
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let Location { store, path } = Location::open(path)?;
    store.read(&path)
}

/// The text of a small file, which is not cached. None if there is no such file.
///
/// # Errors
///
/// As [`open`], but a missing file is no error. Also if the file is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<Option<String>> {
    match read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(io::Error::other),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether there is a file with this path. One that cannot be reached counts as missing.
pub fn exists(path: &Path) -> bool {
    Location::open(path).is_ok_and(|Location { store, path }| store.size(&path).is_ok())
}

/// The size and hash of a file, which is read to its end. One in an object store is cached then.
///
/// # Errors
///
/// As [`open`].
pub fn fingerprint(path: &Path) -> io::Result<Fingerprint> {
    open(path)?.fingerprint()
}

/// Reads at most this many bytes from the end of a file. Nothing is cached.
///
/// # Errors
///
/// As [`open`].
pub fn end(path: &Path, bytes: usize) -> io::Result<FileEnd> {
    let Location { store, path } = Location::open(path)?;
    store.end(&path, bytes as u64)
}

/// Writes a small file to a path of this machine or a URL.
///
/// # Errors
///
/// As [`write()`], or if no store serves the URL.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), SinkError> {
    let opened = Location::open(path);
    let Location { store, path } =
        opened.map_err(|cause| SinkError { path: path.to_owned(), what: "cannot create", cause })?;
    write(&*store, &path, bytes)
}

/// Begins to download files that are read soon, one after another. Does nothing for files of this
/// machine. Opening a file reports a failed download.
pub fn prefetch(paths: Vec<PathBuf>) {
    if paths.first().is_some_and(|path| is_url(path)) {
        let fetch = move || paths.iter().try_for_each(|path| open(path).map(|_| ()));
        // Without a thread, files are downloaded when they are opened.
        let _ = std::thread::Builder::new().name("prefetch".to_owned()).spawn(fetch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_folders_are_no_pages_and_no_paths() {
        for url in [
            "s3://bucket/run",
            "gs://bucket/run",
            "abfss://container@account.dfs.core.windows.net/run",
            "https://bucket.s3.eu-west-1.amazonaws.com/run",
            "https://account.blob.core.windows.net/container/run",
            "file:///runs/first",
            "memory:///run",
        ] {
            assert!(is_url(Path::new(url)), "{url}");
        }
        for other in [
            "runs/first",
            "https://tenhou.net/6/#json={}",
            "http://bucket.s3.amazonaws.com/run",
            "a:b",
            "://x",
            "-",
        ] {
            assert!(!is_url(Path::new(other)), "{other}");
        }
    }
}

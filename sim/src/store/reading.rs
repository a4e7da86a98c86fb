//! Reads complete files by their paths, in folders and object stores alike.
//!
//! A path is a path of this machine or a URL. All that reads runs opens files here, so that a run in
//! an object store is read like a folder.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use super::{Fingerprint, Location};

/// Whether a path is the URL of a folder: `file://`, or one of an object store. Other pages of the
/// web are none.
#[must_use]
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
#[must_use]
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
/// As [`open`], except that a file may not exist; also if it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<Option<String>> {
    match read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(io::Error::other),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether there is a file with this path. One that cannot be reached counts as missing.
#[must_use]
pub fn exists(path: &Path) -> bool {
    Location::open(path).is_ok_and(|Location { store, path }| store.size(&path).is_ok())
}

/// The size and hash of a file, which is read to its end. One in an object store is cached then.
///
/// # Errors
///
/// As [`open`].
pub fn fingerprint(path: &Path) -> io::Result<Fingerprint> {
    let file = open(path)?;
    match &file.fingerprint {
        Some(known) => Ok((**known).clone()),
        None => Fingerprint::of(ReadFrom { file, position: 0 }),
    }
}

/// The end of a file.
#[derive(Clone, Debug)]
pub struct FileEnd {
    /// Its last bytes.
    pub bytes: Bytes,
    /// The size of the whole file.
    pub size: u64,
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

/// Begins to download files that are read soon, one after another. Does nothing for files of this
/// machine. Who opens a file sees the error of a failed download.
pub fn prefetch(paths: Vec<PathBuf>) {
    if paths.first().is_some_and(|path| is_url(path)) {
        let fetch = move || paths.iter().try_for_each(|path| open(path).map(|_| ()));
        // Without a thread, files are downloaded when they are opened.
        let _ = std::thread::Builder::new().name("prefetch".to_owned()).spawn(fetch);
    }
}

/// A complete file. Any number of threads can read from any position.
#[derive(Clone, Debug)]
pub struct StoredFile {
    file: Arc<File>,
    bytes: u64,
    /// Known of a file that was hashed while it was downloaded.
    fingerprint: Option<Arc<Fingerprint>>,
}

impl StoredFile {
    pub(super) fn new(file: File, fingerprint: Option<Arc<Fingerprint>>) -> io::Result<StoredFile> {
        let bytes = file.metadata()?.len();
        Ok(StoredFile { file: Arc::new(file), bytes, fingerprint })
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&*self.file, buffer, position)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, position)
    }
}

/// Reads a [`StoredFile`] from a position on.
#[derive(Debug)]
pub struct ReadFrom {
    file: StoredFile,
    position: u64,
}

impl Read for ReadFrom {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Length for StoredFile {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for StoredFile {
    type T = BufReader<ReadFrom>;

    fn get_read(&self, start: u64) -> Result<BufReader<ReadFrom>, ParquetError> {
        Ok(BufReader::new(ReadFrom { file: self.clone(), position: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = Vec::with_capacity(length);
        let read =
            ReadFrom { file: self.clone(), position: start }.take(length as u64).read_to_end(&mut bytes)?;
        if read < length {
            return Err(ParquetError::EOF(format!("expected to read {length} bytes, read only {read}")));
        }
        Ok(bytes.into())
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

    /// Readers of one file do not share a position, as clones of a file do.
    #[test]
    fn readers_have_positions_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, b"0123456789").expect("a file");
        let file = open(&path).expect("a file");
        let [mut first, mut second] = [2, 5].map(|start| file.get_read(start).expect("a reader").bytes());
        for (one, other) in [(b'2', b'5'), (b'3', b'6'), (b'4', b'7')] {
            assert_eq!(first.next().expect("a byte").expect("readable"), one);
            assert_eq!(second.next().expect("a byte").expect("readable"), other);
        }
        assert_eq!(file.get_bytes(8, 2).expect("bytes"), &b"89"[..]);
        assert!(file.get_bytes(8, 3).is_err());
        let ending = end(&path, 4).expect("a file");
        assert_eq!((&ending.bytes[..], ending.size), (&b"6789"[..], 10));
        assert_eq!(end(&path, 40).expect("a file").bytes, &b"0123456789"[..]);
    }
}

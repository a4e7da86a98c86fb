//! A folder or an object store, chosen by a path or URL.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use super::{Bucket, Folder, FolderEntry, Lock, Store, Upload, bucket, folder};
use crate::play::SinkError;

/// A folder of this machine, or an object store.
#[derive(Clone, Debug)]
pub enum Location {
    /// A folder of this machine.
    Folder(Folder),
    /// An object store.
    Bucket(Arc<dyn Bucket>),
}

/// A file that is being written at a [`Location`].
pub enum LocationFile {
    /// In a folder.
    Folder(<Folder as Store>::File),
    /// In an object store.
    Bucket(Box<dyn Upload>),
}

impl Location {
    /// The location of a path or URL, and the prefix of the paths of its files.
    ///
    /// `file://` is a folder; `s3://`, `gs://`, `az://` and `memory://` are object stores.
    ///
    /// # Errors
    ///
    /// If the URL is not that of a store, the program is built without object stores, or `file://`
    /// names another machine.
    pub fn open(path: &Path) -> io::Result<(Location, PathBuf)> {
        let text = path.to_string_lossy();
        match text.split_once("://") {
            Some(("file", rest)) => Ok((Location::Folder(Folder), file_url(rest)?)),
            Some((scheme, _)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                let text = text.trim_end_matches('/');
                Ok((Location::Bucket(bucket::open(text)?), PathBuf::from(text)))
            }
            _ if is_mistyped_url(&text) => {
                let what = "expected a folder, or a URL such as s3://bucket/run, with `://`";
                Err(io::Error::new(io::ErrorKind::InvalidInput, what))
            }
            _ => Ok((Location::Folder(Folder), path.to_owned())),
        }
    }

    /// Removes a folder with all files in it, if it is there.
    ///
    /// # Errors
    ///
    /// If some of them cannot be removed.
    pub fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        match self {
            Location::Folder(_) => folder::remove_folder(folder),
            Location::Bucket(bucket) => bucket.remove_folder(folder),
        }
    }

    /// Locks a folder as [`lock`](super::lock) does. Object stores have no locks.
    ///
    /// # Errors
    ///
    /// If another program holds the lock.
    pub fn lock(&self, folder: &Path) -> io::Result<Option<Lock>> {
        match self {
            Location::Folder(_) => folder::lock(folder),
            Location::Bucket(_) => Ok(None),
        }
    }
}

/// Whether a text is a URL of a store without all of `://`, such as `s3:/bucket/run`. Otherwise a run would go
/// to a folder of this name.
fn is_mistyped_url(text: &str) -> bool {
    const SCHEMES: [&str; 6] = ["s3", "gs", "az", "abfs", "file", "memory"];
    SCHEMES.iter().any(|scheme| {
        text.strip_prefix(scheme).is_some_and(|rest| rest.starts_with(":/") || rest.starts_with("//"))
    })
}

/// The path of a file URL, from the text after `file://`: a host, which must be this machine, and a
/// percent-encoded path ([RFC 8089](https://www.rfc-editor.org/rfc/rfc8089)).
fn file_url(rest: &str) -> io::Result<PathBuf> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidInput, what);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return Err(wrong(format!(
            "expected a folder of this machine, as file:///folder, found the host `{host}`"
        )));
    }
    if path.is_empty() {
        return Err(wrong("expected a folder, as file:///folder, found none".to_owned()));
    }
    // The decoder would leave a `%` without a byte as it is.
    let is_byte = |after: &&str| {
        let code = after.get(..2).filter(|code| *code != "00");
        code.is_some_and(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    if let Some(after) = path.split('%').skip(1).find(|after| !is_byte(after)) {
        let found: String = after.chars().take(2).collect();
        return Err(wrong(format!("expected a byte as `%20`, found `%{found}`")));
    }
    let path = percent_decode_str(path).decode_utf8().map_err(|error| wrong(error.to_string()))?;
    Ok(PathBuf::from(path.as_ref()))
}

/// Calls the store that a location holds.
macro_rules! either {
    ($location:expr, $store:ident => $what:expr) => {
        match $location {
            Location::Folder($store) => $what,
            Location::Bucket($store) => $what,
        }
    };
}

impl Store for Location {
    type File = LocationFile;

    fn create(&mut self, path: &Path) -> io::Result<LocationFile> {
        match self {
            Location::Folder(store) => store.create(path).map(LocationFile::Folder),
            Location::Bucket(store) => store.create(path).map(LocationFile::Bucket),
        }
    }

    fn seal(&mut self, file: LocationFile) -> io::Result<()> {
        match (self, file) {
            (Location::Folder(store), LocationFile::Folder(file)) => store.seal(file),
            (Location::Bucket(_), LocationFile::Bucket(file)) => file.seal(),
            _ => unreachable!("a file is sealed where it was created"),
        }
    }

    fn publish(&mut self, path: &Path) -> io::Result<()> {
        either!(self, store => store.publish(path))
    }

    fn discard(&mut self, path: &Path) {
        either!(self, store => store.discard(path));
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        either!(self, store => store.entries(folder))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        either!(self, store => store.read(path))
    }

    fn size(&self, path: &Path) -> io::Result<u64> {
        either!(self, store => store.size(path))
    }

    fn adopt(&mut self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError> {
        either!(self, store => store.adopt(files))
    }

    fn remove(&mut self, files: &[PathBuf]) {
        either!(self, store => store.remove(files));
    }
}

impl LocationFile {
    fn file(&mut self) -> &mut dyn Write {
        match self {
            LocationFile::Folder(file) => file,
            LocationFile::Bucket(file) => file,
        }
    }
}

impl Write for LocationFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file().write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_urls_are_no_folders() {
        for text in ["s3:/bucket/run", "s3//bucket/run", "gs:/bucket", "file:/run"] {
            let error = Location::open(Path::new(text)).expect_err("no folder").to_string();
            assert!(error.contains("such as s3://bucket/run"), "{text}: {error}");
        }
        for text in ["runs/s3", "s3", "gs-runs/first", "az/first"] {
            assert!(matches!(Location::open(Path::new(text)), Ok((Location::Folder(_), _))), "{text}");
        }
    }
}

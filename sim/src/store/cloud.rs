//! Object stores: S3 and compatible ones, Google Cloud, Azure.
//!
//! Objects cannot be renamed: an object exists when its upload is complete. So a file is uploaded
//! in pieces while it is written, and publishing it completes the upload. Failed connections and
//! requests are retried for three minutes.

use std::collections::HashMap;
use std::error::Error as _;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use object_store::path::Path as Key;
use object_store::{
    Error, GetOptions, GetRange, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt as _,
    ObjectStoreScheme,
};
use tokio::runtime::Runtime;
use url::Url;

use super::{FileEnd, FolderEntry, Store};
use crate::play::SinkError;

/// Bytes of a piece of an upload or download. S3 allows 10,000 pieces of at least 5 MB.
const PIECE: usize = 16 << 20;
/// Copies that a store makes at a time.
const COPIES: usize = 32;

/// An object store. The paths of its files are URLs.
#[derive(Clone)]
pub struct Cloud {
    runtime: Arc<Runtime>,
    objects: Arc<dyn ObjectStore>,
    /// The part of a URL that names the store.
    root: String,
    /// Files that are sealed but not published.
    sealed: Arc<Mutex<HashMap<PathBuf, Sealed>>>,
}

/// The stores that this process has opened.
struct Stores {
    /// The process that opened them. One that was forked from it has none of their threads.
    process: u32,
    runtime: Arc<Runtime>,
    /// By their roots, with a hash of the environment in which they were opened.
    opened: HashMap<String, (u64, Cloud)>,
}

static STORES: Mutex<Option<Stores>> = Mutex::new(None);

impl fmt::Debug for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cloud({})", self.root)
    }
}

enum Sealed {
    /// A small file, uploaded in one request.
    Whole(Vec<u8>),
    /// A file whose pieces are all uploaded.
    Pieces(Box<dyn MultipartUpload>),
}

/// A file that is being uploaded. Dropping it aborts the upload.
pub struct Upload {
    runtime: Arc<Runtime>,
    objects: Arc<dyn ObjectStore>,
    path: PathBuf,
    key: Key,
    /// The bytes that are not uploaded yet.
    bytes: Vec<u8>,
    /// The upload, once its first piece is sent.
    pieces: Option<Box<dyn MultipartUpload>>,
}

impl Cloud {
    /// Opens the store of a URL such as `s3://bucket/folder`. Later calls return the same store, as
    /// long as the environment does not change.
    ///
    /// Keys, regions and endpoints come from the environment variables that the tools of each store
    /// use, such as `AWS_ACCESS_KEY_ID`.
    ///
    /// # Errors
    ///
    /// If the URL is not that of a store, or the environment lacks a variable that the store needs.
    pub fn open(text: &str) -> io::Result<Cloud> {
        let (root, environment) = (root_of(text), environment_hash());
        let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
        let own = stores.take().filter(|stores| stores.process == std::process::id());
        let stores = stores.insert(own.map_or_else(Stores::new, Ok)?);
        if let Some((_, cloud)) = stores.opened.get(root).filter(|(of, _)| *of == environment) {
            return Ok(cloud.clone());
        }
        let (objects, _) =
            object_store::parse_url_opts(&parsed(text)?, std::env::vars()).map_err(io_error)?;
        let (runtime, objects) = (Arc::clone(&stores.runtime), Arc::from(objects));
        let cloud = Cloud { runtime, objects, root: root.to_owned(), sealed: Arc::default() };
        stores.opened.insert(root.to_owned(), (environment, cloud.clone()));
        Ok(cloud)
    }

    /// The key of a file.
    fn key(&self, path: &Path) -> io::Result<Key> {
        let text = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        if root_of(&text) != self.root {
            let what = format!("is in a different store than {}", self.root);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let (_, key) = ObjectStoreScheme::parse(&parsed(&text)?).map_err(io::Error::other)?;
        Ok(key)
    }

    /// Downloads a file.
    ///
    /// # Errors
    ///
    /// If it does not exist, cannot be read, or is replaced meanwhile.
    pub(super) fn download(&self, path: &Path, into: &mut impl Write) -> io::Result<()> {
        let (key, mut done, mut version) = (self.key(path)?, 0, None);
        loop {
            let range = Some(GetRange::Bounded(done..done + PIECE as u64));
            let options = GetOptions { range, if_match: version.take(), ..GetOptions::default() };
            let (size, e_tag, bytes) = self.runtime.block_on(async {
                let found = self.objects.get_opts(&key, options).await.map_err(io_error)?;
                let ObjectMeta { size, e_tag, .. } = found.meta.clone();
                Ok::<_, io::Error>((size, e_tag, found.bytes().await.map_err(io_error)?))
            })?;
            into.write_all(&bytes)?;
            (done, version) = (done + bytes.len() as u64, e_tag);
            if done >= size || bytes.is_empty() {
                return Ok(());
            }
        }
    }

    /// The end of a file.
    ///
    /// # Errors
    ///
    /// If it does not exist or cannot be read.
    pub(super) fn end(&self, path: &Path, bytes: u64) -> io::Result<FileEnd> {
        let (key, size) = (self.key(path)?, self.size(path)?);
        if size == 0 {
            return Ok(FileEnd { bytes: Bytes::new(), size });
        }
        let range = size.saturating_sub(bytes)..size;
        let bytes = self.runtime.block_on(self.objects.get_range(&key, range)).map_err(io_error)?;
        Ok(FileEnd { bytes, size })
    }

    fn take_sealed(&self, path: &Path) -> Option<Sealed> {
        self.sealed.lock().unwrap_or_else(PoisonError::into_inner).remove(path)
    }
}

impl Stores {
    fn new() -> io::Result<Stores> {
        // `reqwest` is built without a provider of cryptography. The call fails if the process
        // already has one, which works as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Stores { process: std::process::id(), runtime: Arc::new(runtime), opened: HashMap::new() })
    }
}

fn parsed(text: &str) -> io::Result<Url> {
    Url::parse(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// The part of a URL that names the store: up to the bucket. In a URL of a page, the bucket may be the
/// first folder.
fn root_of(text: &str) -> &str {
    let Some(start) = text.find("://").map(|at| at + 3) else { return text };
    let folders = if text.starts_with("http") { 2 } else { 1 };
    text[start..].match_indices('/').nth(folders - 1).map_or(text, |(at, _)| &text[..start + at])
}

/// A hash of all environment variables.
fn environment_hash() -> u64 {
    let mut hasher = DefaultHasher::new();
    std::env::vars_os().for_each(|variable| variable.hash(&mut hasher));
    hasher.finish()
}

impl Store for Cloud {
    type File = Upload;

    fn create(&mut self, path: &Path) -> io::Result<Upload> {
        let (runtime, objects) = (Arc::clone(&self.runtime), Arc::clone(&self.objects));
        let (path, key) = (path.to_owned(), self.key(path)?);
        Ok(Upload { runtime, objects, path, key, bytes: Vec::new(), pieces: None })
    }

    fn seal(&mut self, mut file: Upload) -> io::Result<()> {
        if file.pieces.is_some() && !file.bytes.is_empty() {
            file.send()?;
        }
        let sealed = match file.pieces.take() {
            None => Sealed::Whole(std::mem::take(&mut file.bytes)),
            Some(pieces) => Sealed::Pieces(pieces),
        };
        let path = std::mem::take(&mut file.path);
        self.sealed.lock().unwrap_or_else(PoisonError::into_inner).insert(path, sealed);
        Ok(())
    }

    fn publish(&mut self, path: &Path) -> io::Result<()> {
        let key = self.key(path)?;
        let published = match self.take_sealed(path) {
            None => return Err(io::Error::new(io::ErrorKind::NotFound, "nothing was written")),
            Some(Sealed::Whole(bytes)) => self.runtime.block_on(self.objects.put(&key, bytes.into())),
            Some(Sealed::Pieces(mut pieces)) => self.runtime.block_on(pieces.complete()),
        };
        published.map(|_| ()).map_err(io_error)
    }

    fn discard(&mut self, path: &Path) {
        if let Some(Sealed::Pieces(mut pieces)) = self.take_sealed(path) {
            self.runtime.block_on(pieces.abort()).ok();
        }
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let key = self.key(folder)?;
        let found = self.runtime.block_on(self.objects.list_with_delimiter(Some(&key))).map_err(io_error)?;
        let files = found.objects.into_iter().map(|object| (object.location, object.size));
        let found = files.chain(found.common_prefixes.into_iter().map(|folder| (folder, 0)));
        let entry = |(key, bytes): (Key, u64)| Some(FolderEntry { name: key.filename()?.to_owned(), bytes });
        Ok(found.filter_map(entry).collect())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let key = self.key(path)?;
        let bytes = self.runtime.block_on(async { self.objects.get(&key).await?.bytes().await });
        bytes.map(|bytes| bytes.to_vec()).map_err(io_error)
    }

    fn size(&self, path: &Path) -> io::Result<u64> {
        let key = self.key(path)?;
        Ok(self.runtime.block_on(self.objects.head(&key)).map_err(io_error)?.size)
    }

    /// The store makes the copies, some at a time.
    fn adopt(&mut self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError> {
        let error = |path: &Path, cause| SinkError { path: path.to_owned(), what: "cannot write", cause };
        for files in files.chunks(COPIES) {
            let mut copies = Vec::new();
            for (from, to) in files {
                let keys = self.key(from).and_then(|from| Ok((from, self.key(to)?)));
                let (from_key, to_key) = keys.map_err(|cause| error(from, cause))?;
                let objects = Arc::clone(&self.objects);
                copies.push((to, self.runtime.spawn(async move { objects.copy(&from_key, &to_key).await })));
            }
            for (to, copy) in copies {
                let copied = self.runtime.block_on(copy).map_err(io::Error::other);
                copied.and_then(|copied| copied.map_err(io_error)).map_err(|cause| error(to, cause))?;
            }
        }
        Ok(())
    }

    fn remove(&mut self, files: &[PathBuf]) {
        for key in files.iter().filter_map(|path| self.key(path).ok()) {
            self.runtime.block_on(self.objects.delete(&key)).ok();
        }
    }
}

impl Upload {
    /// Uploads the collected bytes as a piece.
    fn send(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.bytes);
        let (objects, key) = (&self.objects, &self.key);
        let pieces = match &mut self.pieces {
            Some(pieces) => pieces,
            none => none.insert(self.runtime.block_on(objects.put_multipart(key)).map_err(io_error)?),
        };
        self.runtime.block_on(pieces.put_part(bytes.into())).map_err(io_error)
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= PIECE {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(mut pieces) = self.pieces.take() {
            self.runtime.block_on(pieces.abort()).ok();
        }
    }
}

/// The text of a failed request leaves out why a connection failed, so its last cause follows.
fn io_error(error: Error) -> io::Error {
    if matches!(error, Error::NotFound { .. }) {
        return io::Error::new(io::ErrorKind::NotFound, error);
    }
    let (text, mut last_cause) = (error.to_string(), error.source());
    while let Some(cause) = last_cause.and_then(|cause| cause.source()) {
        last_cause = Some(cause);
    }
    match last_cause.map(ToString::to_string) {
        Some(cause) if !text.contains(&cause) => io::Error::other(format!("{text}: {cause}")),
        _ => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::write;

    /// Small files and files of several pieces appear when they are published, and never if they
    /// are discarded.
    #[test]
    fn files_appear_when_they_are_published() {
        let mut cloud = Cloud::open("memory:///runs").expect("a store in memory");
        let url = PathBuf::from("memory:///runs");
        let path = |name: &str| url.join(name);
        let [small, large, discarded] = ["small", "part/large", "part/discarded"].map(path);
        write(&mut cloud, &small, b"few bytes").expect("it is written");
        assert_eq!(cloud.read(&small).expect("a file"), b"few bytes");
        let bytes: Vec<u8> = (0..PIECE * 5 / 2).map(|i| (i % 251) as u8).collect();
        let mut file = cloud.create(&large).expect("a file");
        bytes.chunks(1 << 20).for_each(|chunk| file.write_all(chunk).expect("room"));
        cloud.seal(file).expect("it is sealed");
        let entries = |cloud: &Cloud, folder: &Path| {
            let found = cloud.entries(folder).expect("a folder");
            found.into_iter().map(|entry| (entry.name, entry.bytes)).collect::<Vec<_>>()
        };
        assert_eq!(entries(&cloud, &url), [("small".to_owned(), 9)]);
        cloud.publish(&large).expect("it is published");
        assert!(cloud.read(&large).expect("a file") == bytes);
        let mut file = cloud.create(&discarded).expect("a file");
        file.write_all(&bytes).expect("room");
        cloud.seal(file).expect("it is sealed");
        cloud.discard(&discarded);
        assert_eq!(entries(&cloud, &url.join("part")), [("large".to_owned(), bytes.len() as u64)]);
        let error = cloud.read(&discarded).expect_err("it is discarded");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}

//! Object stores: S3 and compatible ones, Google Cloud, Azure.
//!
//! Objects cannot be renamed: an object exists when its upload is complete. So a file is uploaded
//! in pieces while it is written, and publishing it completes the upload. Failed connections and
//! requests are retried for three minutes.

use std::collections::HashMap;
use std::error::Error as _;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use object_store::path::Path as Key;
use object_store::{Error, MultipartUpload, ObjectStore, ObjectStoreExt as _};
use tokio::runtime::Runtime;
use url::Url;

use super::{FolderEntry, Store};

/// Bytes of a piece. S3 allows 10,000 pieces of at least 5 MB.
const PIECE: usize = 16 << 20;

/// An object store, with the URL that all paths begin with.
#[derive(Clone)]
pub struct Cloud {
    runtime: Arc<Runtime>,
    objects: Arc<dyn ObjectStore>,
    url: PathBuf,
    /// The key of the URL in its store.
    prefix: Key,
    /// Files that are sealed but not published.
    sealed: Arc<Mutex<HashMap<PathBuf, Sealed>>>,
}

impl fmt::Debug for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cloud({})", self.url.display())
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
    key: Key,
    /// The bytes that are not uploaded yet.
    bytes: Vec<u8>,
    /// The upload, once its first piece is sent.
    pieces: Option<Box<dyn MultipartUpload>>,
}

impl Cloud {
    /// Opens the store of a URL such as `s3://bucket/folder`.
    ///
    /// Keys, regions and endpoints come from the environment variables that the tools of each store
    /// use, such as `AWS_ACCESS_KEY_ID`.
    ///
    /// # Errors
    ///
    /// If the URL is not that of a store, or the environment lacks a variable that the store needs.
    pub fn open(text: &str) -> io::Result<Cloud> {
        let url = Url::parse(text).map_err(io::Error::other)?;
        // `reqwest` is built without a provider of cryptography. The call fails if the process
        // already has one, which works as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let opened = object_store::parse_url_opts(&url, std::env::vars());
        let (objects, prefix) = opened.map_err(io_error)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let (runtime, objects) = (Arc::new(runtime), Arc::from(objects));
        Ok(Cloud { runtime, objects, url: PathBuf::from(text), prefix, sealed: Arc::default() })
    }

    /// The key of a file. Its path begins with the URL.
    fn key(&self, path: &Path) -> io::Result<Key> {
        let inside = path.strip_prefix(&self.url).map_err(io::Error::other)?;
        Ok(inside.iter().fold(self.prefix.clone(), |key, part| key.join(part.to_string_lossy().as_ref())))
    }

    fn take_sealed(&self, path: &Path) -> Option<Sealed> {
        self.sealed.lock().unwrap_or_else(PoisonError::into_inner).remove(path)
    }
}

impl Store for Cloud {
    type File = Upload;

    fn create(&mut self, path: &Path) -> io::Result<Upload> {
        let (runtime, objects) = (Arc::clone(&self.runtime), Arc::clone(&self.objects));
        Ok(Upload { runtime, objects, key: self.key(path)?, bytes: Vec::new(), pieces: None })
    }

    fn seal(&mut self, mut file: Upload) -> io::Result<()> {
        if file.pieces.is_some() && !file.bytes.is_empty() {
            file.send()?;
        }
        let sealed = match file.pieces.take() {
            None => Sealed::Whole(std::mem::take(&mut file.bytes)),
            Some(pieces) => Sealed::Pieces(pieces),
        };
        let path = file.key.parts().skip(self.prefix.parts().count());
        let path = path.fold(self.url.clone(), |path, part| path.join(part.as_ref()));
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
    use crate::run::store::write;

    /// Small files and files of several pieces appear when they are published, and never if they
    /// are discarded.
    #[test]
    fn files_appear_when_they_are_published() {
        let mut cloud = Cloud::open("memory:///runs").expect("a store in memory");
        let path = |name: &str| cloud.url.join(name);
        let [small, large, discarded] = ["small", "part/large", "part/discarded"].map(path);
        write(&mut cloud, &small, b"few bytes").expect("it is written");
        assert_eq!(cloud.read(&small).expect("a file"), b"few bytes");
        let bytes: Vec<u8> = (0..PIECE * 5 / 2).map(|i| (i % 251) as u8).collect();
        let mut file = cloud.create(&large).expect("a file");
        bytes.chunks(1 << 20).for_each(|chunk| file.write_all(chunk).expect("room"));
        cloud.seal(file).expect("it is sealed");
        let url = cloud.url.clone();
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

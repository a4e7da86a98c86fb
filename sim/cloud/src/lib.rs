//! Runs in object stores: S3 and compatible ones, Google Cloud, Azure.
//!
//! After [`connect`], `jantaku-sim` takes their URLs wherever it takes the path of a folder.
//!
//! Objects cannot be renamed: an object exists when its upload is complete. So a file is uploaded
//! in pieces while it is written, and publishing it completes the upload. Failed connections and
//! requests are retried for three minutes. `JANTAKU_RETRY_SECONDS` sets the longest wait for an answer,
//! retries included.
//!
//! # Why
//!
//! **Why are object stores a crate of their own?** The library knows only what a store does
//! (`store::Store`). `sim/cloud` does it, and a program with object stores calls
//! `jantaku_cloud::connect` when it starts. So the library is compiled once for programs with and
//! without them. Rejected: a feature of `sim`, with which every edit compiled the library twice,
//! over a minute each time.

use std::collections::HashMap;
use std::error::Error as _;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use jantaku_sim::play::SinkError;
use jantaku_sim::store::{self, FileEnd, FolderEntry, NewFile, Store, StoredFile};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path as Key;
use object_store::{
    BackoffConfig, Error, GetOptions, GetRange, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt as _, ObjectStoreScheme, RetryConfig,
};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use url::Url;

/// Bytes of a piece of an upload or download. S3 allows 10,000 pieces of at least 5 MB.
const PIECE: usize = 16 << 20;
/// Copies that a store makes at a time, and objects that it removes.
const AT_ONCE: usize = 32;
/// How long one request may take, such as the upload of a piece. `AWS_TIMEOUT` and the variables of other
/// stores that correspond to it replace this value.
const REQUEST: &str = "180 seconds";
/// For how long requests that fail are retried.
const RETRY: Duration = Duration::from_mins(3);
/// The longest pause between two attempts.
const PAUSE: Duration = Duration::from_secs(10);
/// The prefixes of the variables that hold keys or say where they are.
const KEYS: [&str; 5] =
    ["AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS", "GOOGLE_", "AZURE_"];

/// Lets the program write and read runs at URLs of object stores. A program calls this first.
pub fn connect() {
    store::connect(|url| Ok(Arc::new(Cloud::open(url)?)));
}

/// An object store. The paths of its files are URLs.
#[derive(Clone)]
struct Cloud {
    runtime: Arc<Runtime>,
    objects: Arc<dyn ObjectStore>,
    /// The part of a URL that names the store.
    root: String,
    /// The longest wait for an answer, if the user chose it.
    longest: Option<Duration>,
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
struct Upload {
    cloud: Cloud,
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
    /// If no store serves the URL, the environment lacks a variable that the store needs, or
    /// `JANTAKU_RETRY_SECONDS` is not a whole number.
    fn open(text: &str) -> io::Result<Cloud> {
        let (root, environment) = (root_of(text), environment_hash());
        let mut stores = STORES.lock().unwrap_or_else(PoisonError::into_inner);
        let stores = match stores.take() {
            Some(own) if own.process == std::process::id() => stores.insert(own),
            inherited => {
                // Dropping a runtime would wait for its threads, which do not survive a fork.
                std::mem::forget(inherited);
                stores.insert(Stores::new()?)
            }
        };
        if let Some((_, cloud)) = stores.opened.get(root).filter(|(of, _)| *of == environment) {
            return Ok(cloud.clone());
        }
        let (runtime, longest) = (Arc::clone(&stores.runtime), longest_wait()?);
        let objects = opened(&parsed(text)?, longest)?;
        let cloud = Cloud { runtime, objects, root: root.to_owned(), longest, sealed: Arc::default() };
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

    /// Downloads a file in pieces. An error if it is replaced meanwhile.
    fn download(&self, path: &Path, into: &mut dyn Write) -> io::Result<()> {
        let (key, mut done, mut version) = (self.key(path)?, 0, None);
        loop {
            let range = Some(GetRange::Bounded(done..done + PIECE as u64));
            let options = GetOptions { range, if_match: version.take(), ..GetOptions::default() };
            let (ObjectMeta { size, e_tag, .. }, bytes) = self.wait(async {
                let found = self.objects.get_opts(&key, options).await?;
                Ok((found.meta.clone(), found.bytes().await?))
            })?;
            into.write_all(&bytes)?;
            (done, version) = (done + bytes.len() as u64, e_tag);
            if done >= size || bytes.is_empty() {
                return Ok(());
            }
        }
    }

    /// Removes the folders of a folder, then its own files.
    fn remove_below(&self, folder: &Key) -> io::Result<()> {
        let found = self.wait(self.objects.list_with_delimiter(Some(folder)))?;
        found.common_prefixes.iter().try_for_each(|folder| self.remove_below(folder))?;
        let files: Vec<Key> = found.objects.into_iter().map(|object| object.location).collect();
        self.remove_keys(&files)
    }

    /// Removes files, some at a time.
    fn remove_keys(&self, keys: &[Key]) -> io::Result<()> {
        let mut removed = Ok(());
        for keys in keys.chunks(AT_ONCE) {
            let remove = |key: &Key| {
                let (objects, key) = (Arc::clone(&self.objects), key.clone());
                self.spawn(async move { objects.delete(&key).await })
            };
            for removing in keys.iter().map(remove).collect::<Vec<_>>() {
                removed = removed.and(self.runtime.block_on(removing).map_err(io::Error::other).flatten());
            }
        }
        removed
    }

    /// The files that are sealed but not published, locked.
    fn sealed(&self) -> MutexGuard<'_, HashMap<PathBuf, Sealed>> {
        self.sealed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the answer to a request.
    fn wait<T>(&self, request: impl Future<Output = object_store::Result<T>>) -> io::Result<T> {
        self.runtime.block_on(bounded(self.longest, request))
    }

    /// Begins a request, whose answer comes later.
    fn spawn<T: Send + 'static>(
        &self,
        request: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> JoinHandle<io::Result<T>> {
        self.runtime.spawn(bounded(self.longest, request))
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

/// The store of a URL, with the settings of the environment. `parse_url_opts` does the same for any store, but
/// with its own retries.
fn opened(url: &Url, longest: Option<Duration>) -> io::Result<Arc<dyn ObjectStore>> {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        Some((name.into_string().ok()?.to_ascii_lowercase(), value.into_string().ok()?))
    });
    // Later settings replace earlier ones.
    let settings: Vec<_> =
        [("timeout".to_owned(), REQUEST.to_owned())].into_iter().chain(variables).collect();
    macro_rules! built {
        ($builder:ident) => {{
            let start = $builder::new().with_url(url.as_str()).with_retry(retries(longest));
            let set = |builder: $builder, (name, value): (String, String)| match name.parse() {
                Ok(key) => builder.with_config(key, value),
                Err(_) => builder,
            };
            settings.into_iter().fold(start, set).build().map(|store| Arc::new(store) as _)
        }};
    }
    let (scheme, _) = ObjectStoreScheme::parse(url).map_err(io::Error::other)?;
    let store = match scheme {
        ObjectStoreScheme::AmazonS3 => built!(AmazonS3Builder),
        ObjectStoreScheme::GoogleCloudStorage => built!(GoogleCloudStorageBuilder),
        ObjectStoreScheme::MicrosoftAzure => built!(MicrosoftAzureBuilder),
        _ => object_store::parse_url_opts(url, settings).map(|(store, _)| Arc::from(store)),
    };
    store.map_err(io_error)
}

/// The longest wait for an answer that the user chose: `JANTAKU_RETRY_SECONDS`.
fn longest_wait() -> io::Result<Option<Duration>> {
    let Ok(seconds) = std::env::var("JANTAKU_RETRY_SECONDS") else { return Ok(None) };
    let parsed = seconds.trim().parse::<NonZeroU32>().map_err(|_| {
        let what = "expected a whole number of seconds, 1 or more";
        let what = format!("`JANTAKU_RETRY_SECONDS`: {what}, found `{seconds}`");
        io::Error::new(io::ErrorKind::InvalidInput, what)
    });
    parsed.map(|seconds| Some(Duration::from_secs(seconds.get().into())))
}

/// How often requests are retried. The pauses grow to some seconds. Retries end before the longest
/// wait is over, so that the user sees the error of the request and not that of the wait.
fn retries(longest: Option<Duration>) -> RetryConfig {
    // Without keys, the first request asks the machine for its role. Most machines have none,
    // and a user who forgot the keys should soon see an error.
    let has_keys = || {
        let mut names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        names.any(|name| KEYS.iter().any(|start| name.starts_with(start)))
    };
    match longest {
        Some(longest) => retries_for(longest * 3 / 4, longest / 8),
        None if has_keys() => retries_for(RETRY, PAUSE),
        None => RetryConfig::default(),
    }
}

/// Retries for this time, with pauses of at most this length.
fn retries_for(retry_timeout: Duration, pause: Duration) -> RetryConfig {
    let max_backoff = pause.min(PAUSE);
    let init_backoff = Duration::from_millis(200).min(max_backoff);
    RetryConfig {
        backoff: BackoffConfig { init_backoff, max_backoff, base: 3.0 },
        max_retries: 1000,
        retry_timeout,
    }
}

/// The answer to a request, unless it takes longer than the longest wait.
async fn bounded<T>(
    longest: Option<Duration>,
    request: impl Future<Output = object_store::Result<T>>,
) -> io::Result<T> {
    let Some(longest) = longest else { return request.await.map_err(io_error) };
    let late = |_| {
        let seconds = longest.as_secs();
        let what = format!("timed out after {seconds} s, the time in `JANTAKU_RETRY_SECONDS`");
        io::Error::new(io::ErrorKind::TimedOut, what)
    };
    timeout(longest, request).await.map_err(late)?.map_err(io_error)
}

fn parsed(text: &str) -> io::Result<Url> {
    Url::parse(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// The part of a URL that names the store: up to the bucket. In an `https://` URL, the bucket may be
/// the first folder.
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
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile>> {
        let (path, key) = (path.to_owned(), self.key(path)?);
        Ok(Box::new(Upload { cloud: self.clone(), path, key, bytes: Vec::new(), pieces: None }))
    }

    fn publish(&self, path: &Path) -> io::Result<()> {
        let key = self.key(path)?;
        let sealed = self.sealed().remove(path);
        match sealed {
            None => return Err(io::Error::new(io::ErrorKind::NotFound, "nothing was written")),
            Some(Sealed::Whole(bytes)) => self.wait(self.objects.put(&key, bytes.into()))?,
            Some(Sealed::Pieces(mut pieces)) => self.wait(pieces.complete())?,
        };
        Ok(())
    }

    fn discard(&self, path: &Path) {
        let sealed = self.sealed().remove(path);
        if let Some(Sealed::Pieces(mut pieces)) = sealed {
            self.wait(pieces.abort()).ok();
        }
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let key = self.key(folder)?;
        let found = self.wait(self.objects.list_with_delimiter(Some(&key)))?;
        let files = found.objects.into_iter().map(|object| (object.location, object.size));
        let found = files.chain(found.common_prefixes.into_iter().map(|folder| (folder, 0)));
        let entry = |(key, bytes): (Key, u64)| Some(FolderEntry { name: key.filename()?.to_owned(), bytes });
        Ok(found.filter_map(entry).collect())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let key = self.key(path)?;
        Ok(self.wait(async { self.objects.get(&key).await?.bytes().await })?.to_vec())
    }

    fn open(&self, path: &Path) -> io::Result<StoredFile> {
        store::cached(path, |file| self.download(path, file))
    }

    fn end(&self, path: &Path, bytes: u64) -> io::Result<FileEnd> {
        let (key, size) = (self.key(path)?, self.size(path)?);
        if size == 0 {
            return Ok(FileEnd { bytes: Bytes::new(), size });
        }
        let range = size.saturating_sub(bytes)..size;
        Ok(FileEnd { bytes: self.wait(self.objects.get_range(&key, range))?, size })
    }

    fn size(&self, path: &Path) -> io::Result<u64> {
        let key = self.key(path)?;
        Ok(self.wait(self.objects.head(&key))?.size)
    }

    /// The store makes the copies, some at a time.
    fn adopt(&self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError> {
        let error = |path: &Path, cause| SinkError { path: path.to_owned(), what: "cannot write", cause };
        for files in files.chunks(AT_ONCE) {
            let mut copies = Vec::new();
            for (from, to) in files {
                let keys = self.key(from).and_then(|from| Ok((from, self.key(to)?)));
                let (from_key, to_key) = keys.map_err(|cause| error(from, cause))?;
                let objects = Arc::clone(&self.objects);
                copies.push((to, self.spawn(async move { objects.copy(&from_key, &to_key).await })));
            }
            for (to, copy) in copies {
                let copied = self.runtime.block_on(copy).map_err(io::Error::other).flatten();
                copied.map_err(|cause| error(to, cause))?;
            }
        }
        Ok(())
    }

    fn remove(&self, files: &[PathBuf]) {
        let keys: Vec<Key> = files.iter().filter_map(|path| self.key(path).ok()).collect();
        self.remove_keys(&keys).ok();
    }

    /// First its folders, then its own files.
    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        self.remove_below(&self.key(folder)?)
    }
}

impl Upload {
    /// Uploads the collected bytes as a piece.
    fn send(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.bytes);
        let pieces = match &mut self.pieces {
            Some(pieces) => pieces,
            none => none.insert(self.cloud.wait(self.cloud.objects.put_multipart(&self.key))?),
        };
        self.cloud.wait(pieces.put_part(bytes.into()))
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

impl NewFile for Upload {
    fn seal(mut self: Box<Self>) -> io::Result<()> {
        if self.pieces.is_some() && !self.bytes.is_empty() {
            self.send()?;
        }
        let sealed = match self.pieces.take() {
            None => Sealed::Whole(std::mem::take(&mut self.bytes)),
            Some(pieces) => Sealed::Pieces(pieces),
        };
        let path = std::mem::take(&mut self.path);
        self.cloud.sealed().insert(path, sealed);
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(mut pieces) = self.pieces.take() {
            self.cloud.wait(pieces.abort()).ok();
        }
    }
}

/// The text of a failed request leaves out why a connection failed, so its last cause follows.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes values")]
fn io_error(error: Error) -> io::Error {
    let (mut text, mut last_cause) = (short(error.to_string()), error.source());
    if matches!(error, Error::NotFound { .. }) {
        return io::Error::new(io::ErrorKind::NotFound, text);
    }
    while let Some(cause) = last_cause.and_then(|cause| cause.source()) {
        last_cause = Some(cause);
    }
    let last_cause = last_cause.map(|cause| short(cause.to_string()));
    if let Some(cause) = last_cause.filter(|cause| !text.contains(cause)) {
        text = format!("{text}: {cause}");
    }
    // Without keys, a machine of Amazon's asks there for its role.
    if text.contains("//169.254.169.254/") {
        text += "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: without them, only machines with a role have keys";
    }
    io::Error::other(text)
}

/// The text of an error with the message of the server instead of its answer as XML.
fn short(text: String) -> String {
    let message = text.split_once("<Message>").and_then(|(_, rest)| rest.split_once("</Message>"));
    match (text.split_once('<'), message) {
        (Some((before, _)), Some((message, _))) => format!("{before}{message}"),
        _ => text,
    }
}

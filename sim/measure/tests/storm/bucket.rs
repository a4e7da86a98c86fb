//! A simulated object store: an object appears whole, answers may be lost, and lists may be old.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use jantaku_sim::play::SinkError;
use jantaku_sim::store::{FileEnd, FolderEntry, NewFile, Store, StoredFile};

use super::accidents::Clock;

type Bytes = Arc<Vec<u8>>;

/// A bucket. Its copies share the objects.
#[derive(Clone, Debug)]
pub struct SimBucket {
    pub clock: Clock,
    objects: Arc<Mutex<Objects>>,
}

#[derive(Debug, Default)]
struct Objects {
    now: BTreeMap<PathBuf, Bytes>,
    /// The objects before the last changes.
    before: Vec<BTreeMap<PathBuf, Bytes>>,
    /// Files that are written but not published, in the memory of the program.
    sealed: BTreeMap<PathBuf, Bytes>,
}

impl Objects {
    fn set(&mut self, path: &Path, bytes: Option<Bytes>) {
        self.before.push(self.now.clone());
        match bytes {
            Some(bytes) => _ = self.now.insert(path.to_owned(), bytes),
            None => _ = self.now.remove(path),
        }
    }

    fn get(&self, path: &Path) -> io::Result<Bytes> {
        self.now.get(path).cloned().ok_or_else(|| ErrorKind::NotFound.into())
    }
}

impl SimBucket {
    pub fn new(clock: Clock) -> SimBucket {
        SimBucket { clock, objects: Arc::default() }
    }

    fn objects(&self) -> MutexGuard<'_, Objects> {
        self.objects.lock().expect("no step panics")
    }

    fn step<T>(&self, act: impl FnOnce(&mut Objects) -> io::Result<T>) -> io::Result<T> {
        let fate = self.clock.step(false);
        let done = if fate.happens { act(&mut self.objects()) } else { Err(ErrorKind::Other.into()) };
        fate.error.map_or(done, Err)
    }

    /// A program that ends forgets what it did not publish.
    pub fn restart(&self) {
        let mut objects = self.objects();
        objects.sealed.clear();
        objects.before.clear();
    }

    /// All objects below a folder, by their paths relative to it.
    pub fn all(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let relative = |path: &PathBuf| path.strip_prefix(folder).ok().map(Path::to_owned);
        let objects = self.objects();
        objects.now.iter().filter_map(|(path, bytes)| Some((relative(path)?, bytes.to_vec()))).collect()
    }

    /// Changes an object, or removes it.
    pub fn damage(&self, path: &Path, bytes: Option<Vec<u8>>) {
        self.objects().set(path, bytes.map(Arc::new));
    }
}

struct Upload {
    bucket: SimBucket,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for Upload {
    fn seal(self: Box<Self>) -> io::Result<()> {
        let Upload { bucket, path, bytes } = *self;
        bucket.step(|objects| {
            objects.sealed.insert(path, Arc::new(bytes));
            Ok(())
        })
    }
}

impl Store for SimBucket {
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile>> {
        Ok(Box::new(Upload { bucket: self.clone(), path: path.to_owned(), bytes: Vec::new() }))
    }

    fn publish(&self, path: &Path) -> io::Result<()> {
        self.step(|objects| {
            let sealed = objects.sealed.get(path).cloned().ok_or(ErrorKind::NotFound)?;
            objects.set(path, Some(sealed));
            Ok(())
        })?;
        self.objects().sealed.remove(path);
        Ok(())
    }

    fn discard(&self, path: &Path) {
        self.objects().sealed.remove(path);
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let fate = self.clock.step(false);
        if let Some(error) = fate.error {
            return Err(error);
        }
        let back = if fate.is_old { 1 + self.clock.below(4) } else { 0 };
        let objects = self.objects();
        let old = objects.before.len().checked_sub(back).and_then(|at| objects.before.get(at));
        let mut entries: Vec<FolderEntry> = Vec::new();
        for (path, bytes) in old.unwrap_or(&objects.now) {
            let Ok(below) = path.strip_prefix(folder) else { continue };
            let mut names = below.iter().map(|name| name.to_string_lossy().into_owned());
            let Some(name) = names.next() else { continue };
            let bytes = if names.next().is_some() { 0 } else { bytes.len() as u64 };
            if entries.last().is_none_or(|last| last.name != name) {
                entries.push(FolderEntry { name, bytes });
            }
        }
        Ok(entries)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.step(|objects| objects.get(path).map(|bytes| bytes.to_vec()))
    }

    fn open(&self, path: &Path) -> io::Result<StoredFile> {
        let bytes = self.read(path)?;
        let mut file = tempfile::tempfile()?;
        file.write_all(&bytes)?;
        StoredFile::new(file, None)
    }

    fn end(&self, path: &Path, bytes: u64) -> io::Result<FileEnd> {
        let all = self.read(path)?;
        let start = all.len().saturating_sub(bytes as usize);
        Ok(FileEnd { bytes: all[start..].to_vec().into(), size: all.len() as u64 })
    }

    fn size(&self, path: &Path) -> io::Result<u64> {
        self.step(|objects| objects.get(path).map(|bytes| bytes.len() as u64))
    }

    fn adopt(&self, files: &[(PathBuf, PathBuf)]) -> Result<(), SinkError> {
        files.iter().try_for_each(|(from, path)| {
            let copied = self.step(|objects| objects.get(from).map(|bytes| objects.set(path, Some(bytes))));
            copied.map_err(|cause| SinkError { path: path.clone(), what: "cannot write", cause })
        })
    }

    fn remove(&self, files: &[PathBuf]) {
        for path in files {
            let removed = self.step(|objects| {
                objects.set(path, None);
                Ok(())
            });
            removed.ok();
        }
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        let below: Vec<PathBuf> =
            self.objects().now.keys().filter(|path| path.starts_with(folder)).cloned().collect();
        below.iter().try_for_each(|path| {
            self.step(|objects| {
                objects.set(path, None);
                Ok(())
            })
        })
    }
}

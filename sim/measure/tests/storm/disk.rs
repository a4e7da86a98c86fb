//! A simulated disk: it keeps what was synced, and may lose the rest when the power fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, ErrorKind, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use jantaku_sim::store::{Disk, FolderEntry, Lock, NewFile};

use super::accidents::{Clock, Fate};

/// A disk of one machine. Its copies share the files.
#[derive(Clone, Debug)]
pub struct SimDisk {
    pub clock: Clock,
    files: Arc<Mutex<Files>>,
}

/// What is behind a name.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Folder,
    /// The index of its bytes in `Files::bytes`.
    File(usize),
}

/// Changes of names that happen together or not at all: the new node of each, `None` if it is removed.
type Change = Vec<(PathBuf, Option<Node>)>;

#[derive(Debug, Default)]
struct Files {
    names: BTreeMap<PathBuf, Node>,
    /// The bytes of each file, and those that were synced.
    bytes: Vec<(Vec<u8>, Vec<u8>)>,
    /// The names that survive a power failure.
    durable: BTreeMap<PathBuf, Node>,
    /// The changes that may be lost, in order.
    pending: Vec<Change>,
    locked: BTreeSet<PathBuf>,
    /// Files that are being written.
    open: usize,
}

/// The path of a folder that always exists.
fn is_root(path: &Path) -> bool {
    path.components().count() <= 2
}

impl Files {
    fn change(&mut self, change: Change) {
        apply(&mut self.names, &change);
        self.pending.push(change);
    }

    fn file(&self, path: &Path) -> io::Result<usize> {
        match self.names.get(path) {
            Some(Node::File(index)) => Ok(*index),
            Some(Node::Folder) => Err(ErrorKind::InvalidInput.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn has_folder(&self, path: &Path) -> bool {
        is_root(path) || self.names.get(path) == Some(&Node::Folder)
    }

    fn has_parent(&self, path: &Path) -> io::Result<()> {
        if path.parent().is_some_and(|folder| self.has_folder(folder)) {
            Ok(())
        } else {
            Err(ErrorKind::NotFound.into())
        }
    }

    fn in_folder<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = (&'a PathBuf, &'a Node)> {
        self.names.iter().filter(move |(path, _)| path.parent() == Some(folder))
    }

    fn sync(&mut self, folder: &Path) {
        let is_here = |(path, _): &(PathBuf, Option<Node>)| path.parent() == Some(folder);
        let pending = std::mem::take(&mut self.pending);
        let (here, others): (Vec<_>, Vec<_>) =
            pending.into_iter().partition(|change| change.iter().all(is_here));
        here.iter().for_each(|change| apply(&mut self.durable, change));
        self.pending = others;
    }

    /// The power fails. Of the changes in each folder that were not synced, some of the first survive; of
    /// the bytes of a file, those that were synced, or some more.
    fn lose_power(&mut self, below: impl Fn(usize) -> usize) {
        let pending = std::mem::take(&mut self.pending);
        let mut lost: BTreeSet<PathBuf> = BTreeSet::new();
        for change in pending {
            let folders: Vec<PathBuf> = change.iter().filter_map(|(path, _)| folder_of(path)).collect();
            if folders.iter().any(|folder| lost.contains(folder)) || below(2) == 0 {
                lost.extend(folders);
            } else {
                apply(&mut self.durable, &change);
            }
        }
        // A file in a folder that was lost has no path.
        let mut names = BTreeMap::new();
        for (path, node) in &self.durable {
            let is_there = |folder: &Path| is_root(folder) || names.get(folder) == Some(&Node::Folder);
            if path.parent().is_some_and(is_there) {
                names.insert(path.clone(), node.clone());
            }
        }
        (self.names, self.durable) = (names.clone(), names);
        for (bytes, synced) in &mut self.bytes {
            if bytes != synced {
                *bytes = match below(3) {
                    0 => std::mem::take(synced),
                    1 => bytes[..below(bytes.len() + 1)].to_vec(),
                    // The size was written before the bytes.
                    _ => vec![0; bytes.len()],
                };
                synced.clone_from(bytes);
            }
        }
    }
}

fn folder_of(path: &Path) -> Option<PathBuf> {
    path.parent().map(Path::to_owned)
}

fn apply(names: &mut BTreeMap<PathBuf, Node>, change: &Change) {
    for (path, node) in change {
        match node {
            Some(node) => _ = names.insert(path.clone(), node.clone()),
            None => _ = names.remove(path),
        }
    }
}

impl SimDisk {
    pub fn new(clock: Clock) -> SimDisk {
        SimDisk { clock, files: Arc::default() }
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().expect("no step panics")
    }

    /// A step that happens or not.
    fn step<T>(&self, writes: bool, act: impl FnOnce(&mut Files) -> io::Result<T>) -> io::Result<T> {
        let fate = self.clock.step(writes);
        let done = if fate.happens { act(&mut self.files()) } else { Err(ErrorKind::Other.into()) };
        fate.error.map_or(done, Err)
    }

    /// Whether a file is being written.
    pub fn is_writing(&self) -> bool {
        self.files().open > 0
    }

    /// What a program finds that starts after the last one ended.
    pub fn restart(&self, has_lost_power: bool) {
        let mut files = self.files();
        files.locked.clear();
        if has_lost_power {
            files.lose_power(|n| self.clock.below(n));
        }
    }

    /// All files below a folder, by their paths relative to it.
    pub fn all(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = self.files();
        let of = |(path, node): (&PathBuf, &Node)| match node {
            Node::File(index) => {
                Some((path.strip_prefix(folder).ok()?.to_owned(), files.bytes[*index].0.clone()))
            }
            Node::Folder => None,
        };
        files.names.iter().filter_map(of).collect()
    }

    /// Changes the bytes of a file, or removes it.
    pub fn damage(&self, path: &Path, bytes: Option<Vec<u8>>) {
        let mut files = self.files();
        match bytes {
            Some(bytes) => {
                let index = files.file(path).expect("a file");
                files.bytes[index] = (bytes.clone(), bytes);
            }
            None => {
                files.change(vec![(path.to_owned(), None)]);
            }
        }
    }
}

/// A file that is being written.
struct SimFile {
    disk: SimDisk,
    index: usize,
}

impl Write for SimFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fate = self.disk.clock.step(true);
        let kept = match fate {
            Fate { torn: true, .. } => self.disk.clock.below(bytes.len() + 1),
            Fate { happens: true, .. } => bytes.len(),
            _ => 0,
        };
        self.disk.files().bytes[self.index].0.extend_from_slice(&bytes[..kept]);
        fate.error.map_or(Ok(bytes.len()), Err)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for SimFile {
    fn seal(self: Box<Self>) -> io::Result<()> {
        self.disk.step(true, |files| {
            let (bytes, synced) = &mut files.bytes[self.index];
            synced.clone_from(bytes);
            Ok(())
        })
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        self.disk.files().open -= 1;
    }
}

/// The lock of a folder.
struct Held(SimDisk, PathBuf);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.files().locked.remove(&self.1);
    }
}

impl Disk for SimDisk {
    fn create_file(&self, path: &Path) -> io::Result<Box<dyn NewFile>> {
        let index = self.step(true, |files| {
            files.has_parent(path)?;
            files.bytes.push(Default::default());
            let index = files.bytes.len() - 1;
            files.change(vec![(path.to_owned(), Some(Node::File(index)))]);
            Ok(index)
        })?;
        self.files().open += 1;
        Ok(Box::new(SimFile { disk: self.clone(), index }))
    }

    fn open_file(&self, path: &Path) -> io::Result<File> {
        let bytes = self.read_file(path)?;
        let mut file = tempfile::tempfile()?;
        file.write_all(&bytes)?;
        file.rewind()?;
        Ok(file)
    }

    fn read_file(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.step(false, |files| files.file(path).map(|index| files.bytes[index].0.clone()))
    }

    fn file_size(&self, path: &Path) -> io::Result<u64> {
        self.step(false, |files| match files.file(path) {
            Ok(index) => Ok(files.bytes[index].0.len() as u64),
            Err(_) if files.has_folder(path) => Ok(0),
            Err(error) => Err(error),
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(true, |files| {
            let index = files.file(from)?;
            files.has_parent(to)?;
            files.change(vec![(from.to_owned(), None), (to.to_owned(), Some(Node::File(index)))]);
            Ok(())
        })
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(true, |files| {
            let index = files.file(from)?;
            files.has_parent(to)?;
            if files.names.contains_key(to) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            files.change(vec![(to.to_owned(), Some(Node::File(index)))]);
            Ok(())
        })
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.step(false, |files| {
            files.file(path)?;
            files.change(vec![(path.to_owned(), None)]);
            Ok(())
        })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        self.step(false, |files| {
            if !files.has_folder(folder) {
                return Err(ErrorKind::NotFound.into());
            }
            let entry = |(path, node): (&PathBuf, &Node)| {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                let bytes = match node {
                    Node::File(index) => files.bytes[*index].0.len() as u64,
                    Node::Folder => 0,
                };
                FolderEntry { name, bytes }
            };
            Ok(files.in_folder(folder).map(entry).collect())
        })
    }

    fn create_one_folder(&self, folder: &Path) -> io::Result<()> {
        self.step(true, |files| {
            if is_root(folder) || files.names.contains_key(folder) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            files.has_parent(folder)?;
            files.change(vec![(folder.to_owned(), Some(Node::Folder))]);
            Ok(())
        })
    }

    fn has_folder(&self, folder: &Path) -> bool {
        self.files().has_folder(folder)
    }

    fn remove_all(&self, folder: &Path) -> io::Result<()> {
        self.step(false, |files| {
            let below: Vec<PathBuf> =
                files.names.keys().filter(|path| path.starts_with(folder)).cloned().collect();
            below.into_iter().for_each(|path| files.change(vec![(path, None)]));
            Ok(())
        })
    }

    fn sync_folder(&self, folder: &Path) {
        let happens = self.clock.step(false).happens;
        // No system refuses to sync a folder only once.
        if happens || self.clock.is_alive() {
            self.files().sync(folder);
        }
    }

    fn lock_folder(&self, folder: &Path) -> io::Result<Option<Lock>> {
        self.step(false, |files| {
            if !files.has_folder(folder) {
                return Ok(None);
            }
            if !files.locked.insert(folder.to_owned()) {
                return Err(io::Error::other("another program is writing it"));
            }
            Ok(Some(Lock::new(Held(self.clone(), folder.to_owned()))))
        })
    }
}

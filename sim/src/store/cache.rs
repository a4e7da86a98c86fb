//! A cache of files of object stores, on the disk of this machine.
//!
//! A file is downloaded as a whole when it is first opened, and hashed on the way. It has no name
//! in the folder for temporary files (`TMPDIR`), so that the system removes it when the program ends,
//! however it ends. The cache keeps the files that were used last, up to `JANTAKU_CACHE_MIB`
//! mebibytes, by default [`DEFAULT_MIB`]. A file that is being read stays until its last reader is gone.
//!
//! # Why
//!
//! **How is a run in an object store read?** By the same code as a folder: a run has a path or a
//! URL, and every file is opened by `store::open`. A file of a part is downloaded as a whole, in
//! pieces of 16 MB, into a file without a name in the folder for temporary files. So nothing is
//! left behind, readers never see half of a file, and several readers share it. The cache is
//! bounded; files that were used last stay. A reader that goes through parts in order has the next
//! one downloaded meanwhile. Sizes come from one listing for each table, and metadata from the ends
//! of files, so `info` downloads no part. Each time a run is opened, cached files with other hashes
//! than those of its manifest are dropped. Rejected: reading ranges of files as Parquet needs them,
//! which are hundreds of small requests for each part, and cannot be compared with a hash; a cache
//! that outlives the program, which would have to be trusted or asked about with a request for each
//! file.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::fingerprint::Hashed;
use super::{Fingerprint, StoredFile};

/// The mebibytes that the cache keeps, if the environment does not say otherwise.
const DEFAULT_MIB: u64 = 2048;

/// The slot of a file. It is locked during the download, so that others wait for that.
type Slot = Arc<Mutex<Option<StoredFile>>>;

struct Entry {
    slot: Slot,
    /// Its size; 0 until it is downloaded.
    bytes: u64,
    /// Its hash; empty until it is downloaded.
    sha256: String,
    /// The value of [`Cache::uses`] at its latest use.
    last_use: u64,
}

struct Cache {
    /// The process that filled the cache. One that was forked from it begins with an empty cache,
    /// because a download may have been in progress.
    process: u32,
    entries: HashMap<PathBuf, Entry>,
    /// How often files were opened.
    uses: u64,
}

static CACHE: Mutex<Option<Cache>> = Mutex::new(None);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `visit` with the cache of this process.
fn with_cache<T>(visit: impl FnOnce(&mut Cache) -> T) -> T {
    let (mut cache, process) = (locked(&CACHE), std::process::id());
    let own = cache.take().filter(|cache| cache.process == process);
    visit(cache.insert(own.unwrap_or_else(|| Cache { process, entries: HashMap::new(), uses: 0 })))
}

/// The most bytes that the cache keeps.
fn limit() -> io::Result<u64> {
    let Some(text) = std::env::var_os("JANTAKU_CACHE_MIB") else { return Ok(DEFAULT_MIB << 20) };
    let text = text.to_string_lossy();
    let mebibytes = text.trim().parse::<u64>().map_err(|_| {
        io::Error::other(format!("`JANTAKU_CACHE_MIB`: expected a number of mebibytes, found `{text}`"))
    })?;
    Ok(mebibytes.saturating_mul(1 << 20))
}

/// Opens a file of an object store. Downloads it unless the cache has it.
///
/// # Errors
///
/// The error of the download, or if there is no room for a temporary file.
pub fn cached(
    path: &Path,
    download: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<StoredFile> {
    let limit = limit()?;
    let slot = with_cache(|cache| cache.use_file(path));
    let mut file = locked(&slot);
    if let Some(file) = &*file {
        return Ok(file.clone());
    }
    let temporary = tempfile::tempfile().map_err(|error| {
        let folder = std::env::temp_dir();
        io::Error::other(format!("{}: cannot create a temporary file: {error}", folder.display()))
    })?;
    let mut hashed = Hashed::new(temporary);
    download(&mut hashed)?;
    let (temporary, fingerprint) = hashed.finish();
    let fingerprint = Arc::new(fingerprint);
    let downloaded = StoredFile::new(temporary, Some(Arc::clone(&fingerprint)))?;
    *file = Some(downloaded.clone());
    drop(file);
    with_cache(|cache| cache.filled(path, &fingerprint, limit));
    Ok(downloaded)
}

/// Drops these files of a run from the cache if it has them with another hash, or if no hash is given.
/// `files` are the paths and hashes in the run's manifest. Other files stay.
pub(crate) fn keep_only<'a>(files: impl Iterator<Item = (PathBuf, Option<&'a String>)>) {
    with_cache(|cache| {
        if cache.entries.is_empty() {
            return;
        }
        for (path, sha256) in files {
            if cache.entries.get(&path).is_some_and(|entry| Some(&entry.sha256) != sha256) {
                cache.entries.remove(&path);
            }
        }
    });
}

impl Cache {
    /// The slot of a file, which counts as used now.
    fn use_file(&mut self, path: &Path) -> Slot {
        self.uses += 1;
        let new = || Entry { slot: Slot::default(), bytes: 0, sha256: String::new(), last_use: 0 };
        let entry = self.entries.entry(path.to_owned()).or_insert_with(new);
        entry.last_use = self.uses;
        Arc::clone(&entry.slot)
    }

    /// Notes the size and hash of a file that was downloaded. While the cache exceeds `limit`, drops the
    /// file whose latest use is longest ago, but not this one.
    fn filled(&mut self, path: &Path, fingerprint: &Fingerprint, limit: u64) {
        if let Some(entry) = self.entries.get_mut(path) {
            entry.bytes = fingerprint.bytes;
            entry.sha256.clone_from(&fingerprint.sha256);
        }
        let mut bytes: u64 = self.entries.values().map(|entry| entry.bytes).sum();
        while bytes > limit {
            let others = self.entries.iter().filter(|(other, entry)| entry.bytes > 0 && *other != path);
            let Some((oldest, entry)) = others.min_by_key(|(_, entry)| entry.last_use) else { break };
            bytes -= entry.bytes;
            let oldest = oldest.clone();
            self.entries.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(bytes: u64) -> Fingerprint {
        Fingerprint { bytes, sha256: format!("{bytes}") }
    }

    #[test]
    fn files_that_were_not_used_for_longest_are_removed_first() {
        let mut cache = Cache { process: 0, entries: HashMap::new(), uses: 0 };
        let paths = ["a", "b", "c"].map(PathBuf::from);
        for path in &paths {
            cache.use_file(path);
            cache.filled(path, &fingerprint(10), 30);
        }
        cache.use_file(&paths[0]);
        let left = |cache: &Cache| {
            let mut left: Vec<_> = cache.entries.keys().map(|path| path.display().to_string()).collect();
            left.sort();
            left.concat()
        };
        assert_eq!(left(&cache), "abc");
        // A file that is being downloaded stays. So does one that is larger than the limit.
        cache.use_file(Path::new("d"));
        cache.use_file(Path::new("e"));
        cache.filled(Path::new("e"), &fingerprint(15), 30);
        assert_eq!(left(&cache), "ade");
        cache.filled(Path::new("d"), &fingerprint(50), 30);
        assert_eq!(left(&cache), "d");
    }
}

//! Where a run lies: in a folder of this machine or in a store of objects.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[cfg(feature = "cloud")]
use crate::cloud::{Cloud, Upload};
use crate::store::{self, Folder, Store};

/// A folder, or a URL of a store of objects.
#[derive(Clone, Debug)]
pub enum Place {
    /// A folder of this machine.
    Folder(Folder),
    /// A store of objects.
    #[cfg(feature = "cloud")]
    Cloud(Cloud),
}

/// A file that is being written to either.
pub enum PlaceFile {
    /// In a folder.
    Folder(<Folder as Store>::File),
    /// In a store of objects.
    #[cfg(feature = "cloud")]
    Cloud(Upload),
}

impl Place {
    /// Where this path or URL leads, and what the paths of files there begin with: `file://` is a folder, and `s3://`, `gs://`, `az://` and
    /// `memory://` are stores of objects.
    ///
    /// # Errors
    ///
    /// If the URL is none of a store, or the program was built without them.
    pub fn open(path: &Path) -> io::Result<(Place, PathBuf)> {
        let text = path.to_string_lossy();
        match text.split_once("://") {
            Some(("file", folder)) => Ok((Place::Folder(Folder), PathBuf::from(folder))),
            Some((scheme, _)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => Place::url(&text),
            _ => Ok((Place::Folder(Folder), path.to_owned())),
        }
    }

    #[cfg(feature = "cloud")]
    fn url(text: &str) -> io::Result<(Place, PathBuf)> {
        let text = text.trim_end_matches('/');
        Ok((Place::Cloud(Cloud::open(text)?), PathBuf::from(text)))
    }

    #[cfg(not(feature = "cloud"))]
    fn url(_: &str) -> io::Result<(Place, PathBuf)> {
        let what = "is a URL, and this program was built without `--features cloud`";
        Err(io::Error::new(io::ErrorKind::Unsupported, what))
    }

    /// Keeps a folder for this program as [`store::lock`] does; a store of objects has no locks.
    ///
    /// # Errors
    ///
    /// If another program has it.
    pub fn lock(&self, folder: &Path) -> io::Result<Option<File>> {
        match self {
            Place::Folder(_) => store::lock(folder),
            #[cfg(feature = "cloud")]
            Place::Cloud(_) => Ok(None),
        }
    }
}

/// Does the same with whichever it is.
macro_rules! either {
    ($place:expr, $store:ident => $what:expr) => {
        match $place {
            Place::Folder($store) => $what,
            #[cfg(feature = "cloud")]
            Place::Cloud($store) => $what,
        }
    };
}

impl Store for Place {
    type File = PlaceFile;

    fn create(&mut self, path: &Path) -> io::Result<PlaceFile> {
        match self {
            Place::Folder(store) => store.create(path).map(PlaceFile::Folder),
            #[cfg(feature = "cloud")]
            Place::Cloud(store) => store.create(path).map(PlaceFile::Cloud),
        }
    }

    fn seal(&mut self, file: PlaceFile) -> io::Result<()> {
        match (self, file) {
            (Place::Folder(store), PlaceFile::Folder(file)) => store.seal(file),
            #[cfg(feature = "cloud")]
            (Place::Cloud(store), PlaceFile::Cloud(file)) => store.seal(file),
            #[cfg(feature = "cloud")]
            _ => unreachable!("a file is sealed where it was created"),
        }
    }

    fn publish(&mut self, path: &Path) -> io::Result<()> {
        either!(self, store => store.publish(path))
    }

    fn discard(&mut self, path: &Path) {
        either!(self, store => store.discard(path));
    }

    fn withdraw(&mut self, path: &Path) {
        either!(self, store => store.withdraw(path));
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        either!(self, store => store.names(folder))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        either!(self, store => store.read(path))
    }
}

impl PlaceFile {
    fn file(&mut self) -> &mut dyn Write {
        match self {
            PlaceFile::Folder(file) => file,
            #[cfg(feature = "cloud")]
            PlaceFile::Cloud(file) => file,
        }
    }
}

impl Write for PlaceFile {
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

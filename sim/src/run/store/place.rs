//! Where a run lies: in a folder of this machine or in a store of objects.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[cfg(feature = "cloud")]
use crate::run::store::cloud::{Cloud, Upload};
use crate::run::store::{self, Folder, Store};

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
    /// If the URL is none of a store, or the program was built without them, or `file://` names a folder of another machine.
    pub fn open(path: &Path) -> io::Result<(Place, PathBuf)> {
        let text = path.to_string_lossy();
        match text.split_once("://") {
            Some(("file", rest)) => Ok((Place::Folder(Folder), file_url(rest)?)),
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

/// The path of a file URL, of which this is what follows `file://`: a host, which can only be this machine, and a path with bytes as `%20`
/// ([RFC 8089](https://www.rfc-editor.org/rfc/rfc8089)).
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
    let (mut bytes, mut left) = (Vec::new(), path);
    while let Some((before, after)) = left.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let code = after.get(..2).filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let byte = code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|byte| *byte != 0);
        let found = || after.chars().take(2).collect::<String>();
        bytes.push(byte.ok_or_else(|| wrong(format!("expected a byte as `%20`, found `%{}`", found())))?);
        left = &after[2..];
    }
    bytes.extend_from_slice(left.as_bytes());
    String::from_utf8(bytes).map(PathBuf::from).map_err(|error| wrong(error.utf8_error().to_string()))
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

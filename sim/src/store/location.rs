//! A folder in a store, chosen by a path or URL.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use percent_encoding::percent_decode_str;

use super::{Folder, Store};

/// Opens the object store of a URL, which does not end with a slash.
pub type OpenStore = fn(&str) -> io::Result<Arc<dyn Store>>;

static OPEN: OnceLock<OpenStore> = OnceLock::new();

/// Lets the whole program write and read runs at URLs of object stores. Only the first call has an
/// effect.
pub fn connect(open: OpenStore) {
    OPEN.get_or_init(|| open);
}

/// A file or folder in a store.
#[derive(Clone, Debug)]
pub struct Location {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Its path or URL in the store.
    pub path: PathBuf,
}

impl Location {
    /// A file or folder in this store.
    pub fn new(store: impl Store + 'static, path: impl Into<PathBuf>) -> Location {
        Location { store: Arc::new(store), path: path.into() }
    }

    /// The location of a path or URL.
    ///
    /// `file://` is a folder of this machine; `s3://`, `gs://`, `az://` and `memory://` are object
    /// stores.
    ///
    /// # Errors
    ///
    /// If no store serves the URL, the program is built without object stores, or `file://`
    /// names another machine.
    pub fn open(path: &Path) -> io::Result<Location> {
        let text = path.to_string_lossy();
        match text.split_once("://") {
            Some(("file", rest)) => Ok(Location::new(Folder, file_url(rest)?)),
            Some((scheme, _))
                if !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
            {
                let Some(open) = OPEN.get() else {
                    let what = "is a URL, and this program was built without the feature `cloud`";
                    return Err(io::Error::new(io::ErrorKind::Unsupported, what));
                };
                let url = text.trim_end_matches('/');
                Ok(Location { store: open(url)?, path: PathBuf::from(url) })
            }
            _ if is_mistyped_url(&text) => {
                let what = "expected a folder, or a URL such as s3://bucket/run, with `://`";
                Err(io::Error::new(io::ErrorKind::InvalidInput, what))
            }
            _ => Ok(Location::new(Folder, path)),
        }
    }
}

/// Whether a text is a URL of a store without all of `://`, such as `s3:/bucket/run`. Without this check, a
/// run would go to a folder of this name.
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
            "expected a folder of this machine, such as file:///folder, found the host `{host}`"
        )));
    }
    if path.is_empty() {
        return Err(wrong("expected a folder, such as file:///folder, found none".to_owned()));
    }
    // The decoder would leave a `%` without a byte as it is.
    let is_byte = |after: &&str| {
        let code = after.get(..2).filter(|code| *code != "00");
        code.is_some_and(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    if let Some(after) = path.split('%').skip(1).find(|after| !is_byte(after)) {
        let found: String = after.chars().take(2).collect();
        return Err(wrong(format!("expected a byte such as `%20`, found `%{found}`")));
    }
    let path = percent_decode_str(path).decode_utf8().map_err(|error| wrong(error.to_string()))?;
    Ok(PathBuf::from(path.as_ref()))
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
            assert!(Location::open(Path::new(text)).is_ok_and(|place| place.store.is_local()), "{text}");
        }
    }
}

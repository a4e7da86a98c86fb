//! Reference data, which is not part of the project.
//!
//! Tests that read it are marked `#[ignore = "needs JANTAKU_DATA"]`. `make test` runs them too when
//! `JANTAKU_DATA` is set.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use serde_json::Value;

/// A file or folder of the reference data.
///
/// # Panics
///
/// If `JANTAKU_DATA` is not set, or does not contain it.
pub fn reference(path: &str) -> PathBuf {
    let root = std::env::var_os("JANTAKU_DATA").filter(|root| !root.is_empty());
    let root = root.expect("JANTAKU_DATA is not set: set it to the folder of the reference data");
    let path = PathBuf::from(root).join(path);
    assert!(path.exists(), "{} does not exist: JANTAKU_DATA must contain it", path.display());
    path
}

/// The objects in the gzipped JSON Lines files of a folder whose names start with `prefix`.
pub fn reference_lines(folder: &str, prefix: &str) -> Vec<Value> {
    let folder = reference(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)));
    files.sort();
    let lines = |path: PathBuf| {
        let file = File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        BufReader::new(GzDecoder::new(file)).lines()
    };
    let parse = |line: std::io::Result<String>| {
        serde_json::from_str(&line.expect("gzipped text")).expect("a line of JSON")
    };
    let values: Vec<Value> = files.into_iter().flat_map(lines).map(parse).collect();
    assert!(!values.is_empty(), "no lines in {}/{prefix}*", folder.display());
    values
}

/// A JSON list of numbers.
pub fn numbers(value: &Value) -> Vec<usize> {
    let number = |v: &Value| v.as_u64().expect("a number") as usize;
    value.as_array().expect("a list").iter().map(number).collect()
}

/// A JSON number.
pub fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("expected a number, found {value}"))
}

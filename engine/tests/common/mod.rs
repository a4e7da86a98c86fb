//! Reference data that is not part of the project.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use serde_json::Value;

/// The objects of the gzipped JSON Lines files in a folder of the reference data whose names begin with `prefix`.
///
/// The data is found through `JANTAKU_DATA`. Without it there is nothing to iterate over, and a message says so;
/// where `JANTAKU_REQUIRE_DATA` is 1 that is a failure.
pub fn reference_lines(folder: &str, prefix: &str) -> Vec<Value> {
    let Some(root) = std::env::var_os("JANTAKU_DATA").map(PathBuf::from) else {
        let required = std::env::var("JANTAKU_REQUIRE_DATA").is_ok_and(|value| value == "1");
        assert!(!required, "JANTAKU_REQUIRE_DATA is 1 but JANTAKU_DATA is not set");
        eprintln!("skipped: JANTAKU_DATA is not set, so {folder}/{prefix}* cannot be compared");
        return Vec::new();
    };
    let folder = root.join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)));
    files.sort();
    assert!(!files.is_empty(), "no {prefix}* in {}", folder.display());
    let lines = |path: PathBuf| {
        let file = File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        BufReader::new(GzDecoder::new(file)).lines()
    };
    let parse = |line: std::io::Result<String>| {
        serde_json::from_str(&line.expect("the file is gzipped text")).expect("a line is JSON")
    };
    files.into_iter().flat_map(lines).map(parse).collect()
}

/// A list of numbers.
pub fn numbers(value: &Value) -> Vec<usize> {
    let number = |v: &Value| v.as_u64().expect("a number") as usize;
    value.as_array().expect("a list").iter().map(number).collect()
}

/// A number.
pub fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("expected a number, found {value}"))
}

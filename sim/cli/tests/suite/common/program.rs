//! Runs the program, and reads the folders that it writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs the program.
pub fn jantaku(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jantaku")).args(args).output().expect("the program starts")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the program, expects success, and returns its stdout.
pub fn ok(args: &[&str]) -> String {
    let output = jantaku(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs the program and expects exit status 2 with this message.
pub fn refused(args: &[&str], message: &str) {
    let output = jantaku(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert_eq!(text(&output.stderr).trim_end(), message, "{args:?}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
}

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

pub fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("a path of plain characters").to_owned()
}

/// The files of a run by name, without `environment.json`, which may differ.
pub fn files(run: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![PathBuf::from(run)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("environment.json") {
                let name = path.strip_prefix(run).expect("inside the run").to_owned();
                found.insert(name, fs::read(path).expect("a file"));
            }
        }
    }
    found
}

/// The message about a file whose size is not that of the manifest.
pub fn wrong_size(expected: usize, found: usize) -> String {
    format!(
        "expected {expected} bytes, as manifest.json says, found {found}: it is damaged, or another tool \
        rewrote it; `jantaku verify --quick` lists all such files"
    )
}

/// Removes the sizes and hashes from the manifest of a run, so that it is like one of an older
/// version.
pub fn remove_hashes(run: &str) {
    let manifest = format!("{run}/manifest.json");
    let mut found = json(&fs::read_to_string(&manifest).expect("a manifest"));
    for part in found["parts"].as_array_mut().expect("parts") {
        for file in part["files"].as_array_mut().expect("files") {
            let file = file.as_object_mut().expect("an object");
            file.remove("bytes");
            file.remove("sha256");
        }
    }
    fs::write(&manifest, serde_json::to_string_pretty(&found).expect("JSON")).expect("a file");
}

/// Removes the last part from the manifest of a run, as if the program had been killed before it
/// named the part. The files stay.
pub fn forget_last_part(run: &str) {
    let manifest = format!("{run}/manifest.json");
    let mut cut = json(&fs::read_to_string(&manifest).expect("a manifest"));
    let last = cut["parts"].as_array_mut().and_then(Vec::pop).expect("a part");
    let count = |value: &serde_json::Value| value.as_u64().expect("a count");
    cut["complete"] = false.into();
    cut["games"] = (count(&cut["games"]) - count(&last["games"])).into();
    for file in last["files"].as_array().expect("files") {
        let table = file["table"].as_str().expect("a name");
        cut["rows"][table] = (count(&cut["rows"][table]) - count(&file["rows"])).into();
    }
    fs::write(&manifest, serde_json::to_string_pretty(&cut).expect("JSON")).expect("a file");
}

pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("one JSON object")
}

/// Plays a match with these words. Returns its result, without what differs from one time to the
/// next.
pub fn match_result(words: &[&str]) -> serde_json::Value {
    match_without_speed(&ok(&[&["match", "--json", "-q"], words].concat()))
}

/// The result of a match, without what differs from one time to the next.
pub fn match_without_speed(text: &str) -> serde_json::Value {
    let mut result = json(text);
    let fields = result.as_object_mut().expect("an object");
    fields.remove("speed").expect("the speed");
    fields.remove("out").expect("the folder");
    result
}

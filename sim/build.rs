//! Passes the current commit to the compiler as `JANTAKU_COMMIT`, and the optional features as
//! `JANTAKU_FEATURES`.
//!
//! The commit is `unknown` outside a clone of this repository, and ends with `-dirty` if a source
//! of the program differs from it.

use std::path::Path;
use std::process::Command;

/// Everything that the program is built from, relative to this folder.
const SOURCES: [&str; 12] = [
    "../.cargo",
    "../Cargo.toml",
    "../Cargo.lock",
    "../engine/Cargo.toml",
    "../engine/build",
    "../engine/presets",
    "../engine/src",
    "../agents/Cargo.toml",
    "../agents/src",
    "Cargo.toml",
    "build.rs",
    "src",
];

fn main() {
    // A path that does not exist would run this script at every build.
    for path in SOURCES.iter().filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rustc-env=JANTAKU_COMMIT={}", commit().unwrap_or_else(|| "unknown".to_owned()));
    let has_cloud = std::env::var_os("CARGO_FEATURE_CLOUD").is_some();
    println!("cargo::rustc-env=JANTAKU_FEATURES={}", if has_cloud { "cloud" } else { "none" });
}

/// The current commit. None if this folder is not in a clone of the repository.
fn commit() -> Option<String> {
    // The sources may be part of another repository.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new("..").canonicalize().ok()? {
        return None;
    }
    for name in ["HEAD", "refs/heads", "packed-refs"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let status = ["status", "--porcelain", "--untracked-files=no", "--"];
    let modified = git(&[&status[..], &SOURCES].concat())?;
    Some(if modified.is_empty() { commit } else { commit + "-dirty" })
}

/// The output of a git command, without the last line feed. None if it fails.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}

//! Passes the current commit to the compiler as `JANTAKU_COMMIT`, and the optional features as
//! `JANTAKU_FEATURES`.
//!
//! The commit is `unknown` outside a clone of this repository, and ends with `-dirty` if a source
//! of the program differs from it.

mod commit;

use std::path::Path;

/// Everything that the program is built from, relative to the folder of the package.
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
    "build",
    "src",
];

fn main() {
    let commit = commit::commit(Path::new("."), &SOURCES);
    // A path that does not exist would run this script at every build.
    let sources = SOURCES.into_iter().filter(|path| Path::new(path).exists());
    let files = commit.iter().flat_map(|commit| commit.files.iter().map(String::as_str));
    for path in sources.chain(files) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rustc-env=JANTAKU_COMMIT={}", commit.as_ref().map_or("unknown", |commit| &commit.name));
    let has_cloud = std::env::var_os("CARGO_FEATURE_CLOUD").is_some();
    println!("cargo::rustc-env=JANTAKU_FEATURES={}", if has_cloud { "cloud" } else { "none" });
}

//! Passes the current commit to the compiler as `JANTAKU_COMMIT`.
//!
//! The commit is `unknown` outside a clone of this repository, and ends with `-dirty` if a source
//! of the library differs from it. The sources of the programs do not count: they only call the
//! library.
//!
//! # Why
//!
//! **What does a build from modified sources record?** The commit with `-dirty`, and its runs as
//! not `deterministic`. `sim/commit/build` compares the sources with git at every build in which
//! one of them changed. `--resume` warns and continues: refusing would make runs of a program under
//! development useless, and the commit does not show whether two builds differ.

mod commit;

use std::path::Path;

/// Everything that games are played with, relative to the root of the project.
const SOURCES: [&str; 15] = [
    ".cargo",
    "Cargo.toml",
    "Cargo.lock",
    "engine/Cargo.toml",
    "engine/build",
    "engine/presets",
    "engine/src",
    "agents/Cargo.toml",
    "agents/build.rs",
    "agents/src",
    "sim/Cargo.toml",
    "sim/build.rs",
    "sim/show/Cargo.toml",
    "sim/show/src",
    "sim/src",
];

fn main() {
    let root = Path::new("../..");
    let commit = commit::commit(root, &SOURCES);
    // A path that does not exist would run this script at every build.
    let sources = SOURCES.into_iter().filter(|path| root.join(path).exists());
    let files = commit.iter().flat_map(|commit| commit.files.iter().map(String::as_str));
    for path in sources.chain(files).chain(["sim/commit/build"]) {
        println!("cargo::rerun-if-changed={}", root.join(path).display());
    }
    println!("cargo::rustc-env=JANTAKU_COMMIT={}", commit.as_ref().map_or("unknown", |commit| &commit.name));
}

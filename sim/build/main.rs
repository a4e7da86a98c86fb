//! Passes the current commit to the compiler as `JANTAKU_COMMIT`, and the optional features as
//! `JANTAKU_FEATURES`. Links tests with libtorch as the agents' build script says.
//!
//! The commit is `unknown` outside a clone of this repository, and ends with `-dirty` if a source
//! of the library differs from it. The sources of the program do not count: it only calls the library.

mod commit;

use std::env;
use std::path::Path;

/// Everything that games are played with, relative to the folder of the package.
const SOURCES: [&str; 15] = [
    "../.cargo",
    "../Cargo.toml",
    "../Cargo.lock",
    "../engine/Cargo.toml",
    "../engine/build",
    "../engine/presets",
    "../engine/src",
    "../agents/Cargo.toml",
    "../agents/build.rs",
    "../agents/src",
    "Cargo.toml",
    "build",
    "hands/Cargo.toml",
    "hands/src",
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
    println!("cargo::rustc-env=JANTAKU_FEATURES={}", features());
    for arg in env::var("DEP_JANTAKU_TORCH_ARGS").iter().flat_map(|args| args.split(';')) {
        println!("cargo::rustc-link-arg={arg}");
    }
}

/// The optional features that this build has: `none`, or names joined by commas.
fn features() -> String {
    let has = |name: &&str| env::var_os(format!("CARGO_FEATURE_{}", name.to_uppercase())).is_some();
    let names: Vec<&str> = ["cloud", "torch"].into_iter().filter(has).collect();
    if names.is_empty() { "none".to_string() } else { names.join(",") }
}

//! Networks in `TorchScript`: models that Python exports, and models that cannot be played.
//!
//! - `export`: what a model answers in Python and in both backends here
//! - `bad`: errors for models that do not fit
//!
//! `make torch` installs libtorch and the Python that makes the models.

mod bad;
mod export;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jantaku_agents::encode::Encoder;
use jantaku_agents::neural::{Manifest, ValueHead};
use jantaku_engine::Rules;

/// A path in the folder of these tests.
fn shared(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("torch");
    fs::create_dir_all(&folder).expect("a folder is created");
    folder.join(name)
}

/// An empty folder of a test.
fn folder(name: &str) -> PathBuf {
    let folder = shared(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of an earlier test is removed");
    }
    fs::create_dir_all(&folder).expect("a folder is created");
    folder
}

/// Runs a script of this folder with the Python that has torch.
fn python(script: &str, arguments: &[&Path]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("../.torch/bin/python");
    let script = root.join("tests/torch").join(script);
    let mut command = Command::new(&python);
    let output = command.arg(&script).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}: run `make torch`", python.display()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The manifest of a model with a policy and a value in points.
fn manifest(encoder: Encoder) -> Manifest {
    let mut manifest = Manifest::new(encoder, &Rules::default());
    manifest.heads.value = Some(ValueHead { unit: "points".to_owned() });
    manifest
}

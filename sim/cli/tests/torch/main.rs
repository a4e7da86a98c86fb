//! The program with the feature `torch` plays `TorchScript` models, with nothing set by hand.
//!
//! - `play`: a run of networks, stopped and resumed

mod play;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use jantaku_agents::encode::{Encoder, PlanesV1};
use jantaku_agents::neural::{Manifest, ValueHead};
use jantaku_engine::Rules;

fn succeed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("it starts");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("text")
}

/// The program, without the variables that could tell it where libtorch is.
fn jantaku() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
    for name in ["LIBTORCH", "LD_LIBRARY_PATH", "LD_PRELOAD"] {
        command.env_remove(name);
    }
    command
}

/// Writes a model with a policy and a value in points beside the manifest `file`.
fn export(encoder: Encoder, file: &Path) {
    let mut manifest = Manifest::new(encoder, &Rules::default());
    manifest.heads.value = Some(ValueHead { unit: "points".to_owned() });
    fs::write(file, serde_json::to_string(&manifest).expect("a manifest is JSON")).expect("a file");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let script = root.join("agents/tests/torch/export_model.py");
    succeed(Command::new(root.join(".torch/bin/python")).arg(script).arg(file));
}

#[test]
fn the_program_plays_torch_script() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    export(PlanesV1::ENCODER, &folder.path().join("m.json"));

    assert!(succeed(jantaku().arg("--version")).contains("torch"));
    let [model, out] = ["m.pt", "run"].map(|name| folder.path().join(name).display().to_string());
    let agents = format!("neural:model={model},greedy,neural:model={model},temperature=1,greedy");
    let words = ["selfplay", "--games", "2", "--quiet", "--out", &out, "--agents"];
    succeed(jantaku().args(words).arg(&agents));
    assert!(succeed(jantaku().args(["verify", &out])).contains("0 differences"));
}

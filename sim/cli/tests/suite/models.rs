//! Commands that play networks.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::common::program::{folder, jantaku, ok, path, text};
use crate::network_file::model;

/// Writes a model of zeros with a value, trained for the default rules.
pub fn write_model(file: &Path) {
    fs::write(file, model(0.0)).expect("the model is written");
}

/// A model for other rules is an error before anything is written.
#[test]
fn a_model_for_other_rules_leaves_no_folder() {
    let folder = folder();
    let model = path(&folder, "m.safetensors");
    write_model(model.as_ref());
    let agent = format!("neural:model={model}");
    let four = format!("{agent},greedy,random,tsumogiri");
    let commands: [&[&str]; 3] = [
        &["selfplay", "--games", "1", "--agents", &agent, "--quiet"],
        &["match", "--sets", "1", "--challenger", &agent, "--baseline", "greedy", "--quiet"],
        &["league", "--sets", "1", "--agents", &four, "--quiet"],
    ];
    for (number, command) in commands.into_iter().enumerate() {
        let out = path(&folder, &format!("run{number}"));
        let output = jantaku(&[command, &["--rules", "mleague", "--out", &out]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
        for part in [": `neural:model=", "manifest, rules.hash: found rules", "rules=any"] {
            assert!(said.contains(part), "{command:?}: {said}");
        }
        assert!(!Path::new(&out).exists(), "{command:?} left a folder");
        // The rules of the training.
        ok(&[command, &["--rules", "tenhou", "--out", &out]].concat());
    }
}

/// With or without its manifest.
#[cfg(not(feature = "torch"))]
#[test]
fn torch_script_has_advice() {
    use jantaku_agents::encode::SparseV1;
    use jantaku_agents::neural::Manifest;
    use jantaku_engine::Rules;

    let folder = folder();
    let [model, manifest] = ["m.pt", "m.json"].map(|name| path(&folder, name));
    fs::write(&model, "PK").expect("the model is written");
    for _ in 0..2 {
        let output = jantaku(&["selfplay", "--games", "1", "--agents", &format!("neural:model={model}")]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        for part in
            ["without libtorch", "`jantaku.train.player.player`", "`jantaku.FunctionAgent`", "`make torch`"]
        {
            assert!(said.contains(part), "{said}");
        }
        let text = Manifest::new(SparseV1::ENCODER, &Rules::default());
        fs::write(&manifest, serde_json::to_string(&text).expect("JSON")).expect("the manifest is written");
    }
}

/// A run, a match and a league read a model once. The model comes from a pipe, which counts its
/// readers.
#[cfg(target_os = "linux")]
#[test]
fn models_are_read_once() {
    use std::os::unix::fs::OpenOptionsExt as _;

    /// `O_NONBLOCK` of Linux.
    const NONBLOCK: i32 = 0o4000;
    let folder = folder();
    let [file, pipe] = ["m.safetensors", "pipe.safetensors"].map(|name| path(&folder, name));
    write_model(file.as_ref());
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
    assert!(made.success(), "mkfifo {pipe}");
    let agent = format!("neural:model={pipe}");
    let league = path(&folder, "league");
    let commands: [&[&str]; 3] = [
        &["selfplay", "--games", "1", "--agents", &agent, "--log", "none", "--quiet"],
        &["match", "--sets", "1", "--challenger", &agent, "--baseline", "greedy", "--quiet"],
        &[
            "league",
            "--sets",
            "1",
            "--agents",
            &format!("{agent},greedy,tsumogiri,random"),
            "--out",
            &league,
            "--quiet",
        ],
    ];
    let contents = fs::read(&file).expect("the model");
    let reads = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&reads);
    // A second reader gets the model as well, and is counted.
    std::thread::spawn(move || {
        while fs::write(&pipe, &contents).is_ok() {
            count.fetch_add(1, Ordering::SeqCst);
            // The reader sees the end of the file before the pipe is written again: without a
            // reader, a pipe does not open for writing that does not wait.
            let mut open = fs::OpenOptions::new();
            open.write(true).custom_flags(NONBLOCK);
            while open.open(&pipe).is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    });
    for command in commands {
        let before = reads.load(Ordering::SeqCst);
        ok(command);
        let found = reads.load(Ordering::SeqCst) - before;
        assert_eq!(found, 1, "{command:?}");
    }
}

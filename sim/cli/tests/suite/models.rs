//! Commands that play networks.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::common::program::{folder, ok, path};
use crate::network_file::model;

/// Writes a model of zeros with a value, trained for the default rules.
pub fn write_model(file: &Path) {
    fs::write(file, model(0.0)).expect("the model is written");
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

//! Runs the program, and reads the folders that it writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use jantaku_engine::Rng;

use tempfile::TempDir;

/// Runs the program.
pub fn jantaku(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
    command.args(args).env_remove("COLUMNS").output().expect("the program starts")
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

/// Kills programs at random moments.
///
/// The moments do not depend on the speed of the machine. Their range follows the time that the
/// program takes, and shrinks when a program ends before its kill.
pub struct Killer {
    longest: Duration,
    rng: Rng,
}

impl Killer {
    /// Kills within the first half of the time that `play` takes.
    pub fn timed(seed: u64, play: impl FnOnce()) -> Killer {
        let start = Instant::now();
        play();
        Killer { longest: start.elapsed() / 2, rng: Rng::new(seed) }
    }

    /// Kills a program that has just started. Returns whether it had not ended before.
    ///
    /// # Panics
    ///
    /// If the program ended with an error.
    pub fn kill(&mut self, mut child: Child) -> bool {
        let most = self.longest.as_micros().max(1) as usize;
        std::thread::sleep(Duration::from_micros(self.rng.below(most) as u64));
        child.kill().expect("the program is ours");
        let ended = child.wait_with_output().expect("the program ends");
        assert!(matches!(ended.status.code(), None | Some(0)), "{}", text(&ended.stderr));
        let was_killed = ended.status.code().is_none();
        if !was_killed {
            self.longest /= 2;
        }
        was_killed
    }
}

/// Waits until a condition holds while a program runs.
///
/// # Panics
///
/// If the program ends before.
#[cfg(unix)]
pub fn wait_until(child: &mut Child, mut holds: impl FnMut() -> bool) {
    while !holds() {
        let ended = child.try_wait().expect("the program is ours");
        assert!(ended.is_none() || holds(), "the program ended too early: {ended:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts the program. It does not inherit the signals that this test ignores, and its output is piped.
#[cfg(unix)]
pub fn start(words: &[&str]) -> Child {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_jantaku")]).args(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Interrupts a program as soon as it catches the signal, and returns what it printed.
#[cfg(target_os = "linux")]
pub fn interrupted(child: Child) -> Output {
    while !catches_sigint(&child) {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal("-INT", &child);
    child.wait_with_output().expect("the program ends")
}

/// Sends a signal to a program.
#[cfg(unix)]
pub fn signal(name: &str, child: &Child) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
}

/// Whether a program catches SIGINT.
#[cfg(target_os = "linux")]
pub fn catches_sigint(child: &Child) -> bool {
    // `/proc` has the caught signals as a hexadecimal number; its second bit is SIGINT.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).expect("a number") & 2 != 0)
}

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

pub fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("a path of plain characters").to_owned()
}

/// Plays an east-only game of `greedy`, and returns its run.
pub fn short_game(folder: &TempDir) -> String {
    let run = path(folder, "run");
    let rules = "--rules=tenhou-tonpuu";
    ok(&["selfplay", "--games=1", rules, "--agents=greedy", "--seed=5", "--out", &run, "--quiet"]);
    run
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

/// The data of a page.
pub fn page_data(html: &str) -> serde_json::Value {
    let data = html.split_once("<script type=\"application/json\" id=\"data\">");
    json(data.and_then(|(_, rest)| rest.split_once("</script>")).expect("a block of data").0)
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

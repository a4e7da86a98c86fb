//! Runs that are ended by a full disk, by Ctrl-C or by a closed terminal.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::program::{files, folder, json, ok, path, text};

#[test]
fn a_full_disk_ends_the_run_and_keeps_complete_parts() {
    let folder = folder();
    // A file size limit stands in for a full disk. It is reached while a part is written, or at its
    // end.
    for (limit, games) in [(8000, 3000), (300, 50)] {
        let out = path(&folder, &limit.to_string());
        let command = format!(
            "ulimit -f {limit}; exec {} selfplay --games {games} --agents tsumogiri --out {out} --quiet",
            env!("CARGO_BIN_EXE_jantaku")
        );
        let output = Command::new("bash").args(["-c", &command]).output().expect("bash starts");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert_eq!(
            text(&output.stderr),
            format!(
                "error: stopped before a part was complete; no game is kept: {out}/decisions/part-000000.parquet: \
                cannot write: File too large (os error 27)\n"
            )
        );
        let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
        assert_eq!((&manifest["complete"], &manifest["games"]), (&false.into(), &0.into()));
        let left: Vec<PathBuf> = files(&out).into_keys().collect();
        assert_eq!(left, ["manifest.json", "run.toml"].map(PathBuf::from));
    }
}

#[test]
fn ctrl_c_keeps_complete_parts() {
    let folder = folder();
    let out = path(&folder, "run");
    let child = Command::new(env!("CARGO_BIN_EXE_jantaku"))
        .args([
            "selfplay",
            "--games",
            "10000000",
            "--agents",
            "tsumogiri",
            "--log",
            "games",
            "--out",
            &out,
            "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let second_part = Path::new(&out).join("games/part-000002.parquet");
    while !second_part.exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let found = json(&text(&output.stdout));
    assert_eq!(found["complete"], false);
    let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
    let parts = manifest["parts"].as_array().expect("parts");
    assert!(parts.len() >= 3 && manifest["games"] == 1000 * parts.len());
    // The counts are those of the games that are kept.
    assert_eq!(found["games"], manifest["games"]);
    assert_eq!(
        found["seats"][0]["placements"]
            .as_array()
            .map(|counts| { counts.iter().map(|count| count.as_u64().expect("a count")).sum::<u64>() }),
        manifest["games"].as_u64()
    );
    let resumed = ["selfplay", "--games", &manifest["games"].to_string(), "--agents", "tsumogiri", "--json"];
    let again = json(&ok(&[&resumed[..], &["--log", "none"]].concat()));
    for key in ["games", "hands", "decisions", "won_hands", "draws", "seats"] {
        assert_eq!(found[key], again[key], "{key}");
    }
    for part in parts {
        for file in part["files"].as_array().expect("files") {
            assert!(Path::new(&out).join(file["path"].as_str().expect("a path")).exists());
        }
    }
    let names = files(&out);
    assert_eq!(
        names.keys().filter(|name| name.starts_with("games")).count(),
        parts.len(),
        "{:?}",
        names.keys()
    );
}

/// A run from logs that were not all read is not complete, and `convert` and `info` say so.
#[test]
fn ctrl_c_leaves_a_run_of_logs_incomplete() {
    let folder = folder();
    let [logs, out, whole] = ["logs", "run", "whole"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "600", "--agents", "tsumogiri", "--out", &logs, "--quiet"]);
    let child = Command::new(env!("CARGO_BIN_EXE_jantaku"))
        .args(["convert", &logs, "--to", "run", "--out", &out, "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !Path::new(&out).join("games").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130));
    let found = json(&text(&output.stdout));
    assert_eq!((&found["complete"], &found["games"]), (&false.into(), &0.into()));
    let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
    assert_eq!((&manifest["complete"], &manifest["games"]), (&false.into(), &0.into()));
    assert_eq!(json(&ok(&["info", &out, "--json"]))["complete"], false);
    assert!(ok(&["info", &out]).contains("not complete\n  missing  unknown; convert the logs again\n"));
    let left: Vec<PathBuf> = files(&out).into_keys().collect();
    assert_eq!(left, ["manifest.json", "run.toml"].map(PathBuf::from));
    // Once all logs are read, the run is complete and states its number of games.
    let found = json(&ok(&["convert", &logs, "--to", "run", "--out", &whole, "--json"]));
    assert_eq!((&found["complete"], &found["games"]), (&true.into(), &600.into()));
    let found = json(&ok(&["info", &whole, "--json"]));
    assert_eq!((&found["complete"], &found["games_asked"]), (&true.into(), &600.into()));
}

/// Ctrl-C before the first part is complete: the summary says what is kept.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_says_what_is_kept() {
    interrupted_says_what_is_kept("-INT");
}

/// A closed terminal ends a run like Ctrl-C, unless `nohup` started the program.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_terminal_ends_a_run_like_ctrl_c() {
    interrupted_says_what_is_kept("-HUP");
    let folder = folder();
    let out = path(&folder, "run");
    let mut child = Command::new("env")
        .args(["--ignore-signal=HUP", env!("CARGO_BIN_EXE_jantaku")])
        .args(["selfplay", "--games", "1000", "--threads", "1", "--quiet", "--out", &out])
        .spawn()
        .expect("the program starts");
    while !Path::new(&out).join("manifest.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-HUP", &child.id().to_string()]).status().expect("kill starts");
    assert!(killed.success());
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
    let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
    assert_eq!((&manifest["complete"], &manifest["games"]), (&true.into(), &1000.into()));
}

#[cfg(target_os = "linux")]
fn interrupted_says_what_is_kept(signal: &str) {
    use std::io::Read as _;

    let folder = folder();
    let out = path(&folder, "run");
    // With parts of 1000 games nothing is complete at first. The program does not inherit the
    // signals that this test ignores.
    let mut child = Command::new("env")
        .args(["--default-signal=INT,HUP", env!("CARGO_BIN_EXE_jantaku")])
        .args(["selfplay", "--games", "10000000", "--threads", "1", "--out", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !Path::new(&out).join("manifest.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
    assert!(killed.success());
    let mut found = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut found).expect("text");
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
    let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
    let games = manifest["games"].as_u64().expect("a count");
    assert!(found.starts_with("interrupted after "), "{found}");
    assert!(found.contains(&format!("\n{games} games of greedy")), "{found}");
    let first = found.lines().next().expect("a line").replace(',', "");
    assert!(first.ends_with(&format!("; {games} are kept in complete parts")), "{found}");
}

/// An interrupted verification says how many games it verified and that it is not complete.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_verification_is_not_complete() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&[
        "selfplay",
        "--games",
        "20000",
        "--agents",
        "tsumogiri",
        "--log",
        "games",
        "--quiet",
        "--out",
        &out,
    ]);
    for more in [&["--json"][..], &[]] {
        let child = Command::new("env")
            .args(["--default-signal=INT", env!("CARGO_BIN_EXE_jantaku"), "verify", &out])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // `/proc` has the caught signals as a hexadecimal number; its second bit is SIGINT.
        let catches_sigint = || {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).expect("a number") & 2 != 0)
        };
        while !catches_sigint() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("kill starts").success());
        let output = child.wait_with_output().expect("the program ends");
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(130), "{printed}{}", text(&output.stderr));
        if more.is_empty() {
            let first = printed.lines().next().expect("a line").replace(',', "");
            let games = first
                .strip_prefix("interrupted after ")
                .and_then(|rest| rest.strip_suffix(" of 20000 games"));
            let games: u64 = games.expect(&printed).parse().expect("a number");
            assert!(games < 20_000, "{printed}");
        } else {
            let printed = json(&printed);
            assert_eq!(
                (&printed["complete"], &printed["games_stored"]),
                (&false.into(), &20_000.into()),
                "{printed}"
            );
            assert!(printed["games"].as_u64() < Some(20_000), "{printed}");
        }
    }
}

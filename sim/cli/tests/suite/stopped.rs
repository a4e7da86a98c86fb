//! Runs that are ended by Ctrl-C or by a closed terminal.

#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use crate::common::bots::SLOW;
use crate::common::program::{
    catches_sigint, files, folder, interrupted, json, ok, path, short_game, signal, start, text, wait_until,
};

#[test]
fn ctrl_c_keeps_complete_parts() {
    let folder = folder();
    let out = path(&folder, "run");
    let words =
        ["selfplay", "--games=10000000", "--agents=tsumogiri", "--log=games", "--json", "--out", &out];
    let mut child = start(&words);
    let third_part = Path::new(&out).join("games/part-000002.parquet");
    wait_until(&mut child, || third_part.exists());
    signal("-INT", &child);
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

/// Interrupted by any signal, a match of a slow bot keeps each finished set. Its report counts
/// these sets. The rest is played to the same end.
#[test]
fn interrupted_matches_of_slow_bots_keep_finished_sets() {
    let folder = folder();
    let [bot, whole] = ["bot.py", "whole"].map(|name| path(&folder, name));
    fs::write(&bot, SLOW).expect("a file");
    let agent = format!(r#"mjai:command="python3 '{bot}' 0.002""#);
    let words = ["match", "--challenger", &agent, "--baseline", "tsumogiri", "--rules", "tenhou-tonpuu"];
    let words = [&words[..], &["--sets", "6", "--json"]].concat();
    ok(&[&words[..], &["--out", &whole]].concat());
    for (name, signals) in [("int", &["-INT", "-TERM", "-KILL"][..]), ("kill", &["-KILL", "-INT", "-KILL"])] {
        let out = path(&folder, name);
        let sets = || {
            let text = fs::read_to_string(format!("{out}/manifest.json")).unwrap_or_default();
            serde_json::from_str::<serde_json::Value>(&text).map_or(0, |manifest| {
                let games = manifest["games"].as_u64().expect("a count");
                assert!(games.is_multiple_of(4), "{games} games are whole sets");
                games / 4
            })
        };
        for sent in signals {
            let again = ["match", "--resume", "--json"];
            let is_started = Path::new(&out).join("run.toml").exists();
            let before = sets();
            let words = if is_started { &again[..] } else { &words[..] };
            let mut child = start(&[words, &["--out", &out]].concat());
            // A new set shows that the program plays, so it handles signals.
            wait_until(&mut child, || sets() > before);
            signal(sent, &child);
            let ended = child.wait_with_output().expect("the program ends");
            if ended.status.success() {
                break;
            }
            if *sent != "-KILL" {
                assert_eq!(ended.status.code(), Some(130), "{}", text(&ended.stderr));
                let found = json(&text(&ended.stdout));
                assert_eq!((&found["sets"], &found["complete"]), (&sets().into(), &false.into()));
                let kept = fs::read_to_string(format!("{out}/result.json")).expect("a result");
                assert_eq!(json(&kept)["sets"], sets());
            }
        }
        ok(&["match", "--resume", "-q", "--out", &out]);
        let games = |run: &str| {
            let mut files = files(run);
            files.retain(|name, _| name.extension().is_some_and(|end| end == "parquet"));
            files.remove(Path::new("result.parquet"));
            files
        };
        assert_eq!(games(&out), games(&whole), "{name}");
    }
}

/// A run from logs that were not all read is not complete, and `convert` and `info` say so.
#[test]
fn ctrl_c_leaves_a_run_of_logs_incomplete() {
    let folder = folder();
    let [run, logs, pipe, out, whole] =
        ["played", "logs.jsonl", "pipe.jsonl", "run", "whole"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "600", "--agents", "tsumogiri", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to", "mjai", "--out", &logs, "--quiet"]);
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
    assert!(made.success(), "mkfifo {pipe}");
    let mut child = start(&["convert", &pipe, "--to", "run", "--out", &out, "--json"]);
    // The pipe has fewer games than a part before the signal, and further games until the program
    // ends. So the signal never comes too late.
    let [fed, signalled] = [(); 2].map(|()| Arc::new(Barrier::new(2)));
    let games = fs::read(&logs).expect("the logs");
    let feeder = std::thread::spawn({
        let (fed, signalled) = (Arc::clone(&fed), Arc::clone(&signalled));
        move || {
            let mut pipe = fs::OpenOptions::new().write(true).open(pipe).expect("a pipe");
            pipe.write_all(&games).expect("the program reads");
            fed.wait();
            signalled.wait();
            while pipe.write_all(&games).is_ok() {}
        }
    });
    fed.wait();
    wait_until(&mut child, || Path::new(&out).join("run.toml").exists());
    signal("-INT", &child);
    signalled.wait();
    let output = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the feeder ends with the program");
    assert_eq!(output.status.code(), Some(130));
    let found = json(&text(&output.stdout));
    assert_eq!((&found["complete"], &found["games"]), (&false.into(), &0.into()));
    let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
    assert_eq!((&manifest["complete"], &manifest["games"]), (&false.into(), &0.into()));
    assert_eq!(json(&ok(&["info", &out, "--json"]))["complete"], false);
    assert!(ok(&["info", &out]).contains("not complete\nmissing: unknown; convert the logs again\n"));
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
        .args(["selfplay", "--games", "1000", "--threads", "1", "--out", &out])
        .spawn()
        .expect("the program starts");
    wait_until(&mut child, || Path::new(&out).join("manifest.json").exists());
    signal("-HUP", &child);
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
    let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
    assert_eq!((&manifest["complete"], &manifest["games"]), (&true.into(), &1000.into()));
}

#[cfg(target_os = "linux")]
fn interrupted_says_what_is_kept(name: &str) {
    use std::io::Read as _;

    let folder = folder();
    let out = path(&folder, "run");
    // With parts of 1000 games nothing is complete at first. The program does not inherit the
    // signals that this test ignores.
    let mut child = start(&["selfplay", "--games", "10000000", "--threads", "1", "--out", &out]);
    wait_until(&mut child, || Path::new(&out).join("manifest.json").exists());
    signal(name, &child);
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
    ok(&["selfplay", "--games=20000", "--agents=tsumogiri", "--log=games", "--quiet", "--out", &out]);
    for more in [&["--json"][..], &[]] {
        let output = interrupted(start(&[&["verify", &out], more].concat()));
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

/// An interrupted review has the decisions that were searched, and says that the others are missing.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_review_is_not_complete() {
    let folder = folder();
    let game = format!("{}:0", short_game(&folder));
    // Each search takes longer than the signal.
    let words = ["analyse", &game, "--seat=0", "--agent=mc:rollouts=20000", "--json"];
    let output = interrupted(start(&words));
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(json(&text(&output.stdout))["complete"], false);
}

/// Sends a signal, if the program has not ended.
#[cfg(target_os = "linux")]
fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    sent.expect("kill starts");
}

/// The processes of this list that have not ended.
#[cfg(target_os = "linux")]
fn running(pids: &Path) -> Vec<String> {
    let is_running = |pid: &String| {
        let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        status.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    };
    let pids = fs::read_to_string(pids).expect("process IDs");
    pids.lines().map(str::to_owned).filter(is_running).collect()
}

/// Signals end a program with hanging bots, and all processes started by the bots.
#[cfg(target_os = "linux")]
#[test]
fn signals_end_hanging_bots() {
    const BAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../agents/tests/bots/bad.py");
    // Far longer than any machine needs, so that a fault does not hang the tests.
    const LONG: Duration = Duration::from_mins(20);
    let folder = folder();
    let selfplay = ["selfplay", "--games", "1000", "--games-per-part", "1", "--tables", "1"];
    let (two, list) = (["match", "--sets", "9", "--baseline", "tsumogiri"], "tsumogiri,random,greedy");
    for (name, words, agent, signals, pause) in [
        ("int", &selfplay[..], "--agents", &["-INT"][..], 0),
        ("term", &two, "--challenger", &["-TERM"], 0),
        ("int-int", &two, "--challenger", &["-INT", "-INT"], 0),
        ("int-int-later", &selfplay, "--agents", &["-INT", "-INT"], 200),
        ("term-int", &["league", "--sets", "9"], "--agents", &["-TERM", "-INT"], 200),
        ("stop", &two, "--challenger", &[], 0),
    ] {
        let [pids, out] = [name, &format!("run of {name}")].map(|name| path(&folder, name));
        let (fault, first_line) = if name == "stop" { ("garbage", 9) } else { ("hang", 400) };
        // The bot has a day for its answer, so that only a signal ends the wait.
        let bot = format!(
            r#"mjai:command="python3 '{BAD}' {{seat}} '{fault}' {first_line} '{pids}'",time=86400,start=86400"#
        );
        let bot = if agent == "--agents" { format!("{bot},{list}") } else { bot };
        let mut child = start(&[words, &[agent, &bot, "--out", &out, "--quiet"]].concat());
        let start = Instant::now();
        let mut wait = |done: &mut dyn FnMut(&mut Child) -> bool, what: &str| {
            while !done(&mut child) {
                if start.elapsed() > LONG {
                    child.kill().expect("the program is ours");
                    panic!("{name}: {what}");
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        if !signals.is_empty() {
            wait(&mut |_| Path::new(&format!("{pids}.hangs")).exists(), "no bot hangs");
            assert!(!running(Path::new(&pids)).is_empty(), "{name}: the bots run");
        }
        for signal in signals {
            wait(
                &mut |child| {
                    send(signal, child);
                    true
                },
                "",
            );
            std::thread::sleep(Duration::from_millis(pause));
        }
        wait(&mut |child| child.try_wait().expect("it is ours").is_some(), "the program does not end");
        let output = child.wait_with_output().expect("it has ended");
        let said = text(&output.stderr);
        let status = if signals.is_empty() { 2 } else { 130 };
        assert_eq!(output.status.code(), Some(status), "{name}: {said}");
        assert_eq!(said.is_empty(), status == 130, "{name}: no fault is reported: {said}");
        // A process that is no child of the program disappears when its new parent takes notice.
        while !running(Path::new(&pids)).is_empty() && start.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(running(Path::new(&pids)), [""; 0], "{name}: these processes are left");
        if name == "int" {
            let manifest = fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest");
            assert!(json(&manifest)["games"].as_u64() > Some(0), "finished games are kept: {manifest}");
        }
    }
}

/// An interrupted match or league reports the games played, not the games requested.
#[test]
fn interruptions_report_what_was_played() {
    let folder = folder();
    let interrupted = |words: &[&str], played: Duration| {
        let child = start(words);
        while !catches_sigint(&child) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(played);
        signal("-INT", &child);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
        output
    };
    let pair = ["match", "--challenger", "heuristic", "--baseline", "greedy", "--sets", "1000000"];
    let note = "more were played but are not kept: a run keeps whole parts of 1,000 games";
    let mut played = Duration::from_millis(700);
    // A busy machine may play no set in that time.
    loop {
        let out = path(&folder, &format!("pair-{}", played.as_millis()));
        let words = [&pair[..], &["--out", &out, "--log", "decisions", "--json"]].concat();
        let output = interrupted(&words, played);
        let kept = json(&text(&output.stdout))["sets"].as_u64().expect("a number");
        let said = text(&output.stderr);
        assert!(kept.is_multiple_of(250), "{kept} sets: {said}");
        if said.contains(note) {
            break;
        }
        played *= 2;
        assert!(played < Duration::from_mins(10), "{said}");
    }
    let agents = "heuristic,heuristic:version=2,heuristic:version=1,noisy:base=heuristic,p=0.001";
    let output = interrupted(&["league", "--agents", agents, "--sets", "3000"], Duration::from_millis(700));
    assert!(!text(&output.stderr).contains("3,000 sets are"), "{}", text(&output.stderr));
}

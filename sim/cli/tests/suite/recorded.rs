//! The program converts recorded games into runs and logs and back, and reads files of errors.

use std::fs;
use std::process::Command;

use crate::common::data::reference;
use crate::common::program::{files, folder, jantaku, json, ok, path, text};
use crate::sizes::{ALL_CONVERSIONS, REPLAYED_GAMES};
use jantaku_engine::rules::PRESETS;

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn conversions_keep_every_event() {
    let logs = reference("tenhou-mjlog");
    let folder = folder();
    let [first, second, third] = ["first", "second", "third"].map(|name| path(&folder, name));
    let [mjai, tenhou6] = ["mjai.jsonl.gz", "tenhou6.jsonl"].map(|name| path(&folder, name));
    let convert = |from: &[&str], format: &str, to: &str| {
        jantaku(&[&["convert"], from, &["--to", format, "--out", to]].concat())
    };
    // Irregular games are left out.
    let (from, games) = if ALL_CONVERSIONS.get() == 1 {
        (vec![logs], "2,744")
    } else {
        let names = ["4p-hanchan-red.licensed.jsonl.gz", "irregular.licensed.jsonl.gz"];
        (Vec::from(names.map(|name| logs.join(name))), "194")
    };
    let from: Vec<&str> = from.iter().map(|path| path.to_str().expect("a plain path")).collect();
    let output = convert(&from, "run", &first);
    assert_eq!((output.status.code(), text(&output.stderr).matches("left out: ").count()), (Some(2), 43));
    let printed = text(&output.stdout);
    assert!(printed.ends_with(&format!("{games} games, 43 left out\n")), "{printed}");
    for (from, format, to) in [
        (&first, "mjai", &mjai),
        (&mjai, "run", &second),
        (&second, "tenhou6", &tenhou6),
        (&tenhou6, "run", &third),
    ] {
        let output = convert(&[from], format, to);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let files = [&first, &second, &third].map(|run| files(run));
    assert!(files[0].len() > 2, "{:?}", files[0].keys());
    for other in &files[1..] {
        for (name, bytes) in &files[0] {
            assert!(other.get(name) == Some(bytes), "{} differs", name.display());
        }
    }
}

/// A small file can hold very many lines without a game. All are counted, and only the first are
/// kept for JSON.
#[cfg(unix)]
#[test]
fn very_many_errors_take_little_memory() {
    use std::io::Write as _;

    const LINES: usize = 300_000;
    let folder = folder();
    let bad = path(&folder, "bad.jsonl.gz");
    let mut file =
        flate2::write::GzEncoder::new(fs::File::create(&bad).expect("a file"), flate2::Compression::fast());
    let game = "{\"events\":[{\"type\":\"start_game\"}]}\n";
    write!(file, "{game}{}", "x\n".repeat(LINES)).and_then(|()| file.finish()).expect("a file");
    let program = env!("CARGO_BIN_EXE_jantaku");
    for command in
        [format!("replay {bad}"), format!("convert {bad} --to mjai --out {}", path(&folder, "out"))]
    {
        // In kB. Keeping all errors would take more.
        let limited =
            format!("ulimit -v 100000; MALLOC_ARENA_MAX=1 exec {program} {command} --threads 1 --json");
        let output = Command::new("bash").args(["-c", &limited]).output().expect("bash starts");
        let (printed, errors) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{errors}");
        let found = json(&printed);
        assert_eq!((&found["games"], &found["error_count"]), (&0.into(), &(LINES + 1).into()));
        assert_eq!(found["errors"].as_array().map(Vec::len), Some(10_000));
    }
}

/// Under every preset, self-play games replay without a difference from the run and from logs. The
/// games contain dealers who choose to end the game, and a chi between two players.
#[test]
fn self_play_games_replay_from_runs_and_logs() {
    let games = REPLAYED_GAMES.get().to_string();
    let counted = format!("\"games\":{games},");
    for preset in PRESETS {
        let folder = folder();
        let run = path(&folder, "run");
        let players = usize::from(preset.rules().players.count());
        // A dealer who nearly always beats one opponent may deal for ever.
        let agents = if players == 2 { ["greedy"; 4] } else { ["random", "greedy", "random", "greedy"] };
        let agents = agents[..players].join(",");
        ok(&[
            "selfplay",
            "--games",
            &games,
            "--seed",
            "3",
            "--agents",
            &agents,
            "--rules",
            preset.name,
            "--out",
            &run,
            "--quiet",
        ]);
        assert!(ok(&["replay", &run, "--json"]).contains(&counted), "{}", preset.name);
        for format in ["mjai", "tenhou6"] {
            let logs = path(&folder, format);
            ok(&["convert", &run, "--to", format, "--out", &logs, "--quiet"]);
            let replayed = ok(&["replay", &logs, "--json"]);
            assert!(replayed.contains(&counted), "{}: {replayed}", preset.name);
        }
    }
}

/// Runs without decisions cannot be replayed. Each is named once, and no file or folder is
/// left.
#[test]
fn a_run_without_decisions_is_named_once_and_leaves_no_file() {
    let folder = folder();
    let [run, whole] = ["run", "whole"].map(|name| path(&folder, name));
    let play = ["selfplay", "--games", "4", "--games-per-part", "2", "--agents", "greedy", "--quiet"];
    ok(&[&play[..], &["--log", "hands", "--out", &run]].concat());
    ok(&[&play[..], &["--out", &whole]].concat());
    let said =
        format!("{run}: the run keeps only hands, expected decisions: `--log decisions` writes them\n");
    for (format, name) in [
        ("mjai", "logs"),
        ("mjai", "a.jsonl"),
        ("tenhou6", "a.jsonl.gz"),
        ("tenhou6-url", "a.txt"),
        ("run", "new"),
    ] {
        let out = path(&folder, name);
        let converted = jantaku(&["convert", &run, "--to", format, "--out", &out]);
        assert_eq!(converted.status.code(), Some(2), "{name}");
        assert_eq!(text(&converted.stderr), format!("left out: {said}"), "{name}");
        assert_eq!(text(&converted.stdout), "nothing is written, 1 left out\n", "{name}");
        let left = fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").path());
        let left: Vec<_> = left.filter(|path| path.to_string_lossy().contains(&out)).collect();
        assert!(left.is_empty(), "{left:?}");
        // The same name serves for what can be converted.
        ok(&["convert", &whole, "--to", format, "--out", &out, "--quiet"]);
    }
    let replayed = jantaku(&["replay", &run, &whole]);
    assert_eq!(replayed.status.code(), Some(2));
    assert!(text(&replayed.stdout).starts_with(&said), "{}", text(&replayed.stdout));
    assert!(text(&replayed.stdout).contains("4 games, "), "{}", text(&replayed.stdout));
}

/// Any number of threads gives the same results.
#[test]
fn threads_change_nothing() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&[
        "selfplay",
        "--games",
        "6",
        "--games-per-part",
        "2",
        "--agents",
        "greedy",
        "--quiet",
        "--out",
        &run,
    ]);
    let with = |words: &[&str], threads: &str| ok(&[words, &["--threads", threads, "--json"]].concat());
    for command in ["replay", "verify"] {
        let [one, three] = ["1", "3"].map(|threads| {
            let mut found = json(&with(&[command, &run], threads));
            found.as_object_mut().expect("an object").remove("seconds");
            found
        });
        assert_eq!(one, three, "{command}");
    }
    let [one, three] = ["1", "3"].map(|threads| {
        let out = path(&folder, &format!("{threads}.jsonl"));
        with(&["convert", &run, "--to", "mjai", "--out", &out], threads);
        fs::read(out).expect("a file")
    });
    assert_eq!(one, three);
    for command in ["replay", "verify"] {
        let refused = jantaku(&[command, &run, "--threads", "0"]);
        assert_eq!(refused.status.code(), Some(2), "{command}");
    }
}

/// Every command keeps the part of a log before the point where it breaks off.
#[test]
fn a_log_that_breaks_off_keeps_what_came_before() {
    let folder = folder();
    let [run, logs, cut, out] = ["run", "logs", "cut.mjson", "out.jsonl"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "1", "--seed", "3", "--agents", "greedy", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to", "mjai", "--out", &logs, "--quiet"]);
    let whole = fs::read_to_string(format!("{logs}/000000.mjson")).expect("a log");
    let third = whole.match_indices("start_kyoku").nth(2).expect("three hands").0;
    fs::write(&cut, &whole[..third + 2000]).expect("a file");

    let replayed = jantaku(&["replay", &cut, "--json"]);
    let found = json(&text(&replayed.stdout));
    assert_eq!(
        (replayed.status.code(), &found["hands"], &found["difference_count"]),
        (Some(1), &3.into(), &1.into())
    );
    assert_eq!(found["differences"][0]["what"], "rest of the hand");

    let converted = jantaku(&["convert", &cut, "--to", "tenhou6", "--out", &out]);
    let message = text(&converted.stderr);
    assert_eq!(converted.status.code(), Some(2), "{message}");
    assert!(message.starts_with(&format!("breaks off: {cut}: hand 2: event ")), "{message}");
    assert!(ok(&["replay", &out, "--json"]).contains("\"hands\":2,"));

    let shown = jantaku(&["show", &cut]);
    assert!(text(&shown.stderr).contains("warning: "), "{}", text(&shown.stderr));
    let lines = text(&shown.stdout);
    let mut numbers =
        lines.lines().filter_map(|line| line.trim_start().strip_prefix('#')?.split(' ').next()?.parse().ok());
    let last: usize = numbers.next_back().expect("a decision");
    ok(&["ask", &format!("{cut}:{last}"), "--agents", "greedy"]);
    let beyond = jantaku(&["ask", &format!("{cut}:{}", last + 1), "--agents", "greedy"]);
    assert!(text(&beyond.stderr).contains("rest of the hand"), "{}", text(&beyond.stderr));
}

/// A name with the ending of a format is a file, which has one game.
#[test]
fn files_have_the_only_game() {
    let folder = folder();
    let [run, one, many] = ["run", "one.mjson", "many.json"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games=2", "--agents=tsumogiri", "--quiet", "--out", &run]);
    let convert =
        |from: &str, format: &str, to: &str| jantaku(&["convert", from, "--to", format, "--out", to]);
    let several = convert(&run, "tenhou6", &many);
    let message =
        format!("error: {many}: one file for 2 games; choose a folder, or a name with the ending .jsonl\n");
    assert_eq!((several.status.code(), text(&several.stderr)), (Some(2), message));
    assert!(!fs::exists(&many).expect("a folder"));
    // One of them, as `ask` names it.
    let (second, lines) = (path(&folder, "second.mjson"), path(&folder, "games.jsonl"));
    assert!(convert(&format!("{run}:1"), "mjai", &second).status.success());
    assert!(convert(&run, "mjai", &lines).status.success());
    let again = path(&folder, "again.mjson");
    assert!(convert(&format!("{lines}:1"), "mjai", &again).status.success());
    assert_eq!(fs::read(&again).expect("a file"), fs::read(&second).expect("a file"));
    let all = json(&ok(&["replay", &run, "--json"]));
    let each = [0, 1].map(|game| json(&ok(&["replay", &format!("{run}:{game}"), "--json"])));
    assert_eq!(
        each[0]["hands"].as_u64().zip(each[1]["hands"].as_u64()).map(|(a, b)| a + b),
        all["hands"].as_u64()
    );
    let missing = jantaku(&["convert", &format!("{run}:7"), "--to", "mjai", "--out", &many]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains(&format!("left out: {run}: no game 7")), "{missing:?}");
    let single = path(&folder, "single");
    ok(&["selfplay", "--games=1", "--agents=tsumogiri", "--quiet", "--out", &single]);
    assert!(convert(&single, "mjai", &one).status.success());
    assert_eq!(json(&ok(&["replay", &one, "--json"]))["games"], 1);
}

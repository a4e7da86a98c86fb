//! The program converts recorded games into runs and logs and back.

use std::fs;

use crate::common::data::reference;
use crate::common::program::{files, folder, jantaku, ok, path, text};
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
        (vec![logs], "2,746")
    } else {
        let names = ["4p-hanchan-red.licensed.jsonl.gz", "irregular.licensed.jsonl.gz"];
        (Vec::from(names.map(|name| logs.join(name))), "196")
    };
    let from: Vec<&str> = from.iter().map(|path| path.to_str().expect("a plain path")).collect();
    let output = convert(&from, "run", &first);
    assert_eq!((output.status.code(), text(&output.stderr).matches("left out: ").count()), (Some(2), 41));
    let printed = text(&output.stdout);
    assert!(printed.ends_with(&format!("{games} games, 41 left out\n")), "{printed}");
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

/// A hand keeps its number of the log although a hand before it cannot be dealt.
#[test]
fn hands_keep_their_numbers_of_the_log() {
    let folder = folder();
    let [run, log, bad] = ["run", "log.jsonl", "bad.jsonl"].map(|name| path(&folder, name));
    ok(&["selfplay", "--agents", "random", "--games", "1", "--seed", "5", "--out", &run]);
    ok(&["convert", &run, "--to", "mjai", "--out", &log]);
    let mut game: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&log).expect("a log")).expect("one game");
    let events = game["events"].as_array_mut().expect("events");
    let second = events.iter_mut().filter(|event| event["type"] == "start_kyoku").nth(1);
    second.expect("two hands")["tehais"][0] = vec!["1m"; 13].into();
    fs::write(&bad, game.to_string()).expect("writable");
    let story = |log: &str, hand: &str| {
        let lines = ok(&["show", log, "--hand", hand]);
        // The names and the deal. Decisions have other numbers without those of the hand before.
        lines.lines().skip(1).take(11).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(story(&log, "0"), story(&bad, "0"));
    assert_eq!(story(&log, "2"), story(&bad, "2"));
    assert_eq!(jantaku(&["show", &bad, "--hand", "1"]).status.code(), Some(2));
}

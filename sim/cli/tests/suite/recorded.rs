//! The program converts recorded games into runs and logs and back.

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
        let words = ["--games", &games, "--agents", &agents, "--rules", preset.name];
        ok(&[&["selfplay", "--seed", "3", "--quiet", "--out", &run], &words[..]].concat());
        assert!(ok(&["replay", &run, "--json"]).contains(&counted), "{}", preset.name);
        for format in ["mjai", "tenhou6"] {
            let logs = path(&folder, format);
            ok(&["convert", &run, "--to", format, "--out", &logs, "--quiet"]);
            let replayed = ok(&["replay", &logs, "--json"]);
            assert!(replayed.contains(&counted), "{}: {replayed}", preset.name);
        }
    }
}

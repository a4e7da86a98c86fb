//! Inputs that once got a misleading message, or none.

use std::fs;

use serde_json::Value;

use crate::common::program::{folder, jantaku, json, ok, path, refused, short_game, text};

/// The second `--vary` of a field replaced the values of the first.
#[test]
fn a_field_is_varied_once() {
    let sweep = ["sweep", "--rules", "tenhou", "--games", "2"];
    refused(
        &[&sweep[..], &["--vary", "honba_ron=600", "--vary", "honba_ron=1500"]].concat(),
        "error: --vary honba_ron: given twice; give all values at once, such as `--vary honba_ron=V1,V2`",
    );
    refused(
        &[&sweep[..], &["--vary", "kiriage=true,true"]].concat(),
        "error: the variants `kiriage=true` and `kiriage=true` have the same rules; leave one out",
    );
}

/// Standard errors are those of independent games.
#[test]
fn games_on_the_same_walls_are_noted() {
    let folder = folder();
    let [run, other, far] = ["run", "other", "far"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "30", "--seed", "7", "--out", &run, "-q"]);
    ok(&["selfplay", "--games", "30", "--seed", "7", "--rules", "tenhou-noaka", "--out", &other, "-q"]);
    ok(&["selfplay", "--games", "30", "--seed", "8", "--out", &far, "-q"]);
    let beside = |words: &[&str]| {
        let printed = ok(&[&["stats", "--only", "points.mean"], words].concat());
        printed.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let same_walls = "both have games on the same walls, so the standard errors are too large;";
    assert!(beside(&[&other, "--against", &run]).contains(same_walls));
    assert!(beside(&["--games", "20", "--seed", "7", "--against", &run]).contains(same_walls));
    assert!(beside(&[&run, "--against", &run]).contains("the same run is on both sides"));
    for independent in [beside(&[&far, "--against", &run]), beside(&["--games", "20", "--against", &run])] {
        assert!(!independent.contains("same walls") && !independent.contains("same run"), "{independent}");
    }
}

#[test]
fn a_test_of_the_same_decisions_ends() {
    let words = ["match", "--challenger", "greedy", "--baseline", "greedy", "-q", "--sprt"];
    let output = jantaku(&[&words[..], &["0,0.05"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("error: --sprt: all 400 sets have the same mean placement: "), "{said}");
    let output = jantaku(&[&words[..], &["0,5"]].concat());
    let expected = "expected placement differences from -1.5 to 1.5, found 0 and 5";
    assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
}

#[test]
fn three_winners_beside_an_abortive_draw_have_no_effect() {
    let folder = folder();
    let rules = path(&folder, "m3.toml");
    fs::write(&rules, "max_ron = 3\n").expect("a file");
    let output = jantaku(&["rules", "check", &rules]);
    let printed = text(&output.stdout) + &text(&output.stderr);
    let note = "note: `max_ron`: no effect: three rons abort the hand (`triple_ron`)";
    assert!(printed.contains(note), "{printed}");
}

#[test]
fn statistics_name_kept_draws() {
    let folder = folder();
    let run = path(&folder, "kept");
    let pair = ["match", "--challenger", "greedy", "--baseline", "random", "--sets", "1", "-q"];
    ok(&[&pair[..], &["--keep-draws", "--out", &run]].concat());
    let printed = ok(&["stats", &run, "--only", "draws.exhaustive"]);
    let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.contains(" under tenhou with kept draws, from "), "{printed}");
}

#[test]
fn files_of_figures_are_no_streams() {
    for option in ["--csv", "--html", "--markdown"] {
        refused(
            &["stats", "--games", "1", option, "-"],
            "error: -: expected a file, because stdout has the report; `./-` is a file of that name",
        );
    }
}

#[test]
fn ratings_have_a_range() {
    let league = ["league", "--agents", "greedy,random,tsumogiri,heuristic", "--sets", "1"];
    let output = jantaku(&[&league[..], &["--anchor-rating", "1e300"]].concat());
    let said = text(&output.stderr);
    assert!(said.contains("expected a number from -1000000 to 1000000"), "{said}");
}

#[test]
fn names_of_variants_stay_on_one_line() {
    let folder = folder();
    let page = path(&folder, "o.md");
    let words = ["sweep", "--rules", "a\nb\u{1b}[31m=mjsoul", "--rules", "tenhou", "--games", "2"];
    let printed = ok(&[&words[..], &["--only", "draws.exhaustive", "--markdown", &page]].concat());
    assert!(!printed.contains("a\nb"), "{printed}");
    let table = fs::read_to_string(page).expect("a table");
    assert!(!table.contains("a\nb") && !table.contains('\u{1b}'), "{table}");
}

#[test]
fn a_figure_that_games_do_not_have_is_noted() {
    let output = jantaku(&["stats", "--games", "2", "--only", "draws.chombo", "-q"]);
    assert_eq!(text(&output.stderr), "note: --only draws.chombo: these games have no such figure\n");
    refused(
        &["stats", "--games", "1", "--only", "draws.kyuushu"],
        "error: --only: unknown figure `draws.kyuushu` (did you mean `draws.kyuushu-kyuuhai`?); `jantaku stats \
         --list` prints all",
    );
}

/// An interrupted match or league reports the games played, not the games requested.
#[cfg(unix)]
#[test]
fn interruptions_report_what_was_played() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use crate::common::program::{catches_sigint, signal};

    let folder = folder();
    let interrupted = |words: &[&str], played: Duration| {
        let child = Command::new(env!("CARGO_BIN_EXE_jantaku"))
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
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

/// One name for two agents mixed their figures in one row.
#[test]
fn one_name_is_one_agent() {
    let agents = "a=random,a=heuristic,b=random,c=greedy";
    let expected = "expected different names for different agents, found a twice";
    let folder = folder();
    let out = path(&folder, "out");
    let short = ["--games", "2", "--agents", agents];
    for words in [
        &["stats"][..],
        &["selfplay", "--out", &out],
        &["sweep", "--rules", "tenhou", "--vary", "kuitan=false"],
    ] {
        refused(&[words, &short].concat(), &format!("error: --agents: {expected}"));
    }
    refused(&["serve", "--agents", agents], &format!("error: --agents: {expected}"));
    let run = short_game(&folder);
    let asked = ["ask", &format!("{run}:0:5"), "--agents", agents];
    refused(&asked, &format!("error: --agents {agents}: {expected}"));
    let shown = ["show", &format!("{run}:0"), "--explain", agents];
    refused(&shown, &format!("error: --explain {agents}: {expected}"));
    // Several seats of one agent.
    ok(&["stats", "--games", "2", "--agents", "a=random,a=random,b=greedy,b=greedy", "-q"]);
}

/// One name for the agents of two runs mixed their figures in one row.
#[test]
fn agents_of_one_name_in_two_runs_have_rows_of_their_own() {
    let folder = folder();
    let runs = ["greedy", "random"].map(|agent| {
        let (run, agents) = (path(&folder, agent), format!("a={agent},b=tsumogiri,b=tsumogiri,b=tsumogiri"));
        ok(&[
            "selfplay",
            "--games",
            "5",
            "--rules",
            "tenhou-tonpuu",
            "--agents",
            &agents,
            "--out",
            &run,
            "-q",
        ]);
        run
    });
    let words = ["stats", "--by", "agent", "--only", "players.win"];
    let alone = json(&ok(&[&words[..], &[&runs[0], "--json"]].concat()));
    let both = json(&ok(&[&words[..], &[&runs[0], &runs[1], "--json"]].concat()));
    let value = |report: &Value, group: &str| {
        let rows = report["figures"].as_array().expect("figures");
        let row =
            rows.iter().find(|row| row["group"] == group).unwrap_or_else(|| panic!("{group}: {report}"));
        row["value"].clone()
    };
    assert_eq!(value(&both, "agent a=greedy"), value(&alone, "agent a"));
    assert_ne!(value(&both, "agent a=random"), value(&both, "agent a=greedy"));
    let text = ok(&[&words[..], &[&runs[0], &runs[1]]].concat());
    assert!(text.contains("\n    agent a=greedy ") && text.contains("\n    agent b "), "{text}");
}

//! `jantaku conform` with this engine behind its protocol, right and with planted bugs, and with other packages.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::program::{folder, jantaku, json, page_data, path, text};

/// The planted bugs of `examples/conforming.rs`.
const BUGS: [&str; 10] = [
    "kuikae",
    "head-bump",
    "kiriage",
    "double-wind",
    "late-riichi",
    "kan-dora",
    "chankan",
    "furiten",
    "red-five",
    "kan-in-riichi",
];

/// The exit status and the result for this adapter.
fn ask(options: &[&str], adapter: &[&str]) -> (Option<i32>, Value) {
    let output = jantaku(&[&["conform", "--json", "--quiet"], options, &["--"], adapter].concat());
    (output.status.code(), json(&text(&output.stdout)))
}

/// The same for our own adapter.
fn conform(options: &[&str], of_adapter: &[&str]) -> (Option<i32>, Value) {
    let adapter = Path::new(env!("CARGO_BIN_EXE_jantaku")).with_file_name("examples").join("conforming");
    ask(options, &[&[adapter.to_str().expect("a path in UTF-8")], of_adapter].concat())
}

fn count(found: &Value, theme: &str, key: &str) -> u64 {
    let themes = found["themes"].as_array().expect("themes");
    let score = themes.iter().find(|score| score["theme"] == theme).expect(theme);
    score[key].as_u64().expect("a number")
}

#[test]
fn this_engine_agrees_with_itself() {
    let (folder, short) = (folder(), ["--games", "1", "--hands", "50"]);
    let page = path(&folder, "page.html");
    let (status, found) = conform(&[&short[..], &["--html", &page]].concat(), &[]);
    assert_eq!(status, Some(0), "{found}");
    for (theme, at_least) in [("perft", 100), ("cases", 500), ("scoring", 500), ("games", 6)] {
        assert_eq!(count(&found, theme, "not_supported"), 0);
        assert!(count(&found, theme, "passed") >= at_least, "{theme}: {}", count(&found, theme, "passed"));
    }
    assert_eq!(page_data(&std::fs::read_to_string(page).expect("a page"))["themes"], found["themes"]);
}

#[test]
fn every_planted_bug_is_found() {
    for bug in BUGS {
        let options = ["--only", "cases,scoring", "--hands", "100"];
        let (status, found) = conform(&options, &["--rules", "tenhou", "--bug", bug]);
        let failed = count(&found, "cases", "failed") + count(&found, "scoring", "failed");
        assert!(status == Some(1) && failed > 0, "{bug}");
        assert!(count(&found, "cases", "not_supported") > 0, "other rules are not asked");
        for failure in found["themes"].as_array().into_iter().flatten().map(|score| &score["failures"][0]) {
            assert!(failure.is_null() || failure["expected"] != failure["found"], "{bug}: {failure}");
            assert!(failure.is_null() || failure["question"]["rules"] == "tenhou", "{bug}: {failure}");
        }
    }
}

/// The adapters of the packages in `sim/tests/requirements.txt`, where they are installed.
#[test]
fn other_packages_agree() {
    let installed = Command::new("python3").args(["-c", "import jansou, mahjong, riichienv"]).output();
    if !installed.expect("python3 starts").status.success() {
        return;
    }
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests");
    let asked =
        [("mahjong", "scoring"), ("jansou", "scoring"), ("riichienv", "scoring"), ("riichienv", "perft")];
    for (package, theme) in asked {
        let adapter = ["python3", &format!("{tests}/conform_{package}.py"), &format!("--{theme}")];
        let (status, found) = ask(&["--only", theme, "--hands", "20", "--seconds", "60"], &adapter);
        assert!(status == Some(0) && count(&found, theme, "passed") > 30, "{package}: {found}");
    }
}

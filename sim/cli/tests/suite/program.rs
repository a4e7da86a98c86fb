//! The version of the program, and the rules that it prints.

use std::fs;
use std::process::Command;

use crate::common::program::{folder, jantaku, json, ok, path, text};
use jantaku_engine::Rules;
use jantaku_engine::rules::PRESETS;

/// The version names the commit of the sources, and whether they were modified.
#[test]
fn the_version_names_the_commit() {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output();
        output.ok().filter(|output| output.status.success()).map(|output| text(&output.stdout))
    };
    let version = ok(&["--version"]);
    let commit = version.strip_prefix(concat!("jantaku ", env!("CARGO_PKG_VERSION"), ", commit "));
    let (commit, features) = commit.and_then(|rest| rest.split_once(", ")).expect(&version);
    assert_eq!(
        features.trim_end(),
        if cfg!(feature = "cloud") { "features: cloud" } else { "features: none" }
    );
    let Some(head) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        assert_eq!(commit, "unknown");
        return;
    };
    let sources = ["src", "../engine/src", "../agents/src", "../Cargo.lock"];
    let changed = git(&[&["status", "--porcelain", "--untracked-files=no", "--"], &sources[..]].concat());
    let is_modified = changed.is_some_and(|files| !files.is_empty());
    assert_eq!(commit.strip_suffix("-dirty").unwrap_or(commit), head.trim_end());
    assert!(!is_modified || commit.ends_with("-dirty"), "{version}");
    // A run says which program wrote it, and is deterministic only by a commit.
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "1e0", "--seed", "1_0", "--log", "games", "--quiet", "--out", &out]);
    let config = fs::read_to_string(format!("{out}/run.toml")).expect("a run");
    assert!(config.contains(&format!("commit = \"{commit}\"\n")), "{config}");
    assert!(config.contains(&format!("deterministic = {}\n", !commit.ends_with("-dirty"))), "{config}");
    assert!(config.contains("games = 1\nseed = 10\n"), "{config}");
    let environment = json(&fs::read_to_string(format!("{out}/environment.json")).expect("a file"));
    assert!(!environment["host"].as_str().expect("a name").is_empty(), "{environment}");
    // A run of modified sources is resumed with a warning.
    let edit = |from: &str, to: &str| {
        let config = fs::read_to_string(format!("{out}/run.toml")).expect("a run");
        fs::write(format!("{out}/run.toml"), config.replacen(from, to, 1)).expect("a file");
    };
    let resumed = jantaku(&["selfplay", "--resume", "--games", "2", "--quiet", "--out", &out]);
    let warning = format!("warning: the commit {commit} has modified sources; ");
    assert!(resumed.status.success());
    assert_eq!(text(&resumed.stderr).starts_with(&warning), commit.ends_with("-dirty"));
    edit(commit, "005fef0b173c-dirty");
    let refused = jantaku(&["selfplay", "--resume", "--games", "3", "--quiet", "--out", &out]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("`commit`: expected "), "{}", text(&refused.stderr));
}

#[test]
fn rules_show_prints_a_rule_file() {
    for preset in PRESETS {
        let shown = ok(&["rules", "show", preset.name]);
        assert_eq!(Rules::from_toml(&shown, "shown"), Ok(preset.rules()));
        // An address has no place to break.
        let is_long = |line: &&str| line.chars().count() > 80 && line.split(' ').count() > 2;
        let long = shown.lines().filter(|line| line.contains('#')).find(is_long);
        assert_eq!(long, None, "{}", preset.name);
    }
}

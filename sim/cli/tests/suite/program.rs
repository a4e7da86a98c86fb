//! Output, exit statuses and error messages of the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::program::{files, folder, jantaku, json, ok, path, text};
use jantaku_engine::Rules;
use jantaku_engine::rules::PRESETS;

#[test]
fn the_summary_the_manifest_and_the_json_agree() {
    let folder = folder();
    let out = path(&folder, "run");
    let found = json(&ok(&["selfplay", "--games", "40", "--seed", "3", "--out", &out, "--json"]));
    let manifest = json(&fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a manifest"));
    assert_eq!(found["rows"], manifest["rows"]);
    assert_eq!(manifest["complete"], true);
    for key in ["games", "hands", "decisions"] {
        assert_eq!(found[key], found["rows"][key], "{key}");
    }
    let draws: u64 =
        found["draws"].as_object().expect("reasons").values().map(|n| n.as_u64().expect("a count")).sum();
    assert_eq!(found["hands"].as_u64(), Some(found["won_hands"].as_u64().expect("a count") + draws));
    let points: i64 =
        found["seats"].as_array().expect("seats").iter().map(|s| s["points"].as_i64().expect("points")).sum();
    assert_eq!(points, 40 * 100_000);
    // `--log none` plays the same games.
    let counted = json(&ok(&["selfplay", "--games", "40", "--seed", "3", "--log", "none", "--json"]));
    for key in ["hands", "decisions", "draws", "seats"] {
        assert_eq!(found[key], counted[key], "{key}");
    }
}

/// `info` prints the rows and bytes of the files.
#[test]
fn info_agrees_with_the_files() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "5", "--games-per-part", "2", "--seed", "3", "--out", &out, "--quiet"]);
    let found = json(&ok(&["info", &out, "--json"]));
    let manifest = json(&fs::read_to_string(format!("{out}/manifest.json")).expect("a manifest"));
    for table in found["tables"].as_array().expect("tables") {
        let name = table["table"].as_str().expect("a name");
        assert_eq!(table["rows"], manifest["rows"][name], "{name}");
        let of_table =
            |(path, bytes): (PathBuf, Vec<u8>)| path.starts_with(name).then_some(bytes.len() as u64);
        let bytes: u64 = files(&out).into_iter().filter_map(of_table).sum();
        assert_eq!(table["bytes"].as_u64(), Some(bytes), "{name}");
        let columns = table["columns"].as_array().expect("columns");
        let sizes: Vec<u64> = columns.iter().map(|column| column["bytes"].as_u64().expect("bytes")).collect();
        assert!(!sizes.contains(&0) && sizes.iter().sum::<u64>() < bytes, "{name}: {columns:?}");
    }
    let text = ok(&["info", &out]);
    let head =
        format!("{out}: 5 games of greedy, complete\nrules: tenhou, {:016x}\n", Rules::default().hash());
    assert!(text.starts_with(&head), "{text}");
    assert!(text.contains("\nparts: 3 of 2 games\n") && text.contains("\nColumns of decisions\n"), "{text}");
}

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

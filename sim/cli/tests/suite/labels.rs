//! Runs with labels.

use std::fs;

use crate::common::program::{files, folder, jantaku, ok, path, refused, text};

const WORDS: [&str; 10] = [
    "selfplay",
    "--agents",
    "greedy",
    "--seed",
    "4",
    "--games-per-part=2",
    "--quiet",
    "--labels",
    "deals=2,players=greedy,careful=greedy,discard=0.1",
    "--out",
];

/// Labels depend on the games and options only.
#[test]
fn labels_are_those_of_one_uninterrupted_run() {
    let folder = folder();
    let [whole, grown, one, two, both] =
        ["whole", "grown", "one", "two", "both"].map(|name| path(&folder, name));
    ok(&[&WORDS[..], &[&whole, "--games", "8", "--threads", "1"]].concat());
    assert!(fs::metadata(format!("{whole}/labels/part-000003.parquet")).is_ok());
    ok(&[&WORDS[..], &[&grown, "--games", "3", "--threads", "2"]].concat());
    ok(&["selfplay", "--resume", "--games", "8", "--quiet", "--out", &grown]);
    ok(&[&WORDS[..], &[&one, "--games", "8", "--shard", "1/2"]].concat());
    ok(&[&WORDS[..], &[&two, "--games", "8", "--shard", "2/2"]].concat());
    ok(&["merge", &one, &two, "--out", &both]);
    let expected = files(&whole);
    assert!(files(&grown) == expected && files(&both) == expected);
    ok(&["verify", &whole]);
}

/// The games are those of a run without labels.
#[test]
fn labels_change_no_game() {
    let folder = folder();
    let [with, without] = ["with", "without"].map(|name| path(&folder, name));
    ok(&[&WORDS[..], &[&with, "--games", "2"]].concat());
    ok(&[&WORDS[..7], &["--out", &without, "--games", "2"]].concat());
    for table in ["games", "hands", "decisions"] {
        let part = |run: &str| fs::read(format!("{run}/{table}/part-000000.parquet")).expect("a part");
        assert!(part(&with) == part(&without), "{table}");
    }
}

#[test]
fn wrong_options_of_labels_are_named() {
    let folder = folder();
    let out = path(&folder, "run");
    for (options, what) in [
        ("deals=0", "`deals=0`: expected a whole number from 1 to 1000"),
        ("candidates=1", "`candidates=1`: expected a whole number from 2 to 12"),
        ("kan=2", "`kan=2`: expected a share from 0 to 1"),
        ("margin=-1", "`margin=-1`: expected points, at least 0"),
        ("deal=4", "unknown option `deal`"),
    ] {
        let said = jantaku(&["selfplay", "--games", "1", "--out", &out, "--labels", options]);
        assert_eq!(said.status.code(), Some(2), "{options}");
        assert!(text(&said.stderr).contains(what), "{}", text(&said.stderr));
    }
    let words = ["selfplay", "--games", "1", "--out", &out, "--labels", "base=greedy"];
    let said = jantaku(&words);
    assert!(text(&said.stderr).contains("greedy"), "{}", text(&said.stderr));
    refused(
        &["selfplay", "--games", "1", "--out", &out, "--labels", "--log", "games"],
        "error: `log`: expected decisions or oracle, because they are labelled, found games",
    );
    assert!(!fs::exists(&out).expect("a folder"), "nothing is left behind");
}

//! Runs with labels.

use std::fs;

use crate::common::program::{files, folder, forget_last_part, jantaku, json, ok, path, refused, text};

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

/// Options of labels that take little time.
const QUICK: &str = "deals=2,players=greedy,careful=greedy,discard=0.1";

/// A run labelled later has the bytes of one labelled during play: also in shards, after a stop, with
/// hidden hands, and with search info.
#[test]
fn labels_of_a_played_run_are_those_of_selfplay() {
    let folder = folder();
    let [with, without, later, one, two, both] =
        ["with", "without", "later", "one", "two", "both"].map(|name| path(&folder, name));
    let agents = "greedy,noisy:p=0.1,greedy,neural:model=uniform";
    let play = ["selfplay", "--agents", agents, "--seed", "4", "--games=8", "--games-per-part=2", "--quiet"];
    let play = [&play[..], &["--log", "oracle", "--out"]].concat();
    ok(&[&play[..], &[&with, "--labels", QUICK]].concat());
    ok(&[&play[..], &[&without]].concat());
    let before = files(&without);
    let label = |out: &str, more: &[&str]| ok(&[&["label", &without, "--out", out], more].concat());
    let said = label(&later, &["--labels", QUICK, "--threads", "2"]);
    assert!(said.starts_with(&format!("{later}: 8 games, ")) && said.contains(" labels in "), "{said}");
    let expected = files(&with);
    assert!(files(&later) == expected && files(&without) == before);
    ok(&["verify", &later]);
    forget_last_part(&later);
    label(&later, &["--resume", "--quiet"]);
    assert!(files(&later) == expected);
    let other = jantaku(&["label", &without, "--out", &later, "--resume", "--labels", "deals=3"]);
    let said = text(&other.stderr);
    assert!(said.contains("`labels`: expected ") && said.contains(",deals=3,"), "{said}");
    for (shard, out) in [("1/2", &one), ("2/2", &two)] {
        label(out, &["--labels", QUICK, "--shard", shard, "--quiet"]);
    }
    ok(&["merge", &one, &two, "--out", &both]);
    assert!(files(&both) == expected);
    // New labels of a labelled run replace the old ones.
    let again = path(&folder, "again");
    ok(&["label", &with, "--labels", QUICK, "--out", &again, "--quiet"]);
    assert!(files(&again) == expected);
}

/// Games from logs are labelled from their walls.
#[test]
fn games_from_logs_are_labelled() {
    let folder = folder();
    let [run, logs, games, labelled] = ["run", "logs", "games", "labelled"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "2", "--seed", "5", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to", "mjai", "--out", &logs, "--quiet"]);
    ok(&["convert", &logs, "--to", "run", "--out", &games, "--quiet"]);
    let label = ["label", &games, "--labels", QUICK, "--out", &labelled];
    let found = json(&ok(&[&label[..], &["--json"]].concat()));
    assert!(found["rows"]["labels"].as_u64().is_some_and(|labels| labels > 20), "{found}");
    ok(&["verify", &labelled]);
    let (before, after) = (files(&games), files(&labelled));
    let same = before.iter().filter(|(name, _)| name.extension().is_some_and(|end| end == "parquet"));
    assert!(same.clone().count() > 3 && same.clone().all(|(name, bytes)| after[name] == *bytes));
    refused(
        &[&label[..], &["--resume"]].concat(),
        &format!(
            "error: --resume: expected a new folder, because the games come from logs, found {labelled}"
        ),
    );
    refused(
        &["label", &games, "--shard", "1/2", "--out", &labelled],
        "error: --shard: expected none, because the run is a shard or its games come from logs, found 1/2",
    );
}

/// Only complete runs with decisions are labelled.
#[test]
fn runs_without_decisions_are_not_labelled() {
    let folder = folder();
    let [run, hands, out] = ["run", "hands", "out"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "2", "--log", "hands", "--out", &hands, "--quiet"]);
    refused(
        &["label", &hands, "--out", &out],
        &format!("error: {hands}: the run keeps only hands, expected decisions"),
    );
    ok(&["selfplay", "--games", "2", "--games-per-part", "1", "--out", &run, "--quiet"]);
    forget_last_part(&run);
    refused(
        &["label", &run, "--out", &out],
        &format!("error: {run}: the run is not complete: resume it first"),
    );
    assert!(!fs::exists(&out).expect("a folder"), "nothing is left behind");
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
    let words = ["selfplay", "--games", "1", "--out", &out, "--labels", "base=residual"];
    let said = jantaku(&words);
    let expected = "agent `residual` cannot be the base of labels; expected `heuristic` with any options";
    assert!(text(&said.stderr).contains(expected), "{}", text(&said.stderr));
    refused(
        &["selfplay", "--games", "1", "--out", &out, "--labels", "--log", "games"],
        "error: --log: expected decisions or oracle, because they are labelled, found games",
    );
    assert!(!fs::exists(&out).expect("a folder"), "nothing is left behind");
}

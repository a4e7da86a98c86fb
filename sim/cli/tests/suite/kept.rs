//! Runs that are killed. Resumed, they have the bytes of an uninterrupted run.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::sync::Arc;
use std::time::Duration;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt16Type;
use jantaku_sim::dataset::TableKind;

use crate::common::program::{
    Killer, files, folder, forget_last_part, jantaku, json, ok, path, start, text, wait_until,
};
use crate::common::tables::{file_of, rows, write};
use crate::models::write_model;
use crate::sizes::KILLS;

/// A run of many small parts.
const SMALL_PARTS: [&str; 9] =
    ["selfplay", "--games", "40", "--games-per-part", "1", "--seed", "11", "--quiet", "--agents=greedy"];

/// The files of a finished run. Checks that no partial file is left.
fn finished(run: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let found = files(run);
    let left = found.keys().find(|name| name.to_string_lossy().contains(".partial"));
    assert!(left.is_none(), "{left:?} is left");
    assert!(!Path::new(run).join("environment.json.partial").exists());
    found
}

fn assert_same(run: &str, whole: &BTreeMap<PathBuf, Vec<u8>>) {
    let found = finished(run);
    assert_eq!(found.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    for (name, bytes) in whole {
        assert!(found[name] == *bytes, "{} differs", name.display());
    }
}

/// Starts a program that resumes a run with more options.
fn resume(more: &[&str], out: &str) -> Child {
    start(&[more, &["--resume", "--out", out]].concat())
}

/// Whether the manifest says that a run is complete.
fn is_complete(run: &str) -> bool {
    let manifest = fs::read_to_string(format!("{run}/manifest.json"));
    manifest.is_ok_and(|text| json(&text)["complete"] == true)
}

/// A run that is killed at random moments, again and again, ends with the same bytes.
#[test]
fn killed_runs_resume() {
    kill_and_resume(&SMALL_PARTS, KILLS.get());
}

/// Networks play in batches, and parts of their games are written while later games continue.
#[test]
fn killed_runs_of_networks_resume() {
    let folder = folder();
    let model = path(&folder, "m.safetensors");
    write_model(model.as_ref());
    let agents =
        format!("neural:model={model},temperature=1,heuristic,neural:model={model},precision=int8,greedy");
    let words = "selfplay --games 12 --games-per-part 1 --tables 3 --seed 11 --quiet --agents";
    kill_and_resume(&words.split(' ').chain([&*agents]).collect::<Vec<_>>(), KILLS.get().div_ceil(5));
}

/// Kills a run at random moments until it has been killed this often, and compares each that ends
/// with an uninterrupted one.
fn kill_and_resume(words: &[&str], kills: u32) {
    let folder = folder();
    let (whole, out) = (path(&folder, "whole"), path(&folder, "killed"));
    let mut killer = Killer::timed(1, || drop(ok(&[words, &["--out", &whole]].concat())));
    ok(&["verify", &whole, "--quiet"]);
    let whole = finished(&whole);
    let (mut killed, mut runs) = (0, 0);
    while killed < kills {
        killed += u32::from(killer.kill(resume(words, &out)));
        if is_complete(&out) {
            ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
            assert_same(&out, &whole);
            fs::remove_dir_all(&out).expect("a folder of the test");
            runs += 1;
        }
    }
    if Path::new(&out).join("run.toml").exists() {
        ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
        assert_same(&out, &whole);
    }
    eprintln!("{killed} kills, {runs} runs ended between them");
}

/// Two programs in the same run would overwrite each other's parts. The lock ends with the program
/// that holds it, also when it is killed.
#[cfg(target_os = "linux")]
#[test]
fn a_run_is_locked_while_it_is_written() {
    let folder = folder();
    let out = path(&folder, "run");
    let mut first = start(&["selfplay", "--games", "10000000", "--quiet", "--out", &out]);
    wait_until(&mut first, || Path::new(&out).join("decisions").exists());
    for second in [&["selfplay", "--resume", "--out", &out][..], &["rebuild-manifest", &out]] {
        is_in_use(&jantaku(second), &out);
    }
    first.kill().expect("the program is ours");
    first.wait().expect("the program ends");
    ok(&["rebuild-manifest", &out]);
}

/// Of two programs that begin the same run together, one writes it. The other does not take its files for
/// those of a stopped run, and a scheduler knows that it can try again.
#[cfg(target_os = "linux")]
#[test]
fn of_two_programs_that_begin_a_run_one_writes_it() {
    let folder = folder();
    for round in 0..4 {
        let out = path(&folder, &round.to_string());
        let begin =
            || start(&["selfplay", "--games", "10000000", "--threads", "1", "--quiet", "--out", &out]);
        let mut programs = [begin(), begin()];
        let has_ended = |program: &mut Child| program.try_wait().expect("the program is ours").is_some();
        let loser = loop {
            match programs.iter_mut().position(has_ended) {
                Some(loser) => break loser,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        programs[1 - loser].kill().expect("the program is ours");
        let [ended, other] = programs.map(|program| program.wait_with_output().expect("the program ends"));
        is_in_use(if loser == 0 { &ended } else { &other }, &out);
    }
}

/// Checks that a program left a run to another one.
fn is_in_use(ended: &Output, out: &str) {
    let (status, message) = (ended.status.code(), text(&ended.stderr));
    assert_eq!(status, Some(75), "{message}");
    let (begin, end) =
        (format!("error: {out}: another program is writing it"), "; try again when it has ended\n");
    assert!(message.starts_with(&begin) && message.ends_with(end), "{message}");
    let began = message[begin.len()..].strip_suffix(end).unwrap_or_default();
    assert!(
        began.is_empty() || began.starts_with(" (begun on ") && began.ends_with(" seconds ago)"),
        "{message}"
    );
}

/// A program that is killed before it writes the manifest leaves a part without a hash. Its values
/// may have changed since.
#[test]
fn a_part_without_a_hash_is_played_again() {
    let folder = folder();
    let out = path(&folder, "run");
    ok(&["selfplay", "--games", "6", "--games-per-part", "2", "--seed", "11", "--quiet", "--out", &out]);
    let whole = finished(&out);
    forget_last_part(&out);
    let part = file_of(Path::new(&out), TableKind::Hands, 2);
    let rows = rows(&part);
    let honba = rows.schema().index_of("honba").expect("a column");
    let mut columns = rows.columns().to_vec();
    let changed = columns[honba].as_primitive::<UInt16Type>().unary::<_, UInt16Type>(|honba| honba + 1);
    columns[honba] = Arc::new(changed);
    write(&part, &RecordBatch::try_new(rows.schema(), columns).expect("columns of the table"));
    ok(&["selfplay", "--resume", "--quiet", "--out", &out]);
    assert_same(&out, &whole);
    // A part that is not changed either.
    forget_last_part(&out);
    let resumed = json(&ok(&["selfplay", "--resume", "--out", &out, "--json"]));
    assert_eq!((&resumed["first_game"], &resumed["games"]), (&4.into(), &2.into()));
    assert_same(&out, &whole);
}

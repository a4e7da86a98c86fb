//! Runs with lost or damaged files: every command that reads them says so, and no part is lost.

use std::fs;
use std::path::Path;

use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::common::program::{
    files, folder, jantaku, json, ok, path, refused, remove_hashes, text, wrong_size,
};
use tempfile::TempDir;

/// Plays a run of seven games in three parts.
fn play(folder: &TempDir, name: &str, more: &[&str]) -> String {
    let run = path(folder, name);
    let words =
        ["selfplay", "--games", "7", "--games-per-part", "3", "--seed", "4", "--quiet", "--out", &run];
    ok(&[&words[..], more].concat());
    run
}

/// The commands that read this run, with the exit status when one of its parts is damaged.
fn readers<'a>(run: &'a str, out: &'a str) -> [Vec<&'a str>; 6] {
    [
        vec!["info", run],
        vec!["stats", run],
        vec!["show", run, "--game", "4"],
        vec!["convert", run, "--to", "run", "--out", out],
        vec!["merge", run, "--out", out],
        vec!["selfplay", "--resume", "--out", run],
    ]
}

/// A manifest that is missing or cannot be parsed is written again, with the same bytes. Nothing
/// else changes.
#[test]
fn a_lost_manifest_is_written_anew() {
    let folder = folder();
    let run = play(&folder, "run", &[]);
    let whole = files(&run);
    let manifest = format!("{run}/manifest.json");
    fs::remove_file(&manifest).expect("a manifest");
    refused(
        &["selfplay", "--resume", "--out", &run],
        &format!(
            "error: {manifest}: is missing, but 3 parts are there (decisions, games, hands); \
            `jantaku rebuild-manifest {run}` writes it from the parts, then the run can be resumed"
        ),
    );
    let message =
        format!("error: {manifest}: is missing; `jantaku rebuild-manifest` writes it from the parts");
    refused(&["info", &run], &message);
    fs::write(&manifest, "{").expect("a file");
    for reader in [&["info", &run][..], &["selfplay", "--resume", "--out", &run]] {
        refused(
            reader,
            &format!(
                "error: {manifest}: EOF while parsing an object at line 1 column 1; \
                `jantaku rebuild-manifest` writes it from the parts"
            ),
        );
    }
    let rebuilt = format!("{run}: the manifest names 3 parts with 7 games; the run is complete\n");
    let uncompared =
        format!("there was no hash to compare for 9 files: check their values with `jantaku verify {run}`\n");
    assert_eq!(ok(&["rebuild-manifest", &run]), rebuilt.clone() + &uncompared);
    assert!(files(&run) == whole);
    assert_eq!(ok(&["rebuild-manifest", &run]), rebuilt);
    assert_eq!(json(&ok(&["rebuild-manifest", &run, "--json"]))["uncompared_files"], 0);
    // Runs of logs, shards and runs without decisions have their own tables and games.
    let [logs, shard] = ["logs", "shard"].map(|name| path(&folder, name));
    ok(&["convert", &run, "--to", "run", "--quiet", "--out", &logs]);
    ok(&["selfplay", "--games", "7", "--games-per-part", "2", "--shard", "2/2", "--quiet", "--out", &shard]);
    let games = play(&folder, "games", &["--log", "games"]);
    for run in [&logs, &shard, &games] {
        let whole = files(run);
        fs::remove_file(format!("{run}/manifest.json")).expect("a manifest");
        ok(&["rebuild-manifest", run, "--quiet"]);
        assert!(files(run) == whole, "{run}");
    }
}

/// A name, a change of a run, the number of parts then whole, and why the next one is not.
type Case<'a> = (&'a str, Box<dyn Fn(&str) + 'a>, usize, String);

/// A manifest is not written of parts that are not complete or not those of the run. They stay, and
/// the resumed run has the bytes of the whole one.
#[test]
fn parts_that_are_not_whole_are_left_out() {
    let folder = folder();
    let (whole, other) = (play(&folder, "whole", &[]), play(&folder, "other", &["--agents", "random"]));
    mark(&whole, true);
    let bytes = files(&whole);
    let part = |run: &str, table: &str, number: u32| format!("{run}/{table}/part-{number:06}.parquet");
    let cases: [Case<'_>; 5] = [
        (
            "a missing file",
            Box::new(|run| fs::remove_file(part(run, "hands", 1)).expect("a file")),
            1,
            "hands/part-000001.parquet: cannot open: No such file or directory (os error 2)".to_owned(),
        ),
        (
            "a missing part",
            Box::new(|run| {
                for table in ["games", "hands", "decisions"] {
                    fs::remove_file(part(run, table, 1)).expect("a file");
                }
            }),
            1,
            "part 2 is there without the part before it".to_owned(),
        ),
        (
            "a cut file",
            Box::new(|run| {
                let file = part(run, "decisions", 2);
                let bytes = fs::read(&file).expect("a file");
                fs::write(&file, &bytes[..bytes.len() - 1]).expect("a file");
            }),
            2,
            "decisions/part-000002.parquet: Parquet error: Invalid Parquet file. Corrupt footer".to_owned(),
        ),
        (
            "a file of another part",
            Box::new(|run| _ = fs::copy(part(run, "games", 0), part(run, "games", 1)).expect("a copy")),
            1,
            "games/part-000001.parquet: expected game 3, found game 0".to_owned(),
        ),
        (
            "files of another run",
            Box::new(|run| {
                for table in ["games", "hands", "decisions"] {
                    fs::copy(part(&other, table, 0), part(run, table, 0)).expect("a copy");
                }
            }),
            0,
            "games/part-000000.parquet: expected games of greedy, greedy, greedy, greedy under rules "
                .to_owned(),
        ),
    ];
    for (name, damage, parts, what) in cases {
        let run = path(&folder, name);
        copy(&whole, &run);
        damage(&run);
        let before = files(&run);
        let rebuilt = jantaku(&["rebuild-manifest", &run, "--json"]);
        assert_eq!(rebuilt.status.code(), Some(1), "{name}: {}", text(&rebuilt.stderr));
        let found = json(&text(&rebuilt.stdout));
        let left_out = found["left_out"].as_str().expect("a reason").to_owned();
        assert!(left_out.starts_with(&run) && left_out.contains(&what), "{name}: {left_out}");
        assert_eq!((&found["parts"], &found["complete"]), (&parts.into(), &false.into()), "{name}");
        let mut after = files(&run);
        after.insert("manifest.json".into(), before[Path::new("manifest.json")].clone());
        assert!(after == before, "{name}");
        if name == "files of another run" {
            // They are not replaced.
            let resumed = jantaku(&["selfplay", "--resume", "--quiet", "--out", &run]);
            assert!(text(&resumed.stderr).contains(&what), "{}", text(&resumed.stderr));
            assert!(files(&run).keys().eq(after.keys()), "{name}");
            for table in ["games", "hands", "decisions"] {
                fs::remove_file(part(&run, table, 0)).expect("a file");
            }
        }
        ok(&["selfplay", "--resume", "--quiet", "--out", &run]);
        assert!(files(&run) == bytes, "{name}");
    }
}

/// Without its `run.toml` a run cannot be read or resumed; the message says what to restore.
#[test]
fn a_lost_run_toml_has_to_be_restored() {
    let folder = folder();
    let run = play(&folder, "run", &[]);
    fs::remove_file(format!("{run}/run.toml")).expect("a file");
    let before = files(&run);
    let message = format!(
        "error: {run}/run.toml: is missing, but manifest.json is there: restore run.toml from a copy; no \
         other file has the options of the run"
    );
    let resume = ["selfplay", "--resume", "--out", &run];
    refused(&resume, &message);
    refused(&[&resume[..], &["--games", "7"]].concat(), &message);
    refused(&["rebuild-manifest", &run], &message);
    refused(&["info", &run], &message);
    assert!(files(&run) == before);
}

/// `--resume` is a flag: the folder is that of `--out`.
#[test]
fn a_folder_after_resume_gets_advice() {
    for command in ["selfplay", "match", "league"] {
        let ended = jantaku(&[command, "--resume", "folder"]);
        let said = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2));
        assert!(said.starts_with("error: unexpected argument 'folder' found\n"), "{said}");
        assert!(said.contains("\n  tip: give the folder of the run as `--out folder`\n"), "{said}");
    }
}

/// Whole parts after a lost one are named. They are replaced only by the same bytes, so a run that
/// is not deterministic is not resumed until they are moved away.
#[test]
fn whole_parts_after_a_gap_are_not_lost() {
    let folder = folder();
    let whole = path(&folder, "whole");
    ok(&["selfplay", "--games=7", "--games-per-part=2", "--log=games", "--quiet", "--out", &whole]);
    let part = |run: &str, number: u32| format!("{run}/games/part-{number:06}.parquet");
    for deterministic in [true, false] {
        mark(&whole, deterministic);
        let run = path(&folder, &format!("{deterministic}"));
        copy(&whole, &run);
        fs::remove_file(part(&run, 1)).expect("a part");
        let rebuilt = jantaku(&["rebuild-manifest", &run]);
        let names = "2 parts from part 2 to part 3 are whole, but come after part 1";
        let said = format!("left out: {names}; `--resume` would play them again\n");
        assert!(text(&rebuilt.stderr).ends_with(&said), "{}", text(&rebuilt.stderr));
        let found = json(&text(&jantaku(&["rebuild-manifest", &run, "--json"]).stdout));
        assert_eq!(found["whole_after_gap"], serde_json::json!([2, 3]));
        let before = files(&run);
        let resume = ["selfplay", "--resume", "--out", &run];
        if deterministic {
            let message = format!(
                "{names}, which the manifest does not name: they are played again, to the same bytes"
            );
            let said = text(&jantaku(&resume).stderr);
            assert!(said.contains(&message), "{said}");
        } else {
            refused(
                &resume,
                &format!(
                    "error: {run}: {names}, which the manifest does not name, and the run is not deterministic: to \
                     resume it would replace them by other games. Restore part 1 and run `jantaku \
                     rebuild-manifest`, or move the later parts away to lose their games"
                ),
            );
            assert!(files(&run) == before);
            [2, 3].into_iter().for_each(|number| fs::remove_file(part(&run, number)).expect("a part"));
            ok(&["selfplay", "--resume", "--quiet", "--out", &run]);
        }
        assert!(files(&run) == files(&whole), "{deterministic}");
    }
}

/// Changes whether the `run.toml` of a run says that it is deterministic. A program of modified
/// sources says that it is not.
fn mark(run: &str, deterministic: bool) {
    let path = format!("{run}/run.toml");
    let config = fs::read_to_string(&path).expect("a run");
    let line = |deterministic: bool| format!("\ndeterministic = {deterministic}\n");
    fs::write(path, config.replace(&line(!deterministic), &line(deterministic))).expect("a file");
}

/// A `run.toml` that was changed costs no part.
#[test]
fn a_changed_run_toml_costs_no_part() {
    let folder = folder();
    let run = play(&folder, "run", &[]);
    let before = files(&run);
    let config = fs::read_to_string(format!("{run}/run.toml")).expect("a run");
    fs::write(format!("{run}/run.toml"), config.replace("seed = 4\n", "seed = 5\n")).expect("a file");
    assert_ne!(files(&run), before);
    for words in [&["rebuild-manifest", &run][..], &["rebuild-manifest", "--accept-changes", &run]] {
        let rebuilt = jantaku(words);
        assert_eq!(rebuilt.status.code(), Some(2));
        let message = "run.toml: does not describe the parts that manifest.json names";
        assert!(text(&rebuilt.stderr).contains(message), "{}", text(&rebuilt.stderr));
    }
    fs::remove_file(format!("{run}/manifest.json")).expect("a file");
    assert_eq!(jantaku(&["rebuild-manifest", &run]).status.code(), Some(1));
    let resumed = jantaku(&["selfplay", "--resume", "--out", &run]);
    assert_eq!(resumed.status.code(), Some(2));
    assert!(text(&resumed.stderr).contains("part-000000.parquet: game 0: expected seed "));
    fs::write(format!("{run}/run.toml"), config).expect("a file");
    ok(&["rebuild-manifest", &run]);
    assert!(files(&run) == before);
}

fn copy(from: &str, to: &str) {
    for (name, bytes) in files(from) {
        let to = Path::new(to).join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::write(to, bytes).expect("a file");
    }
}

/// Every command that reads a run names the truncated file, and finds a deleted one.
#[test]
fn a_truncated_or_deleted_part_is_noticed() {
    let folder = folder();
    let (run, out) = (play(&folder, "run", &["--shard", "1/1"]), path(&folder, "out"));
    let part = format!("{run}/hands/part-000001.parquet");
    let whole = fs::read(&part).expect("a part");
    fs::write(&part, &whole[..whole.len() - 100]).expect("a file");
    let wrong = wrong_size(whole.len(), whole.len() - 100);
    for reader in readers(&run, &out) {
        let ended = jantaku(&reader);
        let message = text(&ended.stderr);
        assert!(ended.status.code() == Some(2) && message.contains(&format!("{part}: {wrong}")), "{message}");
        // `convert` leaves out the run, so what it writes is not complete.
        if Path::new(&out).join("run.toml").exists() {
            assert_eq!(json(&ok(&["info", &out, "--json"]))["complete"], false);
        }
        fs::remove_dir_all(&out).ok();
    }
    let quick = jantaku(&["verify", "--quick", &run]);
    let sizes = format!("{part}: bytes: expected {}, found {}\n", whole.len(), whole.len() - 100);
    assert_eq!(quick.status.code(), Some(1));
    assert!(text(&quick.stdout).starts_with(&sizes), "{}", text(&quick.stdout));
    let verified = jantaku(&["verify", &run]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stdout).starts_with(&sizes), "{}", text(&verified.stdout));
    fs::remove_file(&part).expect("a file");
    for reader in
        readers(&run, &out).into_iter().chain([vec!["verify", "--quick", &run], vec!["verify", &run]])
    {
        let ended = jantaku(&reader);
        let said = text(&ended.stderr) + &text(&ended.stdout);
        fs::remove_dir_all(&out).ok();
        assert!(ended.status.code() == Some(2) && said.contains("hands/part-000001.parquet"), "{said}");
    }
    fs::write(&part, &whole).expect("a file");
    ok(&["verify", &run]);
}

/// Hashes find every flipped bit, wherever it is in a file.
#[test]
fn a_flipped_bit_is_found() {
    let folder = folder();
    let run = play(&folder, "run", &[]);
    let quick = |status: i32| {
        let ended = jantaku(&["verify", "--quick", &run, "--json"]);
        assert_eq!(ended.status.code(), Some(status), "{}", text(&ended.stderr));
        json(&text(&ended.stdout))
    };
    assert_eq!(quick(0)["games"], 7);
    let manifest = format!("{run}/manifest.json");
    let named = fs::read(&manifest).expect("a manifest");
    for (table, seed) in [("games", 1), ("hands", 2), ("decisions", 3)] {
        let part = format!("{run}/{table}/part-000001.parquet");
        let whole = fs::read(&part).expect("a part");
        let mut rng = jantaku_engine::Rng::new(seed);
        for _ in 0..10 {
            let mut bytes = whole.clone();
            bytes[rng.below(whole.len())] ^= 1 << rng.below(8);
            fs::write(&part, &bytes).expect("a file");
            let found = quick(1);
            let difference = &found["differences"][0];
            assert_eq!((&found["difference_count"], &difference["column"]), (&1.into(), &"sha256".into()));
            assert_eq!((&difference["table"], &difference["part"]), (&table.into(), &1.into()));
            let verified = jantaku(&["verify", &run]);
            assert_eq!(verified.status.code(), Some(1), "{}", text(&verified.stderr));
            let said = text(&verified.stdout);
            assert!(said.starts_with(&format!("{part}: sha256: ")), "{said}");
            let reader: &[&str] = match table {
                "decisions" => &["show", &run, "--game", "3"],
                _ => &["stats", &run],
            };
            refused(
                reader,
                &format!(
                    "error: {part}: has another SHA-256 than manifest.json says: it is damaged, or another tool \
                     rewrote it; `jantaku verify --quick` lists all such files"
                ),
            );
            let rebuilt = jantaku(&["rebuild-manifest", &run, "--json"]);
            let found = json(&text(&rebuilt.stdout));
            assert_eq!((rebuilt.status.code(), &found["parts"]), (Some(1), &1.into()), "{found}");
            fs::write(&manifest, &named).expect("a file");
        }
        fs::write(&part, &whole).expect("a file");
    }
    assert_eq!(quick(0)["difference_count"], 0);
}

/// Without the old manifest, the old hashes are unknown. A part with a flipped bit may then be
/// named, but `verify` finds the values that it changed.
#[test]
fn a_flipped_bit_without_a_manifest_is_found() {
    let folder = folder();
    let run = play(&folder, "run", &[]);
    let manifest = format!("{run}/manifest.json");
    let mut rng = jantaku_engine::Rng::new(4);
    let mut named = 0;
    for table in ["games", "hands", "decisions"] {
        let part = format!("{run}/{table}/part-000001.parquet");
        let whole = fs::read(&part).expect("a part");
        let values = values_of(&part);
        for _ in 0..10 {
            let mut bytes = whole.clone();
            bytes[rng.below(whole.len())] ^= 1 << rng.below(8);
            fs::write(&part, &bytes).expect("a file");
            fs::remove_file(&manifest).expect("a manifest");
            let rebuilt = jantaku(&["rebuild-manifest", &run, "--json"]);
            let found = json(&text(&rebuilt.stdout));
            if found["complete"] == true {
                assert_eq!((rebuilt.status.code(), &found["uncompared_files"]), (Some(0), &9.into()));
                let same_values = values_of(&part).is_some_and(|found| Some(found) == values);
                let verified = jantaku(&["verify", &run, "--quiet"]);
                assert_eq!(verified.status.success(), same_values, "{table}: {}", text(&verified.stdout));
                named += u32::from(!same_values);
            }
        }
        fs::write(&part, &whole).expect("a file");
    }
    assert!(named > 0);
}

/// The values of a file; none if they cannot be read. Types are those of Parquet: the types of Arrow
/// in the metadata change no value.
fn values_of(file: &str) -> Option<Vec<ArrayRef>> {
    let file = fs::File::open(file).expect("a file");
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let rows = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).ok()?.build().ok()?;
    let batches = rows.collect::<Result<Vec<_>, _>>().ok()?;
    Some(batches.iter().flat_map(RecordBatch::columns).cloned().collect())
}

/// Another tool finds the hashes of the manifest. A manifest without them is read.
#[test]
fn hashes_are_those_of_sha256sum() {
    let folder = folder();
    let run = play(&folder, "run", &["--log", "hands"]);
    let manifest = json(&fs::read_to_string(format!("{run}/manifest.json")).expect("a manifest"));
    let mut lines = String::new();
    for file in manifest["parts"]
        .as_array()
        .expect("parts")
        .iter()
        .flat_map(|part| part["files"].as_array().expect("files"))
    {
        let (hash, name) = (file["sha256"].as_str().expect("a hash"), file["path"].as_str().expect("a path"));
        let size = fs::metadata(format!("{run}/{name}")).expect("a file").len();
        assert_eq!(file["bytes"].as_u64(), Some(size));
        lines += &format!("{hash}  {name}\n");
    }
    fs::write(path(&folder, "sums"), lines).expect("a file");
    let checked = std::process::Command::new("sha256sum").args(["-c", "../sums"]).current_dir(&run).output();
    assert!(checked.expect("sha256sum starts").status.success());
    let (before, info) = (files(&run), ok(&["info", &run]));
    remove_hashes(&run);
    assert_eq!(ok(&["info", &run]), info);
    ok(&["verify", &run]);
    let quick = jantaku(&["verify", "--quick", &run]);
    let what =
        "manifest.json: has no hashes, like those of older versions; `jantaku rebuild-manifest` adds them";
    assert_eq!(quick.status.code(), Some(2));
    assert!(text(&quick.stdout).contains(what), "{}", text(&quick.stdout));
    ok(&["rebuild-manifest", &run, "--quiet"]);
    assert!(files(&run) == before);
}

/// A killed merge leaves the shards as they are, and no run that looks complete.
#[cfg(unix)]
#[test]
fn an_interrupted_merge_leaves_the_shards() {
    use std::process::Command;
    use std::time::Duration;

    let folder = folder();
    let shards = ["1/2", "2/2"].map(|shard| play(&folder, &shard.replace('/', "-"), &["--shard", shard]));
    let before = shards.each_ref().map(|shard| files(shard));
    let whole = files(&play(&folder, "whole", &[]));
    let mut rng = jantaku_engine::Rng::new(1);
    let mut unfinished = 0;
    for number in 0..30 {
        let out = path(&folder, &format!("out-{number}"));
        let words = ["merge", &shards[0], &shards[1], "--quiet", "--out", &out];
        let mut child =
            Command::new(env!("CARGO_BIN_EXE_jantaku")).args(words).spawn().expect("the program starts");
        // The first kill comes at once, so at least one merge is unfinished.
        let after = if number == 0 { 0 } else { rng.below(20_000) };
        std::thread::sleep(Duration::from_micros(after as u64));
        child.kill().expect("the program is ours");
        child.wait().expect("the program ends");
        assert!(shards.each_ref().map(|shard| files(shard)) == before);
        if jantaku(&["info", &out]).status.success() {
            assert!(files(&out) == whole);
        } else {
            unfinished += 1;
            // The same merge replaces what a killed one left.
            assert!(!Path::new(&format!("{out}/manifest.json")).exists());
            ok(&words);
            assert!(files(&out) == whole);
        }
    }
    assert!(unfinished > 0);
    // Files of others stay.
    let out = path(&folder, "others");
    fs::create_dir_all(format!("{out}/games")).expect("a folder");
    fs::write(format!("{out}/games/part-000009.parquet"), "mine").expect("a file");
    refused(
        &["merge", &shards[0], &shards[1], "--out", &out],
        &format!("error: {out}: is not empty; choose a new folder"),
    );
}

/// The page of tables lists the accidents, and each has a test.
#[test]
fn the_document_names_a_test_for_each_accident() {
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/dataset.md")).expect("a page");
    let (_, table) = page.split_once("| accident | what happens | test |\n").expect("the table");
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let tests: Vec<&str> =
        rows.filter_map(|row| row.trim_end_matches(" |").rsplit_once('`')?.0.rsplit('`').next()).collect();
    assert!(tests.len() >= 12, "{tests:?}");
    for test in tests {
        let (module, function) = test.split_once("::").expect("a module and a function");
        let mut files = ["tests", "../tests"]
            .map(|tests| format!("{}/{tests}/suite/{module}.rs", env!("CARGO_MANIFEST_DIR")))
            .into_iter();
        let source = files.find_map(|file| fs::read_to_string(file).ok()).expect("a module of the tests");
        assert!(source.contains(&format!("#[test]\nfn {function}() {{")), "no test {test}");
    }
}

//! Runs with lost or damaged files: every command that reads them says so, and no part is lost.

use std::fs;
use std::path::Path;

use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::common::program::{files, folder, jantaku, json, ok, path, refused, text};
use tempfile::TempDir;

/// Plays a run of seven games in three parts.
fn play(folder: &TempDir, name: &str, more: &[&str]) -> String {
    let run = path(folder, name);
    let words =
        ["selfplay", "--games", "7", "--games-per-part", "3", "--seed", "4", "--quiet", "--out", &run];
    ok(&[&words[..], more].concat());
    run
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

/// Changes whether the `run.toml` of a run says that it is deterministic. A program of modified
/// sources says that it is not.
fn mark(run: &str, deterministic: bool) {
    let path = format!("{run}/run.toml");
    let config = fs::read_to_string(&path).expect("a run");
    let line = |deterministic: bool| format!("\ndeterministic = {deterministic}\n");
    fs::write(path, config.replace(&line(!deterministic), &line(deterministic))).expect("a file");
}

fn copy(from: &str, to: &str) {
    for (name, bytes) in files(from) {
        let to = Path::new(to).join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::write(to, bytes).expect("a file");
    }
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
                    "error: {part}: has a different SHA-256 than manifest.json says: it is damaged, or another tool \
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

/// Files that no merge wrote stay.
#[test]
fn a_merge_replaces_no_files_of_others() {
    let folder = folder();
    let shards = ["1/2", "2/2"].map(|shard| play(&folder, &shard.replace('/', "-"), &["--shard", shard]));
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
        let (module, name) = test.split_once("::").expect("a module and a test");
        let root = env!("CARGO_MANIFEST_DIR");
        let files = [
            format!("suite/{module}"),
            format!("../../tests/suite/{module}"),
            format!("../../tests/{module}/main"),
        ]
        .map(|file| format!("{root}/tests/{file}.rs"));
        let pages = [format!("{root}/tests/cmd/{module}.md")];
        let sources = files.iter().chain(&pages).filter_map(|file| fs::read_to_string(file).ok());
        let sources = sources.collect::<String>();
        // A page has the name as a heading.
        let heading = sources.lines().any(|line| {
            line.strip_prefix("## ").is_some_and(|text| text.to_lowercase().replace(' ', "_") == name)
        });
        assert!(heading || sources.contains(&format!("#[test]\nfn {name}() {{")), "no test {test}");
    }
}

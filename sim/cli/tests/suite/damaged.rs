//! Runs with lost or damaged files: every command that reads them says so, and no part is lost.

use std::fs;

use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::common::program::{folder, jantaku, json, ok, path, text};

/// Without the old manifest, the old hashes are unknown. A part with a flipped bit may then be
/// named, but `verify` finds the values that it changed.
#[test]
fn a_flipped_bit_without_a_manifest_is_found() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "7", "--games-per-part", "3", "--seed", "4", "--quiet", "--out", &run]);
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
            format!("../../measure/tests/{module}/main"),
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

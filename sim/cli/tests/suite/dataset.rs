//! The tables match their documentation, and tables of every version can be read.
//!
//! `JANTAKU_WRITE=1` updates `docs/dataset.md`. It also writes a run of the current version if
//! there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::PathBuf;

use crate::common::program::{folder, json, ok, path, refused};
use jantaku_engine::ActionId;
use jantaku_sim::dataset::{COLUMNS, Column, SCHEMA_VERSION, TableKind, read_games, reference};
use jantaku_sim::run;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::RowGroupMetaData;

fn writes() -> bool {
    std::env::var_os("JANTAKU_WRITE").is_some_and(|value| value == "1")
}

#[test]
fn the_document_describes_every_column() {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/dataset.md"));
    let text = fs::read_to_string(&file).expect("the document");
    let (head, rest) = text.split_once("dataset:: -->\n").expect("the first comment");
    let (_, tail) = rest.split_once("<!-- Written").expect("the second comment");
    let expected = format!("{head}dataset:: -->\n\n{}\n<!-- Written{tail}", reference());
    if writes() {
        fs::write(&file, &expected).expect("the document");
    }
    assert!(
        text == expected || writes(),
        "docs/dataset.md does not match the columns; JANTAKU_WRITE=1 updates it"
    );
}

#[test]
fn every_column_is_described_once() {
    let names: BTreeSet<(TableKind, &str)> =
        COLUMNS.iter().map(|column| (column.table, column.name)).collect();
    assert_eq!(names.len(), COLUMNS.len());
    for column in COLUMNS {
        assert!(column.meaning.ends_with('.'), "{}", column.name);
        assert!((1..=SCHEMA_VERSION).contains(&column.since), "{}", column.name);
        assert!(
            !column.nullable || column.meaning.contains("null"),
            "the meaning of {} does not say when it is null",
            column.name
        );
    }
}

/// A run with all tables, written by the program when it had this version of the tables.
fn run_of_version(version: u32) -> PathBuf {
    PathBuf::from(format!("{}/../tests/data/tables-{version}", env!("CARGO_MANIFEST_DIR")))
}

#[test]
fn tables_of_every_version_are_read() {
    if writes() && !run_of_version(SCHEMA_VERSION).exists() {
        write_run(&run_of_version(SCHEMA_VERSION));
    }
    for version in 1..=SCHEMA_VERSION {
        let folder = run_of_version(version);
        let (config, manifest) = run::read(&folder).expect("a run of each version");
        assert_eq!((config.schema, manifest.complete, manifest.games), (version, true, 1));
        let games = read_games(&folder, &config.contents(), 0, None).expect("its games");
        assert_eq!(games.len(), 1);
        assert_eq!(
            (games[0].hands.len() as u64, games[0].decisions.len() as u64),
            (manifest.rows.hands, manifest.rows.decisions)
        );
        for table in TableKind::ALL.into_iter().filter(|table| config.keeps(*table)) {
            let file = folder.join(format!("{}/part-000000.parquet", table.name()));
            let file =
                ParquetRecordBatchReaderBuilder::try_new(File::open(file).expect("a file")).expect("Parquet");
            // The file has the columns of its version with their present types.
            let columns = COLUMNS.iter().filter(|column| column.table == table && column.since <= version);
            let known: BTreeMap<&str, &Column> =
                columns.map(|column| (name_in(column, version), column)).collect();
            let found: BTreeSet<&str> =
                file.schema().fields().iter().map(|field| field.name().as_str()).collect();
            let expected: BTreeSet<&str> = known.keys().copied().collect();
            assert_eq!(found, expected, "version {version}: a new column increases SCHEMA_VERSION");
            for field in file.schema().fields() {
                let now = known[field.name().as_str()].kind.data_type();
                assert_eq!(*field.data_type(), now, "version {version}: {}", field.name());
            }
        }
        // `info` finds each column's bytes, and all values follow from the actions.
        for table in manifest.table_sizes(&folder).expect("its files") {
            assert!(table.columns.iter().all(|(_, bytes)| *bytes > 0), "version {version}: {table:?}");
        }
        ok(&["verify", folder.to_str().expect("plain characters")]);
    }
}

/// `stats` needs a column that version 1 lacks. A converted run has it.
#[test]
fn statistics_of_version_1_need_a_conversion() {
    let folder = folder();
    let (old, new) = (run_of_version(1), path(&folder, "new"));
    let old = old.to_str().expect("plain characters");
    let message = format!(
        "error: {old}/hands/part-000000.parquet: no column `discards`: version 2 of the tables added it, \
         the file has version 1; `jantaku convert --to run` makes a run of the present version"
    );
    refused(&["stats", old], &message);
    ok(&["convert", old, "--to", "run", "--quiet", "--out", &new]);
    ok(&["stats", &new]);
}

/// The name of a column in this version.
fn name_in(column: &Column, version: u32) -> &'static str {
    if version == 1 { column.before.unwrap_or(column.name) } else { column.name }
}

/// Filters can skip row groups by every column except the words and texts of decisions.
#[test]
fn all_columns_except_texts_of_decisions_have_statistics() {
    let folder = folder();
    let run = folder.path().join("run");
    write_run(&run);
    for table in TableKind::ALL {
        let file = File::open(run.join(format!("{}/part-000000.parquet", table.name()))).expect("a file");
        let file = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        for chunk in file.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns) {
            let name = &chunk.column_path().parts()[0];
            let column = COLUMNS.iter().find(|column| column.table == table && column.name == name);
            let is_text = ["word", "text"].contains(&column.expect("a column").kind.name().as_str());
            assert_eq!(chunk.statistics().is_some(), !(table == TableKind::Decisions && is_text), "{name}");
        }
    }
}

/// The files of decisions name the actions, as the program does.
#[test]
fn the_actions_are_in_the_metadata_and_in_the_program() {
    let folder = folder();
    write_run(&folder.path().join("run"));
    let file = File::open(folder.path().join("run/decisions/part-000000.parquet")).expect("a file");
    let file = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let stored = file.metadata().file_metadata().key_value_metadata().expect("metadata");
    let actions = stored.iter().find(|entry| entry.key == "jantaku.actions").expect("the actions");
    let stored = json(actions.value.as_deref().expect("a list"));
    let printed = json(&ok(&["actions", "--json"]));
    let table = ok(&["actions"]);
    assert_eq!(stored.as_array().map(Vec::len), Some(ActionId::COUNT));
    for (id, line) in ActionId::all().zip(table.lines()) {
        let (number, action) = (usize::from(id.number()), id.action());
        let [text, meaning] = [action.to_string(), action.meaning().to_owned()];
        assert_eq!(stored[number], text);
        let expected = serde_json::json!({ "number": number, "text": text, "meaning": meaning });
        assert_eq!(printed["actions"][number], expected);
        assert!(line.chars().count() <= 80 && line.ends_with(&meaning), "{line}");
        assert!(line.trim_start().starts_with(&format!("{number}  {text}")), "{line}");
    }
}

/// Writes a run of one short game with all tables. It is played and then converted, so that it has
/// a log.
fn write_run(to: &std::path::Path) {
    let folder = folder();
    let [rules, played] = ["rules.toml", "played"].map(|name| path(&folder, name));
    fs::write(&rules, "base = \"tenhou\"\nwind_rounds = 1\n").expect("a file");
    ok(&["selfplay", "--games", "1", "--seed", "1", "--rules", &rules, "--quiet", "--out", &played]);
    let to = to.to_str().expect("plain characters");
    ok(&["convert", &played, "--to", "run", "--log", "oracle", "--quiet", "--out", to]);
}

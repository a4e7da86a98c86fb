//! The tables match their documentation, and those of this version and older ones are read.
//!
//! `JANTAKU_WRITE=1` updates `docs/dataset.md`. It also writes a run of the current version if
//! there is none.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::PathBuf;

use crate::common::program::{files, folder, json, ok, path, refused, text};
use arrow_schema::DataType;
use jantaku_engine::ActionId;
use jantaku_sim::dataset::{OLDEST_SCHEMA, SCHEMA_VERSION, TableKind, part_name, read_games, reference};
use jantaku_sim::loader::{Loader, LoaderConfig};
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
    let mut names = BTreeSet::new();
    for column in TableKind::ALL.into_iter().flat_map(TableKind::columns) {
        assert!(names.insert((column.table, column.name)), "{}", column.name);
        assert!(column.meaning.ends_with('.'), "{}", column.name);
        assert!((1..=SCHEMA_VERSION).contains(&column.since), "{}", column.name);
        assert!(
            !column.nullable || column.meaning.contains("null"),
            "the meaning of {} does not say when it is null",
            column.name
        );
    }
}

/// The configurations of the card and the file sets of the metadata have exactly the files of the tables, and the
/// fields are the columns. Nothing else in the run changes, and `verify` accepts the new files.
#[test]
fn a_card_describes_the_tables_of_a_run() {
    let folder = folder();
    for (level, default) in [("games", "games"), ("hands", "hands"), ("oracle", "decisions")] {
        let run = path(&folder, level);
        let words = ["--games", "3", "--games-per-part", "2", "--agents", "greedy", "--log", level];
        ok(&[&["selfplay", "--quiet", "--out", &run], &words[..]].concat());
        let before = files(&run);
        let written = json(&ok(&["card", &run, "--json"]));
        assert_eq!(
            written["files"],
            serde_json::json!([format!("{run}/README.md"), format!("{run}/croissant.json")])
        );
        let mut after = files(&run);
        let [card, metadata] = ["README.md", "croissant.json"]
            .map(|name| text(&after.remove(&PathBuf::from(name)).expect("a new file")));
        assert_eq!(after, before);
        ok(&["verify", &run]);
        let kept = format!("error: {run}/README.md: already exists; move it away to write a new one");
        refused(&["card", &run], &kept);

        let yaml = card.split("---\n").nth(1).expect("the head");
        let entries: Vec<&str> = yaml.split("- config_name: ").skip(1).collect();
        let (_, manifest) = run::read(run.as_ref()).expect("a run");
        let tables: BTreeSet<&str> = manifest.files().map(|file| file.table.as_str()).collect();
        assert_eq!(entries.len(), tables.len(), "{yaml}");
        let metadata = json(&metadata);
        let of = |key: &str, id: &str| {
            let found = metadata[key].as_array().expect("a list").iter().find(|found| found["@id"] == id);
            found.unwrap_or_else(|| panic!("{key} has no {id}")).clone()
        };
        for table in tables {
            let entry = entries
                .iter()
                .find(|entry| entry.starts_with(&format!("{table}\n")))
                .expect("a configuration");
            let pattern =
                entry.lines().nth(1).and_then(|line| line.strip_prefix("  data_files: ")).expect("files");
            assert_eq!(entry.contains("  default: true\n"), table == default, "{yaml}");
            let (start, end) = pattern.split_once('*').expect("a pattern");
            let stored = before.keys().filter_map(|path| path.to_str());
            let matching: Vec<&str> =
                stored.filter(|path| path.starts_with(start) && path.ends_with(end)).collect();
            let listed = manifest.files().filter(|file| file.table == table).map(|file| file.path.as_str());
            assert_eq!(matching, listed.collect::<Vec<_>>());
            assert_eq!(of("distribution", &format!("{table}-files"))["includes"], pattern);
            let fields = of("recordSet", table)["field"].as_array().expect("fields").clone();
            let columns = TableKind::named(table).expect("a table").columns();
            let names: Vec<&str> =
                fields.iter().filter_map(|field| field["source"]["extract"]["column"].as_str()).collect();
            assert_eq!(names, columns.iter().map(|column| column.name).collect::<Vec<_>>());
            for (field, column) in fields.iter().zip(columns) {
                assert_eq!(field["description"], column.meaning);
                assert_eq!(field["isArray"] == true, column.kind.name().starts_with("list"), "{field}");
                assert!(card.contains(&format!("| `{}` | {} |", column.name, column.kind.name())), "{field}");
            }
        }
    }
}

/// A run with all tables, written by the program when it first had this version of the tables.
fn run_of_version(version: u32) -> PathBuf {
    PathBuf::from(format!("{}/../tests/data/tables-{version}", env!("CARGO_MANIFEST_DIR")))
}

#[test]
fn tables_of_this_version_and_older_ones_are_read() {
    let newest = run_of_version(SCHEMA_VERSION);
    if writes() && !newest.exists() {
        write_run(&newest);
    }
    (OLDEST_SCHEMA..=SCHEMA_VERSION).for_each(tables_are_read);
}

fn tables_are_read(version: u32) {
    let folder = run_of_version(version);
    let (config, manifest) = run::read(&folder).expect("a run of this version");
    assert_eq!((config.schema, manifest.complete, manifest.games), (version, true, 1));
    let games = read_games(&folder, &config.contents(), 0, None).expect("its games");
    assert_eq!(games.len(), 1);
    assert_eq!(
        (games[0].hands.len() as u64, games[0].decisions.len() as u64),
        (manifest.rows.hands, manifest.rows.decisions)
    );
    for table in TableKind::ALL.into_iter().filter(|table| config.keeps(*table)) {
        let file = File::open(folder.join(part_name(table, 0))).expect("a file");
        let file = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let found = file.schema().fields().iter();
        let found: Vec<(&str, &DataType)> =
            found.map(|field| (field.name().as_str(), field.data_type())).collect();
        let types: Vec<DataType> = table.columns_of(version).map(|column| column.kind.data_type()).collect();
        let names = table.columns_of(version).map(|column| column.name);
        let expected: Vec<(&str, &DataType)> = names.zip(&types).collect();
        assert_eq!(found, expected, "a new column increases SCHEMA_VERSION");
    }
    // `info` finds each column's bytes, and all values follow from the actions.
    for table in manifest.table_sizes(&folder).expect("its files") {
        assert!(table.columns.iter().all(|column| column.bytes > 0), "{table:?}");
    }
    let run = folder.to_str().expect("plain characters");
    ok(&["verify", run]);
    ok(&["show", run, "--game", "0"]);
    ok(&["replay", run, "--quiet"]);
    let batches = Loader::start(LoaderConfig::new(vec![folder])).expect("a loader");
    let rows: usize = batches.map(|batch| batch.expect("decisions").rows()).sum();
    assert_eq!(rows as u64, manifest.rows.decisions);
}

/// Filters can skip row groups by every column except the words and texts of decisions.
#[test]
fn all_columns_except_texts_of_decisions_have_statistics() {
    let folder = folder();
    let run = folder.path().join("run");
    write_run(&run);
    for table in TableKind::ALL.into_iter().filter(|table| run.join(table.name()).exists()) {
        let file = File::open(run.join(format!("{}/part-000000.parquet", table.name()))).expect("a file");
        let file = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        for chunk in file.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns) {
            let name = &chunk.column_path().parts()[0];
            let column = table.columns().iter().find(|column| column.name == name);
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
    assert_eq!(stored.as_array().map(Vec::len), Some(ActionId::COUNT));
    for id in ActionId::all() {
        let (number, action) = (usize::from(id.number()), id.action());
        let [text, meaning] = [action.to_string(), action.meaning().to_owned()];
        assert_eq!(stored[number], text);
        let expected = serde_json::json!({ "number": number, "text": text, "meaning": meaning });
        assert_eq!(printed["actions"][number], expected);
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

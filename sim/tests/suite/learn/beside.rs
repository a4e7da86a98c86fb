//! Columns beside encodings and labels, and games that do not belong together.

use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, RecordBatch};
use jantaku_agents::encode::SuitOrder;
use jantaku_engine::{ActionId, Tile, notation};
use jantaku_sim::dataset::{TableKind, part_path};
use jantaku_sim::loader::{ByAction, Filter, LoadedBatch, Loader, LoaderConfig, find_sources};
use jantaku_sim::play::Detail;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::loader::{config, folder, load, preset, run};
use super::sources::logs;
use crate::thinker::run_of_thinker;

/// A run of two games of an agent that reports search info, with hidden hands.
fn run_with_hidden_hands(folder: &Path) -> PathBuf {
    let path = folder.join("thinker");
    run_of_thinker(&path, Detail::Oracle);
    path
}

/// The rows of the first part of a table.
fn rows(run: &Path, table: TableKind) -> RecordBatch {
    let file = std::fs::File::open(part_path(run, table, 0)).expect("a file");
    let file = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    file.with_batch_size(1 << 20).build().expect("rows").next().expect("a batch").expect("rows")
}

/// The numbers of a list of the table by action, and `rest` elsewhere.
fn by_action(stored: &RecordBatch, name: &str, row: usize, legal: &[u8], rest: f32) -> ByAction {
    let lists = stored.column_by_name(name).expect("a column").as_list::<i32>();
    let mut all = [if lists.is_null(row) { f32::NAN } else { rest }; ActionId::COUNT];
    if lists.is_valid(row) {
        let list = lists.value(row);
        let numbers = list.as_primitive::<Float32Type>().iter();
        let legal = legal.iter().enumerate().filter(|(_, is_legal)| **is_legal == 1);
        legal.zip(numbers).for_each(|((id, _), number)| all[id] = number.unwrap_or(f32::NAN));
    }
    all
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| if number.is_nan() { u32::MAX } else { number.to_bits() }).collect()
}

fn whole(config: LoaderConfig) -> LoadedBatch {
    let mut batches = load(LoaderConfig { batch: 100_000, ..config });
    assert_eq!(batches.len(), 1);
    batches.remove(0)
}

#[test]
fn what_agents_report_is_that_of_the_table() {
    let folder = folder();
    let path = run_with_hidden_hands(folder.path());
    let stored = rows(&path, TableKind::Decisions);
    let batch = whole(LoaderConfig { search_info: true, ..config(&path) });
    let reported = batch.reported.as_ref().expect("it is asked for");
    let number = |name: &str, row: usize| {
        let column = stored.column_by_name(name).expect("a column").as_primitive::<Float32Type>();
        if column.is_null(row) { f32::NAN } else { column.value(row) }
    };
    assert_eq!(batch.rows(), stored.num_rows());
    for row in 0..batch.rows() {
        let legal = &batch.encoded.masks()[row];
        let list = |name, rest| bits(&by_action(&stored, name, row, legal, rest));
        let found = [reported.values[row], reported.probabilities[row]];
        assert_eq!(bits(&found), bits(&[number("value", row), number("probability", row)]), "{row}");
        assert_eq!(bits(&reported.policies[row]), list("policy", 0.0), "{row}");
        assert_eq!(bits(&reported.action_values[row]), list("action_values", f32::NAN), "{row}");
        assert_eq!(bits(&reported.action_errors[row]), list("action_errors", f32::NAN), "{row}");
    }
    let silent = reported.values.iter().filter(|value| value.is_nan()).count();
    assert!(silent > 20 && silent < batch.rows() - 20, "{silent} of {}", batch.rows());
    assert!(whole(config(&path)).reported.is_none());
}

#[test]
fn concealed_tiles_are_those_of_the_table_and_of_logs() {
    let folder = folder();
    let path = run_with_hidden_hands(folder.path());
    let stored = rows(&path, TableKind::Oracle);
    let batch = whole(LoaderConfig { concealed: true, ..config(&path) });
    let tiles = batch.concealed.as_ref().expect("they are asked for");
    let lists = stored.column_by_name("tiles").expect("a column").as_list::<i32>();
    assert_eq!(tiles.len(), stored.num_rows());
    for (row, found) in tiles.iter().enumerate() {
        let mut expected = [[0; Tile::COUNT]; 4];
        for (seat, text) in lists.value(row).as_string::<i32>().iter().enumerate() {
            let tiles = notation::parse_tiles(text.expect("a text")).expect("tiles");
            tiles.iter().for_each(|tile| expected[seat][tile.index()] += 1);
        }
        assert_eq!(*found, expected, "row {row}");
    }
    let file = folder.path().join("logs.jsonl");
    logs(&path, &file, jantaku_sim::replay::convert::Format::Mjai);
    let rules = Some(preset("tenhou"));
    let of_logs = whole(LoaderConfig { concealed: true, search_info: true, rules, ..config(&file) });
    assert_eq!(of_logs.concealed, batch.concealed);
    let reported = of_logs.reported.expect("it is asked for");
    assert!(reported.values.iter().all(|value| value.is_nan()), "logs have no search info");
}

#[test]
fn extras_are_permuted_with_their_decisions() {
    let folder = folder();
    let path = run_with_hidden_hands(folder.path());
    let asked = || LoaderConfig { search_info: true, concealed: true, ..config(&path) };
    let (plain, permuted) = (whole(asked()), whole(LoaderConfig { augment: true, ..asked() }));
    let [plain_info, permuted_info] = [&plain, &permuted].map(|batch| batch.reported.as_ref().expect("it"));
    let [plain_tiles, permuted_tiles] =
        [&plain, &permuted].map(|batch| batch.concealed.as_ref().expect("it"));
    let mut moved = 0;
    for row in 0..plain.rows() {
        let fits = |order: &&SuitOrder| {
            let tiles = |hands: &[[u8; Tile::COUNT]; 4]| {
                hands.map(|hand| {
                    let mut moved = [0; Tile::COUNT];
                    Tile::all().for_each(|tile| moved[order.tile(tile).index()] = hand[tile.index()]);
                    moved
                })
            };
            bits(&order.policy(&plain_info.policies[row])) == bits(&permuted_info.policies[row])
                && bits(&order.policy(&plain_info.action_values[row]))
                    == bits(&permuted_info.action_values[row])
                && tiles(&plain_tiles[row]) == permuted_tiles[row]
        };
        let order = SuitOrder::ALL.iter().find(fits);
        moved +=
            usize::from(order.unwrap_or_else(|| panic!("row {row}: no order fits")) != &SuitOrder::ALL[0]);
    }
    assert!(moved * 2 > plain.rows(), "{moved} of {}", plain.rows());
}

fn error(config: LoaderConfig) -> String {
    match Loader::start(config) {
        Err(error) => error.to_string(),
        Ok(mut loader) => loader.find_map(Result::err).expect("an error").to_string(),
    }
}

#[test]
fn runs_of_different_rules_are_mixed_on_purpose() {
    let folder = folder();
    let [four, other, three] = [("four", "tenhou"), ("other", "mleague"), ("three", "tenhou-sanma")]
        .map(|(name, rules)| run(&folder, name, &preset(rules), 3));
    for second in [&other, &three] {
        let both = || LoaderConfig::new(vec![four.clone(), second.clone()]);
        let said = error(both());
        let head = format!("{}: expected the rules `test` (", second.display());
        assert!(said.starts_with(&head) && said.contains("the option `mixed`"), "{said}");
        let batch = whole(LoaderConfig { mixed: true, ..both() });
        let of_second = if second == &three { 3 } else { 4 };
        let rows = batch.runs.iter().zip(&batch.players);
        assert!(rows.clone().all(|(run, players)| *players == [4, of_second][*run as usize]));
        assert!(rows.filter(|(run, _)| **run == 1).count() > 100);
    }
    let same = run(&folder, "same", &preset("tenhou"), 3);
    assert!(load(LoaderConfig::new(vec![four.clone(), same])).len() > 1);
    let found = find_sources(&[folder.path().to_owned()]).expect("runs");
    assert_eq!(found, ["four", "other", "same", "three"].map(|name| folder.path().join(name)));
}

#[test]
fn logs_of_different_numbers_of_players_are_mixed_on_purpose() {
    let folder = folder();
    let files = [("four", "tenhou"), ("three", "tenhou-sanma")].map(|(name, rules)| {
        let file = folder.path().join(format!("{name}.jsonl"));
        logs(&run(&folder, name, &preset(rules), 2), &file, jantaku_sim::replay::convert::Format::Tenhou6);
        file
    });
    let both = || LoaderConfig::new(files.to_vec());
    let said = error(both());
    assert!(said.contains("three.jsonl") && said.contains("expected 4 players"), "{said}");
    let batch = whole(LoaderConfig { mixed: true, ..both() });
    assert_eq!([3, 4].map(|players| batch.players.contains(&players)), [true, true]);
}

#[test]
fn agents_that_do_not_play_are_errors() {
    let folder = folder();
    let played = run(&folder, "run", &preset("tenhou"), 3);
    let named = |names: &[&str]| {
        let agents = Some(names.iter().map(|name| (*name).to_owned()).collect());
        Filter { agents, ..Filter::default() }
    };
    let known = "`agents`: expected agents or players of these games: greedy, random, tsumogiri";
    let filter = named(&["greedy", "gredy"]);
    let said = error(LoaderConfig { filter: filter.clone(), ..config(&played) });
    assert_eq!(said, format!("{known}, found gredy"));
    // The players of logs are known after they were read.
    let file = folder.path().join("logs.jsonl");
    logs(&played, &file, jantaku_sim::replay::convert::Format::Tenhou6);
    let of_logs = |filter: Filter| LoaderConfig { rules: Some(preset("tenhou")), filter, ..config(&file) };
    let said = error(of_logs(named(&["nobody"])));
    assert!(said.starts_with("`agents`: expected agents or players of these games: "), "{said}");
    assert!(said.ends_with(", found nobody"), "{said}");
    let shares = (0..2).map(|rank| LoaderConfig { rank, ranks: 2, ..of_logs(named(&["nobody"])) });
    shares.for_each(|share| assert!(load(share).is_empty(), "a share may lack an agent"));
}

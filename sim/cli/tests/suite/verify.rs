//! `verify` finds every value that does not follow from seeds, walls and actions, and names its
//! row.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::data::reference;
use crate::common::program::{folder, jantaku, json, ok, path, refused, remove_hashes};
use crate::common::tables::{file_of, replaced, rows, write};
use crate::sizes::CORRUPTIONS;
use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray, UInt16Array};
use arrow_select::concat::concat_batches;
use jantaku_engine::Rng;
use jantaku_sim::dataset::{Column, Provenance, TableKind};
use jantaku_sim::replay::verify::{Difference, verify};

/// The differences that `verify` finds in a run with readable files.
pub fn found_in(run: &Path) -> Vec<Difference> {
    // A part that has another hash is not replayed.
    remove_hashes(run.to_str().expect("plain characters"));
    let mut found = Vec::new();
    verify(run, &mut (), |difference| found.push(difference), |error| panic!("{error}")).expect("a run");
    found
}

/// A wall in which the first seat exchanged a tile with another.
fn swapped(wall: &ArrayRef, rng: &mut Rng) -> ArrayRef {
    let text = wall.as_string::<i32>().value(0);
    let mut tiles: Vec<&[u8]> = text.as_bytes().chunks(2).collect();
    let (one, other) = (rng.below(13), 13 + rng.below(39));
    tiles.swap(one, other);
    Arc::new(StringArray::from(vec![String::from_utf8(tiles.concat()).expect("tiles")]))
}

/// Runs to corrupt: one from seeds, and one from logs under other rules. Each also provides values
/// for the other.
struct Runs {
    seeds: PathBuf,
    logs: PathBuf,
}

fn play(folder: &Path) -> Runs {
    let name = |name: &str| folder.join(name).to_str().expect("plain characters").to_owned();
    let [seeds, played, logs] = ["seeds", "played", "logs"].map(name);
    let words = ["selfplay", "--quiet", "--log", "oracle", "--games-per-part", "2", "--agents"];
    let agents = "greedy,greedy:calls=off,random,greedy";
    // Few labels, and rollouts by a fast player: `verify` plays them again.
    let labels =
        "deals=1,players=greedy,careful=greedy,discard=0.02,danger=0.02,call=0.05,riichi=0.2,kan=0.3";
    let labelled = [agents, "--games", "4", "--seed", "1", "--labels", labels, "--out", &seeds];
    ok(&[&words[..], &labelled].concat());
    let agents = "greedy,random,greedy:calls=off,greedy";
    ok(&[&words[..], &[agents, "--games", "3", "--seed", "2", "--rules", "mleague", "--out", &played]]
        .concat());
    ok(&["convert", &played, "--to", "run", "--log", "oracle", "--quiet", "--out", &logs]);
    Runs { seeds: seeds.into(), logs: logs.into() }
}

/// Changes one value of a column and returns its part and row. None if it stays the same.
fn change(
    run: &Path,
    donor: &Path,
    (table, name): (TableKind, &str),
    parts: usize,
    rng: &mut Rng,
) -> Option<(usize, usize)> {
    let part = rng.below(parts);
    let file = file_of(run, table, part);
    let rows_there = rows(&file);
    let row = rng.below(rows_there.num_rows());
    let values = rows_there.column_by_name(name).expect("a column");
    let value = match name {
        "wall" => swapped(&values.slice(row, 1), rng),
        "outranked" => Arc::new(BooleanArray::from(vec![!values.as_boolean().value(row)])),
        // All decisions of a run have as many deals.
        "deals" => Arc::new(UInt16Array::from(vec![7])),
        // No hand of these runs has a nagashi mangan.
        "nagashi" => rows_there.column_by_name("winners").expect("a column").slice(row, 1),
        _ if matches!(table, TableKind::Walls | TableKind::Labels) || rng.below(2) == 0 => {
            values.slice(rng.below(values.len()), 1)
        }
        _ => {
            let others = rows(&file_of(donor, table, 0));
            others.column_by_name(name).expect("a column").slice(rng.below(others.num_rows()), 1)
        }
    };
    write(&file, &replaced(&rows_there, name, row, &value)?);
    Some((part, row))
}

/// The tables that a run has.
fn tables_of(run: &Path) -> impl Iterator<Item = TableKind> {
    TableKind::ALL.into_iter().filter(|table| run.join(table.name()).exists())
}

/// The columns of a table that `verify` compares in a run.
fn compared(table: TableKind, of_logs: bool) -> Vec<&'static str> {
    let is_compared = |column: &&Column| match column.provenance {
        Provenance::Game | Provenance::Outcome => true,
        Provenance::Agent => false,
        Provenance::Log => !of_logs,
    };
    table.columns().iter().filter(is_compared).map(|column| column.name).collect()
}

/// Changes values of every column, one at a time.
#[test]
fn every_changed_value_is_found() {
    let count = CORRUPTIONS.get() as usize;
    let folder = folder();
    let Runs { seeds, logs } = play(folder.path());
    let mut rng = Rng::new(1);
    let mut in_column = std::collections::BTreeMap::<String, usize>::new();
    for (run, donor, parts) in [(&seeds, &logs, 2), (&logs, &seeds, 1)] {
        assert_eq!(found_in(run), []);
        for table in tables_of(run) {
            let columns = compared(table, run.ends_with("logs"));
            let (mut changed, mut in_turn) = (0, columns.iter().cycle());
            while changed < count.max(columns.len()) {
                let column = *in_turn.next().expect("every table has columns");
                let kept: Vec<Vec<u8>> =
                    (0..parts).map(|part| fs::read(file_of(run, table, part)).expect("a part")).collect();
                // A few values of a column can all be equal; another row is tried.
                let different = (0..200).find_map(|_| change(run, donor, (table, column), parts, &mut rng));
                let (part, row) = different.unwrap_or_else(|| panic!("{column} has one value only"));
                let found = found_in(run);
                let names = |found: &&Difference| {
                    (found.table, found.part, found.row) == (table, part as u64, Some(row as u64))
                };
                let place = format!("{} part {part} row {row} {column}", table.name());
                // Tiles that no deciding player held only affect the signature of the game and the
                // hidden hands.
                let is_unseen = column == "wall" && found.iter().any(|found| found.column == "signature");
                assert!(is_unseen || found.iter().any(|found| names(&found)), "{place}: {found:#?}");
                let elsewhere = found.iter().filter(|found| !names(found)).count();
                // A changed wall first shows in a decision; changed rules show everywhere.
                let is_seen_elsewhere = column == "wall" || column == "ruleset";
                assert!(elsewhere == 0 || is_seen_elsewhere, "{place}: {found:#?}");
                *in_column.entry(format!("{}.{column}", table.name())).or_default() += 1;
                fs::write(file_of(run, table, part), &kept[part]).expect("a part");
                changed += 1;
            }
        }
        assert_eq!(found_in(run), []);
    }
    eprintln!("values changed and found: {in_column:?}");
}

/// The columns that identify a row, and `row` for a missing or extra row. In the table of walls,
/// the wall identifies it.
const KEYS: [&str; 6] = ["row", "game", "hand", "step", "seat", "wall"];

/// A missing or doubled row is named, and other differences of the part are still found.
#[test]
fn missing_and_extra_rows_are_named() {
    let folder = folder();
    let Runs { seeds, logs } = play(folder.path());
    for run in [&seeds, &logs] {
        let hands = file_of(run, TableKind::Hands, 0);
        let good_hands = rows(&hands);
        for table in tables_of(run) {
            let file = file_of(run, table, 0);
            let good = rows(&file);
            let games = good.column(0).as_primitive::<UInt64Type>().values();
            let of_first = games.iter().filter(|game| **game == 0).count();
            let all = good.num_rows();
            let places = [0, 3.min(of_first - 1), of_first / 2, of_first - 1, of_first];
            for (row, is_missing) in places.into_iter().flat_map(|row| [(row, true), (row, false)]) {
                // The second copy of a doubled row is extra.
                let (upto, wrong) = if is_missing { (row, row) } else { (row + 1, row + 1) };
                let from = if is_missing { row + 1 } else { row };
                let parts = [&good.slice(0, upto), &good.slice(from, all - from)];
                write(&file, &concat_batches(&good.schema(), parts).expect("one table"));
                // A hand of another game of the part gets another honba.
                let changed = if games[row] == 0 { good_hands.num_rows() - 1 } else { 0 };
                if table != TableKind::Hands {
                    let other: ArrayRef = Arc::new(UInt16Array::from(vec![77]));
                    write(&hands, &replaced(&good_hands, "honba", changed, &other).expect("another number"));
                }
                let found = found_in(run);
                let place = format!("{} of {} row {row}: {found:#?}", table.name(), run.display());
                let is_in_table = |found: &&Difference| found.table == table && found.column != "honba";
                let (here, mut elsewhere): (Vec<_>, Vec<_>) = found.iter().partition(is_in_table);
                // A changed wall first shows in a decision.
                let shows_wall = [TableKind::Decisions, TableKind::Oracle];
                elsewhere.retain(|found| table != TableKind::Walls || !shows_wall.contains(&found.table));
                let [many, first] = here[..] else { panic!("{place}") };
                assert_eq!((many.row, many.column.as_str()), (None, "rows"), "{place}");
                assert_eq!(first.row, Some(wrong as u64), "{place}");
                assert!(KEYS.contains(&first.column.as_str()), "{place}");
                let elsewhere =
                    elsewhere.into_iter().map(|found| (found.table, found.row, found.column.as_str()));
                let expected =
                    (table != TableKind::Hands).then_some((TableKind::Hands, Some(changed as u64), "honba"));
                assert_eq!(elsewhere.collect::<Vec<_>>(), Vec::from_iter(expected), "{place}");
                write(&hands, &good_hands);
                write(&file, &good);
            }
        }
        assert_eq!(found_in(run), []);
    }
}

/// If a row was lost before the manifest counted the rows, only the first wrong row is named.
#[test]
fn a_row_missing_in_the_manifest_too_is_named() {
    let folder = folder();
    let Runs { seeds, .. } = play(folder.path());
    let manifest = seeds.join("manifest.json");
    let whole = fs::read_to_string(&manifest).expect("a manifest");
    for (index, table) in [TableKind::Games, TableKind::Hands, TableKind::Decisions].into_iter().enumerate() {
        let file = file_of(&seeds, table, 0);
        let good = rows(&file);
        let parts = [&good.slice(0, 1), &good.slice(2, good.num_rows() - 2)];
        write(&file, &concat_batches(&good.schema(), parts).expect("one table"));
        let mut counts = json(&whole);
        let less = |count: &mut serde_json::Value| *count = (count.as_u64().expect("a count") - 1).into();
        less(&mut counts["rows"][table.name()]);
        less(&mut counts["parts"][0]["files"][index]["rows"]);
        fs::write(&manifest, counts.to_string()).expect("a file");
        let [found] = &found_in(&seeds)[..] else { panic!("one difference in {}", table.name()) };
        assert_eq!((found.table, found.row), (table, Some(1)));
        assert!(KEYS.contains(&found.column.as_str()), "{found:?}");
        write(&file, &good);
        fs::write(&manifest, &whole).expect("a file");
    }
}

/// In a game from a log, the row of the game and each decision have the player's name. If all
/// decisions of a seat have the same other name, the row of the game is named, otherwise the
/// decisions.
#[test]
fn a_wrong_player_name_is_found_in_the_game_or_its_decisions() {
    let folder = folder();
    let Runs { logs, .. } = play(folder.path());
    let (games, decisions) = (file_of(&logs, TableKind::Games, 0), file_of(&logs, TableKind::Decisions, 0));
    let good = rows(&games);
    let put = |names: ArrayRef| write(&games, &replaced(&good, "agents", 1, &names).expect("other names"));
    let mut others = ListBuilder::new(StringDictionaryBuilder::<UInt32Type>::new());
    others.append_value(["greedy", "random", "another", "greedy"].map(Some));
    others.append_value(["greedy", "random"].map(Some));
    let others: ArrayRef = Arc::new(others.finish());
    put(others.slice(0, 1));
    let [found] = &found_in(&logs)[..] else { panic!("one difference") };
    let place = (found.table, found.row, found.game, found.column.as_str());
    assert_eq!(place, (TableKind::Games, Some(1), Some(1), "agents"));
    assert_eq!(found.expected, "[greedy, random, greedy:calls=off, greedy]");
    assert_eq!(found.found, "[greedy, random, another, greedy]");
    put(others.slice(1, 1));
    let [found] = &found_in(&logs)[..] else { panic!("one difference") };
    assert_eq!((found.table, found.row, found.column.as_str()), (TableKind::Games, Some(1), "agents"));
    assert_eq!(
        (found.expected.as_str(), found.found.as_str()),
        ("a name for each player", "[greedy, random]")
    );
    write(&games, &good);
    let there = rows(&decisions);
    let agents = there.column_by_name("agent").expect("a column");
    let seats = there.column_by_name("seat").expect("a column").as_primitive::<UInt8Type>();
    let of = |seat: u8| seats.values().iter().position(|other| *other == seat).expect("each seat decides");
    let other = agents.slice(of(1), 1);
    write(&decisions, &replaced(&there, "agent", of(0), &other).expect("another name"));
    let [found] = &found_in(&logs)[..] else { panic!("one difference") };
    let place = (found.table, found.row, found.column.as_str());
    assert_eq!(place, (TableKind::Decisions, Some(of(0) as u64), "agent"));
}

/// `readers.py` reads runs that other tools rewrote. Other number types and nulls in a required column are
/// errors.
#[test]
fn columns_of_other_types_are_errors() {
    let folder = folder();
    let Runs { seeds, .. } = play(folder.path());
    remove_hashes(seeds.to_str().expect("plain characters"));
    let file = file_of(&seeds, TableKind::Games, 0);
    let good = rows(&file);
    let place = good.schema().index_of("hands").expect("a column");
    let run = seeds.to_str().expect("plain characters");
    let hands = good.column(place).as_primitive::<UInt16Type>();
    let wide: ArrayRef = Arc::new(hands.iter().map(|hands| hands.map(i64::from)).collect::<Int64Array>());
    let none: ArrayRef = Arc::new(UInt16Array::from(vec![None; hands.len()]));
    for (wrong, what) in [
        (wide, "column `hands` has type Int64, expected UInt16"),
        (none, "Invalid argument error: Column 'hands' is declared as non-nullable but contains null values"),
    ] {
        let schema = good.schema();
        let columns = schema.fields().iter().zip(good.columns());
        let columns = columns.enumerate().map(|(column, (field, values))| {
            (
                field.name().clone(),
                if column == place { Arc::clone(&wrong) } else { Arc::clone(values) },
                true,
            )
        });
        write(&file, &RecordBatch::try_from_iter_with_nullable(columns).expect("a table"));
        refused(&["stats", run], &format!("error: {}: {what}", file.display()));
    }
}

/// Converted recorded games follow from their walls and actions.
#[test]
#[ignore = "needs JANTAKU_DATA"]
fn recorded_games_are_verified() {
    let logs = reference("tenhou6");
    let folder = folder();
    let run = path(&folder, "run");
    // Logs that stop before the end of their game are left out.
    jantaku(&["convert", logs.to_str().expect("plain characters"), "--to", "run", "--quiet", "--out", &run]);
    assert_eq!(found_in(Path::new(&run)), []);
    let games = json(&ok(&["info", &run, "--json"]))["games"].as_u64();
    assert!(games > Some(500), "{games:?} games");
}

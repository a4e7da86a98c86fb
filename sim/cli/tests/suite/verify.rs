//! `verify` finds every value that does not follow from seeds, walls and actions, and names its
//! row.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::data::reference;
use crate::common::program::{files, folder, jantaku, json, ok, path, refused, remove_hashes, text};
use crate::common::tables::{file_of, rows, write};
use crate::sizes::CORRUPTIONS;
use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Int64Array, ListArray, RecordBatch, StringArray, UInt16Array,
};
use arrow_schema::Field;
use arrow_select::concat::{concat, concat_batches};
use jantaku_engine::Rng;
use jantaku_sim::dataset::{Column, Provenance, TableKind};
use jantaku_sim::replay::verify::{Difference, verify};

/// The differences that `verify` finds in a run with readable files.
fn found_in(run: &Path) -> Vec<Difference> {
    // A part that has another hash is not replayed.
    remove_hashes(run.to_str().expect("plain characters"));
    let mut found = Vec::new();
    verify(run, &mut (), |difference| found.push(difference), |error| panic!("{error}")).expect("a run");
    found
}

/// The column with another value in one row. None if the value is the same.
fn with(column: &ArrayRef, row: usize, value: &ArrayRef) -> Option<ArrayRef> {
    let (before, after) = (column.slice(0, row), column.slice(row + 1, column.len() - row - 1));
    let differs = &column.slice(row, 1) != value;
    differs.then(|| concat(&[&before, value, &after]).expect("arrays of one type"))
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
    let column = rows_there.schema().index_of(name).expect("a column");
    let values = rows_there.column(column);
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
            others.column(column).slice(rng.below(others.num_rows()), 1)
        }
    };
    let mut columns = rows_there.columns().to_vec();
    columns[column] = with(values, row, &value)?;
    write(&file, &RecordBatch::try_new(rows_there.schema(), columns).expect("a table"));
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

/// The printed text and the exit statuses.
#[test]
fn the_row_and_column_are_printed() {
    let folder = folder();
    let Runs { seeds, .. } = play(folder.path());
    let run = seeds.to_str().expect("plain characters");
    let said = ok(&["verify", run]);
    assert!(said.starts_with("4 games in ") && said.ends_with("\n0 differences, 0 errors\n"), "{said}");
    // The second row of the second part gets the number of hands of the first row.
    remove_hashes(run);
    let file = file_of(&seeds, TableKind::Games, 1);
    let good = rows(&file);
    let hands = good.schema().index_of("hands").expect("a column");
    let mut columns = good.columns().to_vec();
    let other = columns[hands].slice(0, 1);
    columns[hands] = with(&columns[hands], 1, &other).expect("games of different lengths");
    write(&file, &RecordBatch::try_new(good.schema(), columns).expect("a table"));
    let output = jantaku(&["verify", run, "--quiet"]);
    let number = |row: usize| good.column(hands).as_primitive::<arrow_array::types::UInt16Type>().value(row);
    let expected = format!(
        "{run}/games/part-000001.parquet row 1 (game 3): hands: expected {}, found {}\n",
        number(1),
        number(0)
    );
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), expected));
    let found = json(&text(&jantaku(&["verify", run, "--json"]).stdout));
    assert_eq!((&found["difference_count"], &found["differences"][0]["row"]), (&1.into(), &1.into()));
    // A missing row.
    write(&file, &good.slice(0, 1));
    let output = jantaku(&["verify", run]);
    let (said, place) = (text(&output.stdout), format!("{run}/games/part-000001.parquet"));
    let expected = format!(
        "{place}: rows: expected 2, found 1\n\
        {place} row 1 (game 3): row: expected a row of game 3, found the end of the file\n4 games in "
    );
    assert!(output.status.code() == Some(1) && said.starts_with(&expected), "{said}");
    assert!(said.ends_with("\n2 differences, 0 errors\n"), "{said}");
    // A damaged file and a folder that is not a run: the rest is still verified.
    fs::write(&file, b"PAR1").expect("a file");
    let output = jantaku(&["verify", run, &format!("{run}/games"), "--json"]);
    let found = json(&text(&output.stdout));
    assert_eq!((output.status.code(), &found["error_count"]), (Some(2), &2.into()), "{found}");
    assert_eq!(found["games"], 2, "the readable part is replayed");
    // A manifest with a file outside the run.
    let manifest = seeds.join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    for (from, to, what) in [
        ("hands/part-000001.parquet", "../part", "`path`: expected hands/part-000001.parquet, found ../part"),
        (
            "\"table\": \"hands\"",
            "\"table\": \"h\"",
            "`table`: expected one of games, hands, decisions, walls, oracle, labels, found h",
        ),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&manifest, text.replacen(from, to, 1)).expect("a file");
        for command in ["info", "stats", "show"] {
            let more: &[&str] = if command == "show" { &["--game", "0"] } else { &[] };
            let message = format!("error: {}: {what}", manifest.display());
            refused(&[&[command, run], more].concat(), &message);
        }
    }
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
        let honba = good_hands.schema().index_of("honba").expect("a column");
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
                    let mut columns = good_hands.columns().to_vec();
                    let other: ArrayRef = Arc::new(UInt16Array::from(vec![77]));
                    columns[honba] = with(&columns[honba], changed, &other).expect("another number");
                    write(&hands, &RecordBatch::try_new(good_hands.schema(), columns).expect("a table"));
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

/// Rules with the name of a preset must be its rules, and a manifest must add up.
#[test]
fn errors_outside_the_tables_are_reported() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "3", "--log", "games", "--quiet", "--out", &run]);
    let put = |name: &str, from: &str, to: &str| {
        let file = Path::new(&run).join(name);
        let text = fs::read_to_string(&file).expect("a text");
        assert!(text.contains(from), "{text}");
        fs::write(&file, text.replacen(from, to, 1)).expect("a file");
    };
    let errors = || {
        let output = jantaku(&["verify", &run, "--json"]);
        assert_eq!(output.status.code(), Some(2));
        let found = json(&text(&output.stdout));
        (found["games"].clone(), found["errors"][0]["error"].as_str().expect("an error").to_owned())
    };
    put("run.toml", "rules_name = \"tenhou\"", "rules_name = \"mleague\"");
    let (games, error) = errors();
    assert_eq!(games, 3);
    let head = format!("{run}/run.toml: `rules_name`: expected the rules of `mleague`: `");
    assert!(
        error.starts_with(&head)
            && error.contains("`uma`: expected [30, 10, -10, -30], found [20, 10, -10, -20]"),
        "{error}"
    );
    assert!(!error.contains("made by"), "{error}");
    put("run.toml", "version = \"", "version = \"0.0.");
    let (_, error) = errors();
    assert!(error.contains("; the run was made by version 0.0."), "{error}");
    // A file of rules may have any other name.
    put("run.toml", "rules_name = \"mleague\"", "rules_name = \"mleague.toml\"");
    assert_eq!(found_in(Path::new(&run)), []);
    put("manifest.json", "\"games\": 3", "\"games\": 4");
    let (_, error) = errors();
    assert_eq!(error, format!("{run}/manifest.json: `games`: expected 3, those of the parts, found 4"));
    put("manifest.json", "\"games\": 4", "\"games\": 3");
    put("manifest.json", "\"hands\": 0", "\"hands\": 7");
    let (_, error) = errors();
    assert_eq!(
        error,
        format!("{run}/manifest.json: `rows.hands`: expected 0, the sum of the parts, found 7")
    );
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
    let column = good.schema().index_of("agents").expect("a column");
    let names = good.column(column);
    let put = |value: ArrayRef| {
        let mut columns = good.columns().to_vec();
        columns[column] = with(names, 1, &value).expect("other names");
        write(&games, &RecordBatch::try_new(good.schema(), columns).expect("a table"));
    };
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
    let agent = there.schema().index_of("agent").expect("a column");
    let seats = there.column_by_name("seat").expect("a column").as_primitive::<UInt8Type>();
    let of = |seat: u8| seats.values().iter().position(|other| *other == seat).expect("each seat decides");
    let mut columns = there.columns().to_vec();
    columns[agent] = with(&columns[agent], of(0), &columns[agent].slice(of(1), 1)).expect("another name");
    write(&decisions, &RecordBatch::try_new(there.schema(), columns).expect("a table"));
    let [found] = &found_in(&logs)[..] else { panic!("one difference") };
    let place = (found.table, found.row, found.column.as_str());
    assert_eq!(place, (TableKind::Decisions, Some(of(0) as u64), "agent"));
}

/// The complete parts of an interrupted run are verified, and the missing games are reported.
#[test]
fn an_incomplete_run_is_reported() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "5", "--games-per-part", "2", "--log", "games", "--quiet", "--out", &run]);
    let manifest = format!("{run}/manifest.json");
    let mut cut = json(&fs::read_to_string(&manifest).expect("a manifest"));
    cut["complete"] = false.into();
    cut["parts"].as_array_mut().expect("parts").pop();
    (cut["games"], cut["rows"]["games"]) = (4.into(), 4.into());
    fs::write(&manifest, cut.to_string()).expect("a file");
    let said = ok(&["verify", &run]);
    let end = format!("\n0 differences, 0 errors\n{run}: not complete: has 4 of 5 games\n");
    assert!(said.ends_with(&end), "{said}");
    assert_eq!(json(&ok(&["verify", &run, "--json"]))["complete"], false);
    let said = ok(&["info", &run]);
    let head = format!(
        "{run}: 4 games of greedy, not complete\n  missing  1 game of 5; `selfplay --resume` plays the rest\n"
    );
    assert!(said.starts_with(&head), "{said}");
    assert_eq!(json(&ok(&["info", &run, "--json"]))["complete"], false);
    ok(&["selfplay", "--resume", "--quiet", "--out", &run]);
    assert_eq!(json(&ok(&["verify", &run, "--json"]))["complete"], true);
    // A run of games from logs cannot be resumed.
    let logs = play(folder.path()).logs;
    let (logs, manifest) = (logs.to_str().expect("plain characters"), logs.join("manifest.json"));
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text.replacen("true", "false", 1)).expect("a file");
    let said = ok(&["info", logs]);
    let head =
        format!("{logs}: 3 games from logs, not complete\n  missing  unknown; convert the logs again\n");
    assert!(said.starts_with(&head), "{said}");
}

/// The rows in the style of another tool: words as plain texts, other names for entries of lists,
/// nullable columns in another order, and an extra column.
fn as_another_tool(rows: &RecordBatch) -> RecordBatch {
    fn plain(column: &ArrayRef) -> ArrayRef {
        if let Some(words) = column.as_any_dictionary_opt() {
            let keys = words.keys().as_primitive::<UInt32Type>();
            let texts = words.values().as_string::<i32>();
            let texts = keys.iter().map(|key| key.map(|key| texts.value(key as usize)));
            return Arc::new(texts.collect::<StringArray>());
        }
        let Some(lists) = column.as_list_opt::<i32>() else { return Arc::clone(column) };
        let entries = plain(lists.values());
        let field = Field::new("element", entries.data_type().clone(), true);
        let (ends, nulls) = (lists.offsets().clone(), lists.nulls().cloned());
        Arc::new(ListArray::new(Arc::new(field), ends, entries, nulls))
    }
    let schema = rows.schema();
    let columns =
        schema.fields().iter().zip(rows.columns()).map(|(field, column)| (field.name(), plain(column)));
    let notes: ArrayRef = Arc::new(StringArray::from(vec!["a note"; rows.num_rows()]));
    let notes = ("notes".to_owned(), notes, true);
    let columns = columns.rev().map(|(name, column)| (name.clone(), column, true));
    RecordBatch::try_from_iter_with_nullable([notes].into_iter().chain(columns)).expect("a table")
}

#[test]
fn files_rewritten_by_another_tool_are_read() {
    let folder = folder();
    let Runs { seeds, logs } = play(folder.path());
    for (run, parts) in [(&seeds, 2), (&logs, 1)] {
        let output = |command: &[&str]| {
            let run = run.to_str().expect("plain characters");
            let mut said = json(&ok(&[&command[..1], &[run], &command[1..], &["--json"]].concat()));
            said["seconds"] = 0.into();
            said
        };
        let before = [output(&["stats"]), output(&["show", "--game", "1"])];
        for table in tables_of(run) {
            for part in 0..parts {
                let file = file_of(run, table, part);
                write(&file, &as_another_tool(&rows(&file)));
            }
        }
        let run = run.to_str().expect("plain characters");
        // The sizes are new.
        assert_eq!(jantaku(&["stats", run]).status.code(), Some(2));
        assert_eq!(jantaku(&["rebuild-manifest", run]).status.code(), Some(1));
        ok(&["rebuild-manifest", "--accept-changes", run]);
        assert!([output(&["stats"]), output(&["show", "--game", "1"])] == before);
        ok(&["verify", run, "--quiet"]);
        remove_hashes(run);
    }
    // Other number types and nulls in a required column are errors.
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

/// The agents of a run without decisions play it again.
#[test]
fn runs_without_decisions_are_verified() {
    let folder = folder();
    for log in ["games", "hands"] {
        let run = path(&folder, log);
        ok(&["selfplay", "--games", "6", "--games-per-part", "4", "--log", log, "--quiet", "--out", &run]);
        let run = Path::new(&run);
        assert_eq!(found_in(run), []);
        let config = fs::read_to_string(run.join("run.toml")).expect("a run");
        fs::write(run.join("run.toml"), config.replacen("\"greedy\"", "\"random\"", 1)).expect("a file");
        let found = found_in(run);
        let rows: Vec<Option<u64>> =
            found.iter().filter(|found| found.column == "signature").map(|found| found.row).collect();
        assert_eq!(rows, [0, 1, 2, 3, 0, 1].map(Some), "{found:#?}");
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

/// A machine that lets other agents play under the names of the run writes games that follow from
/// their actions. Only the agents show that they are wrong.
#[test]
fn parts_that_other_agents_played_are_found_named_and_played_again() {
    const GAMES: [&str; 9] =
        ["selfplay", "--games", "18", "--games-per-part", "5", "--seed", "3", "--log", "decisions"];
    let folder = folder();
    let [run, other] = ["run", "other"].map(|name| path(&folder, name));
    let play =
        |agents: &str, out: &str| ok(&[&GAMES[..], &["--agents", agents, "-q", "--out", out]].concat());
    play("x=greedy", &run);
    play("x=random", &other);
    let good = files(&run);
    let checked = ok(&["verify", &run, "--replay", "1%"]);
    assert!(checked.starts_with("1 part with ") && checked.ends_with("0 wrong parts\n"), "{checked}");
    // The last part, and its entry of the manifest, are those of the other run.
    let manifest = |run: &str| json(&fs::read_to_string(format!("{run}/manifest.json")).expect("a manifest"));
    let (mut changed, wrong) = (manifest(&run), manifest(&other));
    changed["parts"][3] = wrong["parts"][3].clone();
    for table in ["hands", "decisions"] {
        let rows: u64 = changed["parts"]
            .as_array()
            .expect("parts")
            .iter()
            .map(|part| {
                let files = part["files"].as_array().expect("files").iter();
                files
                    .filter(|file| file["table"] == table)
                    .map(|file| file["rows"].as_u64().expect("rows"))
                    .sum::<u64>()
            })
            .sum();
        changed["rows"][table] = rows.into();
    }
    fs::write(format!("{run}/manifest.json"), changed.to_string()).expect("a file");
    for table in ["games", "hands", "decisions"] {
        let name = format!("{table}/part-000003.parquet");
        fs::copy(format!("{other}/{name}"), format!("{run}/{name}")).expect("a file");
    }
    let environment = format!("{run}/environment.json");
    let mut calls = json(&fs::read_to_string(&environment).expect("a file"));
    calls["earlier"] = serde_json::json!([calls]);
    (calls["first_game"], calls["host"]) = (15.into(), "culprit".into());
    fs::write(&environment, calls.to_string()).expect("a file");

    assert!(ok(&["verify", &run]).ends_with("0 differences, 0 errors\n"));
    let found = jantaku(&["verify", &run, "--replay", "4"]);
    assert_eq!(found.status.code(), Some(1), "{}", text(&found.stderr));
    let found = text(&found.stdout);
    let head =
        format!("{run}: part 3, games 15 to 17, written by culprit: other bytes than its agents play\n");
    assert!(found.starts_with(&head) && found.ends_with("1 wrong part\n"), "{found}");
    assert_eq!(found.matches("  decisions/part-000003.parquet: expected the SHA-256 ").count(), 1, "{found}");
    let found = jantaku(&["verify", &run, "--replay", "100%", "--put-back", "--json"]);
    let found = json(&text(&found.stdout));
    assert_eq!((&found["parts"], &found["wrong"][0]["put_back"]), (&4.into(), &true.into()), "{found}");
    assert!(!Path::new(&run).join("games/part-000003.parquet").exists());
    ok(&["selfplay", "--resume", "-q", "--out", &run]);
    assert!(files(&run) == good);
    // A wrong part in the middle is played again with all later ones.
    let decisions = |part: u32| format!("{run}/decisions/part-{part:06}.parquet");
    fs::copy(decisions(2), decisions(1)).expect("a file");
    let found = jantaku(&["verify", &run, "--replay", "4", "--put-back"]);
    let found = text(&found.stdout);
    assert!(found.contains("; removed with all later parts, `--resume` plays them again\n"), "{found}");
    assert_eq!([0, 1, 2, 3].map(|part| Path::new(&decisions(part)).exists()), [true, false, false, false]);
    ok(&["selfplay", "--resume", "-q", "--out", &run]);
    assert!(files(&run) == good);
    assert!(ok(&["verify", &run, "--replay", "4"]).ends_with("0 wrong parts\n"));
}

/// Searches, labels and matches have the same bytes when they are played again. Agents that cannot be
/// asked again are refused.
#[test]
fn only_agents_that_play_the_same_again_are_asked() {
    let folder = folder();
    let [searched, labelled, matched, program] =
        ["searched", "labelled", "matched", "program"].map(|name| path(&folder, name));
    let play = |words: &[&str], out: &str| ok(&[words, &["--seed", "2", "-q", "--out", out]].concat());
    play(
        &[
            "selfplay",
            "--games",
            "2",
            "--agents",
            "mc:rollouts=8,greedy,greedy,greedy",
            "--rules",
            "tenhou-tonpuu",
        ],
        &searched,
    );
    play(&["selfplay", "--games", "3", "--labels", "discard=0.02,deals=1"], &labelled);
    play(&["match", "--sets", "4", "--challenger", "greedy", "--baseline", "random"], &matched);
    for run in [&searched, &labelled, &matched] {
        let checked = ok(&["verify", run, "--replay", "100%"]);
        assert!(checked.ends_with("0 wrong parts\n"), "{run}: {checked}");
    }
    play(
        &["selfplay", "--games", "1", "--agents", "mc:ms=1,greedy,greedy,greedy", "--log", "hands"],
        &program,
    );
    refused(
        &["verify", &program, "--replay", "1"],
        &format!(
            "error: {program}/run.toml: `agents`: `mc:ms=1` is not a deterministic function and may play other \
            games: programs, networks on a GPU and most functions cannot be compared byte by byte; `verify` \
            without `--replay` checks their games"
        ),
    );
    let config = fs::read_to_string(format!("{matched}/run.toml")).expect("a run");
    let commit = config.lines().find(|line| line.starts_with("commit = ")).expect("a commit");
    fs::write(format!("{matched}/run.toml"), config.replacen(commit, "commit = \"0123456789ab\"", 1))
        .expect("a file");
    let refused = jantaku(&["verify", &matched, "--replay", "1"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("`commit`: expected "), "{}", text(&refused.stderr));
    let wrong = jantaku(&["verify", &labelled, "--replay", "0%"]);
    assert!(
        text(&wrong.stderr).contains("expected a share of the parts such as 1%"),
        "{}",
        text(&wrong.stderr)
    );
}

//! Rule cases as rows of data in `tests/cases`, and their runner.
//!
//! `tests/cases/README.md` lists the files and explains the keys of their rows.

mod play;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jantaku_engine::cases::{self, PLAYED, flag, int, rule_sets, seat_named, text};
use jantaku_engine::rules::Preset;
use jantaku_engine::rules::options::TieRule;
use jantaku_engine::settle::{self, Liability, PricedWin};
use jantaku_engine::{BySeat, Rules, Score, Seat, Win, Yaku, YakuSet, final_results, places};
use toml::{Table, Value};

/// The files of rows with single values, without their extension.
const VALUES: [&str; 4] = ["values", "payments", "tenpai", "results"];

/// The names of all files, those with hands played move by move last.
fn files() -> impl Iterator<Item = &'static str> {
    VALUES.into_iter().chain(PLAYED.map(|(file, _)| file))
}

/// The rows of a file.
fn rows(file: &str) -> Vec<Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    cases::rows(&std::fs::read_to_string(folder.join(file).with_extension("toml")).expect("a file"))
}

/// The ids of all rows.
pub fn row_ids() -> Vec<String> {
    files().flat_map(rows).map(|row| text(&row, "id").to_owned()).collect()
}

/// Scores the hand of a row and checks the score.
fn score(row: &Table, rules: &Rules, check: impl FnOnce(Option<Score>, &Win<'_>)) {
    let (hand, indicators) = (cases::hand(row), ["dora", "ura"].map(|key| cases::tiles(text(row, key))));
    let win = cases::win(row, rules, &hand, &indicators);
    let score = win.score();
    assert_eq!(win.base_points(), score.map(|score| score.base));
    check(score, &win);
}

/// Checks a row of a file under one of its rule sets.
///
/// # Panics
///
/// If the rules do not say what the row says.
fn check(file: &str, row: &Table, rules: &Rules, name: &str) {
    let context = format!("{} under {name}", text(row, "id"));
    match file {
        "values" => check_value(row, rules, &context),
        "payments" => check_payments(row, rules, &context),
        "tenpai" => check_tenpai(row, rules, &context),
        "results" => check_results(row, rules, &context),
        _ => play::run(row, rules, &context),
    }
}

/// Checks all rows of a file.
fn check_all(file: &str) {
    for row in rows(file) {
        for (name, rules) in rule_sets(&row) {
            check(file, &row, &rules, &name);
        }
    }
}

#[test]
fn hands_have_the_values_of_the_rows() {
    check_all("values");
}

fn check_value(row: &Table, rules: &Rules, context: &str) {
    score(row, rules, |score, win| {
        let context = format!("{context}, {}: {score:?}", text(row, "hand"));
        assert_eq!(value(score, win, text(row, "value")), text(row, "value"), "{context}");
        let yaku: BTreeSet<&str> = score.iter().flat_map(|s| s.yaku.iter()).map(Yaku::name).collect();
        let expected: BTreeSet<&str> = text(row, "yaku").split_whitespace().collect();
        assert!(expected.is_empty() || yaku == expected, "{context}: {yaku:?}");
        if let Some(score) = score {
            check_parts(row, &score, win, &context);
        }
    });
    let hand = cases::hand(row);
    if row.contains_key("waits") {
        let waits = hand.concealed().waits(hand.melds().len());
        assert_eq!(waits.to_string(), text(row, "waits"), "{context}");
    }
}

/// Checks what a score adds up from.
fn check_parts(row: &Table, score: &Score, win: &Win<'_>, context: &str) {
    let bits: u128 = score.yaku.iter().map(|yaku| 1 << yaku as u8).sum();
    assert_eq!(score.yaku.bits(), bits, "{context}");
    let han = score.yaku.iter().map(|yaku| score.han_of(yaku, win.rules)).sum::<u8>();
    assert_eq!(han, score.yaku_han, "{context}");
    if row.contains_key("limit") {
        assert_eq!(score.limit.name(), text(row, "limit"), "{context}");
    }
    assert_eq!(score.closed, !win.melds.are_open(), "{context}");
    let parts = score.fu_parts(win);
    assert_eq!(parts.iter().map(|part| part.fu).sum::<u8>(), score.fu, "{context}");
    if row.contains_key("parts") {
        let parts: Vec<String> = parts.iter().map(|part| format!("{} {}", part.reason, part.fu)).collect();
        assert_eq!(parts.join(", "), text(row, "parts"), "{context}");
    }
}

/// The value of a hand in the format of the rows: han and fu if `expected` has them, then the
/// payment.
fn value(score: Option<Score>, win: &Win<'_>, expected: &str) -> String {
    let Some(score) = score else { return "no win".to_owned() };
    let (winner, dealer) = (Seat::new(win.seat_wind as u8).expect("a seat"), Seat::FIRST);
    let priced = PricedWin {
        winner,
        from: win.rules.players.others(winner).next().filter(|_| !win.tsumo),
        score: &score,
        liable: &[],
        honba: 0,
    };
    let paid = settle::payments(&priced, dealer, win.rules);
    let shares: BTreeSet<i32> = paid.iter().map(|points| -points).filter(|points| *points > 0).collect();
    let shares: Vec<String> = shares.iter().map(i32::to_string).collect();
    let all = if win.tsumo && winner == dealer { " all" } else { "" };
    let han = if expected.contains("han") { format!("{} han ", score.han()) } else { String::new() };
    let fu = if expected.contains("fu") { format!("{} fu ", score.fu) } else { String::new() };
    format!("{han}{fu}{}{all}", shares.join("-"))
}

#[test]
fn every_local_yaku_has_a_row() {
    let rows = rows("values");
    let found: BTreeSet<&str> = rows.iter().flat_map(|row| text(row, "yaku").split_whitespace()).collect();
    let missing: Vec<Yaku> = YakuSet::LOCAL.iter().filter(|yaku| !found.contains(yaku.name())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn payments_match_the_rows() {
    check_all("payments");
}

fn check_payments(row: &Table, rules: &Rules, context: &str) {
    let found = match text(row, "kind") {
        "win" => win_payments(row, rules),
        "nagashi" => settle::nagashi_payments(seats(row, "nagashi"), Seat::FIRST, rules),
        "draw" => settle::noten_payments(seats(row, "tenpai"), rules),
        other => panic!("{context}: kind = {other}"),
    };
    assert_eq!(found.iter().copied().collect::<Vec<_>>(), ints(row, "paid"), "{context}");
}

fn win_payments(row: &Table, rules: &Rules) -> BySeat<i32> {
    let mut found = None;
    score(row, rules, |score, win| {
        let score = score.expect("the row wins");
        let winner = Seat::new(win.seat_wind as u8).expect("a seat");
        let from = row.get("from").map(|from| seat_named(from.as_str().expect("a seat")));
        let liable: Vec<Liability> = text(row, "liable")
            .split_terminator(", ")
            .map(|entry| {
                let (seat, name) = entry.split_once(' ').expect("`W daisangen`");
                let yaku = Yaku::all().find(|yaku| yaku.name() == name).expect("a yaku");
                Liability { seat: seat_named(seat), yaku: Some(yaku) }
            })
            .collect();
        let priced =
            PricedWin { winner, from, score: &score, liable: &liable, honba: int(row, "honba") as i32 };
        let mut paid = settle::payments(&priced, Seat::FIRST, rules);
        paid[winner] += rules.riichi_stick * int(row, "sticks") as i32;
        found = Some(paid);
    });
    found.expect("the row was scored")
}

fn seats(row: &Table, key: &str) -> jantaku_engine::SeatSet {
    text(row, key).split_whitespace().map(seat_named).collect()
}

fn ints(row: &Table, key: &str) -> Vec<i32> {
    let number = |value: &Value| value.as_integer().expect("a number") as i32;
    row[key].as_array().expect("a list").iter().map(number).collect()
}

#[test]
fn tenpai_matches_the_rows() {
    check_all("tenpai");
}

fn check_tenpai(row: &Table, rules: &Rules, context: &str) {
    let hand = cases::hand(row);
    assert_eq!(hand.is_tenpai(rules), flag(row, "tenpai"), "{context}, {hand}");
}

#[test]
fn final_results_match_the_rows() {
    check_all("results");
}

fn check_results(row: &Table, rules: &Rules, context: &str) {
    let scores = ints(row, "scores");
    let scores = BySeat::from_fn(rules.players, |seat| scores.get(seat.index()).copied().unwrap_or(0));
    let results = final_results(&scores, rules);
    let found: Vec<i32> = results.iter().map(|r| r.result).collect();
    assert_eq!(found, ints(row, "results"), "{context}");
    for (own, found) in results.iter().zip(places(&results, rules.tie_rule).iter()) {
        let better = results.iter().filter(|other| other.points > own.points).count() as u8;
        let worse = results.iter().filter(|other| other.points < own.points).count() as u8;
        let (first, last) = match rules.tie_rule {
            TieRule::Shared => (better + 1, rules.players.count() - worse),
            TieRule::SeatOrder => (own.placement, own.placement),
        };
        assert_eq!((found.first, found.last), (first, last), "{context}");
    }
}

#[test]
fn played_hands_match_the_rows() {
    let mut failed = 0;
    for (file, _) in PLAYED {
        for row in rows(file) {
            for (name, rules) in rule_sets(&row) {
                failed += u32::from(fails(file, &row, &rules, &name));
            }
        }
    }
    assert_eq!(failed, 0, "failed rows, reported above");
}

/// Whether a row fails under these rules. The engine's own checks do not name the row.
fn fails(file: &str, row: &Table, rules: &Rules, name: &str) -> bool {
    let failed = std::panic::catch_unwind(|| check(file, row, rules, name)).is_err();
    if failed {
        eprintln!("failed: {} under {name}", text(row, "id"));
    }
    failed
}

/// The presets of leagues and rooms whose pages each difference from their base comes from.
const FROM_PAGES: [&str; 9] =
    ["rmu-a", "rmu-b", "rmu-m", "saikouisen", "saikouisen-classic", "mu", "kyokai", "saikyosen", "ron2"];

/// Fields of which one alone would contradict the other or have no effect.
const TOGETHER: [[&str; 2]; 2] = [["kan_dora", "kan_dora_on"], ["ura", "kan_ura"]];

/// With the value of the base instead, a row that names the preset fails. Assumed fields need no row.
#[test]
fn rows_notice_each_difference_of_a_preset() {
    let files: Vec<(&str, Vec<Table>)> = files().map(|file| (file, rows(file))).collect();
    let mut unnoticed = Vec::new();
    for name in FROM_PAGES {
        let differences = stated_differences(Preset::named(name).expect("a preset"));
        for field in differences.keys() {
            let of_base = with_others(field, &differences);
            if !files.iter().any(|(file, rows)| notice(file, rows, name, &of_base)) {
                unnoticed.push(format!("{name}: {field}"));
            }
        }
    }
    assert!(unnoticed.is_empty(), "no row notices {unnoticed:#?}");
}

/// Whether a row that names the preset fails if these fields have other values.
fn notice(file: &str, rows: &[Table], preset: &str, fields: &Table) -> bool {
    let names = |row: &&Table| text(row, "rules").split_whitespace().any(|name| name == preset);
    rows.iter().filter(names).any(|row| {
        let mut set = row.get("set").map_or_else(Table::new, |set| set.as_table().expect("fields").clone());
        set.extend(fields.clone());
        let rules = Rules::from_toml(&format!("base = '{preset}'\n{set}"), "a row");
        rules.is_ok_and(|rules| fails(file, row, &rules, preset))
    })
}

/// The fields in which a preset differs from its base and which its source states, with the values of the
/// base.
fn stated_differences(preset: &Preset) -> Table {
    let base = Preset::named(preset.base().expect("a base")).expect("a preset").rules().to_table();
    let own = preset.rules().to_table();
    let assumed: BTreeSet<&str> =
        preset.toml.lines().filter(|line| line.contains("# assumed")).filter_map(field_of_line).collect();
    let differs = base.into_iter().filter(|(field, value)| own[field] != *value);
    differs.filter(|(field, _)| !assumed.contains(field.as_str())).collect()
}

/// A field of a table, and those that change with it.
fn with_others(field: &str, table: &Table) -> Table {
    let together = TOGETHER.iter().find(|fields| fields.contains(&field));
    let fields = together.map_or(vec![field], |fields| fields.to_vec());
    fields.into_iter().filter_map(|field| Some((field.to_owned(), table.get(field)?.clone()))).collect()
}

/// The field that a line of a rule file sets: `kan_dora` for `kan_dora.minkan = "Off"`.
fn field_of_line(line: &str) -> Option<&str> {
    line.split_once(" = ").map(|(field, _)| field.split('.').next().unwrap_or(field))
}

/// The table of `docs/cases.md` names the files with rows of each numbered case, and all numbers in
/// the rows are in the table.
#[test]
fn every_numbered_case_has_a_row() {
    let mut found: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for file in files() {
        let rows = rows(file);
        for number in rows.iter().filter_map(|row| case_number(text(row, "id"))) {
            let files = found.entry(number).or_default();
            if files.last() != Some(&file) {
                files.push(file);
            }
        }
    }
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/cases.md")).expect("a page");
    let mut listed: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", id, statement, source, files, ""] = cells[..] else { continue };
        let Some(number) = case_number(id) else { continue };
        assert!(!statement.is_empty() && !source.is_empty(), "{line}");
        let files = files.split(", ").map(|file| file.trim_matches('`')).collect();
        assert_eq!(listed.insert(number, files), None, "{id} has two lines");
    }
    assert_eq!(found, listed, "rows of engine/tests/cases, table of engine/docs/cases.md");
}

/// The number in `T12` or `T12 a`.
fn case_number(id: &str) -> Option<u32> {
    id.strip_prefix('T')?.split(' ').next()?.parse().ok()
}

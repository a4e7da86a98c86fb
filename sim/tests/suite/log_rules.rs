//! The rules that a log names, states in numbers, or leaves to its reader.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Cursor;
use std::path::Path;

use jantaku_engine::Rules;
use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::options::{Aka, Uma, Yame};
use jantaku_sim::logs::files::Games;
use jantaku_sim::logs::tenhou::{Date, rules};
use jantaku_sim::replay::convert::Format;
use serde_json::{Value, json};

/// The tenhou.net/6 log of a game under these rules, with this object of rules.
fn log(game_rules: &Rules, seed: u64, rule: Value) -> String {
    let game = crate::common::played(game_rules, seed);
    let mut log: Value = serde_json::from_str(&Format::Tenhou6.text(&game)).unwrap();
    log["rule"] = rule;
    log.to_string()
}

fn read(log: &str, assumed: Option<&Rules>) -> RecordedGame {
    let mut sources = Games::of(Path::new("log"), Cursor::new(log.to_owned().into_bytes())).unwrap();
    sources.next().unwrap().unwrap().read(assumed).unwrap()
}

fn differences(game: &RecordedGame) -> Vec<String> {
    game.replay(&mut ()).differences.iter().map(ToString::to_string).collect()
}

#[test]
fn numbers_of_red_fives_count_whatever_the_marks_say() {
    for [m, p, s] in [[1, 1, 1], [0, 0, 0], [0, 0, 2], [1, 2, 1]] {
        let game_rules = Rules { aka: Aka { m, p, s }, ..Rules::default() };
        for disp in ["般南喰赤", "般南喰", "特南喰", ""] {
            let rule = json!({"disp": disp, "aka51": m, "aka52": p, "aka53": s});
            for seed in 0..5 {
                let game = read(&log(&game_rules, seed, rule.clone()), None);
                assert_eq!(game.rules, game_rules, "{rule}");
                assert_eq!(differences(&game), [""; 0], "{rule}");
            }
        }
    }
}

#[test]
fn a_mark_of_red_fives_counts_without_numbers() {
    let without = Rules { aka: Aka { m: 0, p: 0, s: 0 }, ..Rules::default() };
    assert_eq!(read(&log(&without, 1, json!({"disp": "般南喰"})), None).rules, without);
    assert_eq!(read(&log(&Rules::default(), 1, json!({"disp": "般南喰赤"})), None).rules, Rules::default());
}

/// The name of a game states its type where the room has no marks.
#[test]
fn a_room_without_marks_has_the_type_in_the_name_of_the_game() {
    let east = Rules { wind_rounds: 1, kuitan: false, ..Rules::default() };
    for (game_type, game_rules) in [("0009", Rules::default()), ("0005", east)] {
        for disp in ["第3回大会", ""] {
            let mut log: Value =
                serde_json::from_str(&log(&game_rules, 4, json!({"disp": disp, "aka": 1}))).unwrap();
            log["ref"] = json!(format!("2022062622gm-{game_type}-12717-4ba5fb37"));
            let game = read(&log.to_string(), None);
            assert_eq!((differences(&game), game.notes.len(), game.rules), (vec![], 0, game_rules), "{disp}");
        }
    }
}

/// Settings of a lobby without a game type leave open the length and open tanyao.
#[test]
fn a_lobby_without_a_type_gets_the_rules_that_fit_with_a_note() {
    let mut found = Vec::new();
    for (seed, (wind_rounds, kuitan)) in (0..).zip([(2, true), (1, true), (2, false), (1, false)]) {
        let game_rules = Rules { kiriage: true, wind_rounds, kuitan, ..Rules::default() };
        for disp in ["", "第3回大会"] {
            let mut log: Value =
                serde_json::from_str(&log(&game_rules, seed, json!({"disp": disp}))).unwrap();
            log["csrule"] = json!(["2", ""]);
            let game = read(&log.to_string(), None);
            assert_eq!(differences(&game), [""; 0]);
            assert!(
                game.notes.concat().contains("is not a known name of rules in `rule.disp`"),
                "{:?}",
                game.notes
            );
            found.push(game.rules.wind_rounds);
            assert!(game.rules.kiriage);
        }
    }
    assert!(found.contains(&1) && found.contains(&2), "{found:?}");
}

#[test]
fn an_english_name_of_a_room_means_mahjong_soul() {
    for (name, wind_rounds) in [("Gold Room South", 2), ("Jade Room East", 1)] {
        let mjsoul = Rules { wind_rounds, ..Rules::preset("mjsoul").unwrap() };
        let rule = json!({"disp": name, "aka51": 1, "aka52": 1, "aka53": 1});
        for seed in 0..5 {
            let game = read(&log(&mjsoul, seed, rule.clone()), None);
            assert_eq!(game.rules.hash(), mjsoul.hash(), "{name}");
            assert_eq!(differences(&game), [""; 0], "{name}");
        }
    }
}

#[test]
fn given_rules_decide() {
    let richer = Rules { start_points: 30_000, ..Rules::default() };
    let named = log(&richer, 1, json!({"disp": "般南喰赤", "aka": 1}));
    assert!(differences(&read(&named, None))[0].contains("points at the start"));
    let game = read(&named, Some(&richer));
    assert_eq!(game.rules, richer);
    assert_eq!(differences(&game), [""; 0]);

    // Given rules apply even if they do not fit, and override the statements of the log: marks, a
    // room or all rules.
    let stated = Rules::default().to_toml();
    let ordinary = ["般南喰赤", "", "銀の間南喰赤"].map(|disp| json!({"disp": disp, "aka": 1}));
    for rule in ordinary.into_iter().chain([json!({"disp": "", "rules": stated})]) {
        let game = read(&log(&Rules::default(), 1, rule.clone()), Some(&richer));
        assert_eq!((game.rules, game.notes.len()), (richer, 0), "{rule}");
        assert!(differences(&game)[0].contains("points at the start"), "{rule}");
    }
}

/// Rules for another number of players are no rules of the game.
#[test]
fn given_rules_for_other_players_are_a_note_or_an_error() {
    let three = Rules::preset("tenhou-sanma").unwrap();
    for (disp, is_named) in [("般南喰赤", true), ("", false)] {
        let log = log(&Rules::default(), 1, json!({"disp": disp, "aka": 1}));
        let mut sources = Games::of(Path::new("log"), Cursor::new(log.into_bytes())).unwrap();
        let (what, players) = match sources.next().unwrap().unwrap().read(Some(&three)) {
            Ok(game) => (game.notes.concat(), game.rules.players.count()),
            Err(error) => (error.to_string(), 0),
        };
        assert!(what.contains("a game of 4 players, but the given rules are for 3"), "{what}");
        assert_eq!(players, if is_named { 4 } else { 0 });
    }
}

/// The named rules fit the start, but give other results at the end.
#[test]
fn given_rules_name_a_result() {
    let uma = Rules { uma: Uma::new(&[50, 10, -10, -50]), ..Rules::default() };
    let named = log(&uma, 1, json!({"disp": "般南喰赤", "aka": 1}));
    let found = differences(&read(&named, None));
    assert!(found.iter().any(|difference| difference.contains("result")), "{found:?}");
    let game = read(&named, Some(&uma));
    assert_eq!(game.rules, uma);
    assert_eq!(differences(&game), [""; 0]);
}

#[test]
fn rules_of_tenhou_change_on_a_day() {
    let tenpai_yame = |name: &str| {
        let played = Date::find(name);
        assert!(played.is_some(), "{name}");
        rules(0x01, played).unwrap().tenpai_yame
    };
    assert_eq!(tenpai_yame("2010060123gm-0001-0000-0123abcd.mjlog"), Yame::Off);
    assert_eq!(tenpai_yame("2010060800gm-0001-0000-0123abcd.mjlog"), Yame::Auto);
    assert_eq!(Date::find("scb20100608.log.gz"), Some(Date { year: 2010, month: 6, day: 8 }));
    assert_eq!(Date::find("20101308 20100632 2010061"), None);
}

//! The rules that a log names, states in numbers, or leaves to its reader.
#![expect(clippy::unwrap_used, reason = "a test")]

use jantaku_engine::Rules;
use jantaku_engine::rules::options::{Aka, Yame};
use jantaku_sim::logs::tenhou::{Date, rules};
use serde_json::{Value, json};

use crate::common::logs::{differences, read, tenhou6};

/// The tenhou.net/6 log of a game under these rules, with this object of rules.
fn log(game_rules: &Rules, seed: u64, rule: Value) -> Value {
    let mut log = tenhou6(&crate::common::played(game_rules, seed));
    log["rule"] = rule;
    log
}

#[test]
fn numbers_of_red_fives_count_whatever_the_marks_say() {
    for [m, p, s] in [[1, 1, 1], [0, 0, 0], [0, 0, 2], [1, 2, 1]] {
        let game_rules = Rules { aka: Aka { m, p, s }, ..Rules::default() };
        for disp in ["般南喰赤", "般南喰", "特南喰", ""] {
            let rule = json!({"disp": disp, "aka51": m, "aka52": p, "aka53": s});
            for seed in 0..5 {
                let game = read(&log(&game_rules, seed, rule.clone()));
                assert_eq!(game.rules, game_rules, "{rule}");
                assert_eq!(differences(&game), [""; 0], "{rule}");
            }
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
            let mut log = log(&game_rules, seed, json!({"disp": disp}));
            log["csrule"] = json!(["2", ""]);
            let game = read(&log);
            assert_eq!(differences(&game), [""; 0]);
            let notes = game.notes.concat();
            assert!(notes.contains("is not a known name of rules in `rule.disp`"), "{notes}");
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
            let game = read(&log(&mjsoul, seed, rule.clone()));
            assert_eq!(game.rules.hash(), mjsoul.hash(), "{name}");
            assert_eq!(differences(&game), [""; 0], "{name}");
        }
    }
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

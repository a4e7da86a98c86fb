//! Logs with parts that other programs write and that do no harm, and with hands that are none.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Cursor;
use std::path::Path;

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Players, Rules};
use jantaku_sim::logs::files::Games;
use jantaku_sim::replay::convert::Format;
use serde_json::{Value, json};

/// The only game of a log.
fn read(log: impl ToString) -> RecordedGame {
    let mut sources = Games::of(Path::new("log"), Cursor::new(log.to_string().into_bytes())).unwrap();
    let game = sources.next().unwrap().and_then(|source| source.read(None)).unwrap();
    assert!(sources.next().is_none());
    game
}

fn differences(game: &RecordedGame) -> Vec<String> {
    game.replay(&mut ()).differences.iter().map(ToString::to_string).collect()
}

/// A game of three hands or more.
fn game() -> RecordedGame {
    let game = crate::common::played(&Rules::default(), 2);
    assert!(game.hands.len() > 2);
    game
}

fn tenhou6(game: &RecordedGame) -> Value {
    serde_json::from_str(&Format::Tenhou6.text(game)).unwrap()
}

#[test]
fn null_in_tenhou6_counts_as_missing() {
    let game = game();
    for key in ["title", "ref", "name", "dan", "rate", "sx", "sc"] {
        let mut log = tenhou6(&game);
        log[key] = Value::Null;
        assert_eq!(differences(&read(&log)), [""; 0], "{key}");
    }
    let mut log = tenhou6(&game);
    log["name"] = json!(["A", null, "C", "D"]);
    assert_eq!(read(&log).names, ["A", "", "C", "D"]);
    log["rule"] = Value::Null;
    assert_eq!(differences(&read(&log)), [""; 0]);
    log["rule"] = json!({ "disp": "般南喰赤", "aka": null, "aka51": null, "rules": null });
    assert_eq!((differences(&read(&log)), read(&log).notes), (vec![], vec![]));
}

/// A yaku that is null is like one of an unknown name.
#[test]
fn a_yaku_that_is_null_is_a_note() {
    let mut log = tenhou6(&game());
    let won = |hand: &&mut Value| hand[16][0] == "和了";
    let hand = log["log"].as_array_mut().unwrap().iter_mut().find(won).unwrap();
    hand[16][2].as_array_mut().unwrap().push(Value::Null);
    let read = read(&log);
    assert_eq!(differences(&read), [""; 0]);
    assert!(
        read.notes.len() == 1 && read.notes[0].ends_with(": `null` is not a known yaku"),
        "{:?}",
        read.notes
    );
}

/// A value that has not the form of a hand costs this hand alone.
#[test]
fn a_value_that_is_no_hand_leaves_the_others() {
    let game = game();
    let hand = |log: &Value| log["log"][1].clone();
    let with = |log: &Value, at: usize, value: Value| {
        let mut hand = hand(log);
        hand[at] = value;
        hand
    };
    let log = tenhou6(&game);
    let short = Value::from(hand(&log).as_array().unwrap()[..9].to_vec());
    let no_hands = [
        (Value::Null, "invalid type: null, expected a hand with 17 entries"),
        (short, "invalid length 9, expected a hand with 17 entries"),
        (with(&log, 0, json!([0, 1])), "invalid length 2"),
        (with(&log, 16, json!("和了")), "invalid type: string \"和了\""),
        (with(&log, 16, json!(["和了", null, [0, 0, 0]])), "expected the name of a result or a list"),
    ];
    for (no_hand, why) in no_hands {
        let mut log = log.clone();
        log["log"][1] = no_hand;
        let read = read(&log);
        assert_eq!(read.hands.len(), game.hands.len() - 1);
        let found = differences(&read);
        assert!(found.len() == 1 && found[0].contains("hand 1: ") && found[0].contains(why), "{found:#?}");
    }
}

/// A paipu of majiang with one turn of a first hand, then these entries.
fn paipu(more: &[Value]) -> Value {
    let deal = json!({ "qipai": {
        "zhuangfeng": 0, "jushu": 0, "changbang": 0, "lizhibang": 0, "defen": [25000, 25000, 25000, 25000],
        "baopai": "z1", "shoupai": ["m123456789p1234", "s123456789p1234", "m123456789p1234", "s123456789p1234"],
    } });
    let turn = [json!({ "zimo": { "l": 0, "p": "z2" } }), json!({ "dapai": { "l": 0, "p": "z2_" } })];
    let first = Value::from([&[deal], &turn[..]].concat());
    let hands = [&[first], more].concat();
    json!({ "title": null, "player": ["A", null, "C", "D"], "qijia": null, "log": hands, "defen": null, "point": null })
}

#[test]
fn a_value_that_is_no_hand_of_majiang_is_a_gap() {
    for (no_hand, why) in [(Value::Null, "`hand` is null"), (json!([null]), "the event is missing")] {
        let read = read(paipu(&[no_hand]));
        assert_eq!((read.hands.len(), &*read.names[1]), (1, ""));
        let (hand, gap) = read.gap().unwrap();
        assert!(hand == 0 && gap.contains("hand 1: ") && gap.contains(why), "{gap}");
    }
}

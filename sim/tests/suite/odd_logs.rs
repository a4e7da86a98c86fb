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

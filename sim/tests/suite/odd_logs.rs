//! Logs with parts that other programs write and that do no harm, and with hands that are none.
#![expect(clippy::unwrap_used, reason = "a test")]

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Players, Rules};
use jantaku_sim::replay::convert::Format;
use serde_json::{Value, json};

use crate::common::logs::{differences, mjai, read, tenhou6, try_read};

#[test]
fn a_list_of_games_is_no_game() {
    let game = crate::common::played(&Rules::default(), 2);
    for (game, entry) in [(tenhou6(&game), "{\"log\":"), (json!(mjai(&game)), "[{\"aka_flag\":")] {
        let error = try_read(&json!([game, game]), None).unwrap_err().to_string();
        assert!(error.starts_with(&format!("log: the list of events: `entry 0` is {entry}")), "{error}");
        assert!(error.ends_with("write each of several games on its own line or in its own file"), "{error}");
    }
}

#[test]
fn a_missing_reach_accepted_is_filled_in() {
    let mut filled = 0;
    for seed in 0..20 {
        let game = crate::common::played(&Rules::default(), seed);
        let text = Format::Mjai.text(&game);
        let without: Vec<&str> = text.lines().filter(|line| !line.contains("\"reach_accepted\"")).collect();
        let read = read(&without.join("\n"));
        assert_eq!(differences(&read), [""; 0], "seed {seed}");
        let events =
            |game: &RecordedGame| game.hands.iter().map(|hand| hand.events.clone()).collect::<Vec<_>>();
        assert_eq!(events(&read), events(&game), "seed {seed}");
        let is_noted = without.len() < text.lines().count();
        let note = "`reach_accepted` is missing and was filled in".to_owned();
        assert_eq!(read.notes, if is_noted { vec![note] } else { vec![] });
        filled += usize::from(is_noted);
    }
    assert!(filled > 5, "{filled}");
}

#[test]
fn three_players_may_have_a_hidden_fourth_hand() {
    let game = crate::common::played(&Rules::preset("tenhou-sanma").unwrap(), 3);
    let mut events = mjai(&game);
    for event in &mut events {
        if event["type"] == "start_game" {
            event.as_object_mut().unwrap().remove("rules");
            event["names"].as_array_mut().unwrap().push("".into());
        }
        if event["type"] == "start_kyoku" {
            event["tehais"].as_array_mut().unwrap().push(json!(vec!["?"; 13]));
            event["scores"].as_array_mut().unwrap().push(0.into());
        }
    }
    let read = read(&json!(events));
    assert_eq!((read.rules.players, differences(&read)), (Players::Three, vec![]));
    assert_eq!(read.hands.len(), game.hands.len());
}

/// People cut single hands out of a game, for example for an analysis, and leave `sc` in.
#[test]
fn a_hand_cut_out_of_tenhou6_replays() {
    let mut log = tenhou6(&crate::common::played(&Rules::default(), 2));
    let third = log["log"][2].take();
    log["log"] = json!([third]);
    let read = read(&log);
    let note = "ignored `sc`: the log does not begin with the first hand of the game".to_owned();
    assert_eq!((differences(&read), read.notes), (vec![], vec![note]));
}

/// Tenhou stated the end of some games of 2010 twice in one tag.
#[test]
fn attributes_of_mjlog_may_be_repeated() {
    let text = crate::common::mjlog::write(&crate::common::played(&Rules::default(), 2));
    let owari = &text[text.rfind(" owari=").unwrap()..];
    let owari = &owari[..owari[8..].find('"').unwrap() + 9];
    assert_eq!(differences(&read(&text.replacen(owari, &format!("{owari}{owari}"), 1))), [""; 0]);
    let other = text.replacen(owari, &format!("{owari} owari=\"0\""), 1);
    assert!(differences(&read(&other))[0].contains("two values of attribute `owari`"));
}

/// More ura indicators than dora indicators, or some without a riichi, contradict the win.
#[test]
fn ura_indicators_have_their_number() {
    let mut wrong_numbers = 0;
    for seed in 0..8 {
        let mut game = crate::common::played(&Rules::default(), seed);
        for hand in game.hands.iter_mut().filter(|hand| !hand.ura_indicators.is_empty()) {
            hand.ura_indicators.push(hand.indicator.unwrap());
        }
        let wrong = game.hands.iter().filter(|hand| !hand.ura_indicators.is_empty()).count();
        let found = differences(&game);
        assert_eq!(found.len(), wrong, "{found:?}");
        // The wall may have no further copy of the tile.
        let is_right = |text: &String| {
            ["number of ura indicators", "tiles of one wall"].iter().any(|what| text.contains(what))
        };
        assert!(found.iter().all(is_right), "{found:?}");
        wrong_numbers += found.iter().filter(|text| text.contains("number of ura indicators")).count();
    }
    assert!(wrong_numbers > 5, "{wrong_numbers}");
}

/// A hand as akochan's own server writes it: fu are not rounded, the drawn tile of the win is left
/// out of the hand, the points stand for the payments, and the ura indicators have a name of their
/// own.
#[test]
fn a_hand_of_akochans_server_replays_with_its_ura_dora() {
    let log = include_str!("../data/mjai-akochan.mjson");
    let game = read(&log);
    assert_eq!((differences(&game), &game.notes), (vec![], &vec![]));
    assert_eq!(game.rules.wind_rounds, 1);
    let hand = &game.hands[0];
    let win = &hand.end.as_ref().unwrap().wins[0];
    assert_eq!(hand.ura_indicators.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0m"]);
    assert_eq!((win.han, win.fu), (Some(4), Some(40)));
    assert_eq!(win.deltas.unwrap().as_slice(), [-4000, -2000, -2000, 10_000]);
}

/// Keeps these keys of an event, and its type.
fn keep(event: &mut Value, keys: &[&str]) {
    event.as_object_mut().unwrap().retain(|key, _| key == "type" || keys.contains(&key.as_str()));
}

fn rename(event: &mut Value, from: &str, to: &str) {
    let value = event.as_object_mut().unwrap().remove(from);
    value.into_iter().for_each(|value| event[to] = value);
}

/// Gimite's server states neither the points at a deal nor red fives.
fn as_gimite(event: &mut Value) {
    event["logs"] = json!([null, null, "a comment", null]);
    match event["type"].as_str().unwrap() {
        "start_game" => keep(event, &["names"]),
        "start_kyoku" => drop(event.as_object_mut().unwrap().remove("scores")),
        "hora" => rename(event, "ura_markers", "uradora_markers"),
        _ => {}
    }
}

/// Mortal states the payments alone.
fn as_mortal(event: &mut Value) {
    match event["type"].as_str().unwrap() {
        "start_game" => {
            keep(event, &["names"]);
            event["seed"] = json!([1, 2]);
        }
        "reach_accepted" => keep(event, &["actor"]),
        "hora" => keep(event, &["actor", "target", "deltas", "ura_markers"]),
        "ryukyoku" => keep(event, &["deltas"]),
        "end_game" => keep(event, &[]),
        _ => {}
    }
}

/// Akochan states the points after the payments, han and unrounded fu.
fn as_akochan(event: &mut Value) {
    match event["type"].as_str().unwrap() {
        "start_game" => keep(event, &["names", "aka_flag", "kyoku_first"]),
        "start_kyoku" => event["haiyama"] = json!(["1m"]),
        "reach_accepted" => keep(event, &["actor"]),
        "hora" => {
            let keys = ["actor", "target", "pai", "hora_tehais", "fan", "fu", "ura_markers", "scores"];
            keep(event, &keys);
            rename(event, "ura_markers", "uradora_marker");
            if event["actor"] == event["target"] {
                let drawn = event["pai"].clone();
                let hand = event["hora_tehais"].as_array_mut().unwrap();
                hand.remove(hand.iter().position(|pai| *pai == drawn).unwrap());
            }
            let (han, fu) = (event["fan"].as_u64().unwrap(), event["fu"].as_u64().unwrap());
            event["fan"] = if han < 100 { han } else { 13 * han / 100 }.into();
            event["fu"] = if fu < 30 { fu } else { fu - 8 }.into();
        }
        "ryukyoku" => keep(event, &["actor", "reason", "tehais", "tenpais", "scores"]),
        _ => {}
    }
}

/// Akagi's events are Mortal's, with the number of players.
fn as_akagi(event: &mut Value) {
    let start = event.clone();
    as_mortal(event);
    if event["type"] == "start_game" {
        *event = start;
        keep(event, &["names", "aka_flag", "kyoku_first"]);
    }
    if event["type"] == "start_game" || event["type"] == "start_kyoku" {
        event["num_players"] = event["names"].as_array().map_or(4, Vec::len).into();
    }
}

/// Changes an event of Jantaku into that of another program.
type Dialect = fn(&mut Value);

/// Games of four players in the words of other programs.
#[test]
fn games_in_the_dialects_of_mjai_replay() {
    let dialects: [(&str, Dialect, &[&str]); 4] = [
        ("gimite", as_gimite, &["tenhou", "tenhou-tonpuu"]),
        ("mortal", as_mortal, &["tenhou", "tenhou-tonpuu"]),
        ("akochan", as_akochan, &["tenhou", "tenhou-tonpuu", "tenhou-noaka"]),
        ("akagi", as_akagi, &["tenhou", "tenhou-tonpuu", "tenhou-noaka"]),
    ];
    for (dialect, change, presets) in dialects {
        for (preset, seed) in presets.iter().flat_map(|preset| (0..6).map(move |seed| (preset, seed))) {
            let own = crate::common::played(&Rules::preset(preset).unwrap(), seed);
            let mut events = mjai(&own);
            events.iter_mut().for_each(change);
            let other = read(&json!(events));
            assert_eq!((differences(&other), &other.notes), (vec![], &vec![]), "{dialect} {preset} {seed}");
            let ura = |game: &RecordedGame| -> Vec<Vec<jantaku_engine::Tile>> {
                game.hands.iter().map(|hand| hand.ura_indicators.clone()).collect()
            };
            assert_eq!(ura(&other), ura(&own), "{dialect} {preset} {seed}");
        }
    }
}

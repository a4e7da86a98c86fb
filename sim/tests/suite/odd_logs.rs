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
fn read(log: &impl ToString) -> RecordedGame {
    let mut sources = Games::of(Path::new("log"), Cursor::new(log.to_string().into_bytes())).unwrap();
    let game = sources.next().unwrap().and_then(|source| source.read(None)).unwrap();
    assert!(sources.next().is_none());
    game
}

/// The error of the first game of a log.
fn error(log: &impl ToString) -> String {
    let mut sources = Games::of(Path::new("log"), Cursor::new(log.to_string().into_bytes())).unwrap();
    let source = sources.next().unwrap().unwrap();
    source.read(None).unwrap_err().in_game(&source.name).to_string()
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
        (
            with(&log, 16, json!(["和了", null, [0, 0, 0]])),
            "`log[1][16][1]` is null, expected the name of a result",
        ),
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

/// The error of a wrong value has its key, what was found and what was expected.
#[test]
fn errors_of_tenhou6_name_the_key() {
    let log = tenhou6(&game());
    for (key, value, expected) in [
        ("/rule", json!(5), "the rules: `rule`: invalid type: integer `5`, expected an object or a list"),
        ("/rule/disp", json!(5), "`rule.disp`: invalid type: integer `5`, expected a string"),
        ("/rule", json!({ "aka": 300 }), "`rule.aka`: invalid value: integer `300`, expected a number from"),
        ("/rule/rules", json!("chi = 1"), "rule.rules:1: `chi`: expected true | false, found 1"),
        ("/name", json!("A"), "`name`: invalid type: string \"A\", expected a list"),
        ("/name/1", json!(5), "`name[1]`: invalid type: integer `5`, expected a string"),
        ("/sc/2", json!("a"), "`sc[2]`: invalid type: string \"a\", expected a number"),
        ("/log", json!(5), "`log`: invalid type: integer `5`, expected a list"),
        ("/log/0", json!({}), "hand 0: `log[0]`: invalid type: an object, expected a hand with 17 entries"),
        ("/log/0/0/1", json!("E"), "hand 0: `log[0][0][1]`: invalid type: string \"E\", expected a number"),
        ("/log/0/1/3", json!(2.5), "`log[0][1][3]`: invalid type: floating point `2.5`, expected a whole"),
        ("/log/0/2/0", json!(99), "hand 0: the dora indicators: 99 is not a tile, expected 11"),
        ("/log/0/7/0", json!(99), "hand 0: the deal of player 1: 99 is not a tile, expected 11"),
        (
            "/log/0/5/0",
            json!([1]),
            "hand 0: `log[0][5][0]` is [1], expected the number of a tile or the text",
        ),
    ] {
        let mut log = log.clone();
        *log.pointer_mut(key).unwrap() = value;
        let found = error(&log);
        assert!(found.starts_with("log:1: ") && found.contains(expected), "{key}: {found}");
    }
}

/// A log may leave the names out, and may list four for three players.
#[test]
fn a_wrong_number_of_names_is_an_error() {
    let three = crate::common::played(&Rules::preset("tenhou-sanma").unwrap(), 2);
    for (game, right, wrong) in [(game(), [0, 4], [3, 5]), (three, [3, 4], [2, 5])] {
        let events: Vec<Value> =
            Format::Mjai.text(&game).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let with = |count: usize| {
            let (mut tenhou6, mut mjai) = (tenhou6(&game), events.clone());
            tenhou6["name"] = json!(["A", "B", "C", "D", "E"][..count]);
            mjai[0]["names"] = tenhou6["name"].clone();
            [tenhou6, Value::from(mjai)]
        };
        right.into_iter().flat_map(with).for_each(|log| assert_eq!(read(&log).names.len(), game.names.len()));
        for (count, [tenhou6, mjai]) in wrong.map(|count| (count, with(count))) {
            let what =
                format!("a list of {count} names, expected one for each of {} players", game.names.len());
            assert_eq!(error(&tenhou6), format!("log:1: the names: `name` is {what}"));
            assert_eq!(error(&mjai), format!("log: event 2: `names` is {what}"));
        }
    }
}

#[test]
fn a_list_of_games_is_no_game() {
    let game = game();
    let (tenhou6, mjai) = (tenhou6(&game), Format::Mjai.text(&game));
    let mjai: Vec<Value> = mjai.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected =
        "expected an event with `type`; write each of several games on its own line or in its own file";
    for (log, found) in [
        (json!([tenhou6, tenhou6]), "{\"log\":"),
        (json!([mjai, mjai]), "[{\"aka_flag\":"),
        (json!([1, 2]), "1, expected"),
    ] {
        let error = error(&log);
        assert!(error.starts_with(&format!("log: the list of events: `entry 0` is {found}")), "{error}");
        assert!(error.ends_with(expected), "{error}");
    }
    let record = json!({ "head": {}, "data": [{ "name": ".lq.RecordNewRound", "data": {} }] });
    let found =
        "log: the text: a list of 2 games, expected one; write each on its own line or in its own file";
    assert_eq!(error(&json!([record, record])), found);
}

/// The error of a format that is not read names those that are.
#[test]
fn a_paipu_of_majiang_is_not_read() {
    let game = r#"{"title":"x","player":["A","B","C","D"],"log":[[{"qipai":{"zhuangfeng":0}}]]}"#;
    for text in [game.to_owned(), format!("[{game}]"), game.replace(',', ",\n")] {
        let mut sources = Games::of(Path::new("log"), Cursor::new(text.clone().into_bytes())).unwrap();
        let error = sources.next().unwrap().unwrap().read(None).unwrap_err().to_string();
        assert!(
            error.contains("majiang") && error.contains("expected Tenhou's XML, tenhou.net/6"),
            "{error}"
        );
        assert!(sources.next().is_none(), "{text}");
    }
}

/// The text of a game with this line before its line number `at`.
fn with_line(text: &str, at: usize, line: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(at, line);
    lines.join("\n")
}

#[test]
fn unknown_events_of_mjai_are_notes() {
    let game = game();
    let text = Format::Mjai.text(&game);
    let cases = [
        (r#"{"type":"chat","message":"x"}"#, "ignored the unknown event `chat`"),
        (r#"{"message":"x"}"#, "ignored an event without `type`"),
    ];
    for (line, note) in cases {
        for at in [1, 5, text.lines().count() / 2] {
            let read = read(&with_line(&text, at, line));
            assert_eq!((differences(&read), &read.notes), (vec![], &vec![note.to_owned()]), "{line} at {at}");
            assert_eq!(read.hands.len(), game.hands.len());
        }
    }
    let read = read(&with_line(&text, 0, cases[0].0));
    assert_eq!((differences(&read), read.notes), (vec![], vec![cases[0].1.to_owned()]));
    let before = "Starting server...\n{not JSON\n5";
    let read = self::read(&with_line(&text, 0, before));
    let note = "ignored text before the first deal that is no event";
    assert_eq!((differences(&read), read.notes), (vec![], vec![note.to_owned()]));
    // After the deal, such a line may be an event that broke.
    let broken = self::read(&with_line(&text, 5, "{not JSON"));
    assert_eq!(broken.gap().unwrap().0, 0);
}

/// A text without any event is no log, however many lines it has.
#[test]
fn text_without_events_is_no_log() {
    let mut sources = Games::of(Path::new("log"), Cursor::new(b"a\nb\n{\"c\":1}\n".to_vec())).unwrap();
    let error = sources.next().unwrap().unwrap_err().to_string();
    assert!(error.starts_with("log: line 1: not a recorded game"), "{error}");
    assert!(sources.next().is_none());
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
    let four = |line: &str| -> String {
        let mut event: Value = serde_json::from_str(line).unwrap();
        if event["type"] == "start_game" {
            event.as_object_mut().unwrap().remove("rules");
            event["names"].as_array_mut().unwrap().push("".into());
        }
        if event["type"] == "start_kyoku" {
            event["tehais"].as_array_mut().unwrap().push(json!(vec!["?"; 13]));
            event["scores"].as_array_mut().unwrap().push(0.into());
        }
        event.to_string()
    };
    let text = Format::Mjai.text(&game).lines().map(four).collect::<Vec<_>>().join("\n");
    let read = self::read(&text);
    assert_eq!((read.rules.players, differences(&read)), (Players::Three, vec![]));
    assert_eq!(read.hands.len(), game.hands.len());
}

#[test]
fn unknown_tags_of_mjlog_are_notes() {
    let game = game();
    let text = crate::common::mjlog::write(&game);
    let second = text.match_indices("<INIT").nth(1).unwrap().0;
    let turn = second + text[second..].find("/>").unwrap() + 2;
    for at in [text.find("<GO").unwrap(), text.find("<INIT").unwrap(), turn] {
        let with = format!("{}<CHAT text=\"x\"/>{}", &text[..at], &text[at..]);
        let read = read(&with);
        let note = "ignored the unknown tag <CHAT>".to_owned();
        assert_eq!((differences(&read), read.notes), (vec![], vec![note]), "byte {at}");
    }
}

/// People cut single hands out of a game, for example for an analysis, and leave `sc` in.
#[test]
fn a_hand_cut_out_of_tenhou6_replays() {
    let mut log = tenhou6(&game());
    let third = log["log"][2].take();
    log["log"] = json!([third]);
    let read = read(&log);
    let note = "ignored `sc`: the log does not begin with the first hand of the game".to_owned();
    assert_eq!((differences(&read), read.notes), (vec![], vec![note]));
}

/// Tenhou stated the end of some games of 2010 twice in one tag.
#[test]
fn attributes_of_mjlog_may_be_repeated() {
    let game = game();
    let text = crate::common::mjlog::write(&game);
    let owari = &text[text.rfind(" owari=").unwrap()..];
    let owari = &owari[..owari[8..].find('"').unwrap() + 9];
    assert_eq!(differences(&read(&text.replacen(owari, &format!("{owari}{owari}"), 1))), [""; 0]);
    let other = text.replacen(owari, &format!("{owari} owari=\"0\""), 1);
    assert!(differences(&read(&other))[0].contains("two values of attribute `owari`"));
}

/// Optional keys of mjai may be null, and riichi sticks have two names.
#[test]
fn null_in_mjai_counts_as_missing() {
    let text = Format::Mjai.text(&game());
    let kyoutaku = text.replace("kyotaku", "kyoutaku");
    let first = text.replacen("\"kyotaku\":0", "\"kyotaku\":null", 1);
    assert!(kyoutaku != text && first != text);
    for changed in [kyoutaku, first] {
        let read = read(&changed);
        assert_eq!((differences(&read), read.notes), (vec![], Vec::<String>::new()));
    }
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
    // Each of these values is compared.
    for (from, to, what) in [
        (r#""fan":4"#, r#""fan":5"#, "han"),
        (r#""fu":32"#, r#""fu":42"#, "fu"),
        ("[21000,23000,22000,34000]", "[21000,23000,22000,33000]", "payments"),
    ] {
        let changed = differences(&read(&log.replace(from, to)));
        assert!(changed[0].contains(what), "{what}: {changed:?}");
    }
    let others = log.replace(r#""4p","6p"]"#, r#""4p","7p"]"#);
    assert!(differences(&read(&others))[0].contains("hora_tehais"));
}

/// Two names of the ura indicators may state the same. Lengths of a game that contradict each other are
/// a note.
#[test]
fn repeated_values_of_mjai_must_agree() {
    let log = include_str!("../data/mjai-akochan.mjson");
    let same = log.replace(r#""uradora_marker":"#, r#""ura_markers":["5mr"],"uradora_marker":"#);
    assert!(same != log);
    let game = read(&same);
    assert_eq!((differences(&game), game.notes), (vec![], vec![]));
    let other = read(&same.replace(r#""ura_markers":["5mr"]"#, r#""ura_markers":["1m"]"#));
    let gap = other.gap().unwrap().1;
    assert!(gap.contains("`uradora_markers` is 5mr, expected 1m as in `ura_markers`"), "{gap}");
    let game = crate::common::played(&Rules { wind_rounds: 1, ..Rules::default() }, 1);
    let mut events: Vec<Value> =
        Format::Mjai.text(&game).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = events[0].as_object_mut().unwrap();
    first.remove("rules");
    first.insert("gametype".to_owned(), json!("tonnan"));
    first.insert("kyoku_first".to_owned(), json!(4));
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    let note = "`gametype` and `kyoku_first` of `start_game` contradict each other";
    assert_eq!(read(&lines.join("\n")).notes, [note]);
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
            let text = Format::Mjai.text(&crate::common::played(&Rules::preset(preset).unwrap(), seed));
            let lines = text.lines().map(|line| {
                let mut event: Value = serde_json::from_str(line).unwrap();
                change(&mut event);
                event.to_string()
            });
            let (own, other) = (read(&text), read(&lines.collect::<Vec<_>>().join("\n")));
            assert_eq!((differences(&other), &other.notes), (vec![], &vec![]), "{dialect} {preset} {seed}");
            let ura = |game: &RecordedGame| -> Vec<Vec<jantaku_engine::Tile>> {
                game.hands.iter().map(|hand| hand.ura_indicators.clone()).collect()
            };
            assert_eq!(ura(&other), ura(&own), "{dialect} {preset} {seed}");
        }
    }
}

/// What a log states and no event of the format has is a note.
#[test]
fn unknown_keys_of_mjai_are_notes() {
    let text = Format::Mjai.text(&game());
    for (key, value, note) in [
        ("rule", json!({ "kuitan": false }), "ignored the unknown key `rule` of `start_game`"),
        ("gametype", json!("one_kyoku"), "ignored `gametype` of `start_game`: one_kyoku"),
        ("kyoku_first", json!(2), "ignored `kyoku_first` of `start_game`: 2"),
    ] {
        let (first, rest) = text.split_once('\n').unwrap();
        let mut start: Value = serde_json::from_str(first).unwrap();
        start[key] = value;
        let read = read(&format!("{start}\n{rest}"));
        assert_eq!((differences(&read), read.notes), (vec![], vec![note.to_owned()]));
    }
}

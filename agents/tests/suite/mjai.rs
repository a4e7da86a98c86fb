//! Errors and gaps of the mjai reader: each kind, with its location.

use jantaku_agents::mjai::read;

const START: &str = r#"{"type":"start_game","names":["a","b","c","d"]}"#;
const DEAL: &str = r#"{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["1m","2m","3m","4m","5mr","6m","7m","8m","9m","E","S","W","N"],["1p","2p","3p","4p","5pr","6p","7p","8p","9p","E","S","W","N"],["1s","2s","3s","4s","5sr","6s","7s","8s","9s","E","S","W","N"],["1m","1p","1s","9m","9p","9s","P","P","F","F","C","C","C"]]}"#;

/// The gap of a game with these lines after the deal.
fn gap(lines: &[&str]) -> String {
    let text = [&[START, DEAL], lines].concat().join("\n");
    let game = read(&text).expect("a game with a gap").game;
    game.gap().expect("a gap").1.to_owned()
}

const DRAW: &str = r#"{"type":"tsumo","actor":0,"pai":"P"}"#;
const KYUUSHU: &str = r#"{"type":"ryukyoku","reason":"kyushu_kyuhai","deltas":[0,0,0,0]}"#;
const END: &str = r#"{"type":"end_kyoku"}"#;
/// The deal of the second hand.
const AGAIN: &str = r#"{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","kyoku":1,"honba":1,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["1m","9m","1p","9p","5mr","6m","7m","8m","9m","E","S","W","N"],["1p","2p","3p","4p","5pr","6p","7p","8p","9p","E","S","W","N"],["1s","2s","3s","4s","5sr","6s","7s","8s","9s","E","S","W","N"],["1m","1p","1s","9m","9p","9s","P","P","F","F","C","C","C"]]}"#;

/// The rows of `tests/mjai_logs/gaps.toml`.
#[test]
fn gaps_name_the_event_and_what_is_wrong() {
    let file: toml::Table = include_str!("../mjai_logs/gaps.toml").parse().expect("TOML");
    for row in file["gap"].as_array().expect("gaps") {
        let texts = |key: &str| -> Vec<String> {
            let texts = row.get(key).map(|list| list.clone().try_into().expect("a list of texts"));
            texts.unwrap_or_default()
        };
        let (lines, deal) = (texts("lines"), texts("deal"));
        let again = deal.chunks(2).map(|change| DEAL.replace(&change[0], &change[1]));
        let lines: Vec<String> = lines.into_iter().chain(again).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(Some(&*gap(&lines)), row["said"].as_str());
    }
    let chi = r#"{"type":"chi","actor":1,"target":0,"pai":"P","consumed":["1p","2p"]}"#;
    assert!(gap(&[DRAW, chi]).starts_with("event 4: "), "{}", gap(&[DRAW, chi]));
}

#[test]
fn texts_without_a_game_are_errors() {
    let located = |text: &str| read(text).expect_err("no game").to_string();
    assert_eq!(located(START), "the end: no hand is dealt");
    assert!(located("[{").starts_with("the list of events: "), "{}", located("[{"));
    let start = r#"{"type":"start_game","rules":"players = 9"}"#;
    assert!(located(start).starts_with("event 1: rules:"), "{}", located(start));
    assert_eq!(located(r#"{"type":"dora","dora_marker":"1m"}"#), "event 1: no `start_kyoku` came before");
}

#[test]
fn messages_before_and_after_a_game_are_ignored() {
    let hello = r#"{"type":"hello","protocol":"mjsonp","protocol_version":3}"#;
    let [none, failure] = [r#"{"type":"none"}"#, r#"{"type":"error","message":"time-out"}"#];
    let start = r#"{"type":"start_game","names":null}"#;
    let named = r#"{"type":"start_game","names":["a",null,"c","d"]}"#;
    let end = [r#"{"type":"end_game"}"#; 2];
    for (start, names) in [(start, ["", "", "", ""]), (named, ["a", "", "c", "d"])] {
        let lines = [hello, none, failure, start, DEAL, DRAW, KYUUSHU, failure, none, END, end[0], end[1]];
        let game = read(&lines.join("\n")).expect("a game").game;
        assert_eq!(
            (game.gap(), game.is_whole, game.names.as_slice()),
            (None, true, &names.map(String::from)[..])
        );
    }
}

/// Each whole hand is kept, wherever the log breaks off: as lines, and as a list.
#[test]
fn cut_logs_keep_what_came_before() {
    let lines = [START, DEAL, DRAW, KYUUSHU, END, AGAIN, DRAW, KYUUSHU, END, r#"{"type":"end_game"}"#];
    for (text, begins) in [(lines.join("\n"), ""), (format!("[{}]", lines.join(",")), "[")] {
        let ends =
            |upto: usize| begins.len() + lines[..upto].iter().map(|line| line.len() + 1).sum::<usize>() - 1;
        for cut in ends(2)..text.len() {
            let game = read(&text[..cut]).unwrap_or_else(|error| panic!("{cut}: {error}")).game;
            let whole = if cut < ends(4) { 0 } else { 1 + usize::from(cut >= ends(8)) };
            let before = game.before_gap();
            let ended = before.hands.iter().filter(|hand| hand.end.is_some()).count();
            assert_eq!(ended, whole, "{cut}");
        }
    }
}

/// A broken hand leaves the hands after it.
#[test]
fn hands_after_a_gap_are_read() {
    let bad = r#"{"type":"tsumo","actor":7,"pai":"P"}"#;
    let lines = [START, DEAL, bad, KYUUSHU, END, AGAIN, DRAW, KYUUSHU, END, r#"{"type":"end_game"}"#];
    let game = read(&lines.join("\n")).expect("a game").game;
    assert_eq!(game.hands.iter().map(|hand| hand.end.is_some()).collect::<Vec<_>>(), [false, true]);
    assert_eq!(game.gap(), Some((0, "event 3: there is no player 7")));
    assert!(game.is_whole);
    let differences = game.replay(&mut ()).differences;
    let first = differences.first().expect("the gap").to_string();
    let expected =
        "hand 0 step 0: rest of the hand: expected a win or a draw, found event 3: there is no player 7";
    assert_eq!(first, expected);
    // The game does not end after the second hand, although the log says so.
    assert_eq!(differences.len(), 2, "{differences:#?}");

    let second = [START, DEAL, DRAW, KYUUSHU, END, START, AGAIN, DRAW, KYUUSHU, END];
    let game = read(&second.join("\n")).expect("a game").game;
    assert_eq!((game.hands.len(), game.gap()), (1, Some((0, "event 6: a second game starts"))));
}

//! Errors of the mjai reader: each kind, with its location.

use jantaku_agents::mjai::{ErrorKind, Location, read};

const START: &str = r#"{"type":"start_game","names":["a","b","c","d"]}"#;
const DEAL: &str = r#"{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["1m","2m","3m","4m","5mr","6m","7m","8m","9m","E","S","W","N"],["1p","2p","3p","4p","5pr","6p","7p","8p","9p","E","S","W","N"],["1s","2s","3s","4s","5sr","6s","7s","8s","9s","E","S","W","N"],["1m","1p","1s","9m","9p","9s","P","P","F","F","C","C","C"]]}"#;

/// The error of a game with these lines after the deal.
fn error(lines: &[&str]) -> (Location, ErrorKind) {
    let text = [&[START, DEAL], lines].concat().join("\n");
    let error = read(&text).expect_err("a broken game");
    (error.at, error.kind)
}

fn mismatch(key: &'static str, found: &str, expected: &str) -> ErrorKind {
    ErrorKind::Mismatch { key, found: found.to_owned(), expected: expected.to_owned() }
}

#[test]
fn errors_name_the_event_and_what_is_wrong() {
    let draw = r#"{"type":"tsumo","actor":0,"pai":"P"}"#;
    let cases: &[(&[&str], usize, ErrorKind)] = &[
        (&[r#"{"type":"tsumo","actor":0,"pai":"?"}"#], 3, ErrorKind::HiddenTile),
        (&[r#"{"type":"tsumo","actor":4,"pai":"P"}"#], 3, ErrorKind::NoPlayer(4)),
        (&[START], 3, ErrorKind::Order("a second game starts".to_owned())),
        (
            &[r#"{"type":"end_kyoku"}"#],
            3,
            ErrorKind::Order("the hand has no end, expected `hora` or `ryukyoku`".to_owned()),
        ),
        (&[&DEAL.replace(r#""oya":0"#, r#""oya":1"#)], 3, mismatch("oya", "1", "0")),
        (&[&DEAL.replace(r#""kyoku":1"#, r#""kyoku":0"#)], 3, mismatch("kyoku", "0", "a number from 1 to 4")),
        (
            &[&DEAL.replace(r#""W","N"],["1p""#, r#""W"],["1p""#)],
            3,
            mismatch("tehais", "12 tiles for seat 0", "13"),
        ),
        (
            &[draw, r#"{"type":"ryukyoku","reason":"boredom"}"#],
            4,
            mismatch(
                "reason",
                "`boredom`",
                "one of fanpai, exhaustive_draw, nagashimangan, kyushukyuhai, kyushu_kyuhai, sufonrenta, \
                 sufuurenta, suchareach, suucha_riichi, sukaikan, suukansansen, sanchaho",
            ),
        ),
        (
            &[draw, r#"{"type":"ryukyoku","deltas":[0,0,0]}"#],
            4,
            mismatch("deltas", "3 numbers", "one for each of 4 players"),
        ),
        (
            &[r#"{"type":"hora","actor":0,"target":0,"fan":150}"#],
            3,
            mismatch("fan", "150", "less than 100, or 100 for each yakuman"),
        ),
        (
            &[r#"{"type":"hora","actor":0,"target":0,"yakus":[["luck",1]]}"#],
            3,
            mismatch("yakus", "`luck`", "the name of a yaku"),
        ),
    ];
    for (lines, event, kind) in cases {
        assert_eq!(error(lines), (Location::Event(*event), kind.clone()), "{lines:?}");
    }
    assert!(matches!(error(&["{}"]), (Location::Event(3), ErrorKind::Json(_))));
    let chi = r#"{"type":"chi","actor":1,"target":0,"pai":"P","consumed":["1p","2p"]}"#;
    assert!(matches!(error(&[draw, chi]), (Location::Event(4), ErrorKind::NotAMeld(_))));
}

#[test]
fn texts_without_a_game_are_errors() {
    let located = |text: &str| read(text).expect_err("no game").to_string();
    assert_eq!(located(START), "the end: no hand is dealt");
    assert!(located("[{").starts_with("the list of events: "), "{}", located("[{"));
    let start = r#"{"type":"start_game","rules":"players = 9"}"#;
    assert!(matches!(read(start).expect_err("bad rules").kind, ErrorKind::Rules(_)));
    assert_eq!(located(r#"{"type":"dora","dora_marker":"1m"}"#), "event 1: no `start_kyoku` came before");
}

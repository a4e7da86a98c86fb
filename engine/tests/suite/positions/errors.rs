//! The message for each way in which a position can be wrong.

use jantaku_engine::Position;

const BASE: &str = r#"round = "E1"
indicators = "3m"
seat = "south"
[east]
river = "1z 9p*"
[south]
river = "9m"
hand = "23455m234p56788s+9s"
[west]
river = "4z"
[north]
river = "2z"
"#;

/// The message about the base position with some texts replaced.
fn message(changes: &[(&str, &str)]) -> String {
    let text = changes.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    match Position::from_toml(&text, "p.toml").and_then(|position| position.game(1)) {
        Ok(_) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

const HAND: &str = "hand = \"23455m234p56788s+9s\"";

/// Changes of the base position.
type Changes = &'static [(&'static str, &'static str)];

/// Changes, and how the message begins.
const CASES: &[(Changes, &str)] = &[
    (&[], "none"),
    (
        &[("E1", "E5")],
        "p.toml:1: `round`: found `E5`, expected a wind and a number from 1 to 4, such as \"S1\"",
    ),
    (
        &[("\"south\"", "\"dealer\"")],
        "p.toml:3: `seat`: found `dealer`, expected one of east, south, west, north",
    ),
    (
        &[("E1", "N1")],
        "p.toml:1: `round`: found `N1`, expected at most `W4`: by the rules, every game is over after it",
    ),
    (&[("E1", "W4")], "none"),
    (
        &[("round = \"E1\"", "rules = \"mleague\"\nround = \"W1\"")],
        "p.toml:2: `round`: found `W1`, expected at most `S4`: by the rules, every game is over after it",
    ),
    (&[("round = \"E1\"", "rules = \"mleague\"\nround = \"S4\"")], "none"),
    (
        &[("seat", "honba = -1\nseat")],
        "p.toml:3: invalid value: integer `-1`, expected a whole number from 0 to 65535",
    ),
    (
        &[("seat", "live = 300\nseat")],
        "p.toml:3: invalid value: integer `300`, expected a whole number from 0 to 255",
    ),
    (
        &[("river = \"9m\"", "score = \"22000\"")],
        "p.toml:7: invalid type: string \"22000\", expected a whole number from -2147483648 to 2147483647",
    ),
    (&[("\"south\"", "\"S\"")], "none"),
    (&[("\"south\"", "\"South\"")], "none"),
    (
        &[("round", "rules = \"tenhou-sanma\"\nround"), ("[north]\nriver = \"2z\"\n", ""), ("3m", "1m")],
        "p.toml:9: `south.hand`: found 5m in `south.hand`: there is no 5m in games of three players",
    ),
    (
        &[("round", "rules = \"tenhou-noaka\"\nround"), ("23455m", "23450m")],
        "p.toml:9: `south.hand`: found 0m in `south.hand`: the rules have no red five of this suit",
    ),
    (
        &[("seat", "sit")],
        "p.toml:3: unknown field `sit`, expected one of `rules`, `round`, `honba`, `sticks`, `indicators`, `dora`, `seat`, `live`, `turn`, `east`, `south`, `west`, `north`",
    ),
    (&[("seat = \"south\"\n", "")], "p.toml:1: missing field `seat`"),
    (&[("seat", "rules = \"tenhu\"\nseat")], "p.toml:3: `rules`: found `tenhu`, did you mean `tenhou`?"),
    (
        &[("3m", "")],
        "p.toml:2: `indicators`: found 0 dora indicators, expected 1 to 5; set `dora` or `indicators`",
    ),
    (&[("3m", "34m")], "p.toml:2: `indicators`: found 2 dora indicators, expected 1 after 0 kans"),
    (
        &[("3m", "3x")],
        "p.toml:2: `indicators`: `x` is neither a rank (0-9) nor a suit (m, p, s, z) at character 2\n  3x\n   ^",
    ),
    (
        &[("3m", "3333m")],
        "p.toml:8: `south.hand`: found 5 copies of 3m in `indicators`, `south.hand`, expected at most 4 by the rules",
    ),
    (&[("seat", "live = 50\nseat")], "p.toml:3: `live`: found 50, expected 64 after these discards"),
    (
        &[("4z", "4y")],
        "p.toml:10: `west.river`: entry 1 `4y`: expected one tile such as `5p`, then its marks",
    ),
    (&[("4z", "9z")], "p.toml:10: `west.river`: entry 1 `9z`: there is no tile `9z`"),
    (
        &[("4z", "4z!")],
        "p.toml:10: `west.river`: entry 1 `4z!`: found `!` after the tile, expected the marks * (tsumogiri), r (riichi) or ' (called)",
    ),
    (&[("9p*", "9p**")], "p.toml:5: `east.river`: entry 2 `9p**`: the mark `*` stands twice"),
    (
        &[("4z", "<4x>")],
        "p.toml:10: `west.river`: entry 1 `<4x>`: expected `<kita>` or the kind of a kan, such as `<7z>`",
    ),
    (
        &[("4z", "4z <1z>")],
        "p.toml:10: `west.river`: found 1 `<1z>`, expected 0: one for each ankan or kakan of 1z",
    ),
    (&[("4z", "<kita> 4z")], "p.toml:9: `west.kita`: found Norths set aside, expected none by the rules"),
    (
        &[("river = \"4z\"", "kita = 1")],
        "p.toml:10: `west.kita`: found Norths set aside, expected none by the rules: `north` is not \"Nukidora\", as it is in tenhou-sanma",
    ),
    (
        &[("river = \"4z\"", "melds = \"<4z>\"")],
        "p.toml:10: `west.melds`: meld 1: `<4z>`: a North set aside is no meld: expected `kita = 1` instead",
    ),
    (
        &[("river = \"9m\"", "kita = -1")],
        "p.toml:7: invalid value: integer `-1`, expected the number of Norths set aside, from 0 to 4",
    ),
    (
        &[("river = \"9m\"", "kita = \"4z\"")],
        "p.toml:7: invalid type: string \"4z\", expected the number of Norths set aside, from 0 to 4",
    ),
    (
        &[("2z", "2zr 3z")],
        "p.toml:12: `north.river`: entry 2 `3z`: found a discard from the hand after riichi, expected `3z*`",
    ),
    (&[("2z", "2zr 3zr*")], "p.toml:12: `north.river`: entry 2 `3zr*`: found a second riichi"),
    (
        &[("23455m", "2345m")],
        "p.toml:8: `south.hand`: found 12 tiles, with one more after `+`, expected 13 with 0 melds",
    ),
    (&[(HAND, "")], "p.toml:6: `south.hand`: found none, expected the tiles of the player who decides"),
    (&[("+9s", "")], "p.toml:3: `seat`: south cannot claim the last tile, so there is nothing to decide"),
    (&[("+9s", "+9s1z")], "p.toml:8: `south.hand`: found 2 tiles after `+`, expected one"),
    (
        &[("river = \"4z\"", "river = \"4z\"\nhand = \"1z\"")],
        "p.toml:11: `west.hand`: found 1 tile, expected 13 with 0 melds",
    ),
    (
        &[("river = \"4z\"", "hand = \"123456789m123p+1z\"")],
        "p.toml:10: `west.hand`: found `+1z`, expected a drawn tile only for `seat`",
    ),
    (
        &[(HAND, "melds = \"[1'23s\"\nhand = \"55m234p56788s+9s\"")],
        "p.toml:8: `south.melds`: meld 1: `[1'23s` does not end with `]`",
    ),
    (
        &[(HAND, "melds = \"123s\"\nhand = \"55m234p56788s+9s\"")],
        "p.toml:8: `south.melds`: meld 1: expected `[` or `<`, found `123s`",
    ),
    (
        &[(HAND, "melds = \"[123s]\"\nhand = \"55m234p56788s+9s\"")],
        "p.toml:8: `south.melds`: meld 1: `[123s]`: expected ' after the claimed tile (after two neighbours for a kakan)",
    ),
    (
        &[(HAND, "melds = \"[1'24s]\"\nhand = \"55m234p56788s+9s\"")],
        "p.toml:8: `south.melds`: meld 1: `[1'24s]`: 2s 4s 1s: expected a sequence for a chi",
    ),
    (
        &[(HAND, "melds = \"[12'3s]\"\nhand = \"55m234p56788s+9s\"")],
        "p.toml:8: `south.melds`: meld 1: `[12'3s]`: a chi claims from the left: expected its sideways tile (') first",
    ),
    (
        &[(HAND, "melds = \"<1'111s>\"\nhand = \"55m234p56788s+9s\"")],
        "p.toml:8: `south.melds`: meld 1: `<1'111s>`: an ankan has no sideways tile (')",
    ),
    (
        &[(HAND, "melds = \"[1'23s]\"\nhand = \"55m234p5678s+9s\"")],
        "p.toml:9: `south.hand`: found 9 tiles, with one more after `+`, expected 10 with 1 meld",
    ),
    (
        &[("4z", "4z'")],
        "p.toml:10: `west.river`: entry 1 `4z'`: found a claimed discard, expected a meld that claims 4z from west",
    ),
    (
        &[("9p*", "3m'"), ("river = \"2z\"", "melds = \"[3'45m]\"\nriver = \"2z\"")],
        "p.toml:5: `east.river`: entry 2 `3m'`: found a claimed discard, expected a meld that claims 3m from east; `[3'45m]` in `north.melds` claims it from west: a chi claims from the player to the left",
    ),
    (&[("9p*", "9p")], "none"),
    (
        &[(" 9p*", "")],
        "p.toml:8: `south.hand`: found a drawn tile, expected none: after the discard of north it is the turn of east",
    ),
    (&[("4z", "4z 5z")], "p.toml:10: `west.river`: entry 2 `5z`: found it after the turn of south has come"),
    (
        &[("\"south\"", "\"west\""), ("river = \"4z\"", "river = \"4z\"\nhand = \"123456789m1123p\"")],
        "p.toml:8: `south.hand`: found `+9s`, expected a drawn tile only for `seat`",
    ),
    (&[("9m", "9mr")], "p.toml:3: `seat`: south has only one legal action, so there is nothing to decide"),
    (
        &[("2z\"", "2zr\"\nscore = -500")],
        "p.toml:12: `north.river`: entry 1 `2zr`: north may not riichi discard 2z here: riichi needs a closed tenpai hand, 1000 points (found 500) and 4 live tiles (found 66)",
    ),
    (
        &[("9m", "9m' 5z")],
        "p.toml:7: `south.river`: entry 1 `9m'`: found a claimed discard, expected a meld that claims 9m from south",
    ),
    (
        &[("1z 9p*", "4z"), ("9m", "4z"), ("2z", "4z"), ("+9s", "")],
        "p.toml:3: `seat`: the hand has ended with a draw (four-winds), so there is nothing to decide",
    ),
    (
        &[("1z 9p*", "1z 9p*' 1s"), (HAND, "melds = \"[9'78p]\"\nhand = \"55m234p5678s\"")],
        "p.toml:9: `south.hand`: found 9 tiles, expected 10 with 1 meld",
    ),
    (
        &[
            ("1z 9p*", "1z 9p*'"),
            ("9m", "9m 1s*"),
            (HAND, "melds = \"[9'78p]\"\nhand = \"55m234p56788s+1s\""),
        ],
        "p.toml:7: `south.river`: entry 2 `1s*`: found tsumogiri, expected a discard from the hand right after a call",
    ),
];

#[test]
fn messages_say_where_and_what() {
    for (changes, expected) in CASES {
        let message = message(changes);
        assert!(message.starts_with(expected), "{changes:?}: {message}");
    }
}

/// Norths set aside, in a game of three players.
#[test]
fn norths_set_aside_are_checked() {
    let message = |south: &str, hand: &str| {
        let text = format!(
            "rules = \"tenhou-sanma\"\nindicators = \"3p\"\nseat = \"south\"\n[east]\nriver = \"1m 9m\"\n[south]\n\
            {south}\nhand = \"11123456789p11s+{hand}\"\n[west]\nriver = \"5z\"\n"
        );
        match Position::from_toml(&text, "p.toml").and_then(|position| position.game(1)) {
            Ok(_) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    for (south, hand, expected) in [
        ("river = \"<kita> 2z\"\nkita = 1", "3z", "none"),
        ("river = \"2z\"\nkita = 1", "3z", "none"),
        (
            "river = \"<kita> 2z\"",
            "3z",
            "p.toml:6: `south.kita`: found 0, but the river has 1 `<kita>`: expected `kita = 1`",
        ),
        (
            "river = \"2z\"\nkita = 5",
            "3z",
            "p.toml:8: invalid value: integer `5`, expected the number of Norths set aside, from 0 to 4",
        ),
        (
            "river = \"2z\"\nkita = 4",
            "4z",
            "p.toml:8: `south.kita`: found 5 copies of 4z in `south.hand`, `south.kita`, expected at most 4 by the \
             rules",
        ),
        (
            "melds = \"<kita>\"\nriver = \"2z\"",
            "3z",
            "p.toml:7: `south.melds`: meld 1: `<kita>`: a North set aside is no meld: expected `kita = 1` instead",
        ),
    ] {
        assert_eq!(message(south, hand), expected, "{south}");
    }
}

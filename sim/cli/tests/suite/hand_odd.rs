//! Odd questions and their error messages.

use serde_json::{Value, json};

use crate::common::program::{jantaku, text};
use crate::hand::answers;
use crate::hand_game::ask;

/// Lines of JSON, and the beginnings of their errors.
#[rustfmt::skip]
const LINES: &[(&str, &str)] = &[
    ("", r#"the line is empty, expected an object such as {"hand": "123m456p789s1122z"}"#),
    ("[]", r#"found [], expected an object such as {"hand": "123m456p789s1122z"}"#),
    (r#""123m456p789s1122z""#, r#"found "123m456p789s1122z", expected an object such as {"hand": "123m456p789s1122z"}"#),
    ("3", r#"found 3, expected an object such as {"hand": "123m456p789s1122z"}"#),
    ("null", r#"found null, expected an object such as {"hand": "123m456p789s1122z"}"#),
    ("{}", r#"`hand`: missing, expected tiles as in {"hand": "123m456p789s1122z"}"#),
    (r#"{"hand": "1m""#, "the JSON is not complete: the line ends after character 13"),
    (r#"{"hand": "1m",}"#, "not JSON: `}` at character 15 is not expected there"),
    ("{'hand': '1m'}", "not JSON: `'` at character 2 is not expected there"),
    (r#"{"hand": "1m"} {"hand": "2m"}"#, "not JSON: `{` at character 16 is not expected there"),
    (r#"{"hand": null}"#, r#"`hand`: missing, expected tiles as in {"hand": "123m456p789s1122z"}"#),
    (r#"{"hand": 1}"#, r#"`hand`: found 1, expected tiles such as "123m456p789s1122z""#),
    (r#"{"hand": ["1m", "2m"]}"#, r#"`hand`: found ["1m", "2m"], expected tiles such as "123m456p789s1122z""#),
    (r#"{"hand": ""}"#, "`hand`: 0 tiles, counting three per meld: expected 13 or 14, or three fewer for each missing meld"),
    (r#"{"hand": "1m", "hand": "2m"}"#, "`hand`: given twice"),
    (r#"{"Hand": "1m"}"#, "unknown key `Hand`, expected one of `id`, `hand`, "),
    (r#"{"hand": "1m", "a key that is much longer than any key of a question can be": 1}"#, "unknown key `a key that is much longer than any key o…`, expected one of `id`, `hand`, "),
    (r#"{"hand": "1Q"}"#, "`hand`: `Q` is neither a rank (0-9) nor a suit (m, p, s, z) at character 2"),
    (r#"{"hand": "QEE123m"}"#, "`hand`: `Q` is neither a rank (0-9) nor a suit (m, p, s, z) at character 1"),
    (r#"{"hand": "8z"}"#, "`hand`: there is no `8z` at character 1"),
    (r#"{"hand": "0z"}"#, "`hand`: there is no `0z` at character 1"),
    (r#"{"hand": "123"}"#, "`hand`: rank 1 without a suit (m, p, s or z) after it at character 1"),
    (r#"{"hand": "m"}"#, "`hand`: suit `m` without a rank before it at character 1"),
    (r#"{"hand": "11111m"}"#, "`hand`: a fifth 1m at character 5"),
    (r#"{"hand": "123456789m123456p"}"#, "`hand`: 15 tiles, counting three per meld: a hand has at most 14 at character 18"),
    (r#"{"hand": "123m"}"#, "`hand`: 3 tiles, counting three per meld: expected 13 or 14, or three fewer for each missing meld"),
    (r#"{"hand": "123456789m123p+4p"}"#, "`hand`: 12 tiles beside `+4p`, counting three per meld: expected 13, or three fewer for each missing meld; the tile after `+` is the one that wins or has just been drawn"),
    (r#"{"hand": "123456789m123p", "win": "4p"}"#, "`hand`: 12 tiles beside `4p`, counting three per meld: expected 13, or three fewer for each missing meld"),
    (r#"{"hand": "123456789m12p+3p"}"#, "`hand`: 11 tiles beside `+3p`, counting three per meld: expected 13, or three fewer for each missing meld; the tile after `+` is the one that wins or has just been drawn"),
    (r#"{"hand": "123m456p789s1122z++1z"}"#, "`hand`: a second `+` at character 19"),
    (r#"{"hand": "123m456p789s1122z+1z+2z"}"#, "`hand`: a second `+` at character 21"),
    (r#"{"hand": "123m456p789s1122z+"}"#, "`hand`: expected one tile after `+` at character 19"),
    (r#"{"hand": "1m[124m]"}"#, "`hand`: not a meld: expected a sequence, or three or four equal tiles at character 4"),
    (r#"{"hand": "1m[12m]"}"#, "`hand`: not a meld: expected a sequence, or three or four equal tiles at character 4"),
    (r#"{"hand": "1m<123m>"}"#, "`hand`: not a meld: expected four equal tiles at character 4"),
    (r#"{"hand": "1m[123m>"}"#, "`hand`: the meld does not end with `]` at character 8"),
    (r#"{"hand": "1m[123m"}"#, "`hand`: the meld does not end with `]` at character 8"),
    (r#"{"hand": "1m123p]"}"#, "`hand`: `]` closes no meld at character 7"),
    (r#"{"hand": "1m", "melds": "123m"}"#, "`melds`: found `123m`, expected melds in brackets, such as [123m] or <7777z>"),
    (r#"{"hand": "1m", "melds": ["[123m]", 3]}"#, r#"`melds`: found ["[123m]", 3], expected melds such as ["[123m]", "<7777z>"]"#),
    (r#"{"hand": "1m", "melds": {"chi": "123m"}}"#, r#"`melds`: found {"chi": "123m"}, expected melds such as ["[123m]", "<7777z>"]"#),
    (r#"{"hand": "1m", "melds": "[123m]+4m"}"#, "`melds`: found `[123m]+4m`, expected melds in brackets, such as [123m] or <7777z>"),
    (r#"{"hand": "1111m", "melds": "[111m]"}"#, "`hand`: a fifth 1m at character 7"),
    (r#"{"hand": "123m456p789s1122z", "win": "4"}"#, "`win`: `4` is not a tile: expected a rank and a suit, such as 5m, 0p (red five) or 7z"),
    (r#"{"hand": "123m456p789s1122z", "win": "11z"}"#, "`win`: `11z` is not a tile: expected a rank and a suit, such as 5m, 0p (red five) or 7z"),
    (r#"{"hand": "123m456p789s1122z", "win": 4}"#, r#"`win`: found 4, expected a tile such as "4m""#),
    (r#"{"hand": "123m456p789s1122z", "win": "+1z"}"#, "`win`: `+1z` is not a tile: expected a rank and a suit, such as 5m, 0p (red five) or 7z"),
    (r#"{"hand": "123m456p789s11122z", "win": "3z"}"#, "`win`: 3z is not one of the 14 concealed tiles of the hand"),
    (r#"{"hand": "123m456p789s1122z+1z", "win": "1z"}"#, "`win`: `hand` already has a last tile after `+`"),
    (r#"{"hand": "1111m234p567p34s", "win": "1m"}"#, "`win`: a fifth 1m at character 18"),
    (r#"{"hand": "123m456p789s1122z", "by": "Tsumo"}"#, r#"`by`: found "Tsumo", expected "ron" or "tsumo""#),
    (r#"{"hand": "123m456p789s1122z", "by": true}"#, r#"`by`: found true, expected "ron" or "tsumo""#),
    (r#"{"hand": "1m", "from": "S"}"#, "`from`: this is the winner's own seat"),
    (r#"{"hand": "1m", "from": "W", "by": "tsumo"}"#, "`from`: needs a ron"),
    (r#"{"hand": "1m", "from": "behind"}"#, r#"`from`: found "behind", expected a seat such as "W" or "left""#),
    (r#"{"hand": "1p", "from": "across", "rules": "tenhou-sanma"}"#, "`from`: no such seat under these rules"),
    (r#"{"hand": "1p", "from": "N", "rules": "tenhou-sanma"}"#, "`from`: no such seat under these rules"),
    (r#"{"hand": "1m", "seat": 1}"#, r#"`seat`: found 1, expected "E", "S", "W" or "N""#),
    (r#"{"hand": "1m", "seat": "X"}"#, r#"`seat`: found "X", expected "E", "S", "W" or "N""#),
    (r#"{"hand": "1p", "seat": "north", "rules": "tenhou-sanma"}"#, "`seat`: no such seat under these rules"),
    (r#"{"hand": "1m", "round": "East 1"}"#, r#"`round`: found "East 1", expected "E", "S", "W" or "N""#),
    (r#"{"hand": "1m", "riichi": 1}"#, r#"`riichi`: found 1, expected true, false, "single" or "double""#),
    (r#"{"hand": "1m", "riichi": "open"}"#, r#"`riichi`: found "open", expected true, false, "single" or "double""#),
    (r#"{"hand": "23m99s678s[123p][345s]+4m", "riichi": true}"#, "`riichi`: the hand is open: riichi needs a closed hand"),
    (r#"{"hand": "23m456m345p678s99s+4m", "open_riichi": true, "riichi": true}"#, "`open_riichi`: these rules have none"),
    (r#"{"hand": "23m456m345p678s99s+4m", "ippatsu": true}"#, "`ippatsu`: needs riichi"),
    (r#"{"hand": "23m456m345p678s99s+4m", "ippatsu": "true"}"#, r#"`ippatsu`: found "true", expected true or false"#),
    (r#"{"hand": "1m", "dora": 3}"#, r#"`dora`: found 3, expected indicators such as "7s4z""#),
    (r#"{"hand": "1m", "dora": ["1m", 2]}"#, r#"`dora`: found ["1m", 2], expected indicators such as "7s4z""#),
    (r#"{"hand": "1m", "dora": "1"}"#, "`dora`: rank 1 without a suit (m, p, s or z) after it at character 1"),
    (r#"{"hand": "1m", "dora": "[123m]"}"#, "`dora`: `[` where tiles were expected at character 1"),
    (r#"{"hand": "1m", "dora": "22222m"}"#, "`dora`: a fifth 2m at character 5"),
    (r#"{"hand": "1m", "dora": "123456p"}"#, "`dora`: 6 indicators, expected at most 5: one, and one for each kan"),
    (r#"{"hand": "1p", "dora": "2m", "rules": "tenhou-sanma"}"#, "`dora`: these rules play without 2m"),
    (r#"{"hand": "1111m", "dora": "1m"}"#, "`dora`: 1 1m as indicators and 4 in the hand, but a set has four"),
    (r#"{"hand": "1m", "dora": "1m", "ura": "1p"}"#, "`ura`: needs riichi"),
    (r#"{"hand": "1m", "dora": "1m", "ura": "12p", "riichi": true}"#, "`ura`: 2 indicators, expected at most 1: one under each dora indicator"),
    (r#"{"hand": "1m", "ura": "1p", "riichi": true, "rules": "jpml-a"}"#, "`ura`: these rules have no ura dora"),
    (r#"{"hand": "1m", "dora": "12p", "rules": "jpml-a"}"#, "`dora`: 2 indicators, expected one: these rules have no kan dora"),
    (r#"{"hand": "1m", "dora": "0p", "rules": "tenhou-noaka"}"#, "`dora`: found 0p, but these rules have no red five of this suit"),
    (r#"{"hand": "1100p"}"#, "`hand`: found 0p 2 times, but these rules have 1"),
    (r#"{"hand": "23m456m345p678s99s+4m", "rinshan": true}"#, "`rinshan`: needs a tsumo"),
    (r#"{"hand": "23m456m345p678s99s+4m", "rinshan": true, "by": "tsumo"}"#, "`rinshan`: the hand has no kan"),
    (r#"{"hand": "1p<1111z>[999p][111s][789s]+1p", "rinshan": true, "by": "tsumo", "haitei": true}"#, "`haitei`: a replacement tile is not the last tile"),
    (r#"{"hand": "1p<1111z>[999p][111s][789s]+1p", "kita_replacement": true, "by": "tsumo"}"#, "`kita_replacement`: needs a North set aside: give `kita`"),
    (r#"{"hand": "23p456p345s678s99s1p", "win": "1p", "rinshan": true, "by": "tsumo", "kita": 1, "rules": "tenhou-sanma"}"#, "`rinshan`: the hand has no kan; give `kita_replacement` for the replacement tile of a kita"),
    (r#"{"hand": "23p456p345p678s99s+1p", "kita_replacement": true, "by": "tsumo", "rules": "tenhou-sanma"}"#, "`kita_replacement`: needs a North set aside: give `kita`"),
    (r#"{"hand": "23m456m345p678s99s+4m", "chankan": true, "by": "tsumo"}"#, "`chankan`: needs a ron"),
    (r#"{"hand": "23m456m345p678s99s+4m", "chankan": true}"#, "`chankan`: no other player can declare a kan of 4m: the hand has 2"),
    (r#"{"hand": "23m567m345p678s99s+4m", "chankan": true, "haitei": true}"#, "`haitei`: no kan is possible with the last tile"),
    (r#"{"hand": "23m456m345p678s99s+4m", "riichi": "double", "ippatsu": true, "haitei": true}"#, "`haitei`: ippatsu of a double riichi ends long before the last tile"),
    (r#"{"hand": "23m456m345p678s99s+4m", "first_turn": true, "seat": "E"}"#, "`first_turn`: the dealer discards first and cannot win by ron before that"),
    (r#"{"hand": "23m456m345p678s99s+4m", "first_turn": true, "riichi": "double"}"#, "`first_turn`: riichi needs a discard before the win"),
    (r#"{"hand": "23m99s678s[123p][345s]+4m", "first_turn": true}"#, "`first_turn`: needs a hand without melds"),
    (r#"{"hand": "23m456m345p678s99s+4m", "riichi_tile": true, "by": "tsumo"}"#, "`riichi_tile`: needs a ron"),
    (r#"{"hand": "23m456m345p678s99s+4m", "after_kan": true, "ippatsu": true, "riichi": true}"#, "`ippatsu`: the kan or kita before the last tile ends ippatsu"),
    (r#"{"hand": "23m456m345p678s99s+4m", "discarder_riichi": true, "by": "tsumo"}"#, "`discarder_riichi`: needs a ron"),
    (r#"{"hand": "1m", "dealer_wins": 256}"#, "`dealer_wins`: found 256, expected a whole number from 0 to 255"),
    (r#"{"hand": "1m", "kita": 5}"#, "`kita`: found 5, expected a whole number from 0 to 4"),
    (r#"{"hand": "1m", "kita": 1}"#, "`kita`: these rules have no kita"),
    (r#"{"hand": "2344z", "kita": 3, "rules": "tenhou-sanma"}"#, "`kita`: 3 set aside and 2 in the hand, but a set has four"),
    (r#"{"hand": "2344z", "kita": 1, "dora": "44z", "rules": "tenhou-sanma"}"#, "`dora`: 2 4z as indicators and 3 in the hand, but a set has four"),
    (r#"{"hand": "1m", "honba": -1}"#, "`honba`: found -1, expected a whole number from 0 to 65535"),
    (r#"{"hand": "1m", "honba": 1.5}"#, "`honba`: found 1.5, expected a whole number from 0 to 65535"),
    (r#"{"hand": "1m", "honba": "1"}"#, r#"`honba`: found "1", expected a whole number from 0 to 65535"#),
    (r#"{"hand": "1m", "riichi_sticks": 65536}"#, "`riichi_sticks`: found 65536, expected a whole number from 0 to 65535"),
    (r#"{"hand": "1m", "sticks": 1}"#, "unknown key `sticks`, expected one of `id`, `hand`, "),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "pao": "W"}"#, r#"`pao`: found "W", expected an object such as {"daisangen": "W"}"#),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "pao": {"daisangen": 3}}"#, r#"`pao`: found 3, expected a seat such as "W" or "left""#),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "pao": {"daisangen": "Q"}}"#, "`pao`: found `Q`, expected E, S, W, N, right, across or left"),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "pao": {"haku": "W"}}"#, "`pao`: found `haku`, expected daisangen, daisuushii, suukantsu or daiminkan"),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "pao": {"daisangen": "S"}}"#, "`pao`: this is the winner's own seat"),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "pao": {"daisangen": "W"}}"#, "`from`: missing: name the discarder, who shares with a liable player"),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "from": "N", "pao": {"daisuushii": "W"}}"#, "`pao`: the melds of the hand show no daisuushii"),
    (r#"{"hand": "9m[111z][222z][333z]<4444z>+9m", "from": "N", "pao": {"daisuushii": "W"}}"#, "`pao`: the melds show daisuushii only with an ankan, which these rules do not count (pao_counts_ankan)"),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "from": "N", "pao": {"suukantsu": "W"}}"#, "`pao`: these rules have no liability for suukantsu"),
    (r#"{"hand": "34m99s[555z][666z][777z]+2m", "from": "N", "pao": {"daisangen": "W", "daisangen": "N"}}"#, "`pao`: daisangen is given twice"),
    (r#"{"hand": "34m99s[5555z][666z][777z]+2m", "by": "tsumo", "pao": {"daiminkan": "W"}}"#, "`pao`: these rules have no liability for daiminkan"),
    (r#"{"hand": "34m99s[5555z][666z][777z]+2m", "by": "tsumo", "pao": {"daiminkan": "W"}, "rules": "riichi-city"}"#, "`pao`: liability for daiminkan needs rinshan"),
    (r#"{"hand": "1m", "rules": "tenhuo"}"#, "`rules`: unknown rules `tenhuo`: no file, and no preset, did you mean `tenhou`? Expected one of tenhou, "),
    (r#"{"hand": "1m", "rules": 3}"#, r#"`rules`: found 3, expected a preset or file such as "mjsoul""#),
    (r#"{"hand": "23p456p345s99s[789s]+1p", "rules": "tenhou-sanma"}"#, "`hand`: found [789s], but these rules have no chi"),
    (r#"{"hand": "23m456m345p678s99s+4m", "rules": "tenhou-sanma"}"#, "`hand`: these rules play without 2m"),
];

/// Every odd question has an error with the key, the value found and the value expected.
#[test]
fn odd_questions_have_clear_errors() {
    let lines: Vec<&str> = LINES.iter().map(|(line, _)| *line).collect();
    let answers = answers((lines.join("\n") + "\n").as_bytes());
    assert_eq!(answers.len(), lines.len());
    for ((line, error), answer) in LINES.iter().zip(answers) {
        let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
        let found = answer["error"].as_str().unwrap_or_else(|| panic!("{line}: {answer}"));
        assert!(found.starts_with(error), "{line}: {found}");
        // Only a notation error continues, with the text and a mark under the wrong character.
        assert!(
            found.len() == error.len() || error.ends_with(", ") || found.contains('^'),
            "{line}: {found}"
        );
        let empty = [&answer["shanten"], &answer["score"], &answer["no_score"]];
        assert!(empty.iter().all(|value| value.is_null()), "{line}: {answer}");
    }
}

/// The program names the flag instead of the key.
#[test]
fn odd_flags_have_clear_errors() {
    let cases: &[(&[&str], &str)] = &[
        (&[""], "error: `hand`: 0 tiles, counting three per meld: expected 13 or 14"),
        (
            &["12x"],
            "error: `hand`: `x` is neither a rank (0-9) nor a suit (m, p, s, z) at character 3\n  12x\n    ^\n",
        ),
        (
            &["+1m"],
            "error: `hand`: 0 tiles beside `+1m`, counting three per meld: expected 13, or three fewer for each missing meld; the tile after `+` is the one that wins or has just been drawn\n",
        ),
        (
            &["1m", "--seat", "X"],
            "error: invalid value 'X' for '--seat <WIND>': found `X`, expected E, S, W or N\n",
        ),
        (
            &["1m", "--riichi=triple"],
            "error: invalid value 'triple' for '--riichi[=<single|double>]': found `triple`, expected",
        ),
        (&["1m", "--dora", "8z"], "error: `--dora`: there is no `8z` at character 1\n"),
        (&["1m", "--ura", "1p"], "error: `--ura`: needs riichi\n"),
        (&["1m", "--ippatsu"], "error: `--ippatsu`: needs riichi\n"),
        (
            &["1m", "--honba", "-1"],
            "error: invalid value '-1' for '--honba <N>': expected a whole number from 0 to 65535\n",
        ),
        (
            &["1m", "--kita", "5"],
            "error: invalid value '5' for '--kita <N>': expected a whole number from 0 to 4\n",
        ),
        (&["1m", "--from", "S"], "error: `--from`: this is the winner's own seat\n"),
        (
            &["1m", "--from", "behind"],
            "error: invalid value 'behind' for '--from <PLAYER>': found `behind`, expected E, S, W, N, right, across or left\n",
        ),
        (
            &["1m", "--pao", "daisangen"],
            "error: invalid value 'daisangen' for '--pao <FOR=PLAYER>': found `daisangen`, expected text such as daisangen=W\n",
        ),
        (
            &["1m", "--pao", "haku=W"],
            "error: invalid value 'haku=W' for '--pao <FOR=PLAYER>': found `haku`, expected daisangen, daisuushii, suukantsu or daiminkan\n",
        ),
        (
            &["34m99s[555z][666z][777z]+2m", "--pao", "daisangen=W"],
            "error: `--from`: missing: name the discarder, who shares with a liable player\n",
        ),
        (
            &["1m", "--rules", "tenhuo"],
            "error: unknown rules `tenhuo`: no file, and no preset, did you mean `tenhou`? Expected one of ",
        ),
        (&["--jsonl", "1m"], "error: the argument '--jsonl' cannot be used with '[NOTATION]...'\n"),
        (
            &["--jsonl", "--riichi"],
            "error: the argument '--jsonl' cannot be used with '--riichi[=<single|double>]'\n",
        ),
    ];
    for (args, error) in cases {
        let output = jantaku(&[&["hand"], *args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let found = text(&output.stderr);
        assert!(found.starts_with(error), "{args:?}: {found}");
    }
}

/// No flag about a hand is ignored: `--jsonl` excludes each.
#[test]
fn flags_that_do_nothing_are_refused() {
    let help = text(&jantaku(&["hand", "--help"]).stdout);
    let options = help.split("Options:").nth(1).expect("options");
    let others = ["jsonl", "rules", "json", "quiet", "help", "version"];
    let flags =
        options.lines().filter_map(|line| line.trim_start().split_once("--")).filter_map(|(before, flag)| {
            let name = flag.split([' ', '[', '=']).next()?;
            (before.trim_end_matches([',', ' ']).len() <= 2 && !others.contains(&name)).then_some(name)
        });
    let mut count = 0;
    for name in flags.take_while(|name| !name.is_empty()) {
        let value = match name {
            "by" => vec!["ron"],
            "from" | "seat" | "round" => vec!["E"],
            "dora" | "ura" => vec!["1m"],
            "dealer-wins" | "kita" | "honba" | "riichi-sticks" => vec!["1"],
            "pao" => vec!["daisangen=W"],
            _ => vec![],
        };
        let flag = format!("--{name}");
        let output = jantaku(&[&["hand", "--jsonl", &flag], value.as_slice()].concat());
        let found = text(&output.stderr);
        assert!(found.contains(&format!("'--jsonl' cannot be used with '{flag}")), "{found}");
        count += 1;
    }
    assert_eq!(count, 22, "{options}");
}

/// Null is the same as no value.
#[test]
fn null_is_no_value() {
    let hand = "34m567m345p678s55s+2m";
    let mut question = json!({ "hand": hand });
    for key in [
        "id",
        "melds",
        "win",
        "by",
        "from",
        "seat",
        "round",
        "riichi",
        "open_riichi",
        "ippatsu",
        "dora",
        "ura",
        "haitei",
        "rinshan",
        "kita_replacement",
        "chankan",
        "first_turn",
        "riichi_tile",
        "after_kan",
        "discarder_riichi",
        "dealer_wins",
        "kita",
        "honba",
        "riichi_sticks",
        "pao",
        "rules",
    ] {
        question[key] = Value::Null;
    }
    let rules = jantaku_engine::Rules::default();
    let answer = ask(&question, &rules);
    assert_eq!(answer["score"]["points"], 2000, "{answer}");
    assert_eq!(answer, ask(&json!({ "hand": hand }), &rules));
}

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

/// The rows of `tests/positions/errors.toml` in a list.
fn rows(list: &str) -> Vec<toml::Value> {
    let file: toml::Table = include_str!("../../positions/errors.toml").parse().expect("TOML");
    file[list].as_array().expect("rows").clone()
}

fn text(value: &toml::Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn messages_say_where_and_what() {
    for case in rows("case") {
        let changes = case["changes"].as_array().expect("changes").iter();
        let changes: Vec<_> = changes.map(|change| (text(&change[0]), text(&change[1]))).collect();
        let message = message(&changes);
        let expected = text(&case["message"]);
        let is_expected =
            if case.get("whole").is_some() { message == expected } else { message.starts_with(expected) };
        assert!(is_expected, "{changes:?}: {message}");
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
    for case in rows("north") {
        let [south, drawn, expected] = ["south", "drawn", "message"].map(|key| text(&case[key]));
        assert_eq!(message(south, drawn), expected, "{south}");
    }
}

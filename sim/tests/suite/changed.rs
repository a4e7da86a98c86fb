//! Changed logs, and what their reader and the replay say: `tests/data/changed-logs.md`.
//!
//! `JANTAKU_WRITE=1` writes what they say.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::fs;

use jantaku_engine::Rules;
use jantaku_engine::replay::RecordedGame;
use serde_json::{Value, json};

use crate::common::logs::{differences, mjai, read, tenhou6, try_read};
use crate::majsoul::{head, records};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// The words that begin a change.
const WORDS: [&str; 7] = ["unchanged", "given", "log", "text", "add", "replace", "remove"];

/// The log that the cases of a block change, and its game.
struct Base {
    format: String,
    log: Value,
    game: RecordedGame,
    /// The names that the unchanged log states.
    names: Vec<String>,
}

impl Base {
    /// The log of a game under some rules, such as `mjai tenhou-sanma`, or of a file with its rules.
    fn of(info: &str) -> Base {
        let (format, name) = info.split_once(' ').unwrap_or((info, "tenhou"));
        if format == "file" {
            let (file, name) = name.split_once(' ').unwrap();
            let text = fs::read_to_string(format!("{DATA}/{file}")).unwrap();
            let log = serde_json::from_str(&text).unwrap_or_else(|_| text.clone().into());
            let game = try_read(&text, Some(&rules(name))).unwrap();
            return Base { format: format.to_owned(), log, names: game.names.clone(), game };
        }
        let game = crate::common::played(&rules(name), 2);
        let log = match format {
            "tenhou6" => tenhou6(&game),
            "mjai" => mjai(&game).into(),
            "mjlog" => crate::common::mjlog::write(&game).into(),
            "majsoul" => json!({ "head": head(&game), "records": records(&game) }),
            other => panic!("{other}"),
        };
        let mut base = Base { format: format.to_owned(), log, game, names: Vec::new() };
        base.names = read(&base.text(&base.log)).names;
        base
    }

    fn text(&self, log: &Value) -> String {
        let line = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match log {
            Value::Array(events) if self.format == "mjai" => {
                events.iter().map(line).collect::<Vec<_>>().join("\n")
            }
            log => line(log),
        }
    }

    /// What a reader and the replay say about the changed log.
    fn outcome(&self, changes: &[&str]) -> Vec<String> {
        let (mut log, mut texts, mut given) = (self.log.clone(), Vec::new(), None);
        for change in changes {
            match change.split_once(' ').unwrap_or((change, "")) {
                ("unchanged", _) => {}
                ("given", name) => given = Some(rules(name)),
                ("log", text) => log = serde_json::from_str(text).unwrap(),
                ("text", change) => texts.push(change.split_once(" => ").unwrap()),
                (word, change) => patch(&mut log, word, change),
            }
        }
        let mut text = self.text(&log);
        for (from, to) in texts {
            assert!(text.contains(from), "no {from}");
            text = text.replacen(from, to, 1);
        }
        let game = match try_read(&text, given.as_ref()) {
            Ok(game) => game,
            Err(error) => return vec![format!("error: {error}").replace('\n', " / ")],
        };
        let mut said: Vec<String> =
            differences(&game).into_iter().map(|found| format!("difference: {found}")).collect();
        said.extend(game.notes.iter().map(|note| format!("note: {note}")));
        let played = self.game.rules.to_table();
        let fields =
            game.rules.to_table().into_iter().filter(|(name, value)| played.get(name) != Some(value));
        said.extend(fields.map(|(name, value)| format!("rules: {name} = {value}")));
        if game.names != self.names {
            said.push(format!("names: {:?}", game.names));
        }
        if game.hands.len() != self.game.hands.len() {
            said.push(format!("hands: {} of {}", game.hands.len(), self.game.hands.len()));
        }
        if said.is_empty() { vec!["ok".to_owned()] } else { said }
    }
}

/// A preset, or fields that differ from those of one.
fn rules(text: &str) -> Rules {
    let fields = if text.contains('=') { text.replace("; ", "\n") } else { format!("base = '{text}'") };
    Rules::from_toml(&fields, text).unwrap_or_else(|error| panic!("{error}"))
}

/// Adds, replaces or removes the value at a JSON pointer, as JSON Patch does.
fn patch(log: &mut Value, word: &str, change: &str) {
    let (path, value) = change.split_once(' ').unwrap_or((change, "null"));
    let value: Value = serde_json::from_str(value).unwrap_or_else(|error| panic!("{change}: {error}"));
    if word == "replace" {
        *log.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = value;
        return;
    }
    let (parent, key) = path.rsplit_once('/').unwrap();
    match (word, log.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}"))) {
        ("add", Value::Object(fields)) => drop(fields.insert(key.to_owned(), value)),
        ("add", Value::Array(list)) if key == "-" => list.push(value),
        ("add", Value::Array(list)) => list.insert(key.parse().unwrap(), value),
        ("remove", Value::Object(fields)) => drop(fields.remove(key).unwrap()),
        (word, parent) => panic!("{word} in {parent}"),
    }
}

/// The lines of a block, with what is said about each case.
fn checked(info: &str, lines: &[&str]) -> Vec<String> {
    let base = Base::of(info);
    let is_change = |line: &&str| WORDS.contains(&line.split(' ').next().unwrap());
    let (mut written, mut changes) = (Vec::new(), Vec::new());
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| is_change(line)) {
        changes.push(*line);
        written.push((*line).to_owned());
        if !lines.get(number + 1).is_some_and(is_change) {
            written.append(&mut base.outcome(&changes));
            changes.clear();
        }
    }
    written
}

#[test]
fn changed_logs_are_read_as_the_page_says() {
    let file = format!("{DATA}/changed-logs.md");
    let page = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = page.lines().collect();
    let mut written = Vec::new();
    for (number, piece) in lines.split(|line| *line == "```").enumerate() {
        let start = piece.iter().position(|line| line.starts_with("```"));
        let (text, block) = piece.split_at(start.unwrap_or(piece.len()));
        if number > 0 {
            written.push("```".to_owned());
        }
        written.extend(text.iter().map(|line| (*line).to_owned()));
        if let [info, cases @ ..] = block {
            written.push((*info).to_owned());
            written.extend(checked(&info[3..], cases));
        }
    }
    if std::env::var_os("JANTAKU_WRITE").is_some_and(|value| value == "1") {
        fs::write(&file, written.join("\n") + "\n").unwrap();
        return;
    }
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(written.get(number).map(String::as_str), Some(*line), "{file}:{}", number + 1);
    }
    assert_eq!(written.len(), lines.len());
}

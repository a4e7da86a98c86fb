//! The keys of JSON output, which `docs/json.md` documents.
//!
//! The pages in `tests/json` have commands for each section of that page, in the form of `cmd`.

use std::collections::{BTreeMap, BTreeSet};

use crate::cmd::{commands, run};
use crate::common::program::{folder, json, ok, text};

/// Runs the commands of a page, and compares the keys that those of each section print.
fn check(name: &str) {
    let page = std::fs::read_to_string(format!("{}/tests/json/{name}.md", env!("CARGO_MANIFEST_DIR")));
    let (folder, page) = (folder(), page.expect("a page"));
    for (number, section) in page.split("\n## ").enumerate() {
        let (heading, mut found) = (section.lines().next().expect("a heading"), BTreeMap::new());
        for command in commands(section, folder.path()) {
            let output = run(&command, folder.path());
            let printed = text(&output.stdout);
            if number == 0 {
                assert!(output.status.success(), "{command}: {}", text(&output.stderr));
                continue;
            }
            assert_eq!(printed.matches('\n').count(), 1, "{command} prints one line: {printed}");
            keys(&json(&printed), String::new(), &mut found);
        }
        if number > 0 {
            compare_keys(heading, &found);
        }
    }
}

#[test]
fn json_has_the_documented_keys() {
    check("commands");
}

#[test]
fn json_of_labels_has_the_documented_keys() {
    check("labels");
}

#[test]
fn json_of_answers_has_the_documented_keys() {
    check("answers");
}

#[test]
fn json_of_reviews_has_the_documented_keys() {
    check("reviews");
}

#[test]
fn json_of_matches_has_the_documented_keys() {
    check("matches");
}

/// `bench` also prints the signature of its games.
#[test]
fn json_of_bench_has_the_documented_keys() {
    let (bench, mut found) = (json(&ok(&["bench", "--repeat", "1", "--json"])), BTreeMap::new());
    keys(&bench, String::new(), &mut found);
    compare_keys("bench", &found);
    // A hash of thousands of games of three agents. It changes only with a rule or an agent.
    assert_eq!(bench["signature"], "54afc55a56fe2272");
    let rows = bench["rows"].as_array().expect("rows");
    let mut agents: Vec<&str> = rows.iter().filter_map(|row| row["agent"].as_str()).collect();
    agents.dedup();
    assert_eq!(agents, ["random", "tsumogiri", "greedy", "heuristic", "heuristic:fast"]);
}

fn compare_keys(section: &str, found: &BTreeMap<String, BTreeSet<&'static str>>) {
    let documented = documented_keys(section);
    assert_eq!(found.keys().collect::<Vec<_>>(), documented.keys().collect::<Vec<_>>(), "{section}");
    for (key, types) in found {
        let allowed = &documented[key];
        let fits = allowed == "any" || types.iter().all(|found| allowed.split(" or ").any(|t| t == *found));
        assert!(fits, "{section}: {key} is {types:?}, documented as {allowed}");
    }
}

/// The keys of a section of `docs/json.md`, with their types.
fn documented_keys(section: &str) -> BTreeMap<String, String> {
    let page = include_str!("../../../docs/json.md");
    let text = page.split("\n## ").find(|text| text.starts_with(&format!("{section}\n")));
    let rows = text.expect("a section").lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split(" | ").collect();
        (cells[0].trim_matches(['|', ' ', '`']).to_owned(), cells[1].replace("true or false", "bool"))
    })
    .collect()
}

/// Collects the paths of all values in an object, with their types. Keys that are data become
/// placeholders.
fn keys(value: &serde_json::Value, path: String, found: &mut BTreeMap<String, BTreeSet<&'static str>>) {
    use serde_json::Value;
    let data = [
        ("draws", "<reason>"),
        ("faults", "<agent>"),
        ("fault_shares", "<agent>"),
        ("fields", "<field>"),
        ("origins", "<field>"),
    ];
    let data = data.iter().find(|(object, _)| *object == path);
    let any =
        ["id", "differences[].left", "differences[].right", "answers[].reason", "answers[].options[].reason"];
    let is_any = path.ends_with('>') || any.contains(&&*path);
    let kind = match value {
        Value::Object(entries) if !is_any => {
            let dot = if path.is_empty() { "" } else { "." };
            for (key, value) in entries {
                let key = data.map_or(key.as_str(), |(_, name)| name);
                keys(value, format!("{path}{dot}{key}"), found);
            }
            return;
        }
        Value::Array(entries) if !is_any => {
            return entries.iter().for_each(|value| keys(value, format!("{path}[]"), found));
        }
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) | Value::Object(_) => "any",
    };
    found.entry(path).or_default().insert(kind);
}

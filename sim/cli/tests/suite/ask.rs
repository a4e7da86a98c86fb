//! `jantaku ask`, and the reasons that `jantaku show --explain` prints.

use std::fs;

use serde_json::Value;

use crate::common::program::{folder, json, ok, path, refused};
use crate::models::write_model;

/// The position of `docs/positions.md`.
fn documented() -> String {
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/positions.md")).expect("a page");
    let (_, rest) = page.split_once("```toml\n").expect("an example");
    rest.split_once("```").expect("the end of the example").0.to_owned()
}

/// `show` prints what agents stored with their decisions.
#[test]
fn stored_search_info_are_shown() {
    let folder = folder();
    let run = path(&folder, "run");
    let agents = "mc:rollouts=16,greedy,greedy,neural:model=uniform";
    ok(&["selfplay", "--games", "1", "--seed", "4", "--agents", agents, "--out", &run, "--quiet"]);
    let lines = |more: &[&str]| {
        let shown = json(&ok(&[&["show", &run, "--game", "0", "--hand", "0", "--json"], more].concat()));
        let lines = shown["lines"].as_array().expect("lines");
        lines.iter().map(|line| line.as_str().expect("text").to_owned()).collect::<Vec<String>>()
    };
    let told = lines(&[]);
    let of_seat = |seat: &str| {
        let pairs =
            told.windows(2).filter(|pair| pair[0].trim_start().starts_with('#') && pair[0].contains(seat));
        pairs.filter(|pair| pair[1].starts_with("      ")).map(|pair| pair[1].clone()).collect::<Vec<_>>()
    };
    let [searched, uniform] = [of_seat("seat 0"), of_seat("seat 3")];
    let values: Vec<&String> =
        searched.iter().filter(|line| line.trim_start().starts_with("value ")).collect();
    assert!(!values.is_empty() && values.iter().all(|line| line.contains(" ± ")), "{searched:?}");
    assert!(!uniform.is_empty() && uniform.iter().any(|line| line.contains(" 7.7 %")), "{uniform:?}");
    // The same search, asked again, has the values that are stored.
    let explained = lines(&["--explain", "mc:rollouts=16"]).join("\n");
    for line in values {
        let value = line.split("; ").nth(1).and_then(|values| values.split(", ").next()).expect("a value");
        let (action, value) = value.split_at(value.find(['+', '-']).expect("a signed value"));
        assert!(explained.contains(&format!("{value}  {}", action.trim())), "{line}");
    }
}

/// The model is all zeros, so all actions are equally probable.
#[test]
fn a_network_says_its_value_and_probabilities() {
    let folder = folder();
    let [file, model] = ["position.toml", "m.safetensors"].map(|name| path(&folder, name));
    fs::write(&file, documented()).expect("a file");
    write_model(model.as_ref());
    let agent = format!("neural:model={model},temperature=1");
    let asked = json(&ok(&["ask", &file, "--agents", &agent, "--json"]));
    let (legal, answer) = (asked["legal"].as_array().expect("a list"), &asked["answers"][0]);
    let share = 1.0 / legal.len() as f64;
    let is_share = |value: &Value| value.as_f64().is_some_and(|found| (found - share).abs() < 1e-6);
    let policy = answer["options"].as_array().expect("a list");
    assert_eq!(
        policy.iter().map(|entry| &entry["action"]).collect::<Vec<_>>(),
        legal.iter().collect::<Vec<_>>()
    );
    assert!(policy.iter().all(|entry| is_share(&entry["probability"])), "{answer}");
    assert!(is_share(&answer["probability"]) && answer["value"] == 0.0, "{answer}");
    let page = ok(&["ask", &file, "--agents", &agent]);
    let percent = format!("  {:.1} %  ", 100.0 * share);
    assert!(page.contains("\n  value +0.000\n") && page.contains(&percent), "{page}");
}

#[test]
fn decisions_of_runs_and_logs_are_asked() {
    let folder = folder();
    let [run, log, position] = ["run", "log.jsonl", "position.toml"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "2", "--seed", "5", "--agents", "random", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to", "mjai", "--out", &log, "--quiet"]);
    let shown = ok(&["show", &run, "--game", "1", "--step", "40"]);
    let line = shown.lines().find(|line| line.trim_start().starts_with("#40 ")).expect("the decision");
    let asked = json(&ok(&["ask", &format!("{run}:1:40"), "--agents", "random,heuristic", "--json"]));
    let chosen = asked["chosen"].as_str().expect("a choice");
    assert!(line.contains(chosen), "{line} {chosen}");
    // The random numbers are those of the game.
    assert_eq!(asked["answers"][0]["action"], chosen);
    let explained = ok(&["show", &run, "--game", "1", "--step", "40", "--explain"]);
    let choice = asked["answers"][1]["action"].as_str().expect("a choice");
    assert!(explained.contains(&format!("\n      heuristic: {choice}\n")), "{explained}");
    // All decisions are numbered in their game: 200 is not in the first hand.
    for step in [40, 200] {
        let [in_log, in_run] = [&log, &run]
            .map(|path| json(&ok(&["ask", &format!("{path}:1:{step}"), "--agents", "heuristic", "--json"])));
        for key in ["hand", "legal", "chosen", "live", "furiten", "seat"] {
            assert_eq!(in_log[key], in_run[key], "{key}");
        }
    }
    let stories = [&log, &run].map(|path| json(&ok(&["show", path, "--game", "1", "--json"])));
    // The log has no claims that another one outranked, but as many decisions.
    let lines = |story: &Value| story["lines"].as_array().map(Vec::len);
    assert_eq!(lines(&stories[0]), lines(&stories[1]));
    assert!(ok(&["show", &log, "--game", "1", "--step", "40", "--explain"]).contains("heuristic: "));
    let place = "expected the decision of the log, as in LOG:25, or its game, too, as in LOG:0:25; `jantaku show` \
                 numbers the decisions";
    refused(&["ask", &log], &format!("error: {log}: {place}"));
    refused(&["show", &run], &format!("error: {run}: name a game of the run, as in {run}:0"));
    // A game is also named as `ask` names it.
    for path in [&run, &log] {
        let [place, other] = [format!("{path}:1"), format!("{path}:0")];
        assert_eq!(ok(&["show", &place]), ok(&["show", path, "--game", "1"]));
        refused(
            &["show", &other, "--game", "1"],
            &format!("error: {other}: names game 0, but --game names 1; give one of them"),
        );
    }
    fs::write(&position, ok(&["ask", &format!("{run}:1:40"), "--toml"])).expect("a file");
    let of_position = json(&ok(&["ask", &position, "--json"]));
    for key in ["hand", "legal", "live", "furiten", "seat"] {
        assert_eq!(of_position[key], asked[key], "{key}");
    }
    assert_eq!(of_position["answers"][0], asked["answers"][1]);
}

/// A tenpai hand has its waits with their counts, and the chances of each place after the hand.
#[test]
fn waits_and_places_are_reasons() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    fs::write(&file, "indicators = \"3z\"\nseat = \"east\"\n[east]\nhand = \"123456m45p789s11z+7p\"\n")
        .expect("a file");
    for agent in ["heuristic", "residual"] {
        let page = ok(&["ask", &file, "--agents", agent]);
        assert!(page.contains("\n  Waits 3p 6p, 8 tiles; instead 6p, 4, after "), "{page}");
        assert!(page.contains("\n  Places after a win: "), "{page}");
        let answer = json(&ok(&["ask", &file, "--agents", agent, "--json"]))["answers"][0].take();
        let option = answer["options"]
            .as_array()
            .expect("a list")
            .iter()
            .find(|one| one["action"] == answer["action"]);
        let waits = serde_json::json!([{ "tile": "3p", "left": 4 }, { "tile": "6p", "left": 4 }]);
        assert_eq!(option.expect("the choice")["waits"], waits);
        let chances = |of: &str| -> Vec<f64> {
            let chances = answer["places"][of].as_array().expect("chances").iter();
            chances.map(|chance| chance.as_f64().expect("a number")).collect()
        };
        let [win, draw] = ["win", "draw"].map(chances);
        assert!(
            [&win, &draw].iter().all(|all| all.len() == 4 && (all.iter().sum::<f64>() - 1.0).abs() < 0.01)
        );
        assert!(win[0] > draw[0] && win[3] < draw[3], "{win:?} {draw:?}");
    }
}

/// `residual` shows what its network adds to the estimates of `heuristic`, and plays like it where there
/// is nothing to add.
#[test]
fn corrections_are_explained() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    // Without a riichi against it, several discards are close to each other.
    fs::write(&file, documented().replace("2mr", "2m")).expect("a file");
    // No correction is large enough, or each is.
    let ask = |options: &str, more: &[&str]| {
        ok(&[&["ask", &file, "--agents", &format!("residual{options}")], more].concat())
    };
    for options in ["", ":least=10000", ":least=0,shrink=2"] {
        let answer = json(&ask(options, &["--json"]))["answers"][0].take();
        let entries = answer["options"].as_array().expect("a list");
        let entries: Vec<&Value> = entries.iter().filter(|one| one["correction"].is_number()).collect();
        let number =
            |entry: &Value, key: &str| entry[key].as_f64().unwrap_or_else(|| panic!("{key}: {entry}"));
        for entry in &entries {
            let sum = number(entry, "base") + number(entry, "correction");
            assert!((number(entry, "value") - sum).abs() < 0.01, "{entry}");
        }
        let [best, first] =
            [entries[0], *entries.iter().find(|entry| entry["correction"] == 0.0).expect("0")];
        assert!(entries.iter().all(|entry| number(entry, "value") <= number(best, "value")), "{answer}");
        let chosen = if options.contains("10000") { first } else { best };
        let why = answer["why"].as_str().expect("a reason");
        if !options.is_empty() {
            assert_eq!(answer["action"], chosen["action"], "{answer}");
        }
        let is_base = answer["action"] == first["action"];
        let other = first["action"].as_str().expect("an action");
        let would = if is_base { "do the same" } else { other };
        assert!(why.starts_with(&format!("heuristic would {would}; with the network ")), "{why}");
        let worth = |entry: &Value| {
            let value = number(entry, "value").round().to_string();
            let sum = why.replace(',', "").contains(&format!(
                "{} is worth {value} point",
                entry["action"].as_str().unwrap_or_default()
            ));
            assert!(sum, "{why}: {entry}");
        };
        worth(first);
        if !is_base {
            worth(chosen);
        }
        assert_eq!(answer["unit"], "points");
        let page = ask(options, &[]);
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(
            page.lines().any(|line| words(line) == ["action", "heuristic", "network", "value"]),
            "{page}"
        );
        assert!(page.contains(&format!("  {}  ", best["action"].as_str().expect("an action"))), "{page}");
    }
    let turn = "indicators = \"3m\"\nseat = \"east\"\n[east]\nhand = \"123456789m123p5z+5z\"\n";
    let why = |text: String| {
        fs::write(&file, text).expect("a file");
        let answer = json(&ask(":version=2", &["--json"]))["answers"][0].take();
        let options = answer["options"].as_array().expect("a list");
        assert!(options.iter().all(|one| one["correction"].is_null()), "{answer}");
        answer["why"].as_str().expect("a reason").to_owned()
    };
    assert_eq!(why(turn.to_owned()), "like heuristic: it wins whenever it can");
    let three = turn.replace("3m", "3p").replace("123456789m123p5z+5z", "19m123456789p1s4z+5z");
    let said = why(format!("rules = \"tenhou-sanma\"\n{three}"));
    let start = "like heuristic, because it has no network for games of 3 players: ";
    assert!(said.starts_with(start), "{said}");
}

//! `jantaku ask`, and the reasons that `jantaku show --explain` prints.

use std::fs;
use std::io::Write as _;

use jantaku_show::text::points;
use serde_json::Value;

use crate::common::program::{folder, jantaku, json, ok, path, refused, text};
use crate::models::write_model;

/// The position of `docs/positions.md`.
fn documented() -> String {
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/positions.md")).expect("a page");
    let (_, rest) = page.split_once("```toml\n").expect("an example");
    rest.split_once("```").expect("the end of the example").0.to_owned()
}

#[test]
fn the_documented_position_has_answers() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    fs::write(&file, documented()).expect("a file");
    let page = ok(&["ask", &file, "--agents", "heuristic,tsumogiri"]);
    assert!(page.contains("South 2-0, 49 live tiles, dora indicator 3p"), "{page}");
    assert!(page.contains("\ntsumogiri: tsumogiri 6m\n"), "{page}");
    let head = "  action         value    risk     win  points  plan needs  ukeire    mode";
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let row = page.lines().position(|line| words(line) == words(head)).expect("a table");
    let chosen = page.lines().find_map(|line| line.strip_prefix("heuristic: ")).expect("a choice");
    let best = page.lines().nth(row + 1).expect("a row");
    assert!(best.trim_start().starts_with(chosen), "{page}");
    assert!(page.lines().skip(1).all(|line| line.chars().count() <= 80), "{page}");
    // Other hidden tiles change nothing that the player sees.
    assert_eq!(ok(&["ask", &file, "--agents", "heuristic,tsumogiri", "--seed", "7"]), page);
}

/// No row of the table breaks in two. A line explains the rows of a won hand.
#[test]
fn rows_of_the_table_stay_whole() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    let ask = |hand: &str| {
        let text = format!("indicators = \"3m\"\nseat = \"east\"\n[east]\nhand = \"{hand}\"\n");
        fs::write(&file, text).expect("a file");
        ok(&["ask", &file])
    };
    let page = ask("123456m789p1155s+9s");
    let after_head = page.lines().skip_while(|line| !line.trim_start().starts_with("action ")).skip(1);
    let rows: Vec<&str> = after_head.take_while(|line| !line.starts_with("  Values")).collect();
    assert!(rows.iter().any(|row| row.contains("riichi")), "{page}");
    let modes = ["riichi", "damaten", "open", "tsumo", "draw"];
    assert!(rows.iter().all(|row| modes.iter().any(|mode| row.ends_with(mode))), "{page}");
    assert!(!page.contains("It always wins"), "{page}");
    assert!(ask("123456789m123p5z+5z").contains("\n  It always wins. If it did not win:\n  action "));
}

/// The position in the help can be asked about.
#[test]
fn the_position_of_the_help_is_one() {
    let help = ok(&["ask", "--help"]);
    let (_, rest) = help.split_once("A position:\n").expect("a position");
    let (position, _) = rest.split_once("\n\n").expect("its end");
    let folder = folder();
    let file = path(&folder, "help.toml");
    fs::write(&file, position).expect("a file");
    assert!(ok(&["ask", &file]).contains("234m234889p77z[555s]"));
}

/// An empty file is called empty, as other commands call it.
#[test]
fn an_empty_file_is_named() {
    let folder = folder();
    let file = path(&folder, "empty.json");
    for content in ["", "\n \n"] {
        fs::write(&file, content).expect("a file");
        let output = jantaku(&["ask", &file]);
        assert_eq!(output.status.code(), Some(2));
        let expected = format!("error: {file}: the file is empty: expected a position");
        assert!(text(&output.stderr).starts_with(&expected), "{}", text(&output.stderr));
    }
}

/// Points that do not add up are noted.
#[test]
fn points_that_do_not_add_up_are_noted() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    let note = |text: String, more: &[&str]| {
        fs::write(&file, text).expect("a file");
        let output = jantaku(&[&["ask", &file, "--agents", "greedy"], more].concat());
        assert!(output.status.success());
        crate::common::program::text(&output.stderr)
    };
    assert_eq!(note(documented(), &[]), "");
    let wrong = || documented().replace("31000", "41000");
    let expected = format!("note: {file}: the points add up to 110000 with riichi sticks, not to 100000\n");
    assert_eq!(note(wrong(), &[]), expected);
    assert_eq!(note(wrong(), &["--quiet"]), "");
}

/// A URL of tenhou.net/6 is a log, and a file of several has a note about the others.
#[test]
fn urls_are_logs() {
    let folder = folder();
    let [run, file] = ["run", "urls.txt"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "2", "--seed", "3", "--agents", "greedy", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to", "tenhou6-url", "--out", &file, "--quiet"]);
    let urls = fs::read_to_string(&file).expect("a file");
    let (games, url) = (urls.lines().count(), urls.lines().next().expect("a URL").to_owned());
    let lines = |words: &[&str]| ok(words).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&["show", &url]), lines(&["show", &file]));
    let [of_url, of_file] =
        [&url, &file].map(|log| lines(&["ask", &format!("{log}:5"), "--agents", "greedy"]));
    assert_eq!(of_url, of_file);
    assert!(ok(&["replay", &url]).contains("0 differences, "));
    let few = ["--seat", "0", "--hand", "0", "--agent", "mc:rollouts=16", "--rollouts", "0"];
    let of = |log: &str| jantaku(&[&["analyse", log][..], &few].concat());
    assert_eq!(text(&of(&url).stdout), text(&of(&file).stdout));
    let start = format!("note: {file}: this is game 0 of {games}; ");
    let step = format!("{file}:5");
    for (output, next) in [
        (jantaku(&["show", &file]), "--game 1".to_owned()),
        (of(&file), format!("{file}:1")),
        (jantaku(&["ask", &step, "--agents", "greedy"]), format!("{file}:1:5")),
    ] {
        assert_eq!(text(&output.stderr), format!("{start}`{next}` is the next\n"));
    }
    assert_eq!(text(&jantaku(&["show", &file, "--game", "0"]).stderr), "");
    refused(
        &["ask", &file],
        &format!(
            "error: {file}: expected the decision of the log, as in LOG:25, or its game, too, as in LOG:0:25; \
             `jantaku show` numbers the decisions"
        ),
    );
    let replay = "https://tenhou.net/0/?log=2024010100gm-00a9-0000-12345678&tw=2";
    let why = "replay links hold no game: download the log, and give its file";
    refused(&["show", replay], &format!("error: {replay}: {why}"));
    refused(&["analyse", replay, "--seat", "0"], &format!("error: {replay}: {why}"));
    refused(&["ask", replay], &format!("error: {replay}: cannot read: {why}"));
}

/// The broken end of a cut file is no further game.
#[test]
fn a_cut_log_has_no_game_behind_the_cut() {
    let folder = folder();
    let [run, log, file] = ["run", "log.mjson", "cut.mjson.gz"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "1", "--seed", "3", "--agents", "greedy", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to", "mjai", "--out", &log, "--quiet"]);
    let mut whole = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let written = whole.write_all(&fs::read(&log).expect("a file"));
    let whole = written.and_then(|()| whole.finish()).expect("memory");
    fs::write(&file, &whole[..whole.len() / 2]).expect("a file");
    let shown = jantaku(&["show", &file, "--hand", "0"]);
    assert!(shown.status.success() && text(&shown.stdout).starts_with("game 0 of "), "{shown:?}");
    assert!(!text(&shown.stderr).contains("--game 1"), "{}", text(&shown.stderr));
}

/// A decision and a hand that do not fit are refused, and hands have names.
#[test]
fn hands_have_names() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "1", "--seed", "5", "--agents", "random", "--out", &run, "--quiet"]);
    let show = ["show", &run, "--game", "0", "--hand"];
    assert_eq!(ok(&[&show[..], &["E1"]].concat()), ok(&[&show[..], &["0"]].concat()));
    let words = [&show[..], &["1", "--step", "0"]].concat();
    refused(&words, &format!("error: {run}: decision 0 is in hand 0, not in hand 1"));
    let output = jantaku(&[&show[..], &["X1"]].concat());
    assert!(text(&output.stderr).contains("or a hand such as E3 or E3-1"), "{}", text(&output.stderr));
    let output = jantaku(&[&show[..], &["N4"]].concat());
    assert!(text(&output.stderr).contains("no hand N4; game 0 has hands 0 to "), "{}", text(&output.stderr));
}

/// A search says how sure it is of each value.
#[test]
fn values_of_a_search_have_standard_errors() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    fs::write(&file, documented()).expect("a file");
    let search = ["ask", &file, "--agents", "mc:rollouts=64,margin=1000000"];
    let answer = json(&ok(&[&search[..], &["--json"]].concat()))["answers"][0].take();
    let entries = answer["action_values"].as_array().expect("a list");
    let searched: Vec<_> = entries.iter().filter(|entry| !entry["value"].is_null()).collect();
    assert!(searched.len() > 1 && searched.len() < entries.len(), "{answer}");
    assert!(searched.iter().all(|entry| entry["standard_error"].as_f64().is_some_and(|error| error > 0.0)));
    assert_eq!(ok(&search).matches(" ± ").count(), searched.len());
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
    let policy = answer["policy"].as_array().expect("a list");
    assert_eq!(
        policy.iter().map(|entry| &entry["action"]).collect::<Vec<_>>(),
        legal.iter().collect::<Vec<_>>()
    );
    assert!(policy.iter().all(|entry| is_share(&entry["value"])), "{answer}");
    assert!(is_share(&answer["probability"]) && answer["value"] == 0.0, "{answer}");
    let page = ok(&["ask", &file, "--agents", &agent]);
    let percent = format!("  {:.1} %  ", 100.0 * share);
    assert!(page.contains("\n  value +0.000\n") && page.contains(&percent), "{page}");
}

#[test]
fn a_position_is_written_and_read() {
    let folder = folder();
    let [file, again] = ["position.toml", "again.toml"].map(|name| path(&folder, name));
    fs::write(&file, documented()).expect("a file");
    let written = ok(&["ask", &file, "--toml"]);
    fs::write(&again, &written).expect("a file");
    assert_eq!(ok(&["ask", &again, "--toml"]), written);
    let answer = |file: &str| {
        let mut answer = json(&ok(&["ask", file, "--json"]));
        answer["place"].take();
        answer
    };
    assert_eq!(answer(&again), answer(&file));
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
    refused(&["show", &run], &format!("error: {run}: name a game of the run, as in --game 0"));
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

/// The agents of a run are asked by the names that its user gave them.
#[test]
fn agents_of_a_run_have_their_names() {
    let folder = folder();
    let run = path(&folder, "run");
    let agents = "mine=heuristic:calls=off,greedy,greedy,greedy";
    ok(&["selfplay", "--games", "1", "--agents", agents, "--out", &run, "--quiet"]);
    let place = format!("{run}:0:7");
    let asked = json(&ok(&["ask", &place, "--agents", "mine,greedy", "--json"]));
    let names: Vec<&Value> = (0..2).map(|at| &asked["answers"][at]["agent"]).collect();
    assert_eq!(names, ["mine", "greedy"]);
    let texts: Vec<&Value> = (0..2).map(|at| &asked["answers"][at]["text"]).collect();
    assert_eq!(texts, ["heuristic:calls=off", "greedy"]);
    let page = ok(&["ask", &place, "--agents", "mine,greedy"]);
    assert!(page.contains("\n\n  mine  heuristic:calls=off\n\nmine: "), "{page}");
    assert_eq!(page.matches("heuristic:calls=off").count(), 1, "{page}");
    let shown = ok(&["show", &run, "--game", "0", "--step", "7", "--explain", "mine"]);
    assert!(shown.contains("\n      mine: "), "{shown}");
    assert!(shown.contains("\n  mine  heuristic:calls=off\n"), "{shown}");
    let unknown = jantaku(&["ask", &place, "--agents", "yours"]);
    assert!(text(&unknown.stderr).starts_with("error: --agents yours: unknown agent `yours`"), "{unknown:?}");
}

#[test]
fn wrong_places_are_named() {
    let folder = folder();
    let [run, file] = ["run", "position.toml"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "1", "--seed", "5", "--agents", "tsumogiri", "--out", &run, "--quiet"]);
    fs::write(&file, documented().replace("4z 1p", "4z 1x")).expect("a file");
    refused(
        &["ask", &file],
        &format!(
            "error: {file}:12: `south.river`: entry 3 `1x`: expected one tile such as `5p`, then its marks"
        ),
    );
    refused(
        &["ask", &run],
        &format!("error: {run}: expected the game and the decision of the run, as in RUN:3:141"),
    );
    refused(&["ask", &format!("{run}:1:0")], &format!("error: {run}: no game 1; the run holds games 0 to 0"));
    refused(
        &["ask", "nothing.toml"],
        "error: nothing.toml: no such file; expected a position, RUN:GAME:STEP or LOG:STEP",
    );
    let step = format!("{run}:0:100000");
    let output = jantaku(&["ask", &step]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("no decision 100000; it has decisions 0 to "), "{message}");
}

/// Every agent gives a reason for its choice in every decision.
#[test]
fn every_choice_has_a_reason() {
    let folder = folder();
    let ask = |name: &str, text: &str, agent: &str| {
        let file = path(&folder, name);
        fs::write(&file, text).expect("a file");
        let answer = json(&ok(&["ask", &file, "--agents", agent, "--json"]))["answers"][0].take();
        let page = ok(&["ask", &file, "--agents", agent]);
        let why = answer["why"].as_str().expect("a reason").to_owned();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&page).contains(&words(&format!("Why: {why}."))), "{page}");
        (answer["action"].as_str().expect("an action").to_owned(), why)
    };
    let turn = |hand: &str| format!("indicators = \"3m\"\nseat = \"east\"\n[east]\nhand = \"{hand}\"\n");
    let won = turn("123456789m123p5z+5z");
    assert_eq!(ask("won", &won, "heuristic"), ("tsumo".into(), "it wins whenever it can".into()));
    let nine = turn("19m19p19s1234z258m+5z");
    let (action, why) = ask("nine", &nine, "heuristic");
    assert!(
        why.starts_with(if action == "kyuushu" { "decided before" } else { "it has" }),
        "{action}: {why}"
    );
    let many = documented();
    let (_, why) = ask("many", &many, "heuristic");
    let answer = json(&ok(&["ask", &path(&folder, "many"), "--json"]))["answers"][0].take();
    let candidates = answer["candidates"].as_array().expect("candidates");
    let number = |at: usize, key: &str| candidates[at][key].as_f64().expect("a number");
    let [value, risk, lead] =
        [number(0, "value"), number(0, "risk"), number(0, "value") - number(1, "value")]
            .map(|number| points(number.round() as i32));
    let (actions, next) = (candidates.len(), candidates[1]["action"].as_str().expect("an action"));
    let win = format!("{:.0} % of hands", 100.0 * number(0, "win"));
    let expected = format!(
        "it has the highest value of {actions} actions: {value} points, {lead} more than {next}; it wins {win}"
    );
    assert_eq!((why, risk.as_str()), (expected, "0"));
    assert_eq!(ask("many", &many, "greedy").1.split(':').next(), Some("its rule"));
    let (_, why) = ask("many", &many, "mc:rollouts=16,margin=0");
    assert_eq!(why, "the prior has no other candidate within its margin, so nothing was searched");
    let (_, why) = ask("many", &many, "mc:rollouts=64,margin=100000");
    assert!(why.contains("candidates"), "{why}");
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
        let entries = answer["corrections"].as_array().expect("a list");
        let number =
            |entry: &Value, key: &str| entry[key].as_f64().unwrap_or_else(|| panic!("{key}: {entry}"));
        for entry in entries {
            let sum = number(entry, "base") + number(entry, "correction");
            assert!((number(entry, "value") - sum).abs() < 0.01, "{entry}");
        }
        let [best, first] =
            [&entries[0], entries.iter().find(|entry| entry["correction"] == 0.0).expect("0")];
        assert!(entries.iter().all(|entry| number(entry, "value") <= number(best, "value")), "{answer}");
        let chosen = if options.contains("10000") { first } else { best };
        let why = answer["why"].as_str().expect("a reason");
        if !options.is_empty() {
            assert_eq!(answer["action"], chosen["action"], "{answer}");
        }
        let is_base = answer["action"] == first["action"];
        let other = first["action"].as_str().expect("an action");
        let would = if is_base { "do the same" } else { other };
        assert!(why.starts_with(&format!("heuristic would {would}; the network ")), "{why}");
        assert_eq!((&answer["unit"], &answer["candidates"]), (&Value::from("points"), &Value::Null));
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
        let answer = json(&ask("", &["--json"]))["answers"][0].take();
        assert_eq!(answer["corrections"], Value::Array(Vec::new()));
        answer["why"].as_str().expect("a reason").to_owned()
    };
    assert_eq!(why(turn.to_owned()), "like heuristic: it wins whenever it can");
    let three = turn.replace("3m", "3p").replace("123456789m123p5z+5z", "19m123456789p1s4z+5z");
    let said = why(format!("rules = \"tenhou-sanma\"\n{three}"));
    let start = "like heuristic, because its network knows games of 4 players alone: ";
    assert!(said.starts_with(start), "{said}");
}

/// The values of `heuristic` and those of `mc` are points of the result; the shanten is that of a plan.
#[test]
fn values_have_a_unit() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    fs::write(&file, documented()).expect("a file");
    let answers = json(&ok(&["ask", &file, "--agents", "heuristic,greedy", "--json"]));
    let units: Vec<&Value> =
        answers["answers"].as_array().expect("a list").iter().map(|one| &one["unit"]).collect();
    assert_eq!(units, [&Value::from("points"), &Value::Null]);
    let candidate = &answers["answers"][0]["candidates"][0];
    assert!(candidate["plan_shanten"].is_number() && candidate["shanten"].is_null(), "{candidate}");
    let search = ["ask", &file, "--agents", "mc:rollouts=64,margin=100000"];
    let answer = json(&ok(&[&search[..], &["--json"]].concat()))["answers"][0].take();
    assert_eq!(answer["unit"], "points");
    let page = ok(&search);
    let line = page.lines().find(|line| line.starts_with("  value ")).expect("a value");
    assert!(line.ends_with(" points") && !line.contains('.'), "{line}");
}

/// `ask` names values that another seed may put in another order.
#[test]
fn near_ties_are_named() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    let position = "turn = 6\ndora = \"3s\"\nseat = \"south\"\n[south]\nhand = ";
    for (hand, is_tie) in [("345m234678p227s3z+4z", true), ("345m234678p2278s+1z", false)] {
        fs::write(&file, format!("{position}\"{hand}\"\n")).expect("a file");
        let asked = json(&ok(&["ask", &file, "--json"]));
        let value = |at: usize| asked["answers"][0]["candidates"][at]["value"].as_f64().expect("a value");
        assert_eq!(value(0) - value(1) < 100.0, is_tie, "{asked}");
        let shown = ok(&["ask", &file]);
        assert_eq!(shown.contains("\n  A near tie: "), is_tie, "{shown}");
    }
}

/// A hand, a turn and the dora are enough; the output states the assumptions.
#[test]
fn questions_without_rivers_are_answered() {
    let folder = folder();
    let [file, whole] = ["question.toml", "whole.toml"].map(|name| path(&folder, name));
    fs::write(&file, "turn = 6\ndora = \"3s\"\nseat = \"south\"\n[south]\nhand = \"345m234677p2278s+6m\"\n")
        .expect("a file");
    let page = ok(&["ask", &file]);
    assert!(page.contains("\nNot given, so assumed: `round` is E1; "), "{page}");
    assert!(page.contains("dora indicator 2s") && page.contains("turn 6"), "{page}");
    let assumed = json(&ok(&["ask", &file, "--json"]))["assumed"].take();
    assert_eq!(assumed.as_array().map(Vec::len), Some(3));
    // The seed chooses the rivers, and the written position has them.
    let written = |seed: &str| ok(&["ask", &file, "--toml", "--seed", seed]);
    assert_eq!(written("1"), written("1"));
    assert_ne!(written("1"), written("2"));
    fs::write(&whole, written("1")).expect("a file");
    assert_eq!(ok(&["ask", &whole, "--toml"]), written("1"));
}

/// Positions and runs have rules of their own: the option is refused, not ignored.
#[test]
fn rules_are_for_logs_alone() {
    let folder = folder();
    let [file, run] = ["position.toml", "run"].map(|name| path(&folder, name));
    fs::write(&file, documented()).expect("a file");
    ok(&["selfplay", "--games", "1", "--agents", "tsumogiri", "--out", &run, "--quiet"]);
    let of_position =
        "error: --rules mleague: a position states its rules; write rules = \"mleague\" into it";
    for command in ["ask", "view"] {
        refused(&[command, &file, "--rules", "mleague"], of_position);
    }
    let of_run = "error: --rules mleague: a run keeps the rules of its games; leave out the option";
    let (game, decision) = (format!("{run}:0"), format!("{run}:0:3"));
    for args in [&["ask", &decision][..], &["view", &game], &["show", &game], &["analyse", &game, "--seat=0"]]
    {
        refused(&[args, &["--rules", "mleague"]].concat(), of_run);
    }
}

/// A name given by the user does not change the reason of an agent.
#[test]
fn named_agents_keep_their_reasons() {
    let folder = folder();
    let file = path(&folder, "position.toml");
    fs::write(&file, documented()).expect("a file");
    let page = ok(&["ask", &file, "--agents", "tsumogiri,雀=tsumogiri"]);
    assert_eq!(page.matches("its rule: ").count(), 2, "{page}");
}

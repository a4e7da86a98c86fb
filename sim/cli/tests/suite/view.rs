//! `jantaku view`.

use serde_json::{Value, json};

use jantaku_measure::review::DecisionKind;

use crate::common::program::{folder, json as parsed, ok, page_data as data, path, short_game};

/// The data of the page of a source.
fn viewed(args: &[&str]) -> Value {
    data(&ok(&[&["view", "--out=-"], args].concat()))
}

/// The hands of a view.
fn hands(view: &Value) -> Value {
    view["game"]["hands"].clone()
}

/// A value without decisions. A log does not say who else wanted to call a tile.
fn events_alone(mut value: Value) -> Value {
    match &mut value {
        Value::Array(values) => values.iter_mut().for_each(|value| *value = events_alone(value.take())),
        Value::Object(fields) => {
            fields.remove("decisions");
            fields.iter_mut().for_each(|(_, value)| *value = events_alone(value.take()));
        }
        _ => {}
    }
    value
}

#[test]
fn a_game_has_the_same_page_from_its_run_and_its_logs() {
    let folder = folder();
    let [run, mjai, tenhou] = ["run", "mjai", "tenhou"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games=2", "--agents=greedy", "--seed=5", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to=mjai", "--out", &mjai, "--quiet"]);
    ok(&["convert", &run, "--to=tenhou6", "--out", &tenhou, "--quiet"]);
    let of_run = viewed(&[&format!("{run}:1")]);
    let events = events_alone(hands(&of_run));
    assert_eq!(events, events_alone(hands(&viewed(&[&format!("{mjai}/000001.mjson")]))));
    assert_eq!(events, events_alone(hands(&viewed(&[&format!("{tenhou}/000001.json")]))));
    assert_eq!(of_run["game"]["names"], json!(["greedy", "greedy", "greedy", "greedy"]));
    let shown = parsed(&ok(&["show", &run, "--game=1", "--json"]));
    let lines = shown["lines"].as_array().expect("lines");
    let end = |seat: usize| lines[lines.len() - 4 + seat].as_str().expect("a line").to_owned();
    for (seat, result) in of_run["game"]["results"].as_array().expect("results").iter().enumerate() {
        let place = format!("seat {seat}: placement {},", result["placement"]);
        assert!(end(seat).starts_with(&place), "{place} {}", end(seat));
    }
}

/// The advice of the first agent on the decisions of a view, by number.
fn advice(view: &Value) -> Vec<(String, Value)> {
    let of = |decision: Value| (decision["number"].to_string(), decision["advice"][0].clone());
    advised(view).into_iter().map(of).collect()
}

/// The decisions of a view that have advice.
fn advised(view: &Value) -> Vec<Value> {
    let hands = view["game"]["hands"].as_array().expect("hands").iter();
    let steps = hands.flat_map(|hand| hand["steps"].as_array().expect("steps"));
    let decisions = steps.filter_map(|step| step["decisions"].as_array()).flatten();
    decisions.filter(|decision| decision.get("advice").is_some()).cloned().collect()
}

/// Several agents have an entry each at every decision, and each says the same as alone.
#[test]
fn agents_are_side_by_side() {
    let folder = folder();
    let run = short_game(&folder);
    let game = format!("{run}:0");
    let [heuristic, search] = ["--agent=mine=heuristic:calls=off", "--agent=mc:rollouts=16"];
    let options = [game.as_str(), "--rollouts=200", "--seat=2"];
    let view = viewed(&[&options[..], &[heuristic, search, "--agent=greedy", "--agent=greedy"]].concat());
    let names: Vec<&Value> =
        view["game"]["advisors"].as_array().expect("agents").iter().map(|agent| &agent["name"]).collect();
    assert_eq!(names, ["mine", "mc:rollouts=16", "greedy", "greedy #2"]);
    assert_eq!(view["game"]["advisors"][0]["text"], "heuristic:calls=off");
    assert_eq!(view["game"]["advisors"][3]["text"], "greedy");
    let all = advised(&view);
    assert!(all.iter().all(|decision| decision["advice"].as_array().map(Vec::len) == Some(4)));
    for (place, agent) in [heuristic, search].into_iter().enumerate() {
        let alone = viewed(&[&options[..], &[agent]].concat());
        let of_place = all.iter().filter(|decision| !decision["advice"][place].is_null());
        let of_place: Vec<_> = of_place
            .map(|decision| (decision["number"].to_string(), decision["advice"][place].clone()))
            .collect();
        assert_eq!(of_place, advice(&alone), "{agent}");
        assert!(!of_place.is_empty(), "{agent}");
    }
    let left_out = |decision: &&Value| decision["advice"][1].is_null();
    assert!(all.iter().any(|decision| left_out(&decision)), "a search leaves clear decisions out");
}

/// Options have the numbers of the candidates in `ask`. Decisions have a kind, with a name in each
/// language of the page.
#[test]
fn options_have_risks_and_decisions_kinds() {
    let folder = folder();
    let run = short_game(&folder);
    let game = format!("{run}:0");
    let html = ok(&["view", &game, "--agent=heuristic", "--out=-"]);
    for kind in DecisionKind::ALL.map(DecisionKind::name) {
        assert_eq!(html.matches(&format!("[\"{kind}\",\"")).count(), 3, "{kind}");
    }
    let all = advice(&data(&html));
    let mut kinds: Vec<&str> = all.iter().filter_map(|(_, advice)| advice["kind"].as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.len() > 2 && kinds.contains(&"discards"), "{kinds:?}");
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let risky = |(_, advice): &&(String, Value)| number(&advice["options"][0]["risk"]) >= 100.0;
    let (step, advice) = all.iter().find(risky).expect("a risky discard");
    let asked = parsed(&ok(&["ask", &format!("{game}:{step}"), "--json"]));
    let candidates = asked["answers"][0]["options"].as_array().expect("options");
    let options = advice["options"].as_array().expect("options");
    for option in options {
        let of = candidates.iter().find(|one| one["action"] == option["action"]).expect("a candidate");
        assert!((number(&option["risk"]) - number(&of["risk"])).abs() <= 0.5, "{option}");
    }
}

/// The options of a decision and the actions without one are the legal actions.
#[test]
fn readers_can_try_all_legal_actions() {
    let folder = folder();
    let run = short_game(&folder);
    let game = format!("{run}:0");
    for agents in [&["--agent=heuristic"][..], &["--agent=greedy"], &["--agent=heuristic", "--agent=random"]]
    {
        for decision in advised(&viewed(&[&[game.as_str()], agents].concat())).iter().step_by(40) {
            let texts = |list: &Value, name: &str| -> Vec<String> {
                let list = list.as_array().into_iter().flatten();
                list.map(|one| {
                    if name.is_empty() { one } else { &one[name] }.as_str().expect("a text").to_owned()
                })
                .collect()
            };
            let mut found = texts(&decision["legal"], "");
            decision["advice"].as_array().expect("advice").iter().for_each(|advice| {
                found.extend(texts(&advice["options"], "action"));
            });
            let asked = parsed(&ok(&["ask", &format!("{game}:{}", decision["number"]), "--json"]));
            let mut legal = texts(&asked["legal"], "");
            [&mut found, &mut legal].into_iter().for_each(|texts| {
                texts.sort();
                texts.dedup();
            });
            assert_eq!(found, legal, "{decision}");
        }
    }
}

/// An agent's opinion agrees with `ask`, and a cost is the gain of its best action.
#[test]
fn agents_say_what_decisions_cost() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games=1", "--agents=greedy", "--seed=5", "--out", &run, "--quiet"]);
    let game = format!("{run}:0");
    let view = viewed(&[&game, "--agent=heuristic", "--seat=1", "--threshold=300"]);
    assert_eq!(view["game"]["advisors"], json!([{ "name": "heuristic", "text": "heuristic" }]));
    let all = advice(&view);
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    assert!(all.iter().all(|(_, advice)| number(&advice["cost"]) >= 0.0));
    let is_mistake = |advice: &Value| number(&advice["cost"]) > 300.0;
    let is_marked = |advice: &Value| ["mistake", "disputed"].iter().any(|grade| advice["grade"] == *grade);
    assert!(all.iter().all(|(_, advice)| is_marked(advice) == is_mistake(advice)));
    assert!(all.iter().all(|(_, advice)| advice["others"].is_array() == is_mistake(advice)));
    let mistakes: Vec<_> = all.iter().filter(|(_, advice)| is_mistake(advice)).collect();
    assert!(
        !mistakes.is_empty() && mistakes.len() < all.len(),
        "{} mistakes of {}",
        mistakes.len(),
        all.len()
    );
    for (step, advice) in mistakes.iter().take(3) {
        let asked = parsed(&ok(&["ask", &format!("{game}:{step}"), "--json"]));
        assert_eq!(advice["action"], asked["answers"][0]["action"], "decision {step}");
        assert_eq!(advice["reason"], asked["answers"][0]["reason"], "decision {step}");
    }
}

/// With `mc` the costs are those of `analyse`.
#[test]
fn reviews_are_those_of_analyse() {
    let folder = folder();
    let run = short_game(&folder);
    let options = ["--agent=mc:rollouts=16", "--rollouts=200", "--seat=2"];
    let game = format!("{run}:0");
    let view = viewed(&[&[game.as_str()], &options[..]].concat());
    let review = parsed(&ok(&[&["analyse", game.as_str(), "--json"], &options[..]].concat()));
    let points = |value: &Value| value.as_f64().map(|points| points as f32);
    let costs: Vec<_> =
        advice(&view).iter().map(|(step, advice)| (step.clone(), points(&advice["cost"]))).collect();
    let reviewed = review["decisions"].as_array().expect("decisions").iter();
    let expected: Vec<_> = reviewed.map(|one| (one["step"].to_string(), points(&one["loss"]))).collect();
    assert_eq!(costs, expected);
    assert!(!costs.is_empty());
}

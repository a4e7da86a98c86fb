//! `jantaku analyse`.

use serde_json::Value;

use crate::common::program::{folder, json, ok, path, refused};

/// A review of few rollouts.
fn review(place: &str, more: &[&str]) -> Value {
    let call = ["analyse", place, "--agent", "mc:rollouts=32", "--json"];
    json(&ok(&[&call[..], more].concat()))
}

/// The points that a player loses for each decision compared.
fn lost_each(review: &Value) -> f64 {
    let [lost, compared] = ["lost", "compared"].map(|key| review["all"][key].as_f64().expect("a number"));
    lost / compared
}

#[test]
fn random_play_loses_more_than_a_classical_player() {
    let folder = folder();
    let run = path(&folder, "run");
    let agents = "random,heuristic,heuristic,heuristic";
    ok(&["selfplay", "--games", "1", "--seed", "3", "--agents", agents, "--out", &run, "--quiet"]);
    let game = format!("{run}:0");
    let [random, heuristic] = ["0", "1"].map(|seat| review(&game, &["--seat", seat]));
    assert_eq!(random["player"], "random");
    assert_eq!(heuristic["player"], "heuristic");
    let [worst, best] = [&random, &heuristic].map(lost_each);
    assert!(worst > 3.0 * best + 50.0, "{worst} and {best} points each");
}

/// Runs and logs of the same game have the same review, and its sums are those of the decisions.
#[test]
fn decisions_add_up() {
    let folder = folder();
    let [run, log] = ["run", "log.jsonl"].map(|name| path(&folder, name));
    ok(&["selfplay", "--games", "2", "--seed", "5", "--agents", "greedy", "--out", &run, "--quiet"]);
    ok(&["convert", &run, "--to", "mjai", "--out", &log, "--quiet"]);
    let more = ["--seat", "2", "--hand", "1"];
    let mut of_run = review(&format!("{run}:1"), &more);
    let mut of_log = review(&format!("{log}:1"), &more);
    for review in [&mut of_run, &mut of_log] {
        review["player"].take();
    }
    assert_eq!(of_run, of_log);
    let decisions = of_run["decisions"].as_array().expect("decisions");
    assert!(!decisions.is_empty());
    let kinds = of_run["kinds"].as_array().expect("kinds");
    let all = &of_run["all"];
    let total = |key: &str| kinds.iter().map(|kind| kind[key].as_u64().expect("a number")).sum::<u64>();
    assert_eq!(total("compared"), decisions.len() as u64);
    assert_eq!(all["compared"], decisions.len());
    assert_eq!(all["mistakes"], total("mistakes"));
    for decision in decisions {
        assert_eq!(decision["hand"], 1);
        let alternatives = decision["alternatives"].as_array().expect("a list");
        assert!(alternatives.iter().all(|other| other["action"] != decision["played"]), "{decision}");
        let loss = decision["loss"].as_f64().expect("a number");
        assert!(if decision["better"].is_null() { loss == 0.0 } else { loss > 0.0 }, "{decision}");
        let better = alternatives.iter().find(|other| other["action"] == decision["better"]);
        assert_eq!(better.is_none(), decision["better"].is_null(), "{decision}");
        let differs_by = |errors: f64, other: &Value| {
            let [difference, error] = ["difference", "standard_error"].map(|key| other[key].as_f64());
            difference.expect("a number") > errors * error.expect("a number")
        };
        assert!(better.is_none_or(|other| differs_by(1.0, other) && other["posterior"] == decision["loss"]));
        assert_eq!(decision["is_mistake"], better.is_some_and(|other| differs_by(2.0, other)), "{decision}");
    }
}

/// Each decision has a line of alternatives. Those that the search would take are marked, and mistakes
/// are the clear ones.
#[test]
fn the_text_tells_mistakes_from_doubts() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "1", "--seed", "3", "--agents", "random", "--out", &run, "--quiet"]);
    let place = format!("{run}:0");
    let shown = ok(&["analyse", &place, "--seat", "0", "--agent", "mc:rollouts=32"]);
    let review = review(&place, &["--seat", "0"]);
    let marked = |word: &str| shown.matches(&format!("      {word}: ")).count() as u64;
    let of_all = |key: &str| review["all"][key].as_u64().expect("a number");
    let (mistakes, doubts) = (marked("mistake"), marked("perhaps"));
    assert!(mistakes > 0 && doubts > 0, "{shown}");
    assert_eq!((mistakes, mistakes + doubts), (of_all("mistakes"), of_all("better")));
    assert_eq!(shown.matches("      instead ").count() as u64, of_all("compared"));
    assert_eq!(shown.matches(" determinizations\n").count() as u64, of_all("compared"));
}

#[test]
fn wrong_requests_are_refused() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "1", "--agents", "tsumogiri", "--out", &run, "--quiet"]);
    let game = format!("{run}:0");
    let cases: [(&[&str], &str); 5] = [
        (&["nothing:3", "--seat", "0"], "nothing:3: no such file; expected RUN:GAME, LOG or LOG:GAME"),
        (&[&run, "--seat", "0"], &format!("{run}: name a game of the run, as in {run}:0")),
        (
            &[&game, "--seat", "0", "--agent", "greedy"],
            "--agent greedy: expected `mc`, which compares actions by search",
        ),
        (&[&game, "--seat", "0", "--hand", "900"], "no hand 900; the game has hands 0 to "),
        (&[&format!("{run}:7"), "--seat", "0"], "no game 7; the run holds games 0 to 0"),
    ];
    for (words, message) in cases {
        let call = [&["analyse"], words].concat();
        let output = crate::common::program::jantaku(&call);
        let found = crate::common::program::text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{found}");
        assert!(found.contains(message), "{found}");
    }
    let broken = path(&folder, "broken.mjlog");
    std::fs::write(&broken, "<mjloggm ver=\"2.3\"><SHUFFLE seed=").expect("a file");
    for words in [&["analyse", &broken, "--seat", "0"][..], &["ask", &format!("{broken}:0:1")]] {
        let output = crate::common::program::jantaku(words);
        let found = crate::common::program::text(&output.stderr);
        assert!(found.starts_with(&format!("error: {broken}: ")), "{found}");
    }
    let duo = path(&folder, "duo");
    ok(&["selfplay", "--games", "1", "--rules", "duo", "--agents", "tsumogiri", "--out", &duo, "--quiet"]);
    refused(&["analyse", &format!("{duo}:0"), "--seat", "2"], "error: --seat 2: the game has seats 0 to 1");
}

//! `jantaku analyse`.

use serde_json::Value;

use crate::common::program::{folder, json, ok, path};

/// Few rollouts.
const FEW: [&str; 6] = ["--agent", "mc:rollouts=32", "--rollouts", "4000", "--threshold", "500"];

/// A review of few rollouts.
fn review(place: &str, more: &[&str]) -> Value {
    json(&ok(&[&["analyse", place, "--json"], &FEW[..], more].concat()))
}

/// The numbers with these keys.
fn numbers<const N: usize>(of: &Value, keys: [&str; N]) -> [f64; N] {
    keys.map(|key| of[key].as_f64().unwrap_or_else(|| panic!("no number `{key}`: {of}")))
}

/// The points that a player loses for each decision compared.
fn lost_each(review: &Value) -> f64 {
    let [compared] = numbers(&review["all"], ["compared"]);
    // None without a trial.
    review["all"]["lost"].as_f64().unwrap_or(0.0) / compared
}

#[test]
fn random_play_loses_more_than_a_classical_player() {
    let folder = folder();
    let run = path(&folder, "run");
    let agents = "random,heuristic,heuristic,heuristic";
    ok(&["selfplay", "--games", "1", "--seed", "4", "--agents", agents, "--out", &run, "--quiet"]);
    let game = format!("{run}:0");
    let [random, heuristic] = ["0", "1"].map(|seat| review(&game, &["--seat", seat, "--hand", "0"]));
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
    for key in ["compared", "agreed", "mistakes"] {
        assert_eq!(all[key], total(key), "{key}");
    }
    let [lost, low, high] = numbers(all, ["lost", "lost_low", "lost_high"]);
    let sum: f64 = decisions.iter().map(|decision| numbers(decision, ["loss"])[0]).sum();
    assert!(low <= lost && lost <= high && (lost - sum).abs() < 1.0, "{all}");
    for kind in kinds {
        let mut of_kind = decisions.iter().filter(|decision| decision["kind"] == kind["kind"]);
        let is_measured = of_kind.any(|decision| !decision["trial"].is_null());
        for key in ["lost", "lost_low", "lost_high"] {
            assert_eq!(kind[key].is_number(), is_measured, "{kind}");
            assert!(is_measured || kind[key].is_null(), "{kind}");
        }
    }
    for decision in decisions {
        assert_eq!(decision["hand"], 1);
        let alternatives = decision["alternatives"].as_array().expect("a list");
        assert!(alternatives.iter().all(|other| other["action"] != decision["played"]), "{decision}");
        let ([loss, error], trial) = (numbers(decision, ["loss", "loss_error"]), &decision["trial"]);
        assert_eq!(decision["better"].is_string(), loss > error, "{decision}");
        assert!(decision["better"].is_null() || decision["better"] == trial["action"], "{decision}");
        assert!(!trial.is_null() || loss == 0.0 && error == 0.0, "{decision}");
        let is_mistake = ["mistake", "disputed"].iter().any(|grade| decision["grade"] == *grade);
        assert_eq!(is_mistake, trial["is_mistake"] == true, "{decision}");
        assert_eq!(decision["grade"] == "undecided", !trial.is_null() && trial["is_mistake"].is_null());
        assert_eq!(decision["sentence"].is_string(), is_mistake, "{decision}");
        // Two other agents answer beside a mark, and it stands only if neither finds the action good.
        let others = decision["others"].as_array().expect("a list");
        assert_eq!(others.len(), if is_mistake { 2 } else { 0 }, "{decision}");
        let is_good = |other: &Value| other["grade"] == "best" || other["grade"] == "fine";
        assert_eq!(decision["grade"] == "disputed", others.iter().any(is_good), "{decision}");
        // A mistake is certain: its loss is above the threshold by far more than its error.
        assert!(!is_mistake || loss > 500.0 + 2.0 * error, "{decision}");
    }
}

/// The same seed has the same review. A trial has worlds of its own, so the loss against the same
/// action does not depend on the searches.
#[test]
fn losses_come_from_fresh_worlds() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "1", "--seed", "3", "--agents", "random", "--out", &run, "--quiet"]);
    let place = format!("{run}:0");
    let of = |agent: &str| {
        let words = ["analyse", &place, "--seat", "0", "--hand", "0", "--json", "--rollouts", "20000"];
        json(&ok(&[&words[..], &["--agent", agent]].concat()))
    };
    let [first, other] = ["mc:rollouts=32", "mc:rollouts=36"].map(of);
    assert_eq!(of("mc:rollouts=32"), first);
    let trials = |review: &Value| {
        let decisions = review["decisions"].as_array().expect("decisions").clone();
        decisions.into_iter().filter(|decision| !decision["trial"].is_null()).collect::<Vec<_>>()
    };
    let mut same = 0;
    for one in trials(&first) {
        let is_same = |two: &&Value| {
            two["step"] == one["step"]
                && ["action", "determinizations"].iter().all(|key| two["trial"][key] == one["trial"][key])
        };
        if let Some(two) = trials(&other).iter().find(is_same) {
            assert_eq!((&two["loss"], &two["loss_error"]), (&one["loss"], &one["loss_error"]));
            same += 1;
        }
    }
    assert!(same > 0, "{first} {other}");
}

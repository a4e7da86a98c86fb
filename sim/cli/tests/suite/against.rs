//! `jantaku stats --against`.

use jantaku_measure::stats::Population;
use serde_json::{Map, Value};

use crate::common::program::{folder, json, ok, path, refused};

/// The figures beside those of other games, by their names.
fn against(args: &[&str]) -> Map<String, Value> {
    let json = json(&ok(args));
    let figures = json["against"]["figures"].as_array().expect("figures").iter();
    figures.map(|figure| (figure["name"].as_str().expect("a name").to_owned(), figure.clone())).collect()
}

#[test]
fn published_frequencies_stand_beside_figures() {
    let games = ["stats", "--agents", "greedy", "--games", "100", "--json", "--against"];
    let found = against(&[&games[..], &["tenhou-2016"]].concat());
    let draw = &found["hands.draw"];
    assert_eq!(draw["other"], 277_057.0 / 1_710_645.0);
    let number = |key: &str| draw[key].as_f64().expect("a number");
    assert_eq!(draw["difference"], number("value") - number("other"));
    // Greedy draws less often: the upper end of its interval and the lower end of the other count.
    let (own, other) = (number("high") - number("value"), number("other") - number("other_low"));
    assert!((number("standard_error") * 1.96 - own.hypot(other)).abs() < 1e-4);
    assert!(number("standard_errors") < -5.0);
    assert!(found.contains_key("players.call") && !found.contains_key("yaku.kokushi"));
    let text = ok(&["stats", "--games", "20", "--rules", "wrc", "--against", "draws"]);
    assert!(text.contains("the rules differ: wrc in these games, tenhou in the others"), "{text}");
    assert!(text.contains("Source of draws: note.com/hagure_melon"), "{text}");
    assert!(!text.contains("interval"), "these tables have standard errors: {text}");
    let text = ok(&["stats", "--games", "20", "--against", "nine-terminals", "--only", "points"]);
    assert!(text.ends_with("\nNo figures in common.\n"), "{text}");
    let help = ok(&["stats", "--help"]);
    for population in Population::all() {
        assert!(help.contains(&population.name), "{}: {help}", population.name);
    }
}

#[test]
fn a_run_stands_beside_itself_without_a_difference() {
    let folder = folder();
    let run = path(&folder, "run");
    ok(&["selfplay", "--games", "30", "--out", &run]);
    let found = against(&["stats", &run, "--json", "--against", &run]);
    assert!(found.len() > 100, "{} figures", found.len());
    for (name, figure) in &found {
        assert_eq!(figure["difference"], 0.0, "{name}");
        assert_eq!(figure["value"], figure["other"], "{name}");
    }
    refused(
        &["stats", "--games", "1", "--against", "tenhou-2017"],
        "error: --against: no published frequencies and no folder `tenhou-2017`: did you mean `tenhou-2018`? \
         Expected one of tenhou-2018, tenhou-2016, draws, nine-terminals, han-fu, or the folder of a run",
    );
}

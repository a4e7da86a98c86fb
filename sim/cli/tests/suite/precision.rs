//! Games that are played until a figure is known as exactly as asked.

use jantaku_agents::{Greedy, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, Groups, Job, Players, Schedule};
use jantaku_sim::stats::{FIRST_BATCH, Measured, PATIENCE, Precision, Target, simulate, simulate_until};
use serde_json::Value;

use crate::common::program::{jantaku, ok};

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&ok(&[words, &["--json"]].concat())).expect("JSON")
}

/// The statistics are those of a run with the same number of games, and of any number of threads.
/// The games end at the first boundary of a batch where the target is met.
#[test]
fn games_are_played_until_the_target_is_met() {
    let rules = Rules::default();
    let players = || Players::from(vec![NamedPolicy::new("greedy", Greedy::default()); 4]);
    let job = |games| Job::new(&rules, Schedule::selfplay(3, games), Detail::None);
    let target = Target::parse("hands.tsumo=1%", &Groups::default(), &[&rules]).expect("a target");
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let targets = std::slice::from_ref(&target);
        pool.install(|| {
            simulate_until(&job(1 << 40), &mut players(), targets, &mut ()).expect("greedy plays legally")
        })
    };
    let found = on(1);
    let games = found.games();
    assert!(found == on(3), "threads change nothing");
    assert!(found == simulate(&job(games), &mut players(), &mut ()).expect("greedy plays legally"));
    let known = Precision::of(&target, &found);
    assert!(known.met && known.distance.is_some_and(|distance| distance <= 0.01), "{known:?}");
    assert!(games.is_multiple_of(FIRST_BATCH) && games > FIRST_BATCH, "{games}");
    let before = simulate(&job(games - FIRST_BATCH), &mut players(), &mut ()).expect("greedy plays legally");
    assert!(!Precision::of(&target, &before).met, "{games}");
    // The estimate of a tenth of the games is near.
    let planned = Precision::of(&target, &before).games.expect("an estimate");
    assert!(planned > before.games() && planned <= 2 * games, "{planned} of {games}");
    let as_if = before.distance(&target, games).expect("an interval");
    let then = known.distance.expect("an interval");
    assert!((as_if / then - 1.0).abs() < 0.1, "{as_if} {then}");
}

#[test]
fn the_program_says_how_exactly_figures_are_known() {
    let words = ["stats", "--precision", "hands.tsumo=3%", "--precision", "games.hands=1", "--only", "hands"];
    let printed = ok(&words);
    assert!(printed.starts_with("512 games of greedy under tenhou, seed 0: "), "{printed}");
    assert!(printed.contains("\nhands.tsumo is known to ±"), "{printed}");
    assert!(printed.contains(", within ±1, as asked\n"), "{printed}");
    let found = json(&words);
    assert_eq!((&found["games"], &found["complete"]), (&512.into(), &true.into()));
    let figure = &found["figures"][0];
    assert_eq!(figure["name"], "hands.tsumo");
    let [value, low, high, distance] =
        [&figure["value"], &figure["low"], &figure["high"], &found["precision"][0]["distance"]]
            .map(|number| number.as_f64().expect("a number"));
    assert!((distance - (high - value).max(value - low)).abs() < 1e-12, "{distance}");
    assert!(distance <= 0.03, "{distance}");
}

/// `--games` is the most that is played. The message says how many games would be enough.
#[test]
fn the_number_of_games_is_a_limit() {
    let words = ["stats", "--games", "40", "--precision", "draws.four-kans=0.001%", "--only", "draws"];
    let found = json(&words);
    assert_eq!((&found["games"], &found["complete"]), (&40.into(), &true.into()));
    let known = &found["precision"][0];
    assert_eq!(
        (&known["name"], &known["group"], &known["met"]),
        (&"draws.four-kans".into(), &"all".into(), &false.into())
    );
    // No event: 9.58 hands' worth of doubt, in 10 hands a game.
    let games = known["games"].as_u64().expect("an estimate");
    assert!((60_000..150_000).contains(&games), "{games}");
    let printed = ok(&words);
    let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.contains(" draws.four-kans had no such event: it is 0 ±"), "{printed}");
    assert!(printed.contains(" %, not ±0.001 %; that needs at least "), "{printed}");
    assert!(!printed.contains("known"), "{printed}");
}

/// Players who discard what they draw never declare riichi, and the sum of their points never varies.
/// Most rules fix that sum, so the first batch shows it.
#[test]
fn a_figure_without_an_interval_ends_the_games() {
    let rules = "wind_rounds = 1";
    let folder = crate::common::program::folder();
    let file = folder.path().join("short.toml");
    std::fs::write(&file, rules).expect("a file");
    let file = file.to_str().expect("a path of plain characters");
    for (figure, games) in [("players.riichi-turn=1", PATIENCE), ("players.points=1", FIRST_BATCH)] {
        let found = json(&["stats", "--rules", file, "--agents", "tsumogiri", "--precision", figure]);
        assert_eq!(found["games"], games, "{figure}");
        assert_eq!(
            (&found["precision"][0]["distance"], &found["precision"][0]["met"]),
            (&Value::Null, &false.into())
        );
    }
}

/// Every difference from the first variant is known.
#[test]
fn sweeps_play_until_differences_are_known() {
    let sweep = ["sweep", "--rules", "tenhou", "--vary", "kiriage=true", "--vary", "honba_ron=0,300"];
    let asked = ["--precision", "points.mean=200", "--only", "points"];
    let found = json(&[&sweep[..], &asked].concat());
    let distances = found["figures"].as_array().expect("figures").iter().filter_map(|figure| {
        let end = |key: &str| figure[key].as_f64();
        let is_all = figure["name"] == "points.mean" && figure["group"] == "all";
        let is_other = is_all && figure["variant"] != "tenhou";
        is_other.then(|| end("difference_high").zip(end("difference")).map(|(high, value)| high - value))
    });
    let distances: Vec<f64> = distances.map(|distance| distance.expect("an interval")).collect();
    assert_eq!(distances.len(), 2);
    let most = distances.iter().copied().fold(0.0, f64::max);
    let known = &found["precision"][0];
    assert!((most - known["distance"].as_f64().expect("a number")).abs() < 1e-6 && most <= 200.0, "{most}");
    assert_eq!(known["met"], true);
}

#[test]
fn a_plan_says_how_many_games_are_needed() {
    let asked = ["--precision", "hands.tsumo=1%", "--precision", "players.placement@seat 1=0.1"];
    let plan = json(&[&["stats", "--plan"], &asked[..]].concat());
    let games = plan["games"].as_u64().expect("an estimate");
    let played = json(&[&["stats"], &asked[..]].concat())["games"].as_u64().expect("a number");
    assert!(played >= games / 2 && played <= 2 * games + FIRST_BATCH, "{played}, planned {games}");
    let of = |index: usize| plan["precision"][index]["games"].as_u64().expect("an estimate");
    assert_eq!(games, of(0).max(of(1)).max(FIRST_BATCH));
    assert!(plan["seconds"].as_f64().expect("a number") > 0.0);
    assert_eq!(plan["pilot"], FIRST_BATCH);
    let printed = ok(&["stats", "--plan", "--precision", "hands.tsumo=0.1%", "--threads", "1"]);
    let last = printed.lines().last().expect("lines");
    assert!(last.starts_with("about ") && last.ends_with(" on 1 thread"), "{printed}");
    let sweep = ["sweep", "--rules", "tenhou", "--rules", "mleague", "--plan"];
    let plan = json(&[&sweep[..], &["--precision", "draws.exhaustive=0.1%"]].concat());
    assert!(plan["games"].as_u64().is_some_and(|games| games > FIRST_BATCH), "{plan}");
}

/// Without an event in the pilot, the number of games is a lower bound.
#[test]
fn a_plan_for_a_rare_figure_is_a_lower_bound() {
    let words = ["stats", "--plan", "--games", "600", "--precision", "draws.four-kans=0.001%"];
    let plan = json(&words);
    assert_eq!((&plan["precision"][0]["at_least"], &plan["enough"]), (&true.into(), &false.into()));
    let printed = ok(&words);
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        lines.iter().any(|line| line.starts_with("  draws.four-kans ")
            && line.contains(" at least ")
            && line.ends_with(" games: no event so far")),
        "{printed}"
    );
    assert!(lines[lines.len() - 2].starts_with("at least "), "{printed}");
    assert_eq!(lines.last(), Some(&"--games 600 is not enough"));
    // A share of a rate gives no number of games as long as the rate is 0.
    let words = ["stats", "--plan", "--games", "600", "--precision", "draws.four-kans=10%rel"];
    let plan = json(&words);
    assert_eq!((&plan["games"], &plan["enough"]), (&Value::Null, &Value::Null));
    let printed = ok(&words);
    assert!(printed.contains("  unknown: no event so far\n"), "{printed}");
    assert!(printed.ends_with("\nunknown: the pilot of 512 games had no such event\n"), "{printed}");
    let enough = json(&["stats", "--plan", "--games", "600", "--precision", "hands.tsumo=3%"]);
    assert_eq!((&enough["precision"][0]["at_least"], &enough["enough"]), (&false.into(), &true.into()));
}

#[test]
fn targets_that_cannot_be_met_are_refused() {
    for (words, message) in [
        (
            &["stats", "--precision", "draws.four-kan=1%"][..],
            "error: --precision draws.four-kan=1%: unknown figure `draws.four-kan` (did you mean \
             `draws.four-kans`?); `jantaku stats --list` prints all",
        ),
        (
            &["stats", "--precision", "hands.tsumo=1%,points.mean=50"],
            "error: --precision hands.tsumo=1%,points.mean=50: expected one figure; give each its own \
             precision\n",
        ),
        (
            &["stats", "--precision", "players.placement=0.1"],
            "error: --precision players.placement=0.1: `players.placement` is the same in all games; give a \
             group, such as `players.placement@seat 0`\n",
        ),
        (
            &["stats", "--precision", "players.placement@agent greedy=0.1"],
            "error: --precision players.placement@agent greedy=0.1: `players.placement@agent greedy` is the \
             same in all games;",
        ),
        (
            &[
                "sweep",
                "--rules",
                "mleague",
                "--vary",
                "kyuushu=true",
                "--precision",
                "draws.kyuushu-kyuuhai=20%rel",
            ],
            "error: --precision draws.kyuushu-kyuuhai=20%rel: `draws.kyuushu-kyuuhai` cannot occur under \
             mleague, the first variant, so there is no share of its value; give percentage points\n",
        ),
        (&["stats", "--plan"], "error: the following required arguments were not provided:"),
        (&["stats", "run", "--precision", "hands.tsumo=1%"], "error: the argument '[RUN]...' cannot be used"),
    ] {
        let output = jantaku(words);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {stderr}");
        assert!(stderr.starts_with(message), "{words:?}: {stderr}");
    }
    let list = ok(&["stats", "--list"]);
    assert!(list.lines().any(|line| line.starts_with("draws.four-kans ") && line.ends_with("rate per hand")));
    let is_spread =
        |line: &str| line.starts_with("spread.points-sd ") && line.ends_with(" sd per game of a player");
    assert!(list.lines().any(is_spread), "{list}");
    let names = json(&["stats", "--list"]);
    assert_eq!(names["figures"].as_array().map(Vec::len), Some(list.lines().count()));
}

/// A share of the value: the program plays until the rate is known to 3 % of its value.
#[test]
fn a_precision_can_be_relative() {
    let words = ["stats", "--precision", "hands.tsumo=3%rel", "--only", "hands.tsumo"];
    let found = json(&words);
    let known = &found["precision"][0];
    assert_eq!(
        (&known["relative"], &known["met"], &known["within"]),
        (&true.into(), &true.into(), &0.03.into())
    );
    let [value, distance] = ["value", "distance"].map(|key| known[key].as_f64().expect("a number"));
    assert!(distance <= 0.03 * value && distance > 0.02 * value, "{known}");
    let printed = ok(&words).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.contains("), within ±3 % of the value, as asked"), "{printed}");
}

//! Games that are played until a figure is known as exactly as asked.

use jantaku_agents::{Greedy, NamedPolicy};
use jantaku_engine::Rules;
use jantaku_measure::stats::{FIRST_BATCH, Measured as _, Precision, Target, simulate, simulate_until};
use jantaku_sim::play::{Detail, Groups, Job, Players, Schedule};
use serde_json::Value;

use crate::common::program::ok;

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

//! Matches: fair results, and runs that are killed and resumed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use jantaku_agents::{Catalog, NamedAgent};
use jantaku_engine::Rules;
use jantaku_engine::rules::Preset;
use jantaku_measure::arena::{Match, MatchPlan, MatchResult};
use jantaku_sim::play::{Detail, Seatings};
use jantaku_sim::run::RunConfig;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use serde_json::Value;

use crate::common::bots::FAULTY;
use crate::common::program::{
    Killer, folder, json, match_result as result, match_without_speed as without_speed, ok, path, refused,
    start, wait_until,
};
use crate::sizes::{BOT_SETS, MATCHES};

/// The result of a match of two agents that is played in memory.
fn result_of(seatings: Seatings, rules: &Rules, agents: [&str; 2], seed: u64, sets: u64) -> MatchResult {
    let agents = agents.map(|agent| Catalog::standard().agent(agent).expect("an agent")).to_vec();
    let names = agents.iter().map(NamedAgent::to_string).collect();
    let config = RunConfig {
        agents: names,
        games: Some(0),
        seed,
        detail: Detail::None,
        seatings,
        ..RunConfig::new("of the test", rules)
    };
    let mut game = Match::in_memory(config, agents, MatchPlan { sets: Some(sets), ..MatchPlan::default() });
    let mut players = game.start(false, &Arc::default()).expect("agents start");
    game.play(&mut players, &mut ()).expect("the agents answer")
}

#[test]
fn equal_agents_place_exactly_in_the_middle() {
    for (preset, seatings, fair) in [
        ("tenhou", Seatings::OneVersusRest, 2.5),
        ("tenhou", Seatings::TwoVersusTwo, 2.5),
        ("tenhou-sanma", Seatings::OneVersusRest, 2.0),
        ("dragon-kong-2", Seatings::OneVersusRest, 1.5),
    ] {
        let rules = Preset::named(preset).expect("a preset").rules();
        let noisy = "noisy:base=greedy,p=0.2";
        for (agent, keep_draws) in [("greedy", false), (noisy, false), (noisy, true)] {
            let rules = Rules { keep_draws, ..rules };
            let standing = result_of(seatings, &rules, [agent, agent], 1, 3);
            for agent in &standing.agents {
                let placement = agent.placement;
                assert_eq!((placement.value, placement.low, placement.high), (fair, Some(fair), Some(fair)));
                assert_eq!((placement.standard_error, agent.variance_ratio), (Some(0.0), Some(0.0)));
            }
            assert_eq!(standing.placement_difference.map(|difference| difference.value), Some(0.0));
        }
    }
}

/// A quick version of `experiments/2026-11-22-matches`.
#[test]
fn intervals_of_equally_strong_agents_cover_the_middle() {
    let matches = u64::from(MATCHES.get());
    let agents = [1, 2].map(|salt| format!("noisy:base=greedy,p=0.2,salt={salt}"));
    let agents = agents.each_ref().map(String::as_str);
    let covers = |seed: &u64| {
        let result = result_of(Seatings::OneVersusRest, &Rules::default(), agents, *seed, 25);
        let placement = result.agents[0].placement;
        placement.low.zip(placement.high).is_some_and(|(low, high)| low <= 2.5 && 2.5 <= high)
    };
    let covered = (0..matches).filter(covers).count() as f64 / matches as f64;
    // 95 % up to three standard errors.
    let least = 0.95 - 3.0 * (0.95 * 0.05 / matches as f64).sqrt();
    assert!((least..0.999).contains(&covered), "{covered}");
}

/// Kept games have the figures of the match, clustered by set, and are verified.
#[test]
fn kept_matches_are_runs() {
    let folder = folder();
    let out = path(&folder, "run");
    let words = ["--challenger", "noisy:p=0.1", "--baseline", "greedy", "--sets", "30", "--by", "agent"];
    let kept = result(&[&words[..], &["--out", &out]].concat());
    assert_eq!(kept, result(&words));
    let written = without_speed(&fs::read_to_string(format!("{out}/result.json")).expect("a result"));
    assert_eq!(written, kept);
    let stats = json(&ok(&["stats", &out, "--by", "agent", "--json"]));
    assert_eq!((&stats["units"], &stats["games"]), (&Value::from(30), &Value::from(120)));
    let figures = |value: &Value| value["figures"].as_array().expect("figures").clone();
    let of_agents =
        |figure: &&Value| figure["group"].as_str().is_some_and(|group| group.starts_with("agent"));
    let own = figures(&kept);
    assert!(own.iter().filter(of_agents).count() > 40);
    let found = figures(&stats);
    own.iter().filter(of_agents).for_each(|figure| assert!(found.contains(figure), "{figure}"));
    let placement = own
        .iter()
        .find(|figure| figure["name"] == "players.placement" && figure["group"] == "agent noisy:p=0.1");
    let placement = placement.expect("the figure");
    for end in ["value", "low", "high"] {
        let [found, expected] =
            [&placement[end], &kept["agents"][0]["placement"][end]].map(|v| v.as_f64().expect("a number"));
        assert!((found - expected).abs() < 1e-9, "{end}: {found}, expected {expected}");
    }
    // The result is in the metadata of the figures, too.
    let file = fs::File::open(format!("{out}/result.parquet")).expect("a file");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let metadata = reader.metadata().file_metadata().key_value_metadata().expect("metadata").clone();
    let metadata: BTreeMap<String, Option<String>> =
        metadata.into_iter().map(|entry| (entry.key, entry.value)).collect();
    let keys = "challenger sets games complete seed rules rules_hash agents.1.agent agents.1.placements.3 \
        placement_difference.low";
    for key in keys.split_whitespace() {
        let expected = kept.pointer(&format!("/{}", key.replace('.', "/"))).expect("a value");
        let expected = expected.as_str().map_or_else(|| expected.to_string(), str::to_owned);
        assert_eq!(metadata.get(key), Some(&Some(expected)), "{key}");
    }
    assert!(["sprt", "speed.seconds", "out"].iter().all(|key| !metadata.contains_key(*key)), "{metadata:?}");
    assert_eq!(stats["conditional"], false);
    ok(&["verify", &out]);
    let shown = json(&ok(&["info", &out, "--json"]));
    assert_eq!((&shown["seatings"], &shown["complete"]), (&Value::from("1-v-rest"), &Value::from(true)));
}

/// Faults, `--on-fault` and `--tables` outlive any number of kills. Each role has faults of its
/// own, even if both have the same command.
#[test]
fn killed_matches_of_bots_keep_their_faults() {
    let folder = folder();
    let [bot, whole, out] = ["bot.py", "whole", "run"].map(|name| path(&folder, name));
    fs::write(&bot, FAULTY).expect("a file");
    let agent = format!(r#"mjai:command="python3 '{bot}'""#);
    let words = ["match", "--challenger", &agent, "--baseline", &agent, "--rules", "tenhou-tonpuu", "-q"];
    let sets = BOT_SETS.get();
    let games = 4 * sets;
    let more = ["--sets", &sets.to_string(), "--on-fault", "substitute", "--tables", "3"];
    let words = [&words[..], &more].concat();
    let mut killer = Killer::timed(1, || drop(ok(&[&words[..], &["--out", &whole]].concat())));
    for kill in 1..=4 {
        let is_started = fs::exists(format!("{out}/run.toml")).expect("the folder is readable");
        let words = if is_started { &["match", "--resume", "-q"][..] } else { &words[..] };
        let mut child = start(&[words, &["--out", &out]].concat());
        if kill < 4 {
            killer.kill(child);
        } else {
            // The last kill comes after a complete part.
            let part = format!("{out}/games/part-000000.parquet");
            wait_until(&mut child, || Path::new(&part).exists());
            child.kill().expect("the program is ours");
            child.wait().expect("the program ends");
        }
    }
    refused(
        &["match", "--resume", "-q", "--out", &out, "--on-fault", "forfeit"],
        &format!(
            "error: --on-fault: the match in {out} has substitute, found forfeit; leave it out to resume the match as it is"
        ),
    );
    ok(&["match", "--resume", "-q", "--out", &out]);
    let read = |out: &str, file: &str| fs::read_to_string(format!("{out}/{file}")).expect("a file");
    let result = without_speed(&read(&out, "result.json"));
    assert_eq!(result, without_speed(&read(&whole, "result.json")));
    let name = result["challenger"].as_str().expect("a name");
    let count =
        |agent: &str, count: u32| serde_json::json!({ "agent": agent, "kind": "illegal", "count": count });
    let expected = serde_json::json!([count(name, games), count(&format!("{name} #2"), 3 * games)]);
    assert_eq!(result["faults"], expected);
    assert_eq!(result["agents"][0]["placement"]["value"], 2.5);
    // Messages of each session have their number, and kills change the order of games in play.
    let faults = |out: &str| {
        let text = read(out, "faults.jsonl");
        let fault = |line: &str| {
            let fault = json(line);
            (fault["game"].as_u64(), fault["agent"].to_string(), fault["kind"].to_string())
        };
        let mut faults: Vec<_> = text.lines().map(fault).collect();
        faults.sort();
        faults
    };
    assert_eq!(faults(&out), faults(&whole));
    // Both roles are the same agent in statistics.
    for command in ["stats", "info"] {
        let found = json(&ok(&[command, &out, "--json"]));
        let faults = serde_json::json!([{ "agent": name, "kind": "illegal", "count": 4 * games }]);
        assert_eq!(
            (&found["faults"], &found["fault_shares"][name]["games"]),
            (&faults, &games.into()),
            "{command}"
        );
    }
    let plan = read(&out, "match.toml");
    assert_eq!(plan, format!("sets = {sets}\ntables = 3\non_fault = \"substitute\"\n"));
    let text = ok(&["match", "--resume", "--out", &out]);
    let shares = "faults in 100.00 % of games";
    let labels = [
        format!("faults of [1] mjai: illegal {games}; {shares}"),
        format!("faults of [2] mjai: illegal {}; {shares}", 3 * games),
    ];
    assert_eq!(result["fault_shares"][name]["games"], games);
    let moves = |key: &str| result["fault_shares"][name][key].as_u64().expect("a count");
    assert_eq!(moves("substituted"), u64::from(games));
    assert!(moves("moves") > u64::from(games) * 20, "{result}");
    assert!(text.contains(&format!("\nagent [1] mjai: {name}\n")), "the legend has the text: {text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(labels.iter().all(|label| flat.contains(label)), "{text}");
}

//! Leagues played by the program.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use jantaku_agents::{
    Agent, AgentError, Batched, Built, Catalog, NamedAgent, NamedPolicy, Setup, StartAgent,
};
use jantaku_engine::Rules;
use jantaku_measure::arena::{League, LeagueConfig};
use jantaku_sim::play::{Detail, Seatings};
use jantaku_sim::run::AgentParameters;
use serde_json::Value;

use crate::common::bots::{FAULTY, SLOW};
use crate::common::program::{
    files, folder, interrupted, json, ok, path, refused, signal, start, text, wait_until,
};
use crate::sizes::BOT_SETS;

const FOUR: &str = "greedy,greedy:calls=off,tsumogiri,noisy:base=greedy,p=0.03,salt=1";
const FIVE: &str = "greedy,greedy:calls=off,tsumogiri,noisy:base=greedy,p=0.03,salt=1,random";

/// The result of a league, without the keys that differ between equal leagues.
fn same(found: &str) -> Value {
    let mut found = json(found);
    for key in ["seconds", "threads", "played", "programs", "out"] {
        assert!(found.as_object_mut().expect("an object").remove(key).is_some(), "{key}");
    }
    found
}

/// A policy that answers batches.
struct InBatches(NamedPolicy);

impl StartAgent for InBatches {
    fn start(&self, _: &str, _: &Setup) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Batched(self.0.clone())))
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn tables(&self) -> usize {
        8
    }
}

/// Agents that answer batches play the same league.
#[test]
fn leagues_of_batches_equal_others() {
    let (folder, agents) = (folder(), Catalog::standard().list(FIVE).expect("agents"));
    let policies: Vec<NamedPolicy> = agents.iter().map(|agent| agent.policy().expect("a policy")).collect();
    let agents = |built: &dyn Fn(NamedPolicy) -> Built| -> Vec<NamedAgent> {
        let names = ["a", "b", "c", "d", "e"].into_iter();
        let named = |(name, policy)| NamedAgent::outside_catalog(name, built(policy)).expect("a plain name");
        names.zip(policies.clone()).map(named).collect()
    };
    let (named, batched) =
        (agents(&|policy| Built::policy(policy)), agents(&|policy| Built::agent(InBatches(policy))));
    let config = LeagueConfig {
        agents: named.iter().map(ToString::to_string).collect(),
        sets: 3,
        seed: 7,
        seatings: Seatings::Rotations,
        detail: Detail::Games,
        at_once: None,
        on_fault: None,
        rules_name: "tenhou".to_owned(),
        parameters: AgentParameters::of(&named),
        rules: Rules::default(),
    };
    let play = |league: &League, agents: &[NamedAgent]| {
        league.play(agents, false, &Arc::default(), &mut ()).expect("agents play legally")
    };
    let league = League::in_memory(config.clone()).expect("a league");
    let games = play(&league, &named).games;
    assert_eq!(games.games(), 60);
    assert_eq!(play(&league, &batched).games, games);
    let folders = ["direct", "batched"].map(|name| folder.path().join(name));
    let league = League::create(&folders[0], config.clone()).expect("a folder");
    assert_eq!(play(&league, &named).games, games);
    let league = League::create(&folders[1], config).expect("a folder");
    let played = play(&league, &batched);
    assert_eq!((&played.games, played.complete, played.played), (&games, true, 60));
    let [direct, batched] = folders.map(|folder| files(folder.to_str().expect("a path of plain characters")));
    assert_eq!(batched, direct);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_league_rates_what_it_kept() {
    let folder = folder();
    let out = path(&folder, "league");
    let agents = "--agents=tsumogiri,random,greedy,greedy:calls=off";
    let mut child = start(&["league", "--sets", "100000", agents, "--out", &out, "--json"]);
    let part = Path::new(&out).join("tables/0-1-2-3/games/part-000001.parquet");
    wait_until(&mut child, || part.exists());
    signal("-INT", &child);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let found = json(&text(&output.stdout));
    assert_eq!(found["complete"], false);
    let games = found["games"].as_u64().expect("a count");
    assert!(games >= 2000 && games.is_multiple_of(1000), "{games}");
    assert!(found["agents"].as_array().expect("agents").iter().all(|agent| agent["games"] == games));
    assert!(found["agents"][0]["rating"].is_number(), "{found}");
}

/// A league that is interrupted before its first game is over has games left.
#[cfg(target_os = "linux")]
#[test]
fn a_league_without_a_game_has_games_left() {
    let folder = folder();
    let bot = path(&folder, "bot.py");
    fs::write(&bot, SLOW).expect("a file");
    let agents = format!(r#"mjai:command="python3 '{bot}' 0.05",tsumogiri,random,greedy"#);
    let printed = text(&interrupted(start(&["league", "--sets", "2", "--agents", &agents])).stdout);
    assert!(printed.contains("\ninterrupted: 0 of 8 games were played\n"), "{printed}");
    assert!(!printed.contains("nothing was left to play"), "{printed}");
}

/// A table with a program has small parts, so that an interruption loses few games.
#[cfg(unix)]
#[test]
fn an_interrupted_league_keeps_games_of_programs() {
    const BOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../agents/examples/bot.py");
    let folder = folder();
    let out = path(&folder, "league");
    let agents = format!(r#"mjai:command="python3 '{BOT}' {{seat}}",{FOUR}"#);
    let words = ["league", "--agents", &agents, "--sets", "100", "--rules", "tenhou-tonpuu"];
    let mut child = start(&[&words[..], &["--tables", "8", "--quiet", "--out", &out]].concat());
    let table = format!("{out}/tables/0-1-2-3");
    let games = || {
        fs::read_to_string(format!("{table}/manifest.json"))
            .map_or(0, |text| json(&text)["games"].as_u64().expect("a count"))
    };
    wait_until(&mut child, || games() > 0);
    child.kill().expect("the program is ours");
    child.wait().expect("the program ends");
    assert!(games() > 0 && games().is_multiple_of(4), "{}", games());
    // A league keeps its size of parts when it resumes, even if new ones get another size.
    let run = fs::read_to_string(format!("{table}/run.toml")).expect("a file");
    assert!(run.contains("\ngames_per_part = 4\n"), "{run}");
}

/// Faults, `--on-fault` and `--tables` outlive kills: a resumed league has the faults of one that is
/// left alone.
#[test]
fn killed_leagues_of_programs_keep_their_faults() {
    use std::time::Duration;

    let folder = folder();
    let [bot, whole, out] = ["bot.py", "whole", "run"].map(|name| path(&folder, name));
    fs::write(&bot, FAULTY).expect("a file");
    let bot = format!(r#"mjai:command="python3 '{bot}'""#);
    let words = ["league", "--agents", &format!("{bot},tsumogiri,random,greedy,greedy:calls=off"), "--json"];
    let sets = BOT_SETS.get();
    let more = format!("--sets {sets} --rules tenhou-tonpuu --on-fault substitute --tables 3");
    let words: Vec<&str> = words.into_iter().chain(more.split(' ')).collect();
    let found = same(&ok(&[&words[..], &["--out", &whole]].concat()));
    // Four of the five tables have the bot, with a fault in each game.
    assert_eq!(found["faults"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(
        (&found["faults"][0]["kind"], &found["faults"][0]["count"]),
        (&"illegal".into(), &(4 * 4 * sets).into())
    );
    assert_eq!(same(&ok(&words))["faults"], found["faults"], "in memory");
    // The first kill comes after a complete part, the others when a table has begun.
    let marks = ["0-1-2-3/games/part-000000.parquet", "0-1-2-4/faults.jsonl", "0-2-3-4/faults.jsonl"];
    for (kill, mark) in marks.iter().enumerate() {
        let resume = ["league", "--resume", "--quiet"];
        let mut child = start(&[if kill == 0 { &words[..] } else { &resume }, &["--out", &out]].concat());
        let mark = format!("{out}/tables/{mark}");
        while !Path::new(&mark).exists() && child.try_wait().expect("it is ours").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("the program is ours");
        child.wait().expect("the program ends");
    }
    refused(
        &["league", "--resume", "--out", &out, "--on-fault", "forfeit"],
        &format!(
            "error: --on-fault: the league in {out} has substitute, found forfeit; leave it out to resume the league as it is"
        ),
    );
    assert_eq!(same(&ok(&["league", "--resume", "--json", "--out", &out]))["faults"], found["faults"]);
    // Also where nothing is left to play.
    assert_eq!(same(&ok(&["league", "--resume", "--json", "--out", &out]))["faults"], found["faults"]);
    ok(&["league", "--resume", "--out", &out, "--tables", "2", "--quiet"]);
    let config = fs::read_to_string(format!("{out}/league.toml")).expect("a file");
    assert!(config.contains("\ntables = 2\non_fault = \"substitute\"\n"), "{config}");
}

//! Matches, variates, statistics and bots in batches give the results of the direct runner.

use std::fs;

use jantaku_engine::Rules;
use jantaku_measure::arena::{Match, MatchPlan, MatchResult, Sprt};
use jantaku_measure::stats::{Target, simulate, simulate_until};
use jantaku_sim::play::{Detail, Groups, Job, Players, Schedule, Seatings};
use jantaku_sim::run::{Run, RunConfig};

use super::{batched, names, policies};
use crate::common::bots::FAULTY;
use crate::common::program::{files, folder, jantaku, json, ok, path, refused, text};

/// The parts of a result that do not depend on how it was played.
fn shown(result: &MatchResult) -> String {
    let MatchResult { complete, agents, placement_difference, elo, sprt, sets, .. } = result;
    format!("{sets} {complete} {agents:?} {placement_difference:?} {elo:?} {sprt:?}")
}

/// A match has the same result and files, with and without a test that ends it.
#[test]
fn matches_are_those_of_the_direct_runner() {
    let (rules, folder) = (Rules::default(), folder());
    let policies = policies(&["greedy", "noisy:p=0.3"]);
    let config = RunConfig {
        agents: names(&policies),
        games: Some(600),
        seed: 1,
        seatings: Seatings::OneVersusRest,
        detail: Detail::Hands,
        games_per_part: 100,
        ..RunConfig::new("tenhou", &rules)
    };
    let test = Sprt { low: 0.0, high: 0.1, alpha: 0.05, beta: 0.05 };
    for test in [None, Some(test)] {
        let plan = MatchPlan { sprt: test, ..MatchPlan::with_sets(150) };
        let in_memory = |mut players: Players| {
            let mut game = Match::in_memory(config.clone(), Vec::new(), plan);
            game.play(&mut players, &mut ()).expect("agents answer")
        };
        let expected = in_memory(policies.clone().into());
        let found = in_memory(batched(&policies, 7));
        assert_eq!(shown(&found), shown(&expected));
        assert_eq!(found.figures, expected.figures);
        assert!(found.complete);
        assert_eq!(found.sets < 150, test.is_some(), "the test ends the match: {} sets", found.sets);
        let write = |runner: &str, mut players: Players| {
            let name = format!("{runner} {}", test.is_some());
            let run = Run::create(&folder.path().join(&name), config.clone()).expect("a new folder");
            let mut game = Match::from_run(run, Vec::new(), plan);
            let result = game.play(&mut players, &mut ()).expect("it is written");
            (result.speed.sets, files(&path(&folder, &name)))
        };
        let (direct, batched) =
            (write("direct", policies.clone().into()), write("batched", batched(&policies, 7)));
        assert!(direct == batched, "{} and {} sets", direct.0, batched.0);
    }
}

/// Games in batches have the luck of the direct runner.
#[test]
fn variates_are_those_of_the_direct_runner() {
    let rules = Rules::default();
    let policies = policies(&["greedy", "noisy:p=0.3"]);
    let config = RunConfig {
        agents: names(&policies),
        games: Some(0),
        seed: 1,
        seatings: Seatings::OneVersusRest,
        detail: Detail::None,
        ..RunConfig::new("tenhou", &rules)
    };
    let plan = MatchPlan { variance_reduction: true, ..MatchPlan::with_sets(5) };
    let play = |mut players: Players| {
        let mut game = Match::in_memory(config.clone(), Vec::new(), plan);
        game.play(&mut players, &mut ()).expect("agents answer").agents
    };
    assert_eq!(play(batched(&policies, 7)), play(policies.into()));
}

#[test]
fn statistics_are_those_of_the_direct_runner() {
    let rules = Rules::default();
    let policies = policies(&["greedy", "random", "noisy:p=0.1", "greedy"]);
    let job = Job::new(&rules, Schedule::selfplay(1, 2000), Detail::Games);
    let names = names(&policies);
    let targets = [Target::parse("points.mean=300", &Groups::new(&names), &[&rules]).expect("a figure")];
    let until = |mut players| simulate_until(&job, &mut players, &targets, &mut ()).expect("agents answer");
    let found = until(batched(&policies, 5));
    assert_eq!(found, until(policies.clone().into()));
    assert!(found.games() < 2000, "{} games", found.games());
    let job = Job { games: 0..found.games(), ..job.clone() };
    assert_eq!(simulate(&job, &mut batched(&policies, 5), &mut ()).expect("agents answer"), found);
}

/// Our own program as a bot plays the games of its agent.
#[test]
fn programs_play_in_runs_and_statistics() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_jantaku");
    let bot = format!("mjai:command=\"{program} mjai --agent greedy\"");
    let four = format!("greedy,{bot},greedy,{bot}");
    let out = |name: &str| path(&folder, name);
    let same = ["seats", "draws", "hands", "decisions"];
    let own = json(&ok(&["selfplay", "--games", "3", "--log", "none", "--json"]));
    for (log, verified) in [("games", Some(2)), ("decisions", Some(0))] {
        let run = out(log);
        let args = ["selfplay", "--games", "3", "--agents", &four, "--log", log, "--out", &run];
        let played = json(&ok(&[&args[..], &["--tables", "2", "--json"]].concat()));
        for field in same.into_iter().skip(1) {
            assert_eq!(played[field], own[field], "{field}");
        }
        assert_eq!((&played["threads"], &played["faults"]), (&1.into(), &serde_json::json!([])));
        let config = fs::read_to_string(folder.path().join(log).join("run.toml")).expect("a file");
        assert!(config.contains("\ndeterministic = false\n"), "{config}");
        assert!(folder.path().join(log).join("agents.log").is_file());
        let checked = jantaku(&["verify", &run]);
        assert_eq!(checked.status.code(), verified, "{}", text(&checked.stderr));
        let said = text(&checked.stdout);
        assert_eq!(
            said.contains("`verify` plays only agents that decide one action at a time"),
            verified == Some(2),
            "{said}"
        );
    }
    let statistics = |agents: &str| {
        let args = ["stats", "--games", "3", "--agents", agents, "--json"];
        json(&ok(&args))["figures"].as_array().expect("a list").iter().take(20).cloned().collect::<Vec<_>>()
    };
    assert_eq!(statistics(&bot), statistics("greedy"));
}

#[test]
fn faults_of_programs_end_the_run_or_are_counted() {
    let agents = r#"mjai:command="false",greedy,greedy,greedy"#;
    let args = ["selfplay", "--games", "2", "--log", "none", "--agents", agents, "--json"];
    let stopped = jantaku(&args);
    assert_eq!(stopped.status.code(), Some(2));
    let said = text(&stopped.stderr);
    assert!(said.contains("game 0: agent `mjai:command=false`: the program does not start: "), "{said}");
    // It answers `start_game`, and ends.
    let agents = r#"mjai:command="echo '{\"type\":\"none\"}'",greedy,greedy,greedy"#;
    for on_fault in ["substitute", "forfeit"] {
        let words = [&args[..], &["--on-fault", on_fault]].concat();
        let never = jantaku(&words);
        assert_eq!(never.status.code(), Some(2), "{}", text(&never.stdout));
        let words: Vec<&str> =
            words.iter().map(|word| if *word == args[6] { agents } else { *word }).collect();
        let played = json(&ok(&words));
        assert_eq!(played["games"], 2);
        let faults = &played["faults"];
        assert_eq!((&faults[0]["kind"], &faults[1]), (&"crash".into(), &serde_json::Value::Null), "{faults}");
        assert!(faults[0]["count"].as_u64() >= Some(2), "a crash in each game: {faults}");
    }
}

/// A run of self-play keeps the faults of its bots, and what they cause. `stats` and `info` report
/// the faults of kept games, also those of merged shards.
#[test]
fn runs_keep_the_faults_of_their_programs() {
    let folder = folder();
    let [bot, out] = ["bot.py", "run"].map(|name| path(&folder, name));
    fs::write(&bot, FAULTY).expect("a file");
    let agents = format!(r#"bot=mjai:command="python3 '{bot}'",greedy,greedy,greedy"#);
    let rules = ["--rules", "tenhou-tonpuu", "--log", "hands", "--games-per-part", "1", "--agents", &agents];
    let play = [&["selfplay", "--games", "2", "--json"][..], &rules].concat();
    assert_eq!(jantaku(&[&play[..], &["--out", &out]].concat()).status.code(), Some(2));
    let config = || fs::read_to_string(format!("{out}/run.toml")).expect("a file");
    assert!(!config().contains("on_fault"), "{}", config());
    let resume = ["selfplay", "--resume", "--json", "--out", &out];
    ok(&[&resume[..], &["--on-fault", "substitute"]].concat());
    assert!(config().contains("\non_fault = \"substitute\"\n"), "{}", config());
    // The choice is kept.
    let more = json(&ok(&[&resume[..], &["--games", "3"]].concat()));
    assert_eq!(more["faults"], serde_json::json!([{ "agent": "bot", "kind": "illegal", "count": 1 }]));
    refused(
        &["selfplay", "--resume", "--on-fault", "forfeit", "--out", &out],
        &format!(
            "error: --on-fault: the run in {out} has substitute, found forfeit; leave it out to \
             resume the run as it is"
        ),
    );
    let [one, two, merged] = ["one", "two", "merged"].map(|name| path(&folder, name));
    for (shard, out) in [("1/2", &one), ("2/2", &two)] {
        ok(&[&play[..], &["--on-fault", "substitute", "--shard", shard, "--out", out]].concat());
    }
    ok(&["merge", &one, &two, "--out", &merged, "--quiet"]);
    for (run, games) in [(&out, 3), (&merged, 2)] {
        for command in ["stats", "info"] {
            let found = json(&ok(&[command, run, "--json"]));
            let faults = serde_json::json!([{ "agent": "bot", "kind": "illegal", "count": games }]);
            assert_eq!(found["faults"], faults, "{command}");
            let shares = &found["fault_shares"]["bot"];
            assert_eq!(
                (&shares["games"], &shares["substituted"]),
                (&games.into(), &games.into()),
                "{command}"
            );
            let shown = ok(&[command, run]).split_whitespace().collect::<Vec<_>>().join(" ");
            let line = format!(
                "faults of bot: illegal {games}; faults in 100.00 % of games, and the substitute made "
            );
            assert!(shown.contains(&line), "{command}: {shown}");
        }
        // Messages of bots may be long: they are at the end.
        let shown = ok(&["info", run]);
        let (_, last) = shown.rsplit_once("\n\n").expect("paragraphs");
        assert!(last.starts_with("faults of bot: ") && last.ends_with("faults.jsonl\n"), "{shown}");
    }
}

/// A match between a program and the agent that it plays: every set is even.
#[test]
fn programs_play_matches() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_jantaku");
    let bot = format!("mjai:command=\"{program} mjai --agent greedy\"");
    let out = path(&folder, "run");
    let args =
        ["match", "--challenger", &bot, "--baseline", "greedy", "--sets", "2", "--json", "--out", &out];
    let played = json(&ok(&args));
    assert_eq!(
        (&played["complete"], &played["agents"][0]["placement"]["value"]),
        (&true.into(), &2.5.into()),
        "{played}"
    );
    assert_eq!(played["speed"]["threads"], 1);
    assert_eq!(played["faults"], serde_json::json!([]));
    let config = fs::read_to_string(folder.path().join("run/run.toml")).expect("a file");
    assert!(config.contains("\ndeterministic = false\n"), "{config}");
    // It resumes with more sets.
    let more = json(&ok(&["match", "--resume", "--out", &out, "--sets", "3", "--json"]));
    assert_eq!((&more["complete"], &more["sets"]), (&true.into(), &3.into()), "{more}");
}

/// Two bots that are asked in the same step wait for each other: both must be asked at once.
#[test]
fn different_bots_think_at_the_same_time() {
    const BOT: &str = r#"
import json, os, sys, time
seat, own, other = int(sys.argv[1]), sys.argv[2], sys.argv[3]
for line in sys.stdin:
    last = json.loads(line)[-1]
    answer = {"type": "none"}
    if last["type"] == "tsumo" and last["actor"] == seat:
        answer = {"type": "dahai", "pai": last["pai"], "tsumogiri": True}
        open(own, "w").close()
        while not os.path.exists(other):
            time.sleep(0.005)
    print(json.dumps(answer), flush=True)
"#;
    let folder = folder();
    let [bot, one, two] = ["bot.py", "one", "two"].map(|name| path(&folder, name));
    fs::write(&bot, BOT).expect("a file");
    let agent = |own, other| format!(r#"mjai:command="python3 '{bot}' {{seat}} '{own}' '{other}'",time=600"#);
    let (challenger, baseline) = (agent(&one, &two), agent(&two, &one));
    let words = ["match", "--sets", "1", "--tables", "2", "--rules", "tenhou-tonpuu", "--json", "-q"];
    // The challenger deals first in game 0, the baseline in game 1.
    let played = ok(&[&words[..], &["--challenger", &challenger, "--baseline", &baseline]].concat());
    assert_eq!(json(&played)["games"], 4);
}

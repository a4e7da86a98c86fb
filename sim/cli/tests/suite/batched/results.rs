//! Matches, variates, statistics and bots in batches give the results of the direct runner.

use std::fs;

use jantaku_engine::Rules;
use jantaku_measure::arena::{Match, MatchPlan, MatchResult, Sprt};
use jantaku_measure::stats::{Target, simulate, simulate_until};
use jantaku_sim::play::{Detail, Groups, Job, Players, Schedule, Seatings};
use jantaku_sim::run::{Run, RunConfig};

use super::{batched, names, policies};
use crate::common::program::{files, folder, json, ok, path};

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
        let plan = MatchPlan { sets: Some(150), sprt: test, ..MatchPlan::default() };
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
    let plan = MatchPlan { sets: Some(5), variance_reduction: true, ..MatchPlan::default() };
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

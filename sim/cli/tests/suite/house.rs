//! Runs under rules that stop games by a limit of hands, and with a referee.

use std::fs;

use jantaku_agents::{Greedy, NamedPolicy, Policy};
use jantaku_engine::{Action, Observation, Rng, Rules};
use jantaku_sim::play::{Detail, Job, Players, Schedule};
use jantaku_sim::replay::verify::verify;
use jantaku_sim::run::{ParquetSink, RunConfig};
use jantaku_sim::store::Folder;

use crate::common::program::{folder, jantaku, json, ok, path, text};

#[test]
fn runs_with_a_limit_of_hands_are_verified_and_converted() {
    let folder = folder();
    let file = path(&folder, "clock.toml");
    fs::write(&file, "base = 'ema-2008'\nhands_limit = 5\n").expect("a file");
    let (run, logs, again) = (path(&folder, "run"), path(&folder, "run.jsonl"), path(&folder, "again"));
    let played = json(&ok(&["selfplay", "--games", "20", "--rules", &file, "--out", &run, "--json"]));
    assert_eq!(played["hands"], 100, "five hands in each game");
    ok(&["verify", &run]);
    let stats = json(&ok(&["stats", &run, "--json"]));
    assert_eq!(stats["games"], 20);
    ok(&["stats", "--rules", &file, "--games", "20", "--json"]);
    ok(&["convert", &run, "--to", "mjai", "--out", &logs]);
    ok(&["replay", &logs]);
    ok(&["convert", &logs, "--to", "run", "--out", &again]);
    ok(&["verify", &again]);
    // The log of a game that continues after its limit does not fit the rules.
    let long = fs::read_to_string(&logs).expect("the logs").replace("hands_limit = 5", "hands_limit = 4");
    fs::write(&logs, long).expect("a file");
    assert_eq!(jantaku(&["replay", &logs]).status.code(), Some(1));
}

/// Plays like `greedy`, but declares a daiminkan in one decision of 200.
#[derive(Clone)]
struct Careless(Greedy);

impl Policy for Careless {
    fn choose(&self, o: &Observation<'_>, rng: &mut Rng) -> Action {
        if rng.below(200) == 0 { Action::Daiminkan } else { self.0.choose(o, rng) }
    }
}

/// Decisions replay dead hands. No log format states them.
#[test]
fn runs_with_dead_hands_are_verified_but_not_converted() {
    let folder = folder();
    let rules = Rules::from_toml("base = 'ema-2008'\nenforce = 'Referee'", "set").expect("valid rules");
    let mut players = Players::from(vec![NamedPolicy::new("careless", Careless(Greedy::default())); 4]);
    let schedule = Schedule::selfplay(1, 4);
    let job = Job::new(&rules, schedule, Detail::Decisions);
    let run = path(&folder, "run");
    let names = vec!["careless".to_owned(); 4];
    let config = RunConfig::new("of the test", job.rules, names, 4, 1, job.detail);
    let mut sink = ParquetSink::start(Folder, run.as_ref(), config).expect("a folder to write");
    players.play(&job, &mut sink, &mut ()).expect("a foul is an answer");
    sink.finish().expect("it is written");
    let differs = |found| panic!("{found}");
    assert_eq!(verify(run.as_ref(), &mut (), differs, |error| panic!("{error}")).expect("a run"), 4);
    let converted = jantaku(&["convert", &run, "--to", "mjai", "--out", &path(&folder, "run.jsonl")]);
    let found = text(&converted.stderr) + &text(&converted.stdout);
    assert!(!converted.status.success(), "{found}");
    assert!(found.contains("a player has a dead hand, which no log format states"), "{found}");
    assert!(ok(&["show", &run, "--game", "0"]).contains("has a dead hand"));
}

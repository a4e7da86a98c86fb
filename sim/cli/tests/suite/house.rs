//! A run with a referee.

use jantaku_agents::{Greedy, NamedPolicy, Policy};
use jantaku_engine::{Action, Observation, Rng, Rules};
use jantaku_sim::play::{Detail, Job, Players, Schedule};
use jantaku_sim::replay::verify::verify;
use jantaku_sim::run::{ParquetSink, RunConfig};
use jantaku_sim::store::{Folder, Location};

use crate::common::program::{folder, jantaku, ok, path, text};

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
    let config = RunConfig {
        agents: names,
        games: Some(4),
        seed: 1,
        detail: job.detail,
        ..RunConfig::new("of the test", job.rules)
    };
    let mut sink = ParquetSink::start(Location::new(Folder, &run), config).expect("a folder to write");
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

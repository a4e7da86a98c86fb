//! Games of networks at many tables.

use std::fs;

use jantaku_agents::{Agent, Catalog, NamedAgent, Setup};
use jantaku_engine::Rules;
use jantaku_sim::play::{Detail, GameRecord, Job, Players, Schedule, Started, StartedAgent};
use tempfile::TempDir;

use crate::network_file::model;

/// An agent with a model in a file, which lasts as long as the folder.
fn agent(folder: &TempDir, options: &str) -> NamedAgent {
    let path = folder.path().join("m.safetensors");
    fs::write(&path, model(0.1)).expect("a file");
    named(&format!("neural:model={}{options}", path.display()))
}

fn named(text: &str) -> NamedAgent {
    Catalog::standard().agent(text).unwrap_or_else(|error| panic!("{error}"))
}

fn start(agent: &NamedAgent) -> Box<dyn Agent> {
    agent.start(&Setup { search_info: true, ..Setup::default() }).unwrap_or_else(|error| panic!("{error}"))
}

/// Games do not depend on the number of tables.
#[test]
fn games_do_not_depend_on_the_tables() {
    let folder = TempDir::new().expect("a folder for the test");
    let rules = Rules { wind_rounds: 1, ..Rules::default() };
    for agent in [
        named("neural:model=uniform"),
        agent(&folder, ",rules=any,precision=int8"),
        agent(&folder, ",rules=any,temperature=1"),
    ] {
        let played = |tables| {
            let job = Job::new(&rules, Schedule::selfplay(1, 6), Detail::Decisions);
            let agents = vec![
                StartedAgent::new(agent.name(), start(&agent)),
                StartedAgent::new("greedy", start(&named("greedy"))),
            ];
            let mut players = Players::Started(Started::new(agents, vec![0, 1, 0, 1], tables));
            let mut records: Vec<GameRecord> = Vec::new();
            players.play(&job, &mut records, &mut ()).unwrap_or_else(|error| panic!("{error}"));
            records
                .iter()
                .map(|record| format!("{:x} {:?}", record.signature, record.decisions))
                .collect::<Vec<_>>()
        };
        let expected = played(1);
        assert_eq!(expected.len(), 6);
        assert!(expected.iter().all(|record| record.contains("probability: Some")));
        for tables in [2, 6] {
            assert_eq!(played(tables), expected, "{agent} at {tables} tables");
        }
    }
}

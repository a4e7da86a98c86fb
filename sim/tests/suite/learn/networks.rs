//! Games of networks at many tables.

use std::fs;

use jantaku_agents::encode::SparseV1;
use jantaku_agents::neural::{Manifest, ValueHead};
use jantaku_agents::{Agent, Catalog, NamedAgent, Setup};
use jantaku_engine::{ActionId, Rng, Rules};
use jantaku_sim::play::{Detail, GameRecord, Job, Players, Schedule, Started, StartedAgent};
use safetensors::tensor::{Dtype, TensorView, serialize};
use tempfile::TempDir;

/// The file of a small network for `sparse-v1` with random weights. Its rules are the default ones.
pub fn model() -> Vec<u8> {
    const COLUMNS: usize = 16;
    let mut manifest = Manifest::new(SparseV1::ENCODER, &Rules::default());
    manifest.heads.value = Some(ValueHead { unit: "points".to_owned() });
    let mut rng = Rng::new(1);
    let mut weights = |shape: &[usize]| -> Vec<u8> {
        let weight = |_| 0.1 * ((rng.next_u64() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0);
        (0..shape.iter().product()).map(weight).flat_map(f32::to_le_bytes).collect()
    };
    let tensors = [
        ("embedding.weight", vec![usize::from(SparseV1::FEATURES), COLUMNS]),
        ("embedding.bias", vec![COLUMNS]),
        ("scalars.weight", vec![COLUMNS, SparseV1::SCALARS]),
        ("policy.weight", vec![ActionId::COUNT, COLUMNS]),
        ("policy.bias", vec![ActionId::COUNT]),
        ("value.weight", vec![1, COLUMNS]),
        ("value.bias", vec![1]),
    ]
    .map(|(name, shape)| (name, weights(&shape), shape));
    let views = tensors.iter().map(|(name, data, shape)| {
        (*name, TensorView::new(Dtype::F32, shape.clone(), data).expect("as many weights as the shape has"))
    });
    let manifest = serde_json::to_string(&manifest).expect("a manifest is JSON");
    serialize(views, Some([("jantaku".to_owned(), manifest)].into())).expect("a file")
}

/// An agent with a model in a file, which lasts as long as the folder.
fn agent(folder: &TempDir, options: &str) -> NamedAgent {
    let path = folder.path().join("m.safetensors");
    fs::write(&path, model()).expect("a file");
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

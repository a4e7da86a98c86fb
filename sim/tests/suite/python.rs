//! Games that the tests of the Python package play again.
//!
//! `python/tests/games.json` has their actions, and hashes of the observations and events.
//! `JANTAKU_WRITE=1` rewrites it instead of comparing it.

use std::fs;
use std::path::PathBuf;

use jantaku_agents::encode::PlanesV1;
use jantaku_agents::{Policy, Random};
use jantaku_engine::replay::GameHistory;
use jantaku_engine::{ActionId, Rules, Standing};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const RULES: [&str; 6] = ["tenhou", "tenhou-tonpuu", "tenhou-sanma", "mleague", "wrc", "duo"];

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    let digit = |number: u8| char::from_digit(number.into(), 16).expect("below 16");
    bytes.into_iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A game of random players.
fn game(name: &str, seed: u64) -> Value {
    let rules = Rules::preset(name).unwrap_or_else(|| panic!("no preset {name}"));
    let mut history = GameHistory::new(&rules, seed, &Standing::start(&rules), None).expect("valid rules");
    let (mut masks, mut planes) = (Sha256::new(), Sha256::new());
    let mut bytes = [0; PlanesV1::BYTES];
    while !history.game().is_over() {
        let (seat, legal) = history.game().decisions().next().expect("a seat decides");
        let mask: Vec<u8> = ActionId::all().map(|id| legal.contains(id).into()).collect();
        masks.update(mask);
        let o = history.game().observe(seat);
        PlanesV1::encode(&o, &mut bytes);
        planes.update(bytes);
        let action = Random.choose(&o, &mut history.game().random_stream(seat, Random.salt()));
        history.submit(seat, action).expect("a legal action");
    }
    json!({
        "rules": name,
        "rules_hash": format!("{:016x}", rules.hash()),
        "seed": seed,
        "steps": hex(history.steps().iter().flat_map(|step| step.to_bytes())),
        "masks": hex(masks.finalize()),
        "planes": hex(planes.finalize()),
        "scores": history.game().scores().as_slice(),
        "signature": format!("{:016x}", history.signature().number()),
    })
}

#[test]
fn the_games_for_python_are_those_of_the_engine() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../python/tests/games.json");
    let games: Vec<Value> = RULES.iter().zip(1..).map(|(name, seed)| game(name, seed)).collect();
    let lines: Vec<String> = games.iter().map(|game| format!("{game}")).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    if std::env::var_os("JANTAKU_WRITE").is_some() {
        fs::write(&path, &text).expect("the file");
    }
    assert!(fs::read_to_string(&path).expect("the file") == text, "{} is not up to date", path.display());
}

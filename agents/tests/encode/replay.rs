//! Encoding a stored game equals encoding in play.

use jantaku_agents::encode::{PlanesV1, SparseV1};
use jantaku_agents::{Greedy, NamedPolicy, Policy};
use jantaku_engine::rules::PRESETS;
use jantaku_engine::{Game, Observation, Rules};
use jantaku_sim::play::{Detail, GameRecord, Job, Players, Schedule};

use crate::laws::Planes;
use crate::sparse::encoded;

/// A stored game, replayed from its decisions, has the encodings that it had in play.
#[test]
fn replayed_games_have_the_encodings_of_play() {
    for rules in PRESETS.iter().filter(|p| ["tenhou", "tenhou-sanma", "duo"].contains(&p.name)) {
        let rules = rules.rules();
        let greedy = NamedPolicy::new("greedy", Greedy::default());
        let mut players = Players::from(vec![greedy; usize::from(rules.players.count())]);
        let job = Job::new(&rules, Schedule::selfplay(7, 3), Detail::Decisions);
        let mut records: Vec<GameRecord> = Vec::new();
        players.play(&job, &mut records, &mut ()).expect("games are played");
        for record in &records {
            assert_eq!(in_play(&rules, record.seed), replayed(&rules, record));
        }
    }
}

/// The encodings of a decision: its planes, its active features and its scalars.
type Encodings = (Box<[u8; PlanesV1::BYTES]>, Vec<u16>, [f32; SparseV1::SCALARS]);

fn encodings(o: &Observation<'_>) -> Encodings {
    let (active, scalars) = encoded(o);
    (Planes::of(o).0, active, scalars)
}

/// The encodings of a game of `greedy`, in the order of its decisions.
fn in_play(rules: &Rules, seed: u64) -> Vec<Encodings> {
    let (mut game, mut found) = (Game::new(rules, seed), Vec::new());
    while !game.is_over() {
        for seat in game.pending().iter() {
            let o = game.observe(seat);
            found.push(encodings(&o));
            let action = Greedy::default().choose(&o, &mut game.random_stream(seat, 0));
            game.submit(seat, action).expect("a legal action is accepted");
        }
    }
    found
}

/// The encodings of a recorded game, whose recorded actions are played again.
fn replayed(rules: &Rules, record: &GameRecord) -> Vec<Encodings> {
    let (mut game, mut found) = (Game::new(rules, record.seed), Vec::new());
    for decision in &record.decisions {
        found.push(encodings(&game.observe(decision.seat)));
        game.submit(decision.seat, decision.action.action()).expect("a recorded action is legal");
    }
    assert!(game.is_over());
    found
}

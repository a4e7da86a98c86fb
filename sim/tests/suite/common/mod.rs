//! Games and logs for the tests.

pub mod data;
pub mod logs;
pub mod mjlog;
pub mod mutate;

use jantaku_agents::{Greedy, Policy, Random};
use jantaku_engine::replay::{RecordedGame, RecordedHand};
use jantaku_engine::{Declare, Event, Game, Rules};

/// A game with greedy and random players, in which all kinds of events occur.
///
/// Every second player is greedy. In every third game all are.
pub fn played(rules: &Rules, seed: u64) -> RecordedGame {
    let mut recording = RecordedGame::new(*rules);
    let mut game = Game::new_seen(rules, seed, &mut recording);
    while !game.is_over() {
        for seat in game.pending().iter() {
            let (observation, mut rng) = (game.observe(seat), game.random_stream(seat, 0));
            let plays_well = (seat.index() as u64 + seed).is_multiple_of(2) || seed.is_multiple_of(3);
            let action = if plays_well {
                Greedy::default().choose(&observation, &mut rng)
            } else {
                Random.choose(&observation, &mut rng)
            };
            game.submit_seen(seat, action, &mut recording).expect("agents choose legal actions");
        }
    }
    recording
}

/// The kinds of calls and ends that occur in a hand.
pub fn features(hand: &RecordedHand) -> Vec<String> {
    let mut features: Vec<String> = hand
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Call { meld, .. } => Some(format!("{:?}", meld.kind())),
            Event::Discard { declare: Declare::Nothing, .. } => None,
            Event::Discard { .. } => Some("riichi".to_owned()),
            Event::Ankan { .. } => Some("ankan".to_owned()),
            Event::Kakan { .. } => Some("kakan".to_owned()),
            Event::Kita { .. } => Some("kita".to_owned()),
            _ => None,
        })
        .collect();
    if let Some(end) = &hand.end {
        features.push(format!("{:?} with {} wins", end.draw, end.wins.len()));
        features.extend(end.wins.iter().map(|win| format!("tsumo: {}", win.from.is_none())));
    }
    features
}

//! States, line-ups and ends of hands.

use std::collections::BTreeMap;

use jantaku_agents::{Batched, Catalog, Greedy};
use jantaku_engine::Rules;
use jantaku_engine::rules::options::Maybe;
use jantaku_sim::env::{Batch, EnvConfig, EnvError, Lineup, Opponent, Player, Rewards, VecEnv};
use jantaku_sim::run::ConfigError;

use super::env::{rules, seat};

fn one_hand() -> Rules {
    Rules { hands_limit: Maybe(Some(1)), ..rules("tenhou") }
}

/// The learner in the first seat, with agents that decide one action at a time or batches.
fn lineup(agent: Option<&str>, weight: f64) -> Lineup {
    let opponent = || match agent {
        None => {
            Player::Opponent(Opponent::Batched("batched".to_owned(), Box::new(Batched(Greedy::default()))))
        }
        Some(name) => {
            let agent = Catalog::standard().agent(name).expect("an agent");
            Player::named(&agent, &rules("tenhou")).expect("it starts")
        }
    };
    Lineup { players: vec![Player::Learner, opponent(), opponent(), opponent()], weight }
}

fn pool(threads: usize) -> VecEnv {
    let lineups = vec![lineup(Some("random"), 1.0), lineup(None, 2.0)];
    let config = EnvConfig { lineups, threads, seed: 4, resumable: true, ..EnvConfig::new(&one_hand(), 130) };
    VecEnv::new(config).expect("a valid configuration")
}

/// A turn of random answers. Returns the rows as text.
fn turn(env: &mut VecEnv, batch: &mut Batch, actions: &mut Vec<u8>) -> String {
    env.random_actions(actions);
    env.send(actions).expect("legal actions");
    let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
    format!("{rows} {batch:?} {:?}", env.ended_hands())
}

#[test]
fn a_state_continues_with_the_same_rows() {
    let (mut env, mut actions) = (pool(2), Vec::new());
    let mut batch = Batch::new(None, env.most_rows());
    env.recv(&mut batch.view_mut()).expect("decisions are due");
    for turns in [1, 40, 60] {
        (0..turns).for_each(|_| drop(turn(&mut env, &mut batch, &mut actions)));
        let state = env.state().expect("it is resumable");
        let (mut again, mut found) = (pool(1), Batch::new(None, env.most_rows()));
        let rows = again.load_state(&state, &mut found.view_mut()).expect("its own state");
        assert_eq!(found.ids[..rows], batch.ids[..rows]);
        assert_eq!(again.state().expect("it is resumable"), state);
        // Rows beyond the last keep their contents.
        found.clone_from(&batch);
        for _ in 0..30 {
            let expected = turn(&mut env, &mut batch, &mut actions);
            assert_eq!(turn(&mut again, &mut found, &mut actions), expected);
        }
    }
}

#[test]
fn a_state_needs_an_environment_of_its_kind() {
    let state = pool(2).state().expect("it is resumable");
    let config = || {
        let lineups = vec![lineup(Some("random"), 1.0), lineup(None, 2.0)];
        EnvConfig { lineups, threads: 1, seed: 9, resumable: true, ..EnvConfig::new(&one_hand(), 130) }
    };
    let load = |config: EnvConfig, change: fn(&mut VecEnv)| {
        let mut env = VecEnv::new(config).expect("a valid configuration");
        change(&mut env);
        let mut batch = Batch::new(None, env.most_rows());
        env.load_state(&state, &mut batch.view_mut()).map(drop).map_err(|error| error.to_string())
    };
    load(config(), |_| {}).expect("only the seed and the threads differ");
    let others = [
        EnvConfig { rotate: true, ..config() },
        EnvConfig { rewards: Rewards { points: 1.0, ..Rewards::NONE }, ..config() },
        EnvConfig { lineups: vec![lineup(Some("random"), 1.0), lineup(None, 3.0)], ..config() },
        EnvConfig { lineups: vec![lineup(Some("greedy"), 1.0), lineup(None, 2.0)], ..config() },
        EnvConfig { lineups: vec![lineup(Some("random"), 1.0)], ..config() },
    ];
    for (other, part) in others.into_iter().zip(["rotate", "rewards", "line-up 1", "line-up 0", "line-ups"]) {
        let error = load(other, |_| {}).expect_err(part);
        assert!(error.contains(part), "{error}");
    }
    let error = load(config(), |env| {
        env.set_lineups(vec![lineup(Some("random"), 1.0), lineup(None, 2.0)]).expect("line-ups");
    });
    assert!(error.expect_err("line-ups were set again").contains("line-up 2"));
}

#[test]
fn a_state_with_a_row_of_no_table_changes_nothing() {
    let (mut env, mut actions) = (pool(2), Vec::new());
    let mut batch = Batch::new(None, env.most_rows());
    env.recv(&mut batch.view_mut()).expect("decisions are due");
    let state = env.state().expect("it is resumable");
    let text = String::from_utf8(state.clone()).expect("a state is text");
    let changed = text.replacen("\"tables\":", "\"tables\":99", 1);
    let error =
        env.load_state(changed.as_bytes(), &mut batch.view_mut()).expect_err("there is no such table");
    assert!(error.to_string().contains("table 99"), "{error}");
    assert_eq!(env.state().expect("it is resumable"), state);
    turn(&mut env, &mut batch, &mut actions);
}

#[test]
fn line_ups_come_by_their_weights() {
    let (mut env, mut actions) = (pool(2), Vec::new());
    let mut batch = Batch::new(None, env.most_rows());
    env.recv(&mut batch.view_mut()).expect("decisions are due");
    let mut play = |env: &mut VecEnv, turns| {
        let mut games = BTreeMap::new();
        for _ in 0..turns {
            turn(env, &mut batch, &mut actions);
            for hand in env.ended_hands().iter().filter(|hand| hand.next.is_none()) {
                games.insert((hand.table, hand.game), hand.lineup);
            }
        }
        games
    };
    let games = play(&mut env, 100);
    let share = games.values().filter(|lineup| **lineup == 1).count() as f64 / games.len() as f64;
    assert!(games.len() > 200 && (0.57..0.76).contains(&share), "{share} of {} games", games.len());
    assert_eq!(env.set_lineups(vec![lineup(Some("greedy"), 1.0)]).expect("a line-up"), 2..3);
    let later = play(&mut env, 100);
    // The games in play keep theirs.
    let first = |table| later.keys().find(|(of, _)| *of == table).copied();
    for ((table, game), lineup) in &later {
        assert_eq!(*lineup == 2, first(*table) != Some((*table, *game)), "table {table}, game {game}");
    }
    let mut seats = |players| env.set_lineups(vec![Lineup { players, weight: 1.0 }]);
    let Err(EnvError::Config(ConfigError { field: "players", .. })) =
        seats(lineup(None, 1.0).players.into_iter().rev().collect())
    else {
        panic!("the learner has another seat");
    };
}

#[test]
fn rewards_of_hands_are_those_of_rows() {
    let rewards = Rewards { points: 0.5, result: 0.25, ..Rewards::NONE };
    let config = EnvConfig { rewards, seed: 4, ..EnvConfig::new(&one_hand(), 130) };
    let mut env = VecEnv::new(config).expect("a valid configuration");
    let (mut batch, mut actions) = (Batch::new(None, env.most_rows()), Vec::new());
    let (mut rows_of, mut hands_of) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..200 {
        let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
        for row in 0..rows {
            let key = (batch.tables[row] as u32, batch.games[row] as u32, batch.seats[row]);
            *rows_of.entry(key).or_insert(0.0) += f64::from(batch.rewards[row]);
        }
        for hand in env.ended_hands() {
            for (number, reward) in (0..).zip(rewards.for_hand(hand).iter()) {
                assert_eq!(hand.points.players().seats().nth(usize::from(number)), Some(seat(number)));
                *hands_of.entry((hand.table, hand.game, number)).or_insert(0.0) += f64::from(*reward);
            }
        }
        env.random_actions(&mut actions);
        env.send(&actions).expect("legal actions");
    }
    assert!(hands_of.len() > 400);
    for (key, expected) in &hands_of {
        assert!((rows_of[key] - expected).abs() < 1e-4, "{key:?}: {}, expected {expected}", rows_of[key]);
    }
}

//! Parts of answers, little room, and wrong answers.

use std::collections::BTreeMap;

use jantaku_engine::rules::options::Maybe;
use jantaku_engine::{ActionId, Rng, Rules};
use jantaku_sim::env::{Batch, EnvConfig, EnvError, VecEnv, WrongAction};

use super::env::{Transcript, answer, note, rules};

const TABLES: usize = 70;

fn new() -> VecEnv {
    VecEnv::new(EnvConfig { seed: 5, threads: 2, ..EnvConfig::new(&rules("tenhou"), TABLES) })
        .expect("a valid configuration")
}

/// Answers everything at once for a number of turns.
fn all_at_once(turns: usize) -> Transcript {
    let mut env = new();
    let (mut batch, mut transcript) = (Batch::new(None, 2 * env.most_rows()), Transcript::new());
    for _ in 0..turns {
        let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
        let actions: Vec<u8> =
            (0..rows).map(|row| if batch.due[row] { answer(&env, &batch, row) } else { 0 }).collect();
        (0..rows).for_each(|row| note(&mut transcript, &batch, row, batch.due[row].then_some(actions[row])));
        env.send(&actions).expect("legal actions");
    }
    transcript
}

/// The game of a table depends neither on the number of rows in a batch nor on the order of answers.
/// Each decision is given out once.
#[test]
fn tables_do_not_depend_on_each_other() {
    let expected = all_at_once(300);
    for (seed, room) in [(1, 7), (2, 64), (3, 1)] {
        let (mut env, mut rng) = (new(), Rng::new(seed));
        let (mut batch, mut transcript) = (Batch::new(None, room), Transcript::new());
        let mut open: Vec<(i32, u8)> = Vec::new();
        for _ in 0..20_000 / room {
            match env.recv(&mut batch.view_mut()) {
                Ok(rows) => {
                    for row in 0..rows {
                        let action = batch.due[row].then(|| answer(&env, &batch, row));
                        note(&mut transcript, &batch, row, action);
                        open.extend(action.map(|action| (batch.ids[row], action)));
                    }
                }
                Err(EnvError::NothingDue { outstanding }) => assert_eq!(outstanding, open.len()),
                Err(error) => panic!("{error}"),
            }
            assert_eq!(env.outstanding(), open.len());
            rng.shuffle(&mut open);
            let sent = open.split_off(rng.below(open.len() + 1));
            let (ids, actions): (Vec<i32>, Vec<u8>) = sent.into_iter().unzip();
            env.send_to(&ids, &actions).expect("legal actions");
        }
        assert_eq!(transcript.len(), TABLES);
        for (table, lines) in &transcript {
            // Seats that decide at the same time are in the order of seats.
            let common = lines.len().min(expected[table].len());
            assert!(lines[..common] == expected[table][..common], "table {table}, room {room}");
        }
        let longest = transcript.values().map(Vec::len).max().expect("tables");
        assert!(longest > 50, "{longest}");
    }
}

#[test]
fn a_wrong_action_leaves_everything_as_it_was() {
    let expected = all_at_once(40);
    let mut env = new();
    let (mut batch, mut transcript) = (Batch::new(None, 2 * env.most_rows()), Transcript::new());
    let wrong = |error: EnvError| match error {
        EnvError::Action(wrong) => wrong,
        error => panic!("{error}"),
    };
    for _ in 0..40 {
        let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
        let actions: Vec<u8> = (0..rows).map(|row| answer(&env, &batch, row)).collect();
        let last = rows - 1;
        let mut illegal = actions.clone();
        let mask = &batch.encoded.masks()[last];
        illegal[last] = (0..165).find(|id| mask[usize::from(*id)] == 0).expect("not all actions are legal");
        let found = wrong(env.send(&illegal).expect_err("an illegal action"));
        assert!(
            matches!(&found, WrongAction::Illegal { row, action, .. }
            if *row == last && Some(action.id()) == ActionId::new(illegal[last])),
            "{found}"
        );
        illegal[last] = 165;
        let found = wrong(env.send(&illegal).expect_err("no action"));
        assert_eq!(found, WrongAction::Number { row: last, found: "165".to_owned() });
        let negative: Vec<i64> = illegal.iter().map(|action| -i64::from(*action)).collect();
        assert!(matches!(wrong(env.send(&negative).expect_err("no action")), WrongAction::Number { .. }));
        let found = wrong(env.send(&actions[..last]).expect_err("too few"));
        assert_eq!(found, WrongAction::Count { expected: rows, found: last });
        let mut ids = batch.ids[..rows].to_vec();
        ids[last] = ids[0];
        let found = wrong(env.send_to(&ids, &actions).expect_err("the same decision twice"));
        assert!(matches!(found, WrongAction::NotDue { row, .. } if row == last), "{found}");
        ids[last] = -1;
        assert!(matches!(wrong(env.send_to(&ids, &actions).expect_err("no ID")), WrongAction::Id { .. }));
        ids[last] = 4 * TABLES as i32;
        let found = wrong(env.send_to(&ids, &actions).expect_err("no ID")).to_string();
        assert_eq!(found, format!("row {last}: expected an ID from 0 to 279, found 280"));
        assert_eq!(env.outstanding(), rows);
        env.send(&actions).expect("legal actions");
        assert!(matches!(wrong(env.send(&actions).expect_err("sent before")), WrongAction::NotDue { .. }));
        (0..rows).for_each(|row| note(&mut transcript, &batch, row, Some(actions[row])));
    }
    assert!(transcript == expected);
}

#[test]
fn nothing_is_given_out_twice() {
    let mut env = new();
    let mut batch = Batch::new(None, env.most_rows());
    let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
    assert_eq!(rows, TABLES);
    let error = env.recv(&mut batch.view_mut()).expect_err("all were given out").to_string();
    assert_eq!(error, "nothing to receive: 70 decisions wait for their actions, send them first");
    let mut none = Batch::new(None, 0);
    assert!(matches!(env.recv(&mut none.view_mut()), Err(EnvError::Room { .. })));
    let mut uneven = Batch::new(None, 3);
    uneven.rewards.pop();
    assert!(matches!(env.recv(&mut uneven.view_mut()), Err(EnvError::Room { .. })));
    env.send_to(&[batch.ids[0]], &[answer(&env, &batch, 0)]).expect("a legal action");
    assert!(env.recv(&mut batch.view_mut()).is_ok_and(|rows| rows > 0));
}

/// The rows of each game of each table, where tables are restarted at random or never.
fn games(restarts: bool, room: usize, turns: usize) -> BTreeMap<(i32, i32), Vec<String>> {
    let rules = Rules { hands_limit: Maybe(Some(1)), ..rules("tenhou") };
    let config = EnvConfig { seed: 6, threads: 2, resumable: true, ..EnvConfig::new(&rules, TABLES) };
    let mut env = VecEnv::new(config).expect("a valid configuration");
    let (mut batch, mut rng) = (Batch::new(None, room), Rng::new(1));
    let mut games: BTreeMap<(i32, i32), Vec<String>> = BTreeMap::new();
    for _ in 0..turns {
        let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
        let is_given_up: Vec<bool> = (0..TABLES).map(|_| restarts && rng.below(60) == 0).collect();
        let (mut ids, mut actions) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let (table, action) = (batch.tables[row], batch.due[row].then(|| answer(&env, &batch, row)));
            let mut transcript = Transcript::new();
            note(&mut transcript, &batch, row, action);
            games
                .entry((table, batch.games[row]))
                .or_default()
                .extend(transcript.remove(&table).expect("a row"));
            if let Some(action) = action.filter(|_| !is_given_up[table as usize]) {
                ids.push(batch.ids[row]);
                actions.push(action);
            }
        }
        if restarts {
            env.restart(&is_given_up);
            // A state between two calls has no trace of what was given up.
            let state = env.state().expect("a resumable environment");
            env.load_state(&state, &mut batch.view_mut()).expect("a state of this environment");
        }
        env.send_to(&ids, &actions).expect("legal actions");
    }
    games
}

#[test]
fn a_restarted_table_plays_the_games_that_would_have_followed() {
    let expected = games(false, 4 * TABLES, 1500);
    for room in [4 * TABLES, 30] {
        let found = games(true, room, 600);
        let mut given_up = 0;
        for (at, lines) in &found {
            let Some(whole) = expected.get(at) else { continue };
            let common = lines.len().min(whole.len());
            assert!(lines[..common] == whole[..common], "table and game {at:?}, room {room}");
            given_up += usize::from(lines.len() < whole.len());
        }
        assert!(given_up > 200, "{given_up} games were given up, room {room}");
    }
}

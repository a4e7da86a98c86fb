//! Agents that play against the learner.

use jantaku_agents::{Agent, AgentError, Batched, Catalog, Greedy, Policy as _, Reply, Request, Update};
use jantaku_engine::rules::options::Maybe;
use jantaku_engine::{Action, Game, Rules};
use jantaku_sim::env::{Batch, EnvConfig, EnvError, Opponent, Player, VecEnv};

use super::env::{rules, seat};

fn named(name: &str) -> Player {
    Player::named(&Catalog::standard().agent(name).expect("an agent"), &rules("tenhou")).expect("it starts")
}

fn batched() -> Player {
    Player::Opponent(Opponent::Batched("batched".to_owned(), Box::new(Batched(Greedy::default()))))
}

/// Lets a learner that plays like `greedy` finish games. Returns the seed, the points of its seat
/// and the seat, in the order in which games end at each table.
fn play(rules: &Rules, players: Vec<Player>, rotate: bool) -> Vec<(i32, i32, u64, u8, i32)> {
    let config =
        EnvConfig { lineups: vec![players.into()], rotate, threads: 2, seed: 1, ..EnvConfig::new(rules, 80) };
    let mut env = VecEnv::new(config).expect("a valid configuration");
    let mut batch = Batch::new(None, 400);
    let mut seeds: Vec<u64> = (0..80).map(|table| env.game(table).seed()).collect();
    let mut ended = Vec::new();
    for _ in 0..250 {
        let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
        let actions: Vec<u8> = (0..rows)
            .map(|row| {
                let (table, seat) = (batch.tables[row] as usize, seat(batch.seats[row]));
                if !batch.due[row] {
                    let seat = batch.seats[row];
                    ended.push((batch.tables[row], batch.games[row], seeds[table], seat, batch.points[row]));
                    return 0;
                }
                let game = env.game(table);
                Greedy::default().choose(&game.observe(seat), &mut game.random_stream(seat, 0)).id().number()
            })
            .collect();
        for row in (0..rows).filter(|row| !batch.due[*row]) {
            let table = batch.tables[row] as usize;
            seeds[table] = env.game(table).seed();
        }
        env.send(&actions).expect("legal actions");
    }
    ended.sort_unstable();
    ended
}

/// The points at the end of a game of four copies of `greedy`.
fn greedy_game(rules: &Rules, seed: u64) -> Vec<i32> {
    let mut game = Game::new(rules, seed);
    while !game.is_over() {
        for seat in game.pending().iter() {
            let action = Greedy::default().choose(&game.observe(seat), &mut game.random_stream(seat, 0));
            game.submit(seat, action).expect("a legal action");
        }
    }
    game.scores().iter().copied().collect()
}

#[test]
fn opponents_play_the_games_of_the_engine() {
    let rules = Rules { wind_rounds: 1, ..rules("tenhou") };
    let lists: [fn() -> Vec<Player>; 3] = [
        || vec![Player::Learner, named("greedy"), named("greedy"), named("greedy")],
        || vec![Player::Learner, batched(), Player::Learner, batched()],
        || vec![named("greedy"), batched(), Player::Learner, named("greedy")],
    ];
    for (number, list) in lists.into_iter().enumerate() {
        for rotate in [false, true] {
            let ended = play(&rules, list(), rotate);
            assert!(ended.len() > 80, "{}", ended.len());
            for (table, game, seed, seat, points) in ended {
                let expected = greedy_game(&rules, seed)[usize::from(seat)];
                assert_eq!(points, expected, "list {number}, table {table}, game {game}");
                if number == 0 && rotate {
                    assert_eq!(i32::from(seat), game % 4);
                }
            }
        }
    }
}

/// Follows whole games.
struct Follower;

impl Agent for Follower {
    fn decide(&mut self, _: &mut [Request<'_>], _: &mut Vec<Reply>) -> Result<(), AgentError> {
        Ok(())
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, _: Update<'_>) -> Result<(), AgentError> {
        Ok(())
    }
}

/// Fails this number of times, then passes or discards the drawn tile.
struct Failing(u32);

impl Agent for Failing {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        if self.0 % 2 == 1 {
            self.0 -= 1;
            replies.push(Action::KeepClosed.into());
            return Ok(());
        }
        let greedy = Greedy::default();
        let mut answer =
            |request: &mut Request<'_>| greedy.choose(&request.observation, &mut request.rng).into();
        replies.extend(requests.iter_mut().map(&mut answer));
        if self.0 > 0 {
            self.0 -= 1;
            replies[0] = Action::KeepClosed.into();
        }
        Ok(())
    }
}

#[test]
fn an_opponent_that_fails_loses_no_decision() {
    let failing = |times| {
        let failing = Opponent::Batched("failing".to_owned(), Box::new(Failing(times)));
        let learner = || Player::Learner;
        let players = vec![learner(), Player::Opponent(failing), learner(), learner()];
        VecEnv::new(EnvConfig { lineups: vec![players.into()], ..EnvConfig::new(&rules("tenhou"), 40) })
            .expect("valid")
    };
    let (mut env, mut whole) = (failing(4), failing(0));
    let (mut batch, mut expected) = (Batch::new(None, 300), Batch::new(None, 300));
    let (mut failures, mut actions) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        let rows = loop {
            match env.recv(&mut batch.view_mut()) {
                Ok(rows) => break rows,
                Err(EnvError::Agent { error, .. }) => failures.push(error.to_string()),
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(whole.recv(&mut expected.view_mut()).expect("decisions are due"), rows);
        let sorted = |batch: &Batch| {
            let mut ids = batch.ids[..rows].to_vec();
            ids.sort_unstable();
            ids
        };
        assert_eq!(sorted(&batch), sorted(&expected));
        for (env, batch) in [(&mut env, &batch), (&mut whole, &expected)] {
            actions.clear();
            actions.extend(
                (0..rows).map(|row| if batch.due[row] { super::env::answer(env, batch, row) } else { 0 }),
            );
            env.send(&actions).expect("legal actions");
        }
    }
    assert_eq!(failures.len(), 4);
    assert!(failures.iter().any(|text| text.contains("answered illegally: seat 1 may not")), "{failures:?}");
    assert!(failures.iter().any(|text| text.contains("expected a reply to each of")), "{failures:?}");
}

/// Rows come in the order of tables and seats, no matter which agents play the other seats. No ID comes
/// twice in a batch, so the last row of a game and the first of the next come in two batches. The same
/// holds for the call after a failed one.
#[test]
fn rows_come_in_order_and_ids_once() {
    let rules = Rules { hands_limit: Maybe(Some(1)), ..rules("tenhou") };
    let failing = |times| Player::Opponent(Opponent::Batched("failing".to_owned(), Box::new(Failing(times))));
    let learner = || Player::Learner;
    let lists = [
        vec![learner(), learner(), learner(), learner()],
        vec![learner(), named("greedy"), named("random"), named("greedy")],
        vec![learner(), batched(), learner(), batched()],
        vec![named("greedy"), batched(), learner(), learner()],
        vec![learner(), failing(9), learner(), named("greedy")],
        vec![learner(), learner(), learner(), failing(8)],
    ];
    for (number, players) in lists.into_iter().enumerate() {
        let config = EnvConfig {
            lineups: vec![players.into()],
            threads: 1 + number % 2,
            ..EnvConfig::new(&rules, 150)
        };
        let mut env = VecEnv::new(config).expect("a valid configuration");
        let (mut batch, mut actions) = (Batch::new(None, env.most_rows()), Vec::new());
        let mut ends = 0;
        for turn in 0..300 {
            let rows = loop {
                match env.recv(&mut batch.view_mut()) {
                    Ok(rows) => break rows,
                    Err(EnvError::Agent { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            };
            assert!(batch.ids[..rows].is_sorted_by(|a, b| a < b), "list {number}, turn {turn}");
            ends += batch.due[..rows].iter().filter(|due| !**due).count();
            env.random_actions(&mut actions);
            env.send(&actions).expect("legal actions");
        }
        assert!(ends > 300, "list {number}: {ends}");
    }
}

#[test]
fn an_opponent_that_follows_games_is_refused() {
    let follower = Opponent::Batched("mjai:command=bot".to_owned(), Box::new(Follower));
    let players = vec![Player::Learner, Player::Opponent(follower)];
    let config = EnvConfig { lineups: vec![players.into()], ..EnvConfig::new(&rules("duo"), 1) };
    let error = VecEnv::new(config).expect_err("it needs events").to_string();
    assert!(error.starts_with("agent `mjai:command=bot` follows whole games by their events"), "{error}");
    let players = vec![named("random"), named("greedy")];
    let config = EnvConfig { lineups: vec![players.into()], ..EnvConfig::new(&rules("duo"), 1) };
    let error = VecEnv::new(config).expect_err("no learner").to_string();
    assert_eq!(error, "`players`: expected a learner in at least one seat, found none");
}

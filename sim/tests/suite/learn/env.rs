//! The tables of an environment, against the engine.

use std::collections::BTreeMap;

use jantaku_agents::encode::{Encoder, PlanesV1, SparseV1};
use jantaku_engine::rules::options::Maybe;
use jantaku_engine::rules::{PRESETS, Preset};
use jantaku_engine::{ActionId, BySeat, Game, Rules, Seat, Standing};
use jantaku_sim::env::{Batch, EnvConfig, EnvError, Player, Rewards, Starts, VecEnv};

pub fn rules(name: &str) -> Rules {
    Preset::named(name).expect("a preset").rules()
}

pub fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

/// The place of the only row of a table and seat.
fn row_of(batch: &Batch, rows: usize, table: usize, seat: Seat) -> Option<usize> {
    let is_row = |row: &usize| {
        batch.tables[*row] as usize == table && batch.seats[*row] == seat.number() && batch.due[*row]
    };
    let mut found = (0..rows).filter(is_row);
    let row = found.next();
    assert!(found.next().is_none(), "table {table}, {seat:?}: two decisions are due");
    row
}

/// The games of the engine beside those of an environment.
struct Mirror {
    games: Vec<Game>,
    /// The rewards of each seat in the game in play.
    rewards: Vec<[f64; 4]>,
    numbers: Vec<i32>,
    ended: usize,
}

impl Mirror {
    fn new(env: &VecEnv) -> Mirror {
        let game = |table| Game::new(env.rules(), env.game(table).seed());
        let tables = env.tables();
        Mirror {
            games: (0..tables).map(game).collect(),
            rewards: vec![[0.0; 4]; tables],
            numbers: vec![0; tables],
            ended: 0,
        }
    }

    /// Checks a row that ends a game, and the rewards of its seat.
    fn check_end(&mut self, batch: &Batch, row: usize, rewards: &Rewards) {
        let (table, seat) = (batch.tables[row] as usize, seat(batch.seats[row]));
        let game = &self.games[table];
        let result = game.results().expect("the game is over")[seat];
        assert!(batch.terminated[row] != batch.truncated[row]);
        assert_eq!((batch.placements[row], batch.results[row]), (result.placement, result.result));
        assert_eq!((batch.points[row], batch.games[row]), (result.points, self.numbers[table]));
        assert_eq!(batch.hands[row], game.hand_count() as i32);
        assert!(batch.encoded.masks()[row].iter().all(|legal| *legal == 0));
        let won = f64::from(result.points - game.rules().start_points) / 1000.0;
        let expected = f64::from(rewards.points) * won
            + f64::from(rewards.placements[usize::from(result.placement) - 1])
            + f64::from(rewards.result) * f64::from(result.result) / 1000.0;
        let found = self.rewards[table][seat.index()] + f64::from(batch.rewards[row]);
        assert!((found - expected).abs() < 1e-3, "table {table}, {seat:?}: {found}, expected {expected}");
        self.rewards[table][seat.index()] = 0.0;
        self.ended += 1;
    }

    /// Checks all decisions that are due, and answers them.
    fn answer(&mut self, env: &VecEnv, batch: &Batch, rows: usize, actions: &[u8]) {
        for table in 0..self.games.len() {
            let pending: Vec<Seat> = self.games[table].pending().iter().collect();
            for seat in pending {
                let row = row_of(batch, rows, table, seat).expect("the decision is due");
                let (observation, legal) =
                    (self.games[table].observe(seat), self.games[table].observe(seat).legal());
                let mask: Vec<u8> = ActionId::all().map(|id| u8::from(legal.contains(id))).collect();
                assert_eq!(batch.encoded.masks()[row][..], mask[..], "table {table}, {seat:?}");
                assert_eq!(batch.points[row], self.games[table].scores()[seat]);
                assert_eq!(batch.hands[row] + 1, self.games[table].hand_count() as i32);
                assert_eq!(
                    batch.ids[row],
                    (table * usize::from(env.rules().players.count()) + seat.index()) as i32
                );
                let place = format!("table {table}, {seat:?}");
                if let Some(planes) = batch.encoded.array::<u8>("planes") {
                    let mut expected = [0; PlanesV1::BYTES];
                    PlanesV1::encode(&observation, &mut expected);
                    assert!(planes.as_chunks().0[row] == expected, "{place}");
                }
                if let Some(active) = batch.encoded.array::<u16>("active") {
                    let (mut expected, mut scalars) = ([0; SparseV1::MAX_ACTIVE], [0.0; SparseV1::SCALARS]);
                    let count = SparseV1::encode(&observation, &mut expected, &mut scalars);
                    expected[count..].fill(SparseV1::FEATURES);
                    assert!(active.as_chunks().0[row] == expected, "{place}");
                    assert_eq!(
                        batch.encoded.array::<u16>("counts").map(|counts| counts[row]),
                        Some(count as u16)
                    );
                    let found = batch.encoded.array::<f32>("scalars").expect("scalars");
                    let found: [f32; SparseV1::SCALARS] = found.as_chunks().0[row];
                    assert_eq!(found.map(f32::to_bits), scalars.map(f32::to_bits), "{place}");
                }
                self.rewards[table][seat.index()] += f64::from(batch.rewards[row]);
                let action = ActionId::new(actions[row]).expect("an action").action();
                self.games[table].submit(seat, action).expect("a legal action");
            }
        }
    }
}

/// Plays at random in all seats, and compares every row with the engine.
fn mirrored(rules: &Rules, encoder: Option<Encoder>, rewards: Rewards, turns: usize) -> usize {
    let config = EnvConfig { rewards, seed: 9, threads: 2, ..EnvConfig::new(rules, 130) };
    let mut env = VecEnv::new(config).expect("a valid configuration");
    let mut mirror = Mirror::new(&env);
    let (mut batch, mut actions) = (Batch::new(encoder, 2 * env.most_rows()), Vec::new());
    for _ in 0..turns {
        let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
        for row in (0..rows).filter(|row| !batch.due[*row]) {
            mirror.check_end(&batch, row, &rewards);
        }
        env.random_actions(&mut actions);
        let due = batch.due[..rows].iter().filter(|due| **due).count();
        let pending: u32 = mirror.games.iter().map(|game| game.pending().len()).sum();
        assert_eq!(due, pending as usize, "the decisions that are due, and no others");
        let over: Vec<bool> = mirror.games.iter().map(Game::is_over).collect();
        mirror.answer(&env, &batch, rows, &actions);
        // The next game begins in the batch after the last rows.
        for (table, _) in over.iter().enumerate().filter(|(_, over)| **over) {
            mirror.games[table] = Game::new(rules, env.game(table).seed());
            mirror.numbers[table] += 1;
        }
        env.send(&actions).expect("legal actions");
    }
    mirror.ended
}

#[test]
fn a_learner_in_all_seats_plays_the_games_of_the_engine() {
    let rewards = Rewards { points: 0.5, placements: [3.0, 1.0, -1.0, -4.0], result: 0.25 };
    for (name, encoder) in
        [("tenhou", Some(PlanesV1::ENCODER)), ("tenhou-sanma", Some(SparseV1::ENCODER)), ("duo", None)]
    {
        let rules = Rules { hands_limit: Maybe(Some(2)), ..rules(name) };
        assert!(mirrored(&rules, encoder, rewards, 400) > 100, "{name}: many games end");
    }
    for preset in PRESETS {
        mirrored(&preset.rules(), None, Rewards::POINTS, 300);
    }
}

/// An answer that follows from the decision alone: it does not depend on the order of calls.
pub fn answer(env: &VecEnv, batch: &Batch, row: usize) -> u8 {
    let (table, seat) = (batch.tables[row] as usize, seat(batch.seats[row]));
    let game = env.game(table);
    let legal = game.observe(seat).legal();
    let nth = game.random_stream(seat, 7).below(legal.len() as usize) as u32;
    legal.nth(nth).expect("a legal action").number()
}

/// What each table gave out: the columns of its rows and their answers.
pub type Transcript = BTreeMap<i32, Vec<String>>;

pub fn note(transcript: &mut Transcript, batch: &Batch, row: usize, answer: Option<u8>) {
    let line = format!(
        "{} {} {} {} {} {} {:?}",
        batch.seats[row],
        batch.games[row],
        batch.decisions[row],
        batch.rewards[row],
        batch.points[row],
        batch.results[row],
        answer
    );
    transcript.entry(batch.tables[row]).or_default().push(line);
}

#[test]
fn any_number_of_threads_gives_the_same_rows() {
    let rules = rules("tenhou");
    let play = |threads| {
        let config = EnvConfig { threads, seed: 3, ..EnvConfig::new(&rules, 200) };
        let mut env = VecEnv::new(config).expect("a valid configuration");
        let (mut batch, mut actions) = (Batch::new(Some(SparseV1::ENCODER), 300), Vec::new());
        let mut all = Vec::new();
        for _ in 0..200 {
            let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
            env.random_actions(&mut actions);
            let active: &[u16] = batch.encoded.array::<u16>("active").expect("features");
            let active = active[..rows * SparseV1::MAX_ACTIVE].to_vec();
            all.push((batch.ids[..rows].to_vec(), actions.clone(), active));
            env.send(&actions).expect("legal actions");
        }
        all
    };
    let one = play(1);
    assert!(one == play(2) && one == play(3));
}

#[test]
fn a_reset_starts_the_same_games_again() {
    let mut env = VecEnv::new(EnvConfig::new(&rules("tenhou"), 10)).expect("a valid configuration");
    let mut batch = Batch::new(None, env.most_rows());
    let mut first = |env: &mut VecEnv| {
        let (mut transcript, mut actions) = (Transcript::new(), Vec::new());
        for _ in 0..300 {
            let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
            env.random_actions(&mut actions);
            (0..rows).for_each(|row| note(&mut transcript, &batch, row, Some(actions[row])));
            env.send(&actions).expect("legal actions");
        }
        transcript
    };
    let zero = first(&mut env);
    env.reset(1);
    let one = first(&mut env);
    env.reset(0);
    assert!(zero != one && zero == first(&mut env));
}

#[test]
fn games_start_where_the_distribution_says() {
    let rules = Rules { hands_limit: Maybe(Some(1)), ..rules("tenhou-sanma") };
    let standing = |round, points: [i32; 3]| Standing {
        round,
        honba: 2,
        sticks: 1,
        scores: BySeat::from_slice(rules.players, &points).expect("three seats"),
        ..Standing::start(&rules)
    };
    let standings = [standing(3, [10_000, 50_000, 44_000]), standing(5, [70_000, 20_000, 14_000])];
    let starts = Starts::weighted(&rules, [(standings[0], 3.0), (standings[1], 1.0)]).expect("starts");
    let config = EnvConfig { starts, rewards: Rewards::POINTS, ..EnvConfig::new(&rules, 50) };
    let mut env = VecEnv::new(config).expect("a valid configuration");
    let (mut batch, mut actions) = (Batch::new(None, 2 * env.most_rows()), Vec::new());
    let (mut starts, mut rewards, mut ends) = ([0; 2], vec![[0.0; 3]; 50], 0);
    for _ in 0..400 {
        let rows = env.recv(&mut batch.view_mut()).expect("decisions are due");
        for row in 0..rows {
            let (table, seat) = (batch.tables[row] as usize, usize::from(batch.seats[row]));
            rewards[table][seat] += batch.rewards[row];
            if !batch.due[row] {
                let [low, high] = standings
                    .map(|standing| (batch.points[row] - standing.scores.as_slice()[seat]) as f32 / 1000.0);
                let found = std::mem::take(&mut rewards[table][seat]);
                assert!((found - low).abs() < 1e-3 || (found - high).abs() < 1e-3);
                ends += 1;
            } else if batch.decisions[row] == 0 && env.game(table).table().discards().is_empty() {
                let round = env.game(table).table().round();
                starts[usize::from(round == standings[1].round)] += 1;
                assert!([3, 5].contains(&round) && env.game(table).table().honba() == 2);
            }
        }
        env.random_actions(&mut actions);
        env.send(&actions).expect("legal actions");
    }
    assert!(ends > 500);
    let share = f64::from(starts[0]) / f64::from(starts[0] + starts[1]);
    assert!((0.68..0.82).contains(&share), "{starts:?}");
}

#[test]
fn wrong_configurations_are_errors() {
    let rules = rules("tenhou");
    let error = |config| VecEnv::new(config).expect_err("a wrong configuration").to_string();
    let new = || EnvConfig::new(&rules, 4);
    assert_eq!(error(EnvConfig { tables: 0, ..new() }), "`tables`: expected 1 to 1048576, found 0");
    let players: Vec<Player> = Vec::new();
    assert_eq!(
        error(EnvConfig { lineups: vec![players.into()], ..new() }),
        "`players`: expected 4, one for each seat, found 0"
    );
    let rewards = Rewards { points: f32::NAN, ..Rewards::NONE };
    assert!(error(EnvConfig { rewards, ..new() }).starts_with("`rewards`: expected finite weights"));
    let starts = Starts::of_games(&self::rules("duo"));
    assert_eq!(
        error(EnvConfig { starts, ..new() }),
        "`starts`: expected standings of 4 players, found standings of 2"
    );
    let broken = Rules { start_points: 0, ..rules };
    if broken.check().is_err() {
        assert!(matches!(VecEnv::new(EnvConfig { rules: broken, ..new() }), Err(EnvError::Rules(_))));
    }
    let wrong = Standing { honba: u16::MAX, ..Standing::start(&rules) };
    let starts = |standing, weight| Starts::weighted(&rules, [(standing, weight)]);
    assert!(
        starts(wrong, 1.0).expect_err("extreme").starts_with("standing 0: the standing has points beyond")
    );
    let weight = starts(Standing::start(&rules), 0.0).expect_err("no weight");
    assert_eq!(weight, "the weight of standing 0: expected a positive number, found 0");
    let none = Starts::weighted(&rules, []).expect_err("no standing");
    assert_eq!(none, "expected at least one standing");
}

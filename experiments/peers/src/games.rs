//! Whole games on one thread.
//!
//! Packages count decisions differently, so games, hands and draws are compared.

use std::collections::HashMap;

use cpu_time::ThreadTime;
use jantaku_agents::{Greedy, Policy, Random};
use jantaku_engine::{Event, Game, Observer, Rng, Rules};
use riichienv_core::action::{Action, ActionType};
use riichienv_core::observation::Observation;
use riichienv_core::rule::GameRule;
use riichienv_core::shanten::calc_shanten_from_counts;
use riichienv_core::state::GameState;

use crate::RUNS;
use crate::measure::{Row, Time};

/// The hands and draws of games.
#[derive(Default)]
struct Played {
    hands: u64,
    draws: u64,
}

impl Observer for Played {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Deal { .. } => self.hands += 1,
            Event::Draw { .. } => self.draws += 1,
            _ => {}
        }
    }
}

/// Times games of random and of greedy players, a hundred of ours for each of theirs.
///
/// Greedy players make no calls. Theirs discard for the lowest shanten only; ours also count the
/// ukeire of every discard.
pub fn games(scale: u64) -> Vec<Row> {
    let theirs = (scale / 10).max(1);
    let ours = 10 * scale;
    let random = [
        contest("jantaku", ours, |n, seen| our_games(Random, n, seen)),
        contest("riichienv-core", theirs, |n, seen| their_games(their_random, n, seen)),
    ];
    let greedy = [
        contest("jantaku", ours, |n, seen| our_games(Greedy { calls: false }, n, seen)),
        contest("riichienv-core", theirs, |n, seen| their_games(their_greedy, n, seen)),
    ];
    [("random", random), ("greedy", greedy)]
        .into_iter()
        .flat_map(|(agent, contest)| rows(agent, &contest))
        .collect()
}

/// The time of one package for some games, and their contents.
struct Contest {
    who: &'static str,
    nanoseconds: f64,
    games: u64,
    played: Played,
}

fn contest(who: &'static str, games: u64, play: impl Fn(u64, Option<&mut Played>)) -> Contest {
    let mut played = Played::default();
    play(games, Some(&mut played));
    let mut spent: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = ThreadTime::now();
            play(games, None);
            start.elapsed().as_nanos() as f64
        })
        .collect();
    spent.sort_by(f64::total_cmp);
    Contest { who, nanoseconds: spent[RUNS / 2], games, played }
}

fn rows(agent: &str, contest: &[Contest]) -> Vec<Row> {
    let row = |what: &str, count: fn(&Contest) -> u64| Row {
        question: format!("{what}, {agent}"),
        times: contest
            .iter()
            .map(|c| Time { who: c.who.to_owned(), nanoseconds: c.nanoseconds / count(c) as f64 })
            .collect(),
        notes: Vec::new(),
    };
    vec![
        row("hanchan", |c| c.games),
        row("hand of a game", |c| c.played.hands),
        row("tile drawn", |c| c.played.draws),
    ]
}

fn our_games<P: Policy>(policy: P, games: u64, seen: Option<&mut Played>) {
    match seen {
        Some(seen) => (0..games).for_each(|seed| our_game(&policy, seed, seen)),
        None => (0..games).for_each(|seed| our_game(&policy, seed, &mut ())),
    }
}

fn our_game(policy: &impl Policy, seed: u64, seen: &mut impl Observer) {
    let mut game = Game::new_seen(&Rules::default(), seed, seen);
    while !game.is_over() {
        for seat in game.pending().iter() {
            let action = policy.choose(&game.observe(seat), &mut game.random_stream(seat, 0));
            game.submit_seen(seat, action, seen).expect("a legal action");
        }
    }
}

/// Hanchan of `riichienv-core`. Its log is on only to count hands and draws.
fn their_games(choose: fn(&Observation, &mut Rng) -> Action, games: u64, mut seen: Option<&mut Played>) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = GameState::new(2, seen.is_none(), Some(seed), 0, GameRule::default_tenhou());
        while !state.is_done {
            let asked = state.active_players.clone();
            let answer = |seat: u8| (seat, choose(&state.get_observation(seat), &mut rng));
            let answers: HashMap<u8, Action> = asked.into_iter().map(answer).collect();
            state.step(&answers);
        }
        if let Some(seen) = &mut seen {
            let count = |kind: &str| state.mjai_log.iter().filter(|line| line.contains(kind)).count() as u64;
            seen.hands += count("\"start_kyoku\"");
            seen.draws += count("\"tsumo\"");
        }
    }
}

fn their_random(seen: &Observation, rng: &mut Rng) -> Action {
    let legal = seen.legal_actions_method();
    legal[rng.below(legal.len())].clone()
}

/// Wins, declares riichi, never calls, and discards for the lowest shanten. The crate does not
/// export ukeire.
fn their_greedy(seen: &Observation, _: &mut Rng) -> Action {
    let legal = seen.legal_actions_method();
    let of = |wanted: ActionType| legal.iter().find(|action| action.action_type == wanted);
    let first = [ActionType::Tsumo, ActionType::Ron, ActionType::Riichi].into_iter().find_map(of);
    if let Some(action) = first.or_else(|| of(ActionType::Pass)) {
        return action.clone();
    }
    let hand = &seen.hands[usize::from(seen.player_id)];
    let mut counts = [0; 34];
    hand.iter().for_each(|tile| counts[*tile as usize / 4] += 1);
    let mut shanten_after = |action: &&&Action| {
        let kind = usize::from(action.tile.expect("a discard has a tile")) / 4;
        counts[kind] -= 1;
        let shanten = calc_shanten_from_counts(&counts, (hand.len() / 3) as u8);
        counts[kind] += 1;
        shanten
    };
    let discards: Vec<&Action> =
        legal.iter().filter(|action| action.action_type == ActionType::Discard).collect();
    (*discards.iter().min_by_key(&mut shanten_after).expect("a turn has a discard")).clone()
}

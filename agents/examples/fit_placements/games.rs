//! Games of an agent with itself, and the lines that the fit reads.

use jantaku_agents::{Heuristic, Policy};
use jantaku_engine::{BySeat, FinalResult, Game, Rules, Seat};

/// A player before a hand, and their placement at the end of the game.
pub struct Line {
    pub stage: usize,
    /// The player first, then the others in the order of turns.
    pub points: [f32; 4],
    pub turns: [usize; 4],
    /// 0 is first place.
    pub placement: usize,
}

/// The lines of one game: one for each player at the start of each hand.
pub fn lines(rules: &Rules, agent: &Heuristic, seed: u64) -> Vec<Line> {
    let (starts, results) = hands(rules, seed, agent);
    let mut lines = Vec::new();
    for start in &starts {
        for seat in rules.players.seats() {
            let players = [seat].into_iter().chain(rules.players.others(seat));
            let (mut points, mut turns) = ([f32::NEG_INFINITY; 4], [0; 4]);
            for (at, player) in players.enumerate() {
                points[at] = start.scores()[player] as f32;
                turns[at] = turn_to_deal(rules, start.table().dealer(), player);
            }
            let stage = stage(start);
            lines.push(Line { stage, points, turns, placement: usize::from(results[seat].placement) - 1 });
        }
    }
    lines
}

/// How many players deal before this one, from the present dealer on.
fn turn_to_deal(rules: &Rules, dealer: Seat, player: Seat) -> usize {
    [dealer].into_iter().chain(rules.players.others(dealer)).position(|seat| seat == player).unwrap_or(0)
}

/// The stage of a game, as [`PlacementModel`](jantaku_agents::PlacementModel) counts them.
fn stage(game: &Game) -> usize {
    let rules = game.rules();
    let hands = usize::from(rules.wind_rounds) * usize::from(rules.players.count());
    hands.saturating_sub(usize::from(game.table().round()))
}

/// Plays a game and returns it at the start of each hand, and its results.
fn hands(rules: &Rules, seed: u64, agent: &dyn Policy) -> (Vec<Game>, BySeat<FinalResult>) {
    let mut game = Game::new(rules, seed);
    let mut starts = vec![game.clone()];
    while step(&mut game, agent) {
        if game.hand_count() as usize > starts.len() {
            starts.push(game.clone());
        }
    }
    (starts, game.results().expect("the game is over"))
}

/// Plays one decision. Returns false when the game is over.
fn step(game: &mut Game, agent: &dyn Policy) -> bool {
    let Some((seat, _)) = game.decisions().next() else { return false };
    let action = agent.choose(&game.observe(seat), &mut game.random_stream(seat, agent.salt()));
    game.submit(seat, action).unwrap_or_else(|error| panic!("{error}"));
    true
}

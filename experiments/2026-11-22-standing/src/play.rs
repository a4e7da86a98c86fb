//! Games of an agent with itself, hand by hand.

use jantaku_agents::Policy;
use jantaku_engine::{Action, BySeat, FinalResult, Game, Rules, Seat};

/// Hands that are scheduled after this one.
pub fn hands_left(game: &Game) -> usize {
    let rules = game.rules();
    let hands = usize::from(rules.wind_rounds) * usize::from(rules.players.count());
    hands.saturating_sub(1 + usize::from(game.table().round()))
}

/// The stage of a game, as [`PlacementModel`](jantaku_agents::PlacementModel) counts them.
pub fn stage(game: &Game) -> usize {
    let rules = game.rules();
    let hands = usize::from(rules.wind_rounds) * usize::from(rules.players.count());
    hands.saturating_sub(usize::from(game.table().round()))
}

/// Plays one decision with the agent for its seat and the number of the hand.
fn step<'a>(game: &mut Game, agent: impl Fn(Seat, u32) -> &'a dyn Policy) -> bool {
    let next = game.decisions().next();
    let Some((seat, _)) = next else { return false };
    let agent = agent(seat, game.hand_count());
    let action = agent.choose(&game.observe(seat), &mut game.random_stream(seat, agent.salt()));
    game.submit(seat, action).unwrap_or_else(|error| panic!("{error}"));
    true
}

/// Plays a game and returns it at the start of each hand, and its results.
pub fn hands(rules: &Rules, seed: u64, agent: &dyn Policy) -> (Vec<Game>, BySeat<FinalResult>) {
    let mut game = Game::new(rules, seed);
    let mut starts = vec![game.clone()];
    while step(&mut game, |_, _| agent) {
        if game.hand_count() as usize > starts.len() {
            starts.push(game.clone());
        }
    }
    (starts, game.results().expect("the game is over"))
}

/// Plays a game on with another agent in one seat until the hand ends.
pub fn finish(start: &Game, base: &dyn Policy, seat: Seat, agent: &dyn Policy) -> BySeat<FinalResult> {
    let mut game = start.clone();
    let hand = game.hand_count();
    while step(&mut game, |next, hand_count| if next == seat && hand_count == hand { agent } else { base }) {}
    game.results().expect("the game is over")
}

/// Plays a game on with this action first, and returns its results.
pub fn play_on(game: &Game, seat: Seat, action: Action, agent: &dyn Policy) -> BySeat<FinalResult> {
    let mut game = game.clone();
    game.submit(seat, action).unwrap_or_else(|error| panic!("{error}"));
    while step(&mut game, |_, _| agent) {}
    game.results().expect("the game is over")
}

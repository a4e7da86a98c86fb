//! Recorded games and games in play.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Action, ActionId, Declare, Game, Observation, Observer, Phase, Rng, Rules};

/// Recordings of whole games.
pub fn recordings(count: u64, rules: &Rules) -> Vec<RecordedGame> {
    let record = |seed| {
        let mut recording = RecordedGame::new(*rules);
        let mut game = Game::new_seen(rules, seed, &mut recording);
        while !game.is_over() {
            play_on(&mut game, &mut recording);
        }
        recording
    };
    (0..count).map(record).collect()
}

/// Games after 0 to 99 decisions, in their first or second hand.
pub fn in_play(count: u64, rules: &Rules) -> Vec<Game> {
    let play = |seed| {
        let mut game = Game::new(rules, seed);
        (0..seed % 100).for_each(|_| play_on(&mut game, &mut ()));
        game
    };
    (0..count).map(play).collect()
}

/// Answers for all players who are asked.
fn play_on(game: &mut Game, seen: &mut impl Observer) {
    for seat in game.pending().iter() {
        let action = choose(&game.observe(seat), &mut game.random_stream(seat, 0));
        game.submit_seen(seat, action, seen).expect("a legal action");
    }
}

/// Wins and declares riichi where legal, makes one in four calls, and discards towards tenpai.
fn choose(o: &Observation<'_>, rng: &mut Rng) -> Action {
    let legal = o.legal();
    if let Some(win) = [Action::Tsumo, Action::Ron].into_iter().find(|win| legal.contains(win.id())) {
        return win;
    }
    if o.phase() == Phase::Turn {
        let order = |id: &ActionId| (order_of(o, id.action()), rng.next_u64());
        return legal.iter().min_by_key(order).expect("a turn has a discard").action();
    }
    let calls = rng.below(4) == 0;
    let any = legal.nth(rng.below(legal.len() as usize) as u32).expect("one of them").action();
    if calls { any } else { Action::Pass }
}

/// The order of actions in a turn: riichi, discards by shanten, other actions.
fn order_of(o: &Observation<'_>, action: Action) -> (bool, i8) {
    let (rest, declare) = match action {
        Action::Discard { tile, declare } => {
            let mut rest = o.hand_with_draw();
            rest.remove(tile);
            (rest, declare)
        }
        Action::Tsumogiri { declare } => (*o.hand(), declare),
        _ => return (true, i8::MAX),
    };
    (declare == Declare::Nothing, rest.shanten(o.melds().len()).number())
}

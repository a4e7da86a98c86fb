//! With `keep_draws`, all seats keep their own draws after calls.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::options::Maybe;
use jantaku_engine::{
    Action, ActionId, BySeat, Declare, DrawSource, Event, Game, Phase, Position, Rng, Round, Rules, Seat,
    Tile,
};

use super::decisions::choose;

/// Presets for four, three and two players, with kept draws and games of at most five hands.
fn rule_sets() -> impl Iterator<Item = (&'static str, Rules)> {
    let presets = ["tenhou", "mjsoul", "mleague", "tenhou-sanma", "mjsoul-sanma", "duo"];
    presets.into_iter().map(|name| {
        let rules = Rules::preset(name).expect("a preset");
        (name, Rules { keep_draws: true, hands_limit: Maybe(Some(5)), ..rules })
    })
}

const fn is_call(action: Action) -> bool {
    matches!(action, Action::Chi { .. } | Action::Pon { .. } | Action::Daiminkan)
}

/// Plays one hand in which all players only pass and discard the drawn tile, except for the first
/// `calls` possible calls. Calls `at` before each decision.
fn play_hand(rules: &Rules, seed: u64, mut calls: u32, mut at: impl FnMut(&Game, &[Event])) -> Vec<Event> {
    let mut events = Vec::new();
    let mut game = Game::new_seen(rules, seed, &mut events);
    while !events.iter().any(|event| matches!(event, Event::HandEnd(_))) {
        at(&game, &events);
        let (seat, legal) = game.decisions().next().expect("a hand in play waits for a decision");
        let call = legal.iter().map(ActionId::action).find(|action| calls > 0 && is_call(*action));
        calls -= u32::from(call.is_some());
        let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
        let idle = [Action::Pass, tsumogiri].into_iter().find(|action| legal.contains(action.id()));
        let first = legal.first().expect("a legal action").action();
        game.submit_seen(seat, call.or(idle).unwrap_or(first), &mut events).expect("legal");
    }
    events
}

/// The live tiles that each seat draws in such a hand.
fn draws(rules: &Rules, seed: u64, calls: u32) -> BySeat<Vec<Tile>> {
    let events = play_hand(rules, seed, calls, |_, _| {});
    let mut draws = BySeat::from_fn(rules.players, |_| Vec::new());
    for event in events.iter().take_while(|event| !matches!(event, Event::HandEnd(_))) {
        if let Event::Draw { seat, tile, replacement: false } = event {
            draws[*seat].extend(*tile);
        }
    }
    draws
}

#[test]
fn a_call_leaves_all_seats_their_draws() {
    let mut moved = 0;
    for (name, rules) in rule_sets() {
        let plain = Rules { keep_draws: false, ..rules };
        for seed in 0..20 {
            let (without, with) = (draws(&rules, seed, 0), draws(&rules, seed, 1));
            assert_eq!(without, draws(&plain, seed, 0), "{name} {seed}");
            for seat in rules.players.seats() {
                let common = common(&without[seat], &with[seat]);
                assert_eq!(without[seat][..common], with[seat][..common], "{name} {seed} {seat:?}");
            }
            moved += u32::from(draws(&plain, seed, 1) != with);
        }
    }
    assert!(moved > 20, "{moved} hands in which a call moves draws");
}

/// The number of draws that a call must leave alone: the last one may go to another seat.
fn common(without: &[Tile], with: &[Tile]) -> usize {
    without.len().min(with.len()).saturating_sub(1)
}

/// The live tiles that a seat will draw if `first` draws next and nobody calls.
fn future(round: &Round, first: Seat, seat: Seat) -> Vec<Tile> {
    let players = round.table().rules().players;
    let (skipped, count) = (first.steps_to(seat, players), players.count());
    let live = round.wall().live_tiles().iter();
    live.skip(skipped.into()).step_by(count.into()).copied().collect()
}

/// Whether a chi or pon leads from one hand to the other. Then no seat's future draws have changed.
fn is_kept(before: &Round, after: &Round) -> bool {
    if before.table().phase() != Phase::Claim || !is_after_call(after) {
        return false;
    }
    let players = before.table().rules().players;
    let [old, new] = [before, after].map(|round| round.table().turn().next(players));
    for seat in players.seats() {
        let (old, new) = (future(before, old, seat), future(after, new, seat));
        let common = common(&old, &new);
        assert_eq!(old[..common], new[..common], "{seat:?}");
    }
    true
}

fn is_after_call(round: &Round) -> bool {
    round.table().phase() == Phase::Turn && round.table().source() == DrawSource::Claim
}

/// Every call of random games keeps the draws of all seats. The recorded games replay: the wall
/// follows from the order in which its tiles were drawn, and from the calls.
#[test]
fn games_with_kept_draws_replay() {
    let mut calls = 0;
    for (name, rules) in rule_sets() {
        for seed in 0..6 {
            let (mut recording, mut rng) = (RecordedGame::new(rules), Rng::new(seed));
            let mut game = Game::new_seen(&rules, seed, &mut recording);
            loop {
                let Some((seat, legal)) = game.decisions().next() else { break };
                let (before, eager) = (game.round().clone(), seed % 2 == 1);
                game.submit_seen(seat, choose(legal, eager, &mut rng), &mut recording).expect("legal");
                calls += u32::from(is_kept(&before, game.round()));
            }
            let differences = recording.replay(&mut ()).differences;
            assert!(differences.is_empty(), "{name} {seed}: {:?}", differences.first());
        }
    }
    assert!(calls > 100, "{calls} calls");
}

/// A position is set up from its open tiles, so its wall follows from the calls, too.
#[test]
fn positions_with_kept_draws_are_set_up() {
    let mut compared = 0;
    for (name, rules) in rule_sets() {
        for seed in 0..4 {
            play_hand(&rules, seed, 6, |game, events| {
                let (table, is_open) = (game.table(), |seat| game.table().side(seat).melds().are_open());
                let is_position = matches!(table.phase(), Phase::Turn | Phase::Claim);
                if !is_position || !rules.players.seats().any(is_open) || events.len() % 5 > 0 {
                    return;
                }
                let (seat, legal) = game.decisions().next().expect("a decision");
                let position = Position::seen(&rules, name, events, seat).expect("the events of a hand");
                let again = position.game(seed).unwrap_or_else(|error| panic!("{name} {seed}: {error}"));
                assert!(again.table() == table, "{name} {seed}");
                assert_eq!(again.observe(seat).legal(), legal, "{name} {seed}");
                compared += 1;
            });
        }
    }
    assert!(compared > 50, "{compared} positions");
}

/// The hand right after its first call.
fn after_call(rules: &Rules, seed: u64) -> Option<Round> {
    let mut found = None;
    play_hand(rules, seed, 1, |game, _| {
        if is_after_call(game.round()) {
            found = Some(game.round().clone());
        }
    });
    found
}

/// Rollouts keep draws after a call under all rules, and never twice.
#[test]
fn rollouts_keep_draws_once() {
    let plain = Rules::default();
    let kept = Rules { keep_draws: true, ..plain };
    let calls = (0..40).filter_map(|seed| after_call(&plain, seed).zip(after_call(&kept, seed)));
    let mut compared = 0;
    for (mut plain, mut kept) in calls {
        let by_rules = kept.clone();
        kept.keep_draws();
        assert!(kept == by_rules);
        assert_ne!(plain.wall().tiles(), kept.wall().tiles());
        plain.keep_draws();
        assert_eq!(plain.wall().tiles(), kept.wall().tiles());
        compared += 1;
    }
    assert!(compared > 10, "{compared} calls");
}

//! Games that are stopped, by the caller or by `hands_limit`.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::options::{Chombo, Maybe};
use jantaku_engine::{Game, Rng, Rules, Seat, Standing, final_results};

use super::decisions::choose;

/// Plays at random to the end, or until `goes_on` says no.
fn play_on(game: &mut Game, rng: &mut Rng, goes_on: impl Fn(&Game) -> bool) {
    while !game.is_over() && goes_on(game) {
        let (seat, legal) = game.decisions().next().expect("an open decision");
        game.submit(seat, choose(legal, false, rng)).expect("legal");
    }
}

/// A game in which no two players have the same points, because tied players share uma.
fn uneven(rules: &Rules) -> Game {
    let mut standing = Standing::start(rules);
    for seat in rules.players.seats() {
        standing.scores[seat] += 10_000 * i32::from(seat.number());
    }
    Game::at(rules, 3, &standing, None, &mut ()).expect("it can begin")
}

#[test]
fn a_stopped_game_ends_after_the_hand() {
    let rules = Rules::preset("ema-2016").expect("a preset");
    let (mut game, mut rng) = (uneven(&rules), Rng::new(3));
    play_on(&mut game, &mut rng, |game| game.hand_count() < 3);
    game.stop();
    assert!(!game.is_over() && !game.was_cut_short());
    assert_eq!(game.seed(), 3);
    play_on(&mut game, &mut rng, |_| true);
    assert_eq!((game.hand_count(), game.was_cut_short(), game.is_endless()), (3, true, false));
    assert_eq!(game.results(), Some(final_results(game.scores(), &rules)), "uma counts");
}

/// EMA 2008, 3.6.1: no uma if the time limit ends the game.
#[test]
fn uma_may_not_count_in_a_stopped_game() {
    let rules = Rules { hands_limit: Maybe(Some(4)), ..Rules::preset("ema-2008").expect("a preset") };
    let (mut game, mut rng) = (uneven(&rules), Rng::new(3));
    play_on(&mut game, &mut rng, |_| true);
    assert_eq!((game.hand_count(), game.was_cut_short()), (4, true));
    let results = game.results().expect("the game is over");
    for (seat, result) in results.enumerate() {
        assert_eq!(result.result, game.scores()[seat] - 30_000);
    }
    assert_ne!(results, final_results(game.scores(), &rules), "the game has an uma");
    let placements: Vec<u8> = results.iter().map(|result| result.placement).collect();
    assert_eq!(placements.iter().sum::<u8>(), 10, "placements stay");
}

/// A limit that falls on the last hand stops nothing, so uma counts.
#[test]
fn a_limit_at_the_last_hand_changes_nothing() {
    let free = Rules { hands_limit: Maybe(None), ..Rules::preset("ema-2008").expect("a preset") };
    let (mut whole, mut rng) = (uneven(&free), Rng::new(3));
    play_on(&mut whole, &mut rng, |_| true);
    let limit = u8::try_from(whole.hand_count()).expect("a short game");
    let (mut game, mut rng) = (uneven(&Rules { hands_limit: Maybe(Some(limit)), ..free }), Rng::new(3));
    play_on(&mut game, &mut rng, |_| true);
    assert_eq!((game.hand_count(), game.was_cut_short()), (whole.hand_count(), false));
    assert!(!whole.is_endless() && !game.is_endless());
    assert_eq!(game.results(), whole.results());
}

#[test]
fn a_foul_in_the_last_hand_is_replayed_first() {
    let rules = Rules {
        chombo: Chombo::ReverseMangan,
        hands_limit: Maybe(Some(1)),
        ..Rules::preset("ema-2016").expect("a preset")
    };
    let (mut game, mut rng) = (Game::new(&rules, 3), Rng::new(3));
    game.foul(Seat::FIRST, &mut ()).expect("the rules punish fouls");
    assert!(!game.is_over());
    play_on(&mut game, &mut rng, |_| true);
    assert_eq!((game.hand_count(), game.was_cut_short()), (2, true));
}

/// Hands that are replayed one by one end the game at its limit.
#[test]
fn a_limited_game_replays_from_its_record() {
    for limit in [1, 5] {
        let rules = Rules { hands_limit: Maybe(Some(limit)), ..Rules::preset("ema-2008").expect("a preset") };
        let (mut recording, mut rng) = (RecordedGame::new(rules), Rng::new(9));
        let mut game = Game::new_seen(&rules, 9, &mut recording);
        while !game.is_over() {
            let (seat, legal) = game.decisions().next().expect("an open decision");
            game.submit_seen(seat, choose(legal, false, &mut rng), &mut recording).expect("legal");
        }
        let report = recording.replay(&mut ());
        assert_eq!((report.hands, report.differences.as_slice()), (usize::from(limit), [].as_slice()));
        recording.hands.truncate(1);
        let goes_on = limit > 1;
        assert_eq!(
            !recording.replay(&mut ()).differences.is_empty(),
            goes_on,
            "the game ends at its limit only"
        );
    }
}

//! Walls of recorded hands.

use jantaku_engine::replay::RecordedGame;
use jantaku_engine::{Event, Game, Rng, Rules, Wall};

use super::decisions::choose;

/// A random wall has all tiles that the record shows where they were drawn or turned, and the others in
/// another order for each stream.
#[test]
fn random_walls_have_the_tiles_that_are_shown() {
    for name in ["tenhou", "tenhou-sanma"] {
        let rules = Rules::preset(name).expect("a preset");
        let (mut recording, mut rng) = (RecordedGame::new(rules), Rng::new(4));
        let mut game = Game::new_seen(&rules, 4, &mut recording);
        while !game.is_over() {
            let (seat, legal) = game.decisions().next().expect("an open decision");
            game.submit_seen(seat, choose(legal, true, &mut rng), &mut recording).expect("legal");
        }
        for hand in &recording.hands {
            let standing = hand.standing;
            let dealt = Wall::of_hand(4, standing.round, standing.honba, standing.attempt, &rules);
            let random = |seed| hand.random_wall(&rules, &mut Rng::new(seed)).expect("tiles of one set");
            let drawn = |event: &&Event| matches!(event, Event::Draw { replacement: false, .. });
            let shown = 13 * usize::from(rules.players.count()) + hand.events.iter().filter(drawn).count();
            for seed in 0..4 {
                let wall = random(seed);
                assert_eq!(wall.tiles()[..shown], dealt.tiles()[..shown]);
                assert_eq!(wall.indicator(0), dealt.indicator(0));
                assert_eq!(Wall::from_tiles(wall.tiles(), &rules), Ok(wall));
            }
            assert_ne!(random(0), random(1));
        }
    }
}

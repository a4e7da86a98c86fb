//! The mjlog reader reads our own games as they were played.
#![expect(clippy::unwrap_used, reason = "a test")]

use jantaku_engine::Rules;
use jantaku_sim::logs::mjlog;

#[test]
fn written_games_are_read_back() {
    for seed in 0..300 {
        let mut rules = Rules::preset(["tenhou", "tenhou-sanma"][seed as usize / 2 % 2]).unwrap();
        rules.wind_rounds = 1 + (seed % 2) as u8;
        rules.kuitan = seed % 5 > 0;
        let game = crate::common::played(&rules, seed);
        let xml = crate::common::mjlog::write(&game);
        let read = mjlog::read(&xml, None, None).unwrap_or_else(|error| panic!("{seed}: {error}\n{xml}"));
        assert_eq!(read.rules, game.rules, "{seed}");
        assert_eq!((read.final_scores, read.results), (game.final_scores, game.results));
        for (read, played) in read.hands.iter().zip(&game.hands) {
            assert_eq!((read.standing, read.dealt), (played.standing, played.dealt), "{seed}");
            assert_eq!(read.events, played.events, "{seed}");
        }
        let report = read.replay(&mut ());
        assert_eq!((report.hands, report.differences), (game.hands.len(), Vec::new()), "{seed}\n{xml}");
    }
}

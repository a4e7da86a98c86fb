//! Logs that break off or go wrong keep their whole hands.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use jantaku_engine::Rules;
use jantaku_sim::replay::convert::{Format, complete, gap_of, whole_hands};

use crate::common::logs::{differences, read_all};

/// A log that is cut at any byte keeps the hands before the cut, and has at most one difference.
fn keeps_hands(text: &str, ends: &[usize]) {
    let first = text.find(['\n', '>']).unwrap();
    for cut in (first..text.len()).step_by(97) {
        let Ok(game) = &read_all(&text.as_bytes()[..cut], None)[0] else {
            assert!(ends.is_empty() || cut < ends[0], "{cut}");
            continue;
        };
        let before = ends.iter().filter(|end| **end <= cut).count();
        let kept = whole_hands(game.clone()).map_or(0, |game| game.hands.len());
        assert!(kept >= before && kept <= before + 1, "{cut}: {kept} of {before}");
        let found = differences(game);
        assert!(found.len() <= 1, "{cut}: {found:#?}");
        assert_eq!(found.len(), usize::from(gap_of(game).is_some()), "{cut}: {found:#?}");
        if kept > 0 {
            complete(&whole_hands(game.clone()).unwrap()).unwrap();
        }
    }
}

#[test]
fn cut_logs_keep_the_hands_before_the_cut() {
    for (seed, preset) in (0..).zip(["tenhou", "tenhou-sanma"]) {
        let game = crate::common::played(&Rules::preset(preset).unwrap(), seed);
        let mjai = Format::Mjai.text(&game);
        let ends =
            |text: &str, mark: &str| -> Vec<usize> { text.match_indices(mark).map(|(at, _)| at).collect() };
        keeps_hands(&mjai, &ends(&mjai, "{\"type\":\"end_kyoku\""));
        let mjlog = crate::common::mjlog::write(&game);
        // Each deal but the first follows an end.
        keeps_hands(&mjlog, &ends(&mjlog, "<INIT")[1..]);
    }
}

#[test]
fn a_cut_gzip_file_keeps_the_hands_before_the_cut() {
    let game = crate::common::played(&Rules::default(), 1);
    for text in [Format::Mjai.text(&game), crate::common::mjlog::write(&game)] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        let mut bytes = encoder.finish().unwrap();
        bytes.truncate(bytes.len() * 3 / 4);
        let found = read_all(bytes, None);
        let [Ok(game), Err(error)] = &found[..] else { panic!("{found:?}") };
        assert!(whole_hands(game.clone()).unwrap().hands.len() > 1);
        assert!(error.to_string().starts_with("log: line "), "{error}");
    }
}

/// What should follow a hand has a name that players know, and the number of the decision before it.
#[test]
fn what_follows_a_hand_has_a_name() {
    let mut game = crate::common::played(&Rules::default(), 2);
    game.hands.truncate(1);
    let difference = game.replay(&mut ()).differences.remove(0);
    assert_eq!((&*difference.what, &*difference.found), ("what follows", "the game is over"));
    let expected = difference.expected;
    assert!(expected.starts_with("East ") && expected.contains(", honba "), "{expected}");
    assert!(difference.decision.is_some_and(|decision| decision > 0));
}

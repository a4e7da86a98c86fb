//! Replays of real recorded games equal the recordings.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::error::Error;
use std::path::Path;

use crate::common::data::reference;
use crate::sizes::ROUND_TRIP_STEP;
use jantaku_agents::mjai;
use jantaku_engine::Signature;
use jantaku_engine::replay::RecordedGame;
use jantaku_sim::logs::Source;
use jantaku_sim::logs::files::{Games, find};
use jantaku_sim::logs::tenhou6;
use jantaku_sim::replay::convert::{Format, complete};

/// The results of replaying the games of a folder.
#[derive(Default)]
struct Replayed {
    games: usize,
    hands: usize,
    /// A text for each game with a difference from the rules or an error.
    reports: Vec<String>,
}

/// Replays the games of the files with a chosen name.
fn replay(folder: &Path, chosen: impl Fn(&str) -> bool) -> Replayed {
    let mut replayed = Replayed::default();
    for path in find(&[folder.to_owned()]).unwrap() {
        if !chosen(&path.file_name().unwrap().to_string_lossy()) {
            continue;
        }
        for source in Games::open(&path).unwrap() {
            let source = source.unwrap();
            replayed.games += 1;
            match source.read(None) {
                Ok(game) => {
                    let report = game.replay(&mut ());
                    replayed.hands += report.hands;
                    replayed
                        .reports
                        .extend(report.differences.first().map(|first| format!("{}: {first}", source.name)));
                }
                Err(error) => replayed.reports.push(format!("{}: {error}", source.name)),
            }
        }
    }
    replayed
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn games_of_tenhou_replay_without_a_difference() {
    let folder = reference("tenhou-mjlog");
    let regular = replay(&folder, |name| !name.starts_with("irregular"));
    assert_eq!(regular.reports, [""; 0]);
    assert_eq!((regular.games, regular.hands), (2744, 26_014));
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn irregular_games_are_reported_with_a_reason() {
    let folder = reference("tenhou-mjlog");
    let irregular = replay(&folder, |name| name.starts_with("irregular"));
    // The others are games of lobbies, whose rules the logs have.
    assert_eq!((irregular.games, irregular.reports.len()), (43, 41), "{:#?}", irregular.reports);
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn games_of_mjai_replay_without_a_difference() {
    let folder = reference("mjai");
    let converted = replay(&folder, |name| name.starts_with("converted"));
    assert_eq!(converted.reports, [""; 0]);
    let native = replay(&folder, |name| name.starts_with("native_bot_games"));
    assert_eq!(native.reports, [""; 0]);
    assert_eq!((converted.games, native.games), (500, 3));
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn games_of_tenhou6_replay_without_a_difference() {
    let folder = reference("tenhou6");
    let converted = replay(&folder, |name| name.starts_with("converted"));
    assert_eq!(converted.reports, [""; 0]);
    let native = replay(&folder, |name| !name.starts_with("converted"));
    assert_eq!((converted.games, native.games), (500, 56));
    // Two hands were made up to test a reader: one lacks a riichi stick, the other has a fifth 5s.
    let made_up =
        ["payments of seat 0: expected [2600, 0, -1600, 0]", "more copies of 5s than the rules have"];
    assert_eq!(native.reports.len(), made_up.len(), "{:#?}", native.reports);
    for (report, what) in native.reports.iter().zip(made_up) {
        assert!(report.contains(what), "{report}");
    }
}

#[test]
#[ignore = "needs JANTAKU_DATA"]
fn records_of_mahjong_soul_replay_without_a_difference() {
    let all = replay(&reference("majsoul"), |_| true);
    assert_eq!(all.reports, [""; 0]);
    assert_eq!((all.games, all.hands), (1, 9));
}

/// The signature of a game that replays without a difference.
fn signature(game: &RecordedGame) -> Signature {
    let mut signature = Signature::default();
    let report = game.replay(&mut signature);
    assert_eq!(report.differences.first(), None);
    signature
}

/// What must be equal in a game and in its logs.
type Known = (Signature, u64, Vec<String>);

/// A recorded game, what its mjai log says, and what its tenhou.net/6 log says.
fn written_and_read(source: &Source) -> Result<[Known; 3], Box<dyn Error>> {
    let game = complete(&source.read(None)?)?;
    let from_mjai = mjai::read(&Format::Mjai.text(&game))?;
    let from_tenhou6 = tenhou6::read(&Format::Tenhou6.text(&game), None, None)?;
    assert!(from_mjai.states_rules || game.rules == jantaku_engine::Rules::default());
    let known = |game: &RecordedGame| (signature(game), game.rules.hash(), game.names.clone());
    Ok([&game, &from_mjai.game, &from_tenhou6].map(known))
}

/// A game that is written in a format and read again is the same game.
#[test]
#[ignore = "needs JANTAKU_DATA"]
fn formats_round_trip() {
    let mut files = find(&[reference("tenhou-mjlog")]).unwrap();
    files.retain(|path| !path.to_string_lossy().contains("irregular"));
    let games = files.iter().flat_map(|path| Games::open(path).unwrap());
    let mut chosen = 0;
    for source in games.step_by(ROUND_TRIP_STEP.get() as usize) {
        let source = source.unwrap();
        let found = written_and_read(&source).unwrap_or_else(|error| panic!("{}: {error}", source.name));
        let [game, from_mjai, from_tenhou6] = found;
        assert_eq!(game, from_mjai, "{}", source.name);
        assert_eq!(game, from_tenhou6, "{}", source.name);
        chosen += 1;
    }
    assert_eq!(chosen, 2744_u32.div_ceil(ROUND_TRIP_STEP.get()));
}
